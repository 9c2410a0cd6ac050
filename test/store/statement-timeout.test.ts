import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { isDatabaseUnavailable } from '../../src/store/database/unavailable.ts';
import { createServerDatabase, createTestApp, type TestApp } from '../support.ts';

// The embedded server is one thread with the gateway: nothing can cancel its statements.
describe.runIf(process.env.DATABASE_URL)('a statement that takes too long', () => {
  let server: Awaited<ReturnType<typeof createServerDatabase>>;
  let other: pg.Client;
  let test: TestApp;
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });

  beforeAll(async () => {
    server = await createServerDatabase();
    const db = await openDatabase({ url: server.url, poolSize: 2, statementTimeout: 300 });
    test = await createTestApp({ db, logger, observability: { slowQuery: 250 } });
    other = new pg.Client({ connectionString: server.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await test.close();
    await test.db.close();
    await server.drop();
  });

  const whileLocked = async <T>(run: () => Promise<T>): Promise<T> => {
    await other.query('BEGIN; LOCK TABLE plans, wallets IN ACCESS EXCLUSIVE MODE');
    return run().finally(() => other.query('ROLLBACK'));
  };

  it('is cancelled by the server', async () => {
    const before = performance.now();
    const error = await test.db.prisma.$queryRaw`SELECT pg_sleep(20)::text`.catch((cause: unknown) => cause);
    expect(performance.now() - before).toBeLessThan(5000);
    expect(isDatabaseUnavailable(error)).toBe(true);
    const { rows } = await other.query(
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'",
    );
    expect(rows).toEqual([]);
  });

  it('is a 503 on both doors, for reads and writes, and the next one is answered', async () => {
    const query = '{ plans(first: 1) { nodes { code } } }';
    const [graphql, read, write] = await whileLocked(
      async () =>
        [
          await test.graphql(query),
          await test.rest('GET', '/plans/scale/charges/calls/filters/00000000-0000-4000-8000-000000000000'),
          await test.rest('PATCH', '/wallets/00000000-0000-4000-8000-000000000000/metadata', { metadata: { a: '1' } }),
        ] as const,
    );
    expect([graphql.status, graphql.text.includes('"http"')]).toEqual([503, false]);
    expect(graphql.errors?.[0]).toMatchObject({
      message: 'Service unavailable',
      extensions: { code: 'service_unavailable' },
    });
    expect([read.status, write.status]).toEqual([503, 503]);
    expect(read.body).toEqual({ status: 503, error: 'Service Unavailable' });
    expect((await test.graphql(query)).errors).toBeUndefined();
    expect(
      (await test.rest('GET', '/plans/scale/charges/calls/filters/00000000-0000-4000-8000-000000000000')).status,
    ).toBe(404);
  });

  it('is not sent a second time, and the log of slow statements has it, through Prisma and past it', async () => {
    const queries = ['query List { plans(first: 1) { nodes { code } } }', 'query Lookup { plan(code: "x") { name } }'];
    for (const query of queries) for (let n = 0; n < 3; n += 1) await test.graphql(query); // compiled by now
    lines.length = 0;
    const answers = await whileLocked(() => Promise.all(queries.map((query) => test.graphql(query))));
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    const slow = lines.filter(({ msg }) => msg === 'slow query');
    expect(slow.map(({ operation }) => operation).sort()).toEqual(['List', 'Lookup']);
    for (const line of slow) {
      expect(line).toMatchObject({ failed: true, requestId: expect.any(String), organizationId: test.organizationId });
      expect(line.ms).toBeGreaterThan(250);
    }
  });
});
