import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKey } from '../../src/store/access/api-key.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { cleanUp, freePort, run, untilListening } from '../process.ts';
import { createServerDatabase } from '../support.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const WALLETS = Array.from({ length: 24 }, () => randomUUID());
const NOW = new Date('2026-06-15T12:00:00Z');

const customer = { external_id: 'cust_ada', name: 'Ada', currency: 'EUR' };
const wallets = WALLETS.map((svc_id) => ({
  ...{ svc_id, code: svc_id, external_customer_id: 'cust_ada', currency: 'EUR', rate_amount: '1' },
}));

// The embedded server has one connection, which nobody else can hold.
describe.runIf(process.env.DATABASE_URL)('rows that an import or a long transaction holds', () => {
  let server: Awaited<ReturnType<typeof createServerDatabase>>;
  let holder: pg.Client;
  let address: string;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    server = await createServerDatabase();
    const db = await openDatabase({ url: server.url, poolSize: 2 });
    for (const [name, more] of Object.entries({ Quillo: { wallets }, Brackenfell: {} })) {
      await importDocument(db, { organization: { name }, customers: [customer], ...more }, { now: NOW });
      const { id } = await db.prisma.organization.findUniqueOrThrow({ where: { name } });
      keys[name] = (await createKey(db.prisma, { organizationId: id, kind: 'secret' })).key;
    }
    await db.close();
    holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    const environment = { DATABASE_URL: server.url, DATABASE_POOL: '9', LOCK_TIMEOUT: '1s', PORT: await freePort() };
    address = await untilListening(run([], environment));
  });
  afterAll(async () => {
    await cleanUp();
    await holder.end();
    await server.drop();
  });

  const headers = (name: string) => ({ Authorization: `Bearer ${keys[name]}`, 'Content-Type': 'application/json' });

  const write = async (wallet: string) => {
    const body = JSON.stringify({ metadata: { a: 'b' } });
    const path = `/api/v1/wallets/${wallet}/metadata`;
    const response = await fetch(`${address}${path}`, { method: 'PATCH', headers: headers('Quillo'), body });
    return [response.status, response.headers.get('retry-after')];
  };

  /** Milliseconds until a list of customers is read. */
  const read = async (name: string) => {
    const before = performance.now();
    const body = JSON.stringify({ query: '{ customers(first: 5) { nodes { name } } }' });
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers: headers(name), body });
    expect(await response.json()).toMatchObject({ data: { customers: { nodes: [{ name: 'Ada' }] } } });
    return performance.now() - before;
  };

  it('are a 503 with Retry-After to who writes them, and keep no reads waiting', async () => {
    for (let times = 0; times < 3; times += 1) await Promise.all([read('Quillo'), read('Brackenfell')]);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM wallets FOR UPDATE');
    const writing = Promise.all(WALLETS.map(write));
    await new Promise((done) => setTimeout(done, 300));
    const times: number[] = [];
    for (let asked = 0; asked < 10; asked += 1) times.push(await read('Brackenfell'), await read('Quillo'));
    const { rows } = await holder.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    const answers = await writing;
    await holder.query('ROLLBACK');
    expect(Math.max(...times)).toBeLessThan(1500);
    expect(rows[0].count).toBeGreaterThan(0);
    expect(rows[0].count).toBeLessThanOrEqual(3);
    expect(new Set(answers.map(String))).toEqual(new Set(['503,2']));
    expect(await write(WALLETS[0] ?? '')).toEqual([200, null]);
  });
});
