import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageAsked } from '../../../src/billing/aggregate/metric-usage.ts';
import type { AggregationType } from '../../../src/billing/catalogue/metric.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { eventParts, splitOf, together } from '../../../src/store/usage/event-sql.ts';
import { keepMonths } from '../../../src/store/usage/table/event-month.ts';
import { measureOf } from '../../../src/store/usage/table/measured-by.ts';
import { totalsSql } from '../../../src/store/usage/total-sql.ts';
import { createTestApp, type TestApp } from '../../support.ts';

// `PLAN_SCALE=50` reads a million among ten millions.
const SCALE = Number(process.env.PLAN_SCALE ?? 1);
const [OTHERS, OWN] = [200_000 * SCALE, 20_000 * SCALE];
const FROM = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

const askedOf = (aggregation: AggregationType, more: Partial<UsageAsked['charge']> = {}): UsageAsked => ({
  charge: {
    ...{ id: 'c', model: 'standard', properties: { amount: '1' }, filters: [] },
    metric: { aggregation, fieldName: aggregation === 'count' ? null : 'n', recurring: false, filters: [] },
    ...more,
  },
  period: { from: FROM, to: FROM + 31 * DAY_MS - 1, durationDays: 31, timezone: 'UTC' },
  ...{ levelFrom: null, withAdvance: false },
});

describe('20,000 events of a subscription among 200,000 of others, in two months', () => {
  let test: TestApp;
  let client: TenantClient;
  beforeAll(async () => {
    test = await createTestApp();
    client = forOrganization(test.db.prisma, test.organizationId);
    const { prisma } = test.db;
    await keepMonths(test.db, ['2026-01-01', '2026-02-01']);
    // Interleaved as they come; those of the one are every eleventh.
    await prisma.$executeRaw`INSERT INTO events (id, organization_id, external_subscription_id, code, transaction_id, "timestamp",
        created_at, properties, measured_by)
      SELECT gen_random_uuid(), ${test.organizationId}::uuid, 's' || CASE WHEN at % 11 = 0 THEN 0 ELSE at % 998 + 1 END,
        code, 't' || at, ${new Date(FROM)}::timestamptz + at * interval '15 seconds' / ${SCALE}::int, now(),
        jsonb_build_object('n', at % 97, 'g', 'g' || at % 7), by
      FROM generate_series(1, ${OTHERS + OWN}::int) at,
        LATERAL (VALUES ('calls', '=n'), ('seats', '#n')) kinds(code, by) WHERE (at % 2 = 0) = (code = 'calls')`;
    await prisma.$executeRawUnsafe('VACUUM (ANALYZE) events');
  }, 240_000 * SCALE);
  afterAll(() => test?.close());

  async function planOf(code: string, asked: UsageAsked) {
    const metric = { organizationId: test.organizationId, externalSubscriptionId: 's0', code };
    const window = { from: asked.period.from, to: asked.period.to };
    const read = { ...{ metric, window, until: undefined, supposed: [] }, measure: measureOf(asked.charge.metric) };
    const totals = totalsSql({ asked, read, split: splitOf(asked, []) }, 100);
    const plan = await client.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN (ANALYZE, TIMING OFF) ${totals}`;
    return { text: plan.map((row) => row['QUERY PLAN']).join('\n'), read };
  }

  it.each([
    ['calls', 'count'],
    ['calls', 'sum'],
    ['calls', 'max'],
    ['calls', 'weighted_sum'],
    ['seats', 'unique_count'],
  ] as const)('%s: a %s reads the index and no row', async (code, aggregation) => {
    const { text } = await planOf(code, askedOf(aggregation));
    // But for the look whether there is one that is measured otherwise.
    const scans = text.match(/.*Scan using events_.*rows=(?![01][ .])[\d.]+ loops.*/g) ?? [];
    expect(scans).toHaveLength(1);
    expect(scans[0]).toMatch(/Index Only Scan using events_2026_01_organization_id_external_subscription_id_\w+ on/);
    expect(text).not.toMatch(/events_(2026_02|default)/);
    // Somebody else's open transaction keeps a page or two from being seen by all.
    expect(Number(/Heap Fetches: (\d+)/.exec(text)?.[1])).toBeLessThan(OWN / 1000);
    expect(text).not.toContain('Seq Scan');
  });

  it('what looks at other properties, or at each event, reads the rows of the subscription by the index', async () => {
    const groups = { properties: { amount: '1', pricing_group_keys: ['g'] } };
    const { text, read } = await planOf('calls', askedOf('sum', groups));
    expect(text).toMatch(
      /(?:Index|Bitmap Index) Scan (?:using|on) events_2026_01_organization_id_external_subscription_id_/,
    );
    expect(text).not.toMatch(/Seq Scan/);
    const cursor = await client.$queryRaw<
      { 'QUERY PLAN': string }[]
    >`EXPLAIN SELECT properties FROM (${together(eventParts(read, undefined, true))}) events
      ORDER BY at, place, created_at, id`;
    expect(cursor.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan/);
  });

  it('events that are measured otherwise are looked for in the index, also where half of all are and one has most of them', async () => {
    const march = Date.UTC(2026, 2, 1);
    await keepMonths(test.db, ['2026-03-01']);
    await test.db.prisma
      .$executeRaw`INSERT INTO events (id, organization_id, external_subscription_id, code, transaction_id,
        "timestamp", created_at, properties, measured_by)
      SELECT gen_random_uuid(), ${test.organizationId}::uuid, 's0', code, 'm' || at,
        ${new Date(march)}::timestamptz + at * interval '15 seconds', now(), jsonb_build_object('n', at % 97), by
      FROM generate_series(1, ${OWN * 4}::int) at,
        LATERAL (VALUES ('calls', '=n'), ('seats', '#n')) kinds(code, by) WHERE (at % 2 = 0) = (code = 'calls')`;
    await test.db.prisma.$executeRawUnsafe('VACUUM (ANALYZE) events_2026_03');
    const { text } = await planOf('calls', {
      ...askedOf('sum'),
      period: { ...askedOf('sum').period, from: march, to: march + 31 * DAY_MS - 1 },
    });
    const scans = text.split('\n').filter((line) => / on events_2026_03 /.test(line) && !/never executed/.test(line));
    expect(scans).toHaveLength(3);
    expect(scans.filter((line) => /rows=0[ .]/.test(line))).toHaveLength(2);
    for (const scan of scans) expect(scan).toContain('Index Only Scan');
  });
});
