import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scriptsOn } from '../../../src/store/database/embedded/embedded.ts';
import { migrate, readMigrations } from '../../../src/store/database/migration.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { isInUse } from '../../../src/store/database/unavailable.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { storeEvents } from '../../../src/store/usage/event-intake.ts';
import { eventRow } from '../../../src/store/usage/event-row.ts';
import { detachMonths, keepMonths, keepMonthsAhead } from '../../../src/store/usage/table/event-month.ts';
import { createTestApp, type TestApp } from '../../support.ts';

let app: TestApp;
let client: TenantClient;
beforeAll(async () => {
  app = await createTestApp();
  client = forOrganization(app.db.prisma, app.organizationId);
});
afterAll(() => app?.close());

const rows = <T>(sql: string) => app.db.prisma.$queryRawUnsafe<T[]>(sql);
/** The table of each event, by transaction id. */
const tables = async () =>
  Object.fromEntries(
    (
      await rows<{ id: string; table: string }>(
        'SELECT transaction_id AS id, tableoid::regclass::text AS table FROM events ORDER BY 1',
      )
    ).map(({ id, table }) => [id, table]),
  );
const keys = async () =>
  (await rows<{ id: string }>('SELECT transaction_id AS id FROM event_keys ORDER BY 1')).map(({ id }) => id);
const drop = async () => {
  const made = await rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname ~ '^(detached_)?events_\\d' AND relkind = 'r'`,
  );
  for (const { name } of made) await app.db.prisma.$executeRawUnsafe(`DROP TABLE "${name}"`);
  await app.db.prisma.$executeRawUnsafe('TRUNCATE events');
};
beforeEach(drop);

const event = (transactionId: string, at: string, code = 'calls') =>
  eventRow(
    {
      ...{ transactionId, code, externalSubscriptionId: 'sub', timestamp: new Date(at) },
      ...{ properties: { n: '2.50' }, preciseTotalAmountCents: '1.5' },
    },
    app.organizationId,
    new Date('2026-11-29T12:00:00Z'),
  );
const store = (...events: ReturnType<typeof event>[]) => storeEvents(client, events);

describe('months', () => {
  test('an event is in the table of its month, one of no month in that of the rest, from the first year to the last', async () => {
    expect(await keepMonths(app.db, ['2026-10-01', '2026-11-01'])).toEqual(['2026-10-01', '2026-11-01']);
    await store(
      event('last of October', '2026-10-31T23:59:59.999Z'),
      event('first of November', '2026-11-01T00:00:00Z'),
      event('December', '2026-12-01T00:00:00Z'),
      event('long ago', '0001-01-01T00:00:00Z'),
      event('far', '9999-12-31T23:59:59.999Z'),
    );
    expect(await tables()).toEqual({
      'last of October': 'events_2026_10',
      'first of November': 'events_2026_11',
      December: 'events_default',
      'long ago': 'events_default',
      far: 'events_default',
    });
    expect(await keys()).toHaveLength(5);
  });

  test('what came before its month was made is moved there as it was', async () => {
    await store(event('a', '2026-11-15T00:00:00Z'), event('b', '2026-12-15T00:00:00Z'));
    const before = await rows('SELECT * FROM events ORDER BY transaction_id');
    const keysBefore = await rows('SELECT * FROM event_keys ORDER BY transaction_id');
    await keepMonths(app.db, ['2026-11-01']);
    expect(await tables()).toEqual({ a: 'events_2026_11', b: 'events_default' });
    expect(await rows('SELECT * FROM events ORDER BY transaction_id')).toEqual(before);
    expect(await rows('SELECT * FROM event_keys ORDER BY transaction_id')).toEqual(keysBefore);
  });

  test('several processes make the same months at once while events come', async () => {
    const days = ['2026-09-01', '2026-10-01', '2026-11-01'];
    const coming = Array.from({ length: 60 }, (_, at) =>
      store(event(`e${at}`, `2026-${9 + (at % 3)}-15T00:00:00Z`.replace('-9-', '-09-'))),
    );
    await Promise.all([...Array.from({ length: 4 }, () => keepMonths(app.db, days)), ...coming]);
    const found = Object.values(await tables());
    expect(found).toHaveLength(60);
    expect(new Set(found)).toEqual(new Set(['events_2026_09', 'events_2026_10', 'events_2026_11']));
    expect(await keepMonths(app.db, days)).toEqual([]);
  });

  test('months are made ahead, and for many events of one that was not', async () => {
    await app.db.prisma.$executeRawUnsafe(`INSERT INTO events (id, organization_id, external_subscription_id, code, transaction_id,
        "timestamp", measured_by) SELECT gen_random_uuid(), '${app.organizationId}'::uuid, 's', 'c', 't' || at,
        '2025-03-01Z'::timestamptz + at * interval '40 seconds', '' FROM generate_series(1, 60000) at`);
    const made = await keepMonthsAhead(app.db, new Date('2026-11-29T12:00:00Z'));
    expect(made).toEqual(['2025-03-01', '2026-11-01', '2026-12-01', '2027-01-01', '2027-02-01']);
    expect(await rows('SELECT count(*)::int AS left FROM events_default')).toEqual([{ left: 0 }]);
    expect(await rows('SELECT count(*)::int AS moved FROM events_2025_03')).toEqual([{ moved: 60000 }]);
  });

  test('the month of each table is looked after by vacuum as soon as a fiftieth of it is new', async () => {
    await keepMonths(app.db, ['2026-11-01']);
    const found = await rows<{
      name: string;
      options: string[];
    }>(`SELECT relname AS name, reloptions AS options FROM pg_class
      WHERE relname IN ('events_2026_11', 'events_default') ORDER BY 1`);
    const options = ['autovacuum_vacuum_insert_scale_factor=0.02'];
    expect(found).toEqual([
      { name: 'events_2026_11', options },
      { name: 'events_default', options },
    ]);
  });
});

describe('keys', () => {
  test('the same id at another time is known, whatever the months', async () => {
    await keepMonths(app.db, ['2026-10-01', '2026-11-01']);
    expect(await store(event('a', '2026-10-15T00:00:00Z'))).toEqual([]);
    expect(await store(event('b', '2026-11-15T00:00:00Z'), event('a', '2026-11-15T00:00:00Z'))).toEqual([1]);
    expect(await keys()).toEqual(['a']);
    // Who does not ask first meets the index.
    const { written: _written, ...again } = event('a', '2026-11-16T00:00:00Z');
    const data = { ...again, properties: {} };
    await expect(app.db.prisma.event.create({ data })).rejects.toMatchObject({ code: 'P2002' });
    expect(Object.keys(await tables())).toEqual(['a']);
  });

  test('follow what an import changes: a time, a deletion, and another event in place of the deleted one', async () => {
    await keepMonths(app.db, ['2026-10-01', '2026-11-01']);
    const [{ name } = { name: '' }] = await rows<{ name: string }>('SELECT name FROM organizations');
    const document = (more: object) => ({
      events: [{ transaction_id: 'a', external_subscription_id: 'sub', code: 'calls', ...more }],
    });
    const bring = (more: object) =>
      importDocument(app.db, document(more), { organization: name, now: new Date('2026-11-29T12:00:00Z') });
    await bring({ timestamp: '2026-10-15T00:00:00Z', properties: { n: 1 } });
    expect((await bring({ timestamp: '2026-10-15T00:00:00Z' })).unchanged).toBe(1);
    await bring({ timestamp: '2026-11-15T00:00:00Z' });
    expect(await tables()).toEqual({ a: 'events_2026_11' });
    expect(
      await rows(
        'SELECT key."timestamp" = events."timestamp" AS same FROM event_keys key JOIN events ON id = event_id',
      ),
    ).toEqual([{ same: true }]);
    await bring({ deleted_at: '2026-11-20T00:00:00Z' });
    expect(await keys()).toEqual([]);
    expect((await bring({ deleted_at: '2026-11-20T00:00:00Z' })).unchanged).toBe(1);
    expect(await store(event('a', '2026-10-15T00:00:00Z'))).toEqual([]);
    expect(await keys()).toEqual(['a']);
  });

  test('go with their organization', async () => {
    const { id: organizationId } = await app.db.prisma.organization.create({ data: { name: 'Leaving' } });
    const other = forOrganization(app.db.prisma, organizationId);
    await keepMonths(app.db, ['2020-01-01']);
    await storeEvents(other, [{ ...event('theirs', '2020-01-15T00:00:00Z'), organizationId }]);
    await store(event('ours', '2020-01-15T00:00:00Z'));
    await detachMonths(app.db, '2020-02-01', false);
    await app.db.prisma.organization.delete({ where: { id: organizationId } });
    expect(await keys()).toEqual(['ours']);
  });
});

describe('a month that is detached', () => {
  beforeEach(async () => {
    await keepMonths(app.db, ['2020-01-01', '2020-02-01', '2020-03-01']);
    await store(...[1, 2, 3].map((month) => event(`month ${month}`, `2020-0${month}-15T00:00:00Z`)));
  });

  test('is not read, and its events are still known', async () => {
    expect(await detachMonths(app.db, '2020-03-01', false)).toEqual([
      { month: '2020-01', table: 'detached_events_2020_01', events: 1 },
      { month: '2020-02', table: 'detached_events_2020_02', events: 1 },
    ]);
    expect(await tables()).toEqual({ 'month 3': 'events_2020_03' });
    expect(await store(event('month 1', '2020-01-20T00:00:00Z'))).toHaveLength(1);
    expect((await app.rest('GET', '/events/month%201')).status).toBe(404);
    expect((await app.rest('GET', '/events/month%203')).status).toBe(200);
    // A late one is stored, and its month may be put away again.
    expect(await store(event('late', '2020-01-20T00:00:00Z'))).toEqual([]);
    await keepMonths(app.db, ['2020-01-01']);
    expect(await detachMonths(app.db, '2020-02-01', false)).toEqual([
      { month: '2020-01', table: 'detached_events_2020_01_more', events: 1 },
    ]);
  });

  test('takes along what its events would have billed once their subscription began', async () => {
    const due = (timestamp: string, waits: boolean) => ({
      ...{ organizationId: app.organizationId, externalSubscriptionId: 'stranger', waits },
      event: { transactionId: timestamp, code: 'calls', timestamp, properties: {}, amount: null },
    });
    await client.usageDue.createMany({
      data: [due('2020-01-15T00:00:00Z', true), due('2020-01-15T00:00:00Z', false), due('2020-03-15T00:00:00Z', true)],
    });
    await detachMonths(app.db, '2020-03-01', false);
    const left = await client.usageDue.findMany({ orderBy: { waits: 'asc' } });
    expect(left.map(({ event, waits }) => [(event as { timestamp: string }).timestamp, waits])).toEqual([
      ['2020-01-15T00:00:00Z', false],
      ['2020-03-15T00:00:00Z', true],
    ]);
    await client.usageDue.deleteMany({});
  });

  test('is forgotten with its keys where that is asked for', async () => {
    await detachMonths(app.db, '2020-03-01', true);
    expect(await keys()).toEqual(['month 3']);
    expect(await store(event('month 1', '2020-01-20T00:00:00Z'))).toEqual([]);
  });

  test('is refused, and those after it, where a recurring metric counts its events in every period', async () => {
    await store(event('seat', '2020-02-20T00:00:00Z', 'seats'));
    const metric = {
      code: 'seats',
      name: 'Seats',
      aggregationType: 'sum_agg',
      fieldName: 'n',
      recurring: true,
    } as const;
    await client.billableMetric.create({ data: { ...metric, organizationId: app.organizationId } });
    const error = await detachMonths(app.db, '2020-04-01', false).catch((refusal: unknown) => refusal);
    expect(isInUse(error)).toBe(true);
    expect(await tables()).toEqual({
      'month 2': 'events_2020_02',
      'month 3': 'events_2020_03',
      seat: 'events_2020_02',
    });
  });
});

test('what was stored in one table is carried over, deleted events too', async () => {
  const server = await PGlite.create();
  try {
    const all = await readMigrations();
    const at = all.findIndex(({ name }) => name.endsWith('_events_by_month'));
    await migrate(scriptsOn(server), all.slice(0, at));
    await server.exec(`INSERT INTO organizations (id, name, updated_at) VALUES ('00000000-0000-7000-8000-000000000001', 'o', now());
      INSERT INTO events (id, organization_id, transaction_id, external_subscription_id, code, "timestamp", properties, deleted_at)
      SELECT gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 't' || at % 40, 's' || at % 2, 'c',
        now() - at * interval '5 days', jsonb_build_object('n', at), CASE WHEN at > 40 THEN now() END
      FROM generate_series(1, 80) at;
      INSERT INTO events (id, organization_id, transaction_id, external_subscription_id, code, "timestamp")
      VALUES (gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'old', '', 'c', '0099-01-01');`);
    const read = async () => (await server.query('SELECT * FROM events ORDER BY id')).rows;
    const before = await read();
    await migrate(scriptsOn(server), all);
    expect(await read()).toEqual(before);
    const { rows: found } = await server.query(`SELECT (SELECT count(*)::int FROM events_default) AS rest,
      (SELECT count(*)::int FROM event_keys) AS keys, (SELECT count(*) > 10 FROM pg_inherits WHERE inhparent = 'events'::regclass) AS months`);
    expect(found).toEqual([{ rest: 1, keys: 41, months: true }]);
  } finally {
    await server.close();
  }
}, 60_000);
