import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { cleanUp, freePort, run, temporaryFolder, untilListening } from '../process.ts';
import { createServerDatabase } from '../support.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
afterAll(cleanUp);

const WRITES = 200;
const WALLETS = Array.from({ length: 4 }, () => randomUUID());
const REGIONS = Array.from({ length: WRITES / 2 }, (_, index) => `r${index}`);

const DOCUMENT = {
  organization: { name: 'Quillo' },
  billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
  customers: [{ external_id: 'cust_ada', name: 'Ada', currency: 'EUR' }],
  wallets: WALLETS.map((svc_id) => ({
    svc_id,
    code: svc_id,
    external_customer_id: 'cust_ada',
    currency: 'EUR',
    rate_amount: '1',
  })),
  billable_metrics: [
    { code: 'calls', name: 'Calls', aggregation_type: 'count_agg', filters: [{ key: 'region', values: REGIONS }] },
  ],
  plans: [
    {
      code: 'orchid',
      interval: 'monthly',
      amount_cents: 0,
      amount_currency: 'EUR',
      charges: [
        { code: 'calls', billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '1' } },
      ],
    },
  ],
};

/** A write, and whether the gateway said that it is done. */
interface Write {
  readonly kind: 'metadata' | 'filter';
  readonly wallet: string;
  readonly name: string;
  answered: boolean;
}

const writes = (): Write[] =>
  Array.from({ length: WRITES }, (_, index) => ({
    kind: index % 2 ? 'filter' : 'metadata',
    wallet: WALLETS[(index / 2) % WALLETS.length] ?? '',
    name: index % 2 ? `r${(index - 1) / 2}` : `k${index / 2}`,
    answered: false,
  }));

async function perform(address: string, key: string, write: Write): Promise<void> {
  const { kind, wallet, name } = write;
  const filter = { properties: { amount: '2' }, values: { region: [name] } };
  const [method, path, body] =
    kind === 'filter'
      ? ['POST', '/plans/orchid/charges/calls/filters', { filter }]
      : ['PATCH', `/wallets/${wallet}/metadata`, { metadata: { [name]: 'v' } }];
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${address}/api/v1${path}`, {
    method: `${method}`,
    headers,
    body: JSON.stringify(body),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(name)]);
  write.answered = true;
}

/** Sends the writes, eight at a time, and kills the process when so many of them have been answered. */
async function killAmong(running: ReturnType<typeof run>, key: string, all: readonly Write[], after: number) {
  const address = await untilListening(running);
  const waiting = [...all];
  let killed = false;
  const client = async () => {
    for (let write = waiting.shift(); write && !killed; write = waiting.shift()) {
      const failure = await perform(address, key, write).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure !== undefined && !killed) throw failure;
      if (all.filter(({ answered }) => answered).length >= after && !killed) {
        killed = true;
        running.child.kill('SIGKILL');
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await running.ended;
}

const keysOf = (value: unknown) => Object.keys((value as Record<string, unknown> | null) ?? {});

const regionsOf = (values: unknown) => (values as { region: string[] }).region;

/** What the database holds of the writes, by rows and by the log. */
async function stored(place: { url?: string; dataDir?: string }) {
  const db = await openDatabase(place);
  try {
    const wallets = await db.prisma.wallet.findMany({ where: { id: { in: WALLETS } } });
    const filters = await db.prisma.chargeFilter.findMany();
    const log = await db.prisma.auditLog.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
    return { wallets, filters, log };
  } finally {
    await db.close();
  }
}

function expectWhole({ wallets, filters, log }: Awaited<ReturnType<typeof stored>>, all: readonly Write[]): void {
  const kept = new Set<string>();
  for (const { id, metadata } of wallets) {
    const entries = log.filter(({ objectId }) => objectId === id);
    // One entry for each key, neither more nor fewer, and the last of them tells the row.
    expect(entries).toHaveLength(keysOf(metadata).length);
    const longest = entries.map(({ after }) => after).sort((one, other) => size(other) - size(one))[0];
    if (entries.length > 0) expect(longest).toEqual({ metadata });
    for (const name of keysOf(metadata)) kept.add(name);
  }
  const created = log.filter(({ action }) => action === 'charge_filter.created').map(({ objectId }) => objectId);
  expect(created.sort()).toEqual(filters.map(({ id }) => id).sort());
  for (const { values } of filters) {
    expect(values).toEqual({ region: [expect.any(String)] });
    for (const name of regionsOf(values)) kept.add(name);
  }
  const answered = all.filter((write) => write.answered).map(({ name }) => name);
  expect(answered.filter((name) => !kept.has(name))).toEqual([]);
  expect([...kept].filter((name) => !all.some((write) => write.name === name))).toEqual([]);
}

const size = (value: unknown) => JSON.stringify(value).length;

async function survives(environment: Record<string, string>, place: { url?: string; dataDir?: string }) {
  const file = join(await temporaryFolder(), 'document.json');
  await writeFile(file, JSON.stringify(DOCUMENT));
  const imported = await run(['import', file, '--organization', 'Quillo'], environment).ended;
  expect(imported).toMatchObject({ code: 0 });
  const { stdout } = await run(['keys', 'create', '--organization', 'Quillo'], environment).ended;
  const key = stdout.split('\n')[0] ?? '';
  const all = writes();
  await killAmong(run([], { ...environment, PORT: await freePort() }), key, all, WRITES / 3);
  const answered = () => all.filter((write) => write.answered).length;
  expect(answered()).toBeLessThan(WRITES);
  expectWhole(await stored(place), all);
  // Started again, the gateway goes on with what is left: of what nobody answered, some may have happened.
  const { wallets, filters } = await stored(place);
  const done = new Set([
    ...wallets.flatMap(({ metadata }) => keysOf(metadata)),
    ...filters.flatMap(({ values }) => regionsOf(values)),
  ]);
  const rest = all.filter(({ name }) => !done.has(name));
  const second = run([], { ...environment, PORT: await freePort() });
  const address = await untilListening(second);
  for (const write of rest) await perform(address, key, write);
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  const end = await stored(place);
  expectWhole(end, all);
  expect(end.log).toHaveLength(WRITES);
}

describe(`a process killed among ${WRITES} writes has done each of them wholly or not at all`, () => {
  it('in the embedded database', async () => {
    const dataDir = await temporaryFolder();
    await survives({ DATA_DIR: dataDir }, { dataDir });
  });

  if (process.env.DATABASE_URL) {
    it('on a PostgreSQL server', async () => {
      const { url, drop } = await createServerDatabase();
      await survives({ DATABASE_URL: url }, { url });
      await drop();
    });
  }
});
