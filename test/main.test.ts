import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, freePort, run, temporaryFolder, untilListening } from './process.ts';
import { createServerDatabase } from './support.ts';

// Each test starts the program several times, beside whatever else the machine does.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

afterAll(cleanUp);

const oneLine = (stderr: string) => stderr.split('\n').filter((line) => line !== '');

describe('a wrong setting is one clear line and exit code 1', () => {
  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number'],
    [{ DATABASE_URL: '' }, 'DATABASE_URL is empty: give it a value, or leave it out'],
    [{ DATABASE_URL: 'mysql://localhost' }, 'DATABASE_URL must be a postgresql:// address'],
    [
      { DATABASE_URL: 'postgresql://127.0.0.1:1/x' },
      'DATABASE_URL does not lead to a usable PostgreSQL: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [{ EVENTS_URL: '' }, 'EVENTS_URL is empty: give it a value, or leave it out'],
    [{ EVENTS_URL: 'mysql://localhost' }, 'EVENTS_URL must be a clickhouse://, http:// or https:// address'],
    [{ EVENTS_BUFFER_URL: 'kafka://localhost' }, 'EVENTS_BUFFER_URL must be a nats:// or tls:// address'],
    [{ WEB_CONCURRENCY: '2' }, 'WEB_CONCURRENCY needs DATABASE_URL: the embedded database serves one process'],
    [{ DATA_DIR: '/proc/nowhere' }, /the data directory \/proc\/nowhere cannot be used: ENOENT/],
    [{ DATA_DIR: '/dev/null' }, /the data directory \/dev\/null cannot be used: /],
  ] as const)('%j', async (environment, expected) => {
    const { code, stdout, stderr } = await run([], environment).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [line, ...more] = oneLine(stderr);
    expect(more).toEqual([]);
    if (typeof expected === 'string') expect(line).toBe(`billing-gateway: ${expected}`);
    else expect(line).toMatch(expected);
  });

  it.each([
    ['EVENTS_URL', 'clickhouse://127.0.0.1:1', 'a usable ClickHouse: connect ECONNREFUSED 127.0.0.1:1'],
    ['EVENTS_BUFFER_URL', 'nats://127.0.0.1:1', 'a usable stream of NATS: connection refused'],
    [
      'EVENTS_BUFFER_URL',
      'nats://127.0.0.1:1/S?replicas=none',
      'a usable stream of NATS: replicas must be a whole number above 0',
    ],
  ])('so is %s=%s, which is tried once the database is open', async (name, url, reason) => {
    const { code, stderr } = await run([], { [name]: url, DATA_DIR: await temporaryFolder() }).ended;
    expect([code, oneLine(stderr)]).toEqual([1, [`billing-gateway: ${name} does not lead to ${reason}`]]);
  });

  it('so is an unknown command', async () => {
    const { code, stderr } = await run(['dance']).ended;
    expect([code, oneLine(stderr)]).toEqual([1, [expect.stringMatching(/^error: too many arguments/)]]);
  });
});

describe('the embedded database', () => {
  let folder: string;
  let key: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const args = ['keys', 'create', '--organization', 'Quillo', '--create-organization', '--permissions', 'plan:read'];
    const { code, stdout, stderr } = await run(args, { DATA_DIR: folder }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    key = stdout.split('\n')[0] ?? '';
    expect(key).toMatch(/^sk_svc_[\w-]{43}$/);
  });

  const ask = (address: string) =>
    fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });

  it('of a killed process starts again with nothing lost', async () => {
    const first = run([], { DATA_DIR: folder, PORT: await freePort() });
    expect((await ask(await untilListening(first))).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 500)); // the use of the key is written after the answer
    first.child.kill('SIGKILL');
    await first.ended;
    const { code, stdout } = await run(['keys', 'list', '--organization', 'Quillo'], { DATA_DIR: folder }).ended;
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/sk_svc_….{4} {2}secret {2}active {2}used /),
    });
    const second = run([], { DATA_DIR: folder, PORT: await freePort() });
    expect((await ask(await untilListening(second))).status).toBe(200);
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  it('is opened by one process at a time, and a port too', async () => {
    const first = run([], { DATA_DIR: folder, PORT: await freePort() });
    await untilListening(first);
    const second = await run(['keys', 'list', '--organization', 'Quillo'], { DATA_DIR: folder }).ended;
    expect(second.code).toBe(1);
    expect(oneLine(second.stderr)).toEqual([
      `billing-gateway: the data directory ${folder} is in use by process ${first.child.pid}`,
    ]);
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const third = await run([], { DATA_DIR: folder, PORT: String(port) }).ended;
    expect([third.code, oneLine(third.stderr)]).toEqual([1, [`billing-gateway: 127.0.0.1:${port} is in use`]]);
    taken.close();
  });

  it('takes no broken import, and says what is wrong with it', async () => {
    const file = join(folder, 'broken.json');
    await writeFile(file, '{"customers": [');
    const broken = await run(['import', file], { DATA_DIR: folder }).ended;
    expect([broken.code, oneLine(broken.stderr)]).toEqual([1, [expect.stringContaining('is not JSON')]]);
    const missing = await run(['import', join(folder, 'nothing.json')], { DATA_DIR: folder }).ended;
    expect([missing.code, oneLine(missing.stderr)]).toEqual([1, [expect.stringContaining('nothing.json')]]);
  });

  it('keys are refused by names that do not exist', async () => {
    const unknown = await run(['keys', 'create', '--organization', 'Nobody'], { DATA_DIR: folder }).ended;
    expect([unknown.code, oneLine(unknown.stderr)]).toEqual([1, [expect.stringContaining('no organization Nobody')]]);
    const args = ['keys', 'create', '--organization', 'Quillo', '--permissions', 'planet:read'];
    const permission = await run(args, { DATA_DIR: folder }).ended;
    expect([permission.code, oneLine(permission.stderr)]).toEqual([1, [expect.stringContaining('planet:read')]]);
  });

  it('no key is made that would never be good', async () => {
    const args = ['keys', 'create', '--organization', 'Quillo', '--expires', '2026-01-01'];
    const { code, stdout, stderr } = await run(args, { DATA_DIR: folder }).ended;
    expect([code, stdout, oneLine(stderr)]).toEqual([
      1,
      '',
      ['billing-gateway: 2026-01-01 is past: the key would be refused from the beginning'],
    ]);
  });
});

if (process.env.DATABASE_URL) {
  describe('a PostgreSQL server', () => {
    it('two processes that start at once on an empty database both come up', async () => {
      const { url, drop } = await createServerDatabase('template0');
      const both = [
        run([], { DATABASE_URL: url, PORT: await freePort() }),
        run([], { DATABASE_URL: url, PORT: await freePort() }),
      ];
      for (const address of await Promise.all(both.map(untilListening))) {
        expect((await fetch(`${address}/ready`)).status).toBe(200);
      }
      // A queue that could not be made would have kept a process from ending.
      for (const { child } of both) child.kill('SIGTERM');
      expect((await Promise.all(both.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
      for (const one of both) expect(one.output()).not.toContain('nobody works at jobs');
      await drop();
    });

    it('is served by several processes of one start; one that dies is replaced', async () => {
      const { url, drop } = await createServerDatabase();
      const running = run([], { DATABASE_URL: url, PORT: await freePort(), WEB_CONCURRENCY: '2', LOG_LEVEL: 'info' });
      const address = await untilListening(running);
      const workers = async () => {
        // A connection handed to a process in the moment of its death is lost: its client gives up and asks again.
        const ask = () =>
          fetch(`${address}/nowhere`, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(2000) });
        await Promise.allSettled(Array.from({ length: 20 }, ask));
        return new Set([...running.output().matchAll(/"pid":(\d+),"requestId"/g)].map(([, pid]) => Number(pid)));
      };
      const [victim = 0] = await workers();
      expect(victim).toBeGreaterThan(0);
      process.kill(victim, 'SIGKILL');
      await expect.poll(async () => (await workers()).size, { timeout: 30_000, interval: 500 }).toBeGreaterThan(2);
      running.child.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
      await drop();
    });

    it('several processes that cannot begin end, with one clear line and exit code 1', async () => {
      const { url, drop } = await createServerDatabase();
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const PORT = String((taken.address() as AddressInfo).port);
      const { code, stderr } = await run([], { DATABASE_URL: url, PORT, WEB_CONCURRENCY: '2' }).ended;
      expect([code, new Set(oneLine(stderr).filter((line) => line.startsWith('billing-gateway')))]).toEqual([
        1,
        new Set([`billing-gateway: 127.0.0.1:${PORT} is in use`]),
      ]);
      taken.close();
      await drop();
    });

    it('a second signal does not cut off what several processes are answering', async () => {
      const { url, drop } = await createServerDatabase();
      const create = ['keys', 'create', '--organization', 'Quillo', '--create-organization'];
      const key = (await run(create, { DATABASE_URL: url }).ended).stdout.split('\n')[0];
      const running = run([], { DATABASE_URL: url, PORT: await freePort(), WEB_CONCURRENCY: '2' });
      const address = await untilListening(running);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('BEGIN; LOCK TABLE customers');
      const asked = fetch(`${address}/api/v1/customers/nobody/payment_requests`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      const waiting = async () => {
        await client.query('SELECT pg_stat_clear_snapshot()');
        return (
          await client.query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
          )
        ).rowCount;
      };
      await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
      for (const _ of [1, 2]) {
        running.child.kill('SIGTERM');
        await new Promise((done) => setTimeout(done, 300));
      }
      await client.query('COMMIT');
      expect((await asked).status).toBe(404);
      expect((await running.ended).code).toBe(0);
      await client.end();
      await drop();
    });

    it('says why a migration cannot be made, and makes one again whose process died', async () => {
      const { url, drop } = await createServerDatabase();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(
        `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_written_attempts'`,
      );
      const refused = await run(['migrate'], { DATABASE_URL: url }).ended;
      expect([refused.code, oneLine(refused.stderr)]).toEqual([1, [expect.stringContaining('already exists')]]);
      await client.query('ALTER TABLE idempotency_keys DROP COLUMN written_at');
      await client.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET datestyle = 'SQL, DMY'`);
      for (const _ of [1, 2]) expect((await run(['migrate'], { DATABASE_URL: url }).ended).code).toBe(0);
      const { rows } = await client.query(
        `SELECT count(*)::int AS n FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
      );
      expect(rows).toEqual([{ n: 0 }]);
      await client.end();
      await drop();
    });

    it('never gets the demo', async () => {
      const { url, drop } = await createServerDatabase();
      const running = run([], { DATABASE_URL: url, PORT: await freePort() });
      const address = await untilListening(running);
      const headers = { Authorization: 'Bearer sk_svc_demo' };
      expect((await fetch(`${address}/graphql?query={__typename}`, { headers })).status).toBe(401);
      running.child.kill('SIGTERM');
      await running.ended;
      await drop();
    });
  });
}
