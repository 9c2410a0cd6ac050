import { afterAll, beforeAll, expect, test } from 'vitest';
import { forOrganization, type TenantClient, transactionOf } from '../../../src/store/database/tenant.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { storeEvents } from '../../../src/store/usage/event-intake.ts';
import { eventRow } from '../../../src/store/usage/event-row.ts';
import { foldUsage, keepUsage, remakeUsage } from '../../../src/store/usage/hours/keep-usage.ts';
import { keptHours, keptValues } from '../../../src/store/usage/hours/kept-span.ts';
import { readGroups, usageReader } from '../../../src/store/usage/read-usage.ts';
import { detachMonths, keepMonths } from '../../../src/store/usage/table/event-month.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { askedOf } from './drawn-usage.ts';

let app: TestApp;
let client: TenantClient;
beforeAll(async () => {
  app = await createTestApp();
  client = forOrganization(app.db.prisma, app.organizationId);
  const { organizationId } = app;
  const metrics = [
    { code: 'calls', name: 'Calls', aggregationType: 'sum_agg', fieldName: 'n', organizationId },
    { code: 'users', name: 'Users', aggregationType: 'unique_count_agg', fieldName: 'n', organizationId },
  ] as const;
  for (const data of metrics) await client.billableMetric.create({ data });
});
afterAll(() => app?.close());

let named = 0;
const event = (at: string, n: string, code = 'calls', subscription = 'hot') => {
  named += 1;
  const names = { transactionId: `t${named}`, code, externalSubscriptionId: subscription };
  const members = { ...names, timestamp: new Date(at), properties: { n }, preciseTotalAmountCents: null };
  return eventRow(members, app.organizationId, new Date('2026-11-29T12:00:00Z'));
};
const of = (code = 'calls', externalSubscriptionId = 'hot') => ({
  ...{ organizationId: app.organizationId, externalSubscriptionId, code },
});
const rows = <T>(sql: string) => app.db.prisma.$queryRawUnsafe<T[]>(sql);

/** All that is kept, put together. */
async function kept() {
  const hours =
    await rows(`SELECT external_subscription_id AS of, code, hour, sum(events)::int AS events, sum(valued)::int AS valued,
    sum(total)::text AS total, max(largest)::text AS largest, trim_scale(sum(moments))::text AS moments, max(last_at) AS last
    FROM usage_hours GROUP BY 1, 2, 3, measured_by ORDER BY 1, 2, 3, measured_by`);
  const values = await rows(`SELECT DISTINCT external_subscription_id AS of, code, span, start, mark FROM usage_values
    ORDER BY 1, 2, 3, 4, 5`);
  return { hours, values };
}

test('what events come to is kept with them, and made anew it is the same: late and future ones, imported ones, of many writers', async () => {
  await storeEvents(client, [event('2026-11-01T10:15:00Z', '2.5'), event('2026-11-01T10:45:00Z', '-1')]);
  await keepUsage(app.db.prisma, of());
  await keepUsage(app.db.prisma, of('users'));
  const times = ['2026-11-01T10:59:59.999Z', '2026-11-01T11:00:00Z', '2020-02-29T23:30:00Z', '2027-06-01T00:00:00Z'];
  await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      storeEvents(client, [
        event(times[at % 4] ?? '', String(at)),
        event(times[at % 3] ?? '', `user ${at % 5}`, 'users'),
        event(times[at % 4] ?? '', 'many'),
        event(times[at % 4] ?? '', '7', 'calls', 'other'),
      ]),
    ),
  );
  const [{ name } = { name: '' }] = await rows<{ name: string }>('SELECT name FROM organizations');
  const item = { external_subscription_id: 'hot', code: 'calls', properties: { n: 100 } };
  const events = times.map((timestamp, at) => ({ ...item, timestamp, transaction_id: `imported ${at}` }));
  await importDocument(app.db, { events }, { organization: name, now: new Date('2026-11-29T12:00:00Z') });

  const before = await kept();
  expect(before.hours.filter((row) => (row as { of: string }).of === 'other')).toEqual([]);
  const counted = (before.hours as { code: string; events: number }[]).filter(({ code }) => code === 'calls');
  expect(counted.reduce((sum, { events: count }) => sum + count, 0)).toBe(2 + 80 + 4);
  expect(before.hours).toContainEqual({
    ...{ of: 'hot', code: 'calls', hour: new Date('2026-11-01T10:00:00Z') },
    // 2.5 - 1 + 0 + 4 + ... + 36 + 100
    ...{ events: 23, valued: 13, total: '281.5', largest: '100', moments: expect.any(String) },
    last: new Date('2026-11-01T10:59:59.999Z'),
  });
  expect(await remakeUsage(app.db.prisma, name)).toBe(2);
  expect(await kept()).toEqual(before);
  expect(await remakeUsage(app.db.prisma, 'Nobody')).toBe(0);
});

test('rows of one hour are put together, and come to the same', async () => {
  await storeEvents(client, [event('2026-11-01T10:20:00Z', '1')]);
  await storeEvents(client, [event('2026-11-01T10:21:00Z', '2')]);
  const before = await kept();
  const count = async () => (await rows<{ rows: number }>('SELECT count(*)::int AS rows FROM usage_hours'))[0]?.rows;
  const many = await count();
  await Promise.all([foldUsage(app.db.prisma), foldUsage(app.db.prisma)]);
  expect(await kept()).toEqual(before);
  expect(await count()).toBeLessThan(many ?? 0);
  expect(await count()).toBe(before.hours.length);
});

test('nothing is lost or counted twice while it begins to be kept', async () => {
  const subscription = 'begun';
  const write = async () => {
    for (let at = 0; at < 30; at += 1)
      await storeEvents(client, [event('2026-11-02T10:00:00Z', '1', 'calls', subscription)]);
  };
  const writers = Array.from({ length: 4 }, write);
  let isKept = false;
  for (let tries = 0; tries < 20 && !isKept; tries += 1) {
    isKept = await keepUsage(app.db.prisma, of('calls', subscription)).then(
      () => true,
      () => false,
    );
  }
  await Promise.all(writers);
  expect(isKept).toBe(true);
  expect(
    await rows(`SELECT sum(events)::int AS events FROM usage_hours WHERE external_subscription_id = 'begun'`),
  ).toEqual([{ events: 120 }]);
});

test('what is changed or deleted is kept no more, and made anew when it is kept again', async () => {
  const one = event('2026-11-03T10:00:00Z', '5', 'calls', 'changed');
  await storeEvents(client, [one, event('2026-11-03T10:30:00Z', '6', 'calls', 'changed')]);
  await keepUsage(app.db.prisma, of('calls', 'changed'));
  const found = () => rows(`SELECT is_complete AS complete FROM kept_usage WHERE external_subscription_id = 'changed'`);
  expect(await found()).toEqual([{ complete: true }]);
  await app.db.prisma.event.update({ where: { id: one.id }, data: { deletedAt: new Date() } });
  expect(await found()).toEqual([]);
  await keepUsage(app.db.prisma, of('calls', 'changed'));
  expect(
    await rows(`SELECT events::int, total::text FROM usage_hours WHERE external_subscription_id = 'changed'`),
  ).toEqual([{ events: 1, total: '6' }]);
});

test('values are read over a time that holds no whole day, as over one that does', async () => {
  const times = ['2026-11-04T05:30:00Z', '2026-11-04T17:00:00Z', '2026-11-05T04:00:00Z', '2026-11-06T12:00:00Z'];
  await storeEvents(
    client,
    times.map((time, place) => event(time, `user ${place}`, 'users', 'short')),
  );
  await keepUsage(app.db.prisma, of('users', 'short'));
  const none = { keys: [], filters: [], shown: [], supposed: [], levelFrom: null, until: undefined, model: 'standard' };
  const flags = { recurring: false, prorated: false, payInAdvance: false, withAdvance: false };
  const units = async (from: string, to: string) => {
    const zone = { timezone: 'America/New_York', from: at(from), to: at(to) };
    const asked = askedOf({ ...none, ...flags, aggregation: 'unique_count' }, zone);
    const [group] = await transactionOf(client, (tx) =>
      readGroups(usageReader(client, tx, ['short']), of('users', 'short'), asked),
    );
    return group?.aggregate.units.toNumber();
  };
  expect(await units('2026-11-04T05:00:00Z', '2026-11-04T16:59:59.999Z')).toBe(1);
  expect(await units('2026-11-04T05:00:00Z', '2026-11-05T04:59:59.999Z')).toBe(3);
  expect(await units('2026-11-04T05:00:00Z', '2026-11-06T12:30:00Z')).toBe(4);
});

test('a month that is detached takes along what is kept of it', async () => {
  await keepMonths(app.db, ['2020-03-01']);
  await storeEvents(client, [event('2020-03-15T10:00:00Z', '5')]);
  await detachMonths(app.db, '2020-04-01', false);
  const before = await kept();
  await remakeUsage(app.db.prisma);
  expect(await kept()).toEqual(before);
});

const at = (text: string) => Date.parse(text);
const range = (from: string | null, to: string) => ({ from: from === null ? null : at(from), to: at(to) });

test('whole hours are read from what is kept, those that are cut from events', () => {
  expect(keptHours(range('2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z'), [])).toEqual({
    ...{ hours: range('2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z'), without: [], cut: [] },
  });
  expect(keptHours(range('2026-11-01T10:15:00Z', '2026-11-02T10:20:00Z'), [at('2026-11-01T18:30:00Z')])).toEqual({
    hours: range('2026-11-01T11:00:00Z', '2026-11-02T09:59:59.999Z'),
    without: [at('2026-11-01T10:00:00Z'), at('2026-11-01T18:00:00Z'), at('2026-11-02T10:00:00Z')],
    cut: [
      range('2026-11-01T10:15:00Z', '2026-11-01T10:59:59.999Z'),
      range('2026-11-01T18:00:00Z', '2026-11-01T18:59:59.999Z'),
      range('2026-11-02T10:00:00Z', '2026-11-02T10:20:00Z'),
    ],
  });
  const within = range('2026-11-01T10:15:00Z', '2026-11-01T10:20:00Z');
  expect(keptHours(within, []).cut).toEqual([within]);
});

test('whole months and days are read from what is kept, those that are cut from events; the last month too where nothing came later', () => {
  expect(keptValues(range('2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z'))).toEqual({
    ...{ months: range('2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z'), days: [], cut: [], running: null },
  });
  const running = {
    ...{ month: at('2026-11-01T00:00:00Z'), later: range('2026-11-02T10:20:00.001Z', '2026-11-30T23:59:59.999Z') },
    days: [range('2026-11-01T00:00:00Z', '2026-11-01T23:59:59.999Z')],
    cut: [range('2026-11-02T00:00:00Z', '2026-11-02T10:20:00Z')],
  };
  expect(keptValues(range('2026-09-15T10:15:00Z', '2026-11-02T10:20:00Z'))).toEqual({
    months: range('2026-10-01T00:00:00Z', '2026-10-31T23:59:59.999Z'),
    days: [range('2026-09-16T00:00:00Z', '2026-09-30T23:59:59.999Z')],
    ...{ cut: [range('2026-09-15T10:15:00Z', '2026-09-15T23:59:59.999Z')], running },
  });
  const endless = keptValues(range(null, '2026-11-02T10:20:00Z'));
  expect(endless).toEqual({ months: range(null, '2026-10-31T23:59:59.999Z'), days: [], cut: [], running });
  expect(keptValues(range('2026-11-01T00:00:00Z', '2026-11-02T10:20:00Z'))).toEqual({
    ...{ months: null, days: [], cut: [], running },
  });
  expect(keptValues(range('2026-11-05T00:00:00Z', '2026-11-07T10:20:00Z'))).toEqual({
    ...{ months: null, days: [range('2026-11-05T00:00:00Z', '2026-11-06T23:59:59.999Z')], running: null },
    cut: [range('2026-11-07T00:00:00Z', '2026-11-07T10:20:00Z')],
  });
  const within = range('2026-11-05T10:15:00Z', '2026-11-06T10:20:00Z');
  expect(keptValues(within)).toEqual({ months: null, days: [], cut: [within], running: null });
});
