import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Prisma } from '../../../src/store/generated/prisma/client.ts';
import { makeInvoice, makeSeller, type Seller } from '../../invoice-rows.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';

const at = (text: string) => new Date(text);
let now = at('2026-01-20T12:00:00Z');

let gateway: TestApp;
let seller: Seller;
const ids: Record<string, string> = {};

const METRICS: readonly Partial<Prisma.BillableMetricUncheckedCreateInput>[] = [
  { code: 'traffic', aggregationType: 'sum_agg', fieldName: 'gb' },
  { code: 'seats', aggregationType: 'unique_count_agg', fieldName: 'user', recurring: true },
  { code: 'calls', aggregationType: 'count_agg' },
  { code: 'free', aggregationType: 'count_agg' },
  { code: 'disk', aggregationType: 'weighted_sum_agg', fieldName: 'gb', recurring: true },
];

async function makeMetric(members: Partial<Prisma.BillableMetricUncheckedCreateInput>): Promise<string> {
  const named = { organizationId: gateway.organizationId, name: 'M', code: 'm', aggregationType: 'count_agg' } as const;
  return (await gateway.db.prisma.billableMetric.create({ data: { ...named, ...members } })).id;
}

async function makeCharge(code: string, members: Partial<Prisma.ChargeUncheckedCreateInput> = {}): Promise<string> {
  const { organizationId, planId } = seller;
  const names = { organizationId, planId, code: `c-${code}`, billableMetricId: ids[code] ?? '' };
  const charge = { ...names, chargeModel: 'standard', properties: { amount: '1' }, ...members } as const;
  return (await gateway.db.prisma.charge.create({ data: charge })).id;
}

async function makeSubscription(externalId: string, members: Partial<Prisma.SubscriptionUncheckedCreateInput> = {}) {
  const { organizationId, customerId, planId } = seller;
  const startedAt = at('2026-01-01T00:00:00Z');
  const data = { organizationId, customerId, planId, externalId, status: 'active', startedAt } as const;
  return (await gateway.db.prisma.subscription.create({ data: { ...data, subscriptionAt: startedAt, ...members } })).id;
}

const JANUARY = { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-31T23:59:59.999Z') };

/** A final invoice for January, with these fees. */
async function billJanuary(fees: readonly Partial<Prisma.FeeUncheckedCreateInput>[], status: 'finalized' | 'draft') {
  const finalizedAt = status === 'finalized' ? now : null;
  const own = fees.map((fee) => ({
    ...{
      organizationId: gateway.organizationId,
      subscriptionId: ids.sub ?? null,
      fromDate: JANUARY.from,
      toDate: JANUARY.to,
    },
    ...fee,
  }));
  const invoiceId = await makeInvoice(gateway.db, seller, { status, finalizedAt }, own);
  await gateway.db.prisma.billingPeriod.create({
    data: {
      ...{ organizationId: gateway.organizationId, invoiceId, subscriptionId: ids.sub ?? '' },
      ...{ subscriptionFromDatetime: JANUARY.from, subscriptionToDatetime: JANUARY.to },
      ...{ chargesFromDatetime: JANUARY.from, chargesToDatetime: JANUARY.to, invoicingReason: 'subscription_periodic' },
    },
  });
  return invoiceId;
}

beforeAll(async () => {
  gateway = await createTestApp({ now: () => now });
  seller = await makeSeller(gateway.db, gateway.organizationId);
  for (const metric of METRICS) ids[`${metric.code}`] = await makeMetric(metric);
  await gateway.db.prisma.billableMetricFilter.create({
    data: {
      ...{ organizationId: gateway.organizationId, billableMetricId: ids.traffic ?? '' },
      ...{ key: 'region', values: ['eu', 'us'] },
    },
  });
  for (const code of ['traffic', 'seats', 'disk']) ids[`c-${code}`] = await makeCharge(code);
  ids['c-calls'] = await makeCharge('calls', { payInAdvance: true, createdAt: JANUARY.from });
  ids.sub = await makeSubscription('sub');
  await makeSubscription('old', { status: 'terminated', terminatedAt: at('2026-01-10T00:00:00Z') });
});
afterAll(() => gateway?.close());

type Sent = [id: string, code: string, when: string, properties?: object, subscription?: string | null];

async function send(...events: Sent[]): Promise<void> {
  for (const [id, code, when, properties = {}, subscription = 'sub'] of events) {
    const event = { transaction_id: id, code, timestamp: Date.parse(when) / 1000, properties };
    const { status } = await gateway.rest('POST', '/events', {
      event: { ...event, external_subscription_id: subscription },
    });
    expect(status).toBe(200);
  }
}

const SHOWN = 'fate fateReasons { member code } fees { svcId }';

async function fateOf(id: string, key?: string) {
  const { data, errors } = await gateway.graphql(`{ event(transactionId: "${id}") { ${SHOWN} } }`, {}, key);
  expect(errors).toBeUndefined();
  const { fate, fateReasons, fees } = data.event;
  const reasons = fateReasons.map((one: { member: string; code: string }) => `${one.member}: ${one.code}`);
  return { fate, reasons, fees: fees.map(({ svcId }: { svcId: string }) => svcId) };
}

const expectFate = async (id: string, fate: string, reasons: string[] = [], fees: string[] = []) =>
  expect([id, await fateOf(id)]).toEqual([id, { fate, reasons, fees }]);

async function countsSum(): Promise<Record<string, number>> {
  const { data } = await gateway.graphql('{ eventFates { sent counts { fate count } } }');
  const counts = data.eventFates.counts.map((one: { fate: string; count: string }) => [one.fate, Number(one.count)]);
  expect(counts.reduce((sum: number, [, count]: [string, number]) => sum + count, 0)).toBe(
    Number(data.eventFates.sent),
  );
  return Object.fromEntries(counts.filter(([, count]: [string, number]) => count > 0));
}

test('what has a metric, a charge and a subscription at its time is counted, all else is kept and told why', async () => {
  await send(
    ['eu', 'traffic', '2026-01-20T00:00:00Z', { gb: 5, region: 'eu' }],
    ['us', 'traffic', '2026-01-20T00:00:00Z', { gb: '1.5', region: 'us' }],
    ['mars', 'traffic', '2026-01-20T00:00:00Z', { gb: 0, region: 'mars' }],
    ['text', 'traffic', '2026-01-20T00:00:00Z', { gb: 'many' }],
    ['none', 'traffic', '2026-01-20T00:00:00Z'],
    ['seat', 'seats', '2026-01-20T00:00:00Z', { user: 'ada' }],
    ['nobody', 'seats', '2026-01-20T00:00:00Z'],
    ['call', 'calls', '2026-01-20T00:00:00Z'],
    ['free', 'free', '2026-01-20T00:00:00Z'],
    ['unknown', 'unknown', '2026-01-20T00:00:00Z'],
    ['before', 'traffic', '2025-12-31T23:59:59.999Z', { gb: 1 }],
    ['first', 'traffic', '2026-01-01T00:00:00Z', { gb: 1 }],
    ['seat-before', 'seats', '2025-12-01T00:00:00Z', { user: 'ada' }],
    ['ended', 'traffic', '2026-01-10T00:00:00.001Z', { gb: 1 }, 'old'],
    ['last', 'traffic', '2026-01-10T00:00:00Z', { gb: 1 }, 'old'],
    ['stranger', 'traffic', '2026-01-20T00:00:00Z', { gb: 1 }, 'stranger'],
    ['alone', 'traffic', '2026-01-20T00:00:00Z', { gb: 1 }, null],
    ['both', 'unknown', '2026-01-20T00:00:00Z', {}, 'stranger'],
  );
  for (const id of ['eu', 'us', 'seat', 'call', 'first', 'seat-before', 'last']) await expectFate(id, 'counted');
  await expectFate('mars', 'counted', ['properties.region: invalid_filter_value']);
  await expectFate('nobody', 'counted', ['properties.user: value_is_mandatory']);
  await expectFate('text', 'rejected', ['properties.gb: value_is_not_valid_number']);
  await expectFate('none', 'rejected', ['properties.gb: value_is_mandatory']);
  await expectFate('free', 'unmatched', ['code: charge_not_found']);
  await expectFate('unknown', 'unmatched', ['code: billable_metric_not_found']);
  await expectFate('before', 'unmatched', ['timestamp: subscription_not_running']);
  await expectFate('ended', 'unmatched', ['timestamp: subscription_not_running']);
  await expectFate('stranger', 'unmatched', ['external_subscription_id: subscription_not_found']);
  await expectFate('alone', 'unmatched', ['external_subscription_id: value_is_mandatory']);
  await expectFate('both', 'unmatched', [
    'code: billable_metric_not_found',
    'external_subscription_id: subscription_not_found',
  ]);
  expect(await countsSum()).toEqual({ counted: 9, rejected: 2, unmatched: 7 });
});

test('what an invoice holds is billed on its fee once that is final; what comes later is late, unless it is carried on', async () => {
  now = at('2026-02-01T01:00:00Z');
  const traffic = { chargeId: ids['c-traffic'] ?? '', itemCode: 'traffic' };
  const fees = [
    { ...traffic, filters: { region: ['eu'] }, id: '00000000-0000-7000-8000-0000000000e1' },
    { ...traffic, filters: { region: ['us'] }, id: '00000000-0000-7000-8000-0000000000e2' },
    { ...traffic, id: '00000000-0000-7000-8000-0000000000e3' },
    { ...traffic, id: '00000000-0000-7000-8000-0000000000e4', groupedBy: { region: 'other' } },
    { chargeId: ids['c-seats'] ?? '', itemCode: 'seats', id: '00000000-0000-7000-8000-0000000000e5' },
  ];
  const id = await billJanuary(fees, 'draft');
  await expectFate('eu', 'counted');
  await gateway.db.prisma.invoice.update({ where: { id }, data: { status: 'finalized', finalizedAt: now } });
  now = at('2026-02-05T00:00:00Z');
  await send(
    ['late', 'traffic', '2026-01-30T00:00:00Z', { gb: 1 }],
    ['late-text', 'traffic', '2026-01-30T00:00:00Z', { gb: 'x' }],
    ['seat-late', 'seats', '2026-01-30T00:00:00Z', { user: 'bob' }],
    ['call-late', 'calls', '2026-01-30T00:00:00Z'],
    ['february', 'traffic', '2026-02-01T00:00:00Z', { gb: 1 }],
  );
  const feeId = (end: string) => `00000000-0000-7000-8000-0000000000${end}`;
  await expectFate('eu', 'billed', [], [feeId('e1')]);
  await expectFate('us', 'billed', [], [feeId('e2')]);
  await expectFate('mars', 'billed', ['properties.region: invalid_filter_value'], [feeId('e3')]);
  await expectFate('seat', 'billed', [], [feeId('e5')]);
  await expectFate('seat-before', 'billed', [], [feeId('e5')]);
  await expectFate('late', 'late', ['timestamp: period_is_billed']);
  await expectFate('late-text', 'rejected', ['properties.gb: value_is_not_valid_number']);
  for (const other of ['seat-late', 'call-late', 'february', 'call', 'last']) await expectFate(other, 'counted');
  expect(await countsSum()).toEqual({ billed: 7, counted: 5, rejected: 3, unmatched: 7, late: 1 });
});

test('what was charged at once is billed on the fee that names it, of its own subscription', async () => {
  await makeSubscription('twin');
  await send(['call', 'calls', '2026-01-20T00:00:00Z', {}, 'twin']);
  const fee = await gateway.db.prisma.fee.create({
    data: {
      ...{ organizationId: gateway.organizationId, subscriptionId: ids.sub ?? null, chargeId: ids['c-calls'] ?? null },
      ...{ feeType: 'charge', itemCode: 'calls', itemName: 'C', itemType: 'BillableMetric', payInAdvance: true },
      ...{
        amountCents: 1n,
        preciseAmountCents: '1',
        amountCurrency: 'EUR',
        eventTransactionId: 'call',
        invoiceable: false,
      },
    },
  });
  const own = `{ event(transactionId: "call", externalSubscriptionId: "sub") { ${SHOWN} } }`;
  const twin = own.replace('"sub"', '"twin"');
  expect((await gateway.graphql(own)).data.event).toEqual({
    fate: 'billed',
    fateReasons: [],
    fees: [{ svcId: fee.id }],
  });
  expect((await gateway.graphql(twin)).data.event).toMatchObject({ fate: 'counted', fees: [] });
});

test('what was billed, refused or late stays so when its charge and its metric are gone, and when another metric takes the code', async () => {
  const gone = { data: { deletedAt: now } };
  const before = [await fateOf('eu'), await fateOf('late')];
  await gateway.db.prisma.charge.updateMany({ where: { code: { in: ['c-traffic', 'c-seats'] } }, ...gone });
  await gateway.db.prisma.billableMetric.updateMany({ where: { code: { in: ['traffic', 'seats'] } }, ...gone });
  await gateway.db.prisma.billableMetricFilter.updateMany({ where: { key: 'region' }, ...gone });
  expect(await fateOf('eu')).toEqual({ ...before[0], reasons: ['code: billable_metric_not_found'] });
  const isLate = ['code: billable_metric_not_found', 'timestamp: period_is_billed'];
  expect(await fateOf('late')).toEqual({ ...before[1], reasons: isLate });
  for (const id of ['text', 'none', 'late-text']) expect((await fateOf(id)).fate).toBe('rejected');
  for (const id of ['seat', 'seat-before']) {
    expect(await fateOf(id)).toMatchObject({ fate: 'billed', fees: ['00000000-0000-7000-8000-0000000000e5'] });
  }
  expect((await fateOf('february')).fate).toBe('unmatched');

  const again = { code: 'traffic', aggregationType: 'count_agg' } as const;
  const other = await makeMetric(again);
  const charge = await makeCharge('traffic', { code: 'again', billableMetricId: other });
  expect(await fateOf('eu')).toEqual(before[0]);
  expect((await fateOf('late')).fate).toBe('late');
  for (const id of ['text', 'none', 'late-text']) expect((await fateOf(id)).fate).toBe('rejected');
  expect((await fateOf('february')).fate).toBe('counted');
  await countsSum();
  await gateway.db.prisma.charge.delete({ where: { id: charge } });
  await gateway.db.prisma.billableMetric.delete({ where: { id: other } });
  const back = { data: { deletedAt: null } };
  await gateway.db.prisma.charge.updateMany({ where: { code: { in: ['c-traffic', 'c-seats'] } }, ...back });
  await gateway.db.prisma.billableMetric.updateMany({ where: { code: { in: ['traffic', 'seats'] } }, ...back });
  await gateway.db.prisma.billableMetricFilter.updateMany({ where: { key: 'region' }, ...back });
});

test('what was counted on a fee is billed when a metric that needs a number takes the code', async () => {
  const [calls, fees] = [await makeMetric({ code: 'visits' }), '00000000-0000-7000-8000-0000000000f1'];
  const chargeId = await makeCharge('visits', { billableMetricId: calls });
  const { organizationId, customerId, planId } = seller;
  const subscription = { organizationId, customerId, planId, status: 'active', subscriptionAt: JANUARY.from } as const;
  const { id } = await gateway.db.prisma.subscription.create({
    data: { ...subscription, externalId: 'visitor', startedAt: JANUARY.from },
  });
  const [held, sub] = [now, ids.sub ?? ''];
  now = at('2026-01-20T12:00:00Z');
  await send(['visit', 'visits', '2026-01-20T00:00:00Z', {}, 'visitor']);
  now = held;
  ids.sub = id;
  await billJanuary([{ id: fees, chargeId, itemCode: 'visits' }], 'finalized');
  ids.sub = sub;
  await expectFate('visit', 'billed', [], [fees]);
  const gone = { data: { deletedAt: now } };
  await gateway.db.prisma.charge.update({ where: { id: chargeId }, ...gone });
  await gateway.db.prisma.billableMetric.update({ where: { id: calls }, ...gone });
  const sum = await makeMetric({ code: 'visits', aggregationType: 'sum_agg', fieldName: 'n' });
  await makeCharge('visits', { billableMetricId: sum });
  await expectFate('visit', 'billed', [], [fees]);
  now = at('2026-02-05T12:00:00Z');
  await send(['visit-late', 'visits', '2026-01-20T00:00:00Z', {}, 'visitor']);
  await expectFate('visit-late', 'late', ['timestamp: period_is_billed']);
  await gateway.db.prisma.event.updateMany({ where: { code: 'visits' }, data: { deletedAt: now } });
});

test('a voided invoice bills its events for good, until one is made anew in its place', async () => {
  const [invoice] = await gateway.db.prisma.invoice.findMany({ orderBy: { id: 'asc' } });
  const { id = '' } = invoice ?? {};
  const before = [await fateOf('eu'), await fateOf('late')];
  await gateway.db.prisma.invoice.update({ where: { id }, data: { status: 'voided' } });
  expect([await fateOf('eu'), await fateOf('late')]).toEqual(before);
  await send(['late-again', 'traffic', '2026-01-30T00:00:00Z', { gb: 1 }]);
  await expectFate('late-again', 'late', ['timestamp: period_is_billed']);

  now = at('2026-02-06T00:00:00Z');
  const [replaced, made] = ['00000000-0000-7000-8000-0000000000e1', '00000000-0000-7000-8000-0000000000a1'];
  const fee = { chargeId: ids['c-traffic'] ?? '', itemCode: 'traffic', filters: { region: ['eu'] } };
  const anew = await billJanuary([{ ...fee, id: made, originalFeeId: replaced }], 'finalized');
  await gateway.db.prisma.invoice.update({ where: { id: anew }, data: { voidedInvoiceId: id } });
  await expectFate('eu', 'billed', [], [made]);
  await expectFate('us', 'billed', [], ['00000000-0000-7000-8000-0000000000e2']);
  for (const late of ['late', 'late-again']) await expectFate(late, 'late', ['timestamp: period_is_billed']);
  await gateway.db.prisma.fee.deleteMany({ where: { invoiceId: anew } });
  await gateway.db.prisma.billingPeriod.deleteMany({ where: { invoiceId: anew } });
  await gateway.db.prisma.invoice.delete({ where: { id: anew } });
  await gateway.db.prisma.event.updateMany({ where: { transactionId: 'late-again' }, data: { deletedAt: now } });
  await gateway.db.prisma.invoice.update({ where: { id }, data: { status: 'finalized' } });
});

test('an event of a charge in advance that came before the charge is billed by nobody', async () => {
  const advance = { payInAdvance: true, createdAt: at('2026-02-20T00:00:00Z') };
  ids.clicks = await makeMetric({ code: 'clicks' });
  now = at('2026-02-19T00:00:00Z');
  await send(['click', 'clicks', '2026-02-19T00:00:00Z']);
  await expectFate('click', 'unmatched', ['code: charge_not_found']);
  const id = await makeCharge('clicks', advance);
  now = at('2026-02-20T00:00:00Z');
  await send(['click-2', 'clicks', '2026-02-19T00:00:00Z']);
  await expectFate('click', 'unmatched', ['code: charge_not_found']);
  await expectFate('click-2', 'counted');
  expect(namesOf(await review({ filter: { code: ['clicks'] } }))).toEqual(['click']);
  await countsSum();
  await gateway.db.prisma.charge.delete({ where: { id } });
  await gateway.db.prisma.event.updateMany({ where: { code: 'clicks' }, data: { deletedAt: now } });
});

test('an event is not billed by the invoice of another organization', async () => {
  const other = await gateway.db.prisma.organization.create({ data: { name: 'Other' } });
  const key = await gateway.makeKey({ organizationId: other.id });
  const event = { transaction_id: 'eu', code: 'traffic', external_subscription_id: 'sub', timestamp: 1_768_867_200 };
  expect((await gateway.rest('POST', '/events', { event }, { key })).status).toBe(200);
  expect(await fateOf('eu', key)).toMatchObject({ fate: 'unmatched', fees: [] });
});

test('fates need what they tell of; fees need fees', async () => {
  const all = ['event', 'billable_metric', 'subscription', 'plan', 'fee', 'invoice'];
  const keyOf = (names: readonly string[]) =>
    gateway.makeKey({ permissions: Object.fromEntries(names.map((name) => [name, ['read']])) });
  const query = `{ event(transactionId: "us") { code ${SHOWN} } eventFates { sent } }`;
  expect((await gateway.graphql(query, {}, await keyOf(all))).errors).toBeUndefined();
  for (const lacking of all.slice(1)) {
    const key = await keyOf(all.filter((name) => name !== lacking));
    const { errors } = await gateway.graphql(query, {}, key);
    expect([lacking, errors?.[0]?.extensions?.code]).toEqual([lacking, 'forbidden']);
  }
  expect(
    (await gateway.graphql('{ event(transactionId: "us") { code } }', {}, await keyOf(['event']))).errors,
  ).toBeUndefined();
});

test('a page of any size takes as many statements', async () => {
  const sent = Array.from({ length: 100 }, (_, n) => ['p', n] as const);
  await send(...sent.map(([p, n]): Sent => [`${p}${n}`, 'seats', '2026-01-20T00:00:00Z', { user: `${n}` }]));
  const page = (first: number) =>
    `{ events(first: ${first}, filter: { code: ["seats", "traffic"] }) { nodes { code ${SHOWN} } } }`;
  const few = await countStatements(gateway.db, () => gateway.graphql(page(2)));
  expect(await countStatements(gateway.db, () => gateway.graphql(page(100)))).toBe(few);
  expect(few).toBeLessThan(6);
});

const REVIEW = `query ($filter: EventReviewFilter, $first: Int, $after: String) { eventReview(filter: $filter, first: $first, after: $after) {
  totalCount pageInfo { hasNextPage hasPreviousPage endCursor }
  nodes { fate transactionId externalSubscriptionId code timestamp createdAt reasons { member code }
    event { transactionId fate } refusal { transactionId fate } } } }`;

async function review(variables: object, key?: string) {
  const { data, errors } = await gateway.graphql(REVIEW, variables, key);
  expect(errors).toBeUndefined();
  return data.eventReview;
}
const namesOf = ({ nodes }: { nodes: { transactionId: string }[] }) =>
  nodes.map(({ transactionId }) => transactionId).sort();

test('what needs a look is one list, by fate, reason, metric, subscription and time of receipt', async () => {
  now = at('2026-03-01T00:00:00Z');
  const event = { transaction_id: 'us', code: 'calls', external_subscription_id: 'sub', timestamp: 1 };
  await gateway.rest('POST', '/events', { event });
  await gateway.rest('POST', '/events', { event: { ...event, transaction_id: 'wrong', timestamp: 'x' } });
  const unmatched = ['alone', 'before', 'both', 'ended', 'free', 'stranger', 'unknown'];
  const all = await review({});
  expect(namesOf(all)).toEqual(['late', 'late-text', 'none', 'text', 'us', 'wrong', ...unmatched].sort());
  expect(all.totalCount).toBe(all.nodes.length);
  for (const { fate, transactionId, event: stored, refusal } of all.nodes) {
    expect([stored ?? refusal, stored === null]).toEqual([{ transactionId, fate }, refusal !== null]);
  }
  const by = async (filter: object) => namesOf(await review({ filter }));
  expect(await by({ fate: ['unmatched'] })).toEqual(unmatched);
  expect(await by({ fate: ['late', 'conflict'] })).toEqual(['late', 'us']);
  expect(await by({ fate: [] })).toEqual([]);
  expect(await by({ reasonCode: ['subscription_not_found'] })).toEqual(['both', 'stranger']);
  expect(await by({ reasonCode: ['invalid_format', 'value_differs', 'period_is_billed'] })).toEqual([
    'late',
    'us',
    'wrong',
  ]);
  expect(await by({ fate: ['billed', 'counted'], reasonCode: ['invalid_filter_value'] })).toEqual(['mars']);
  expect(await by({ code: ['calls'] })).toEqual(['us', 'wrong']);
  expect(await by({ externalSubscriptionId: ['stranger', 'old'] })).toEqual(['both', 'ended', 'stranger']);
  expect(await by({ createdAt: { from: '2026-02-05T00:00:00Z' } })).toEqual(['late', 'late-text', 'us', 'wrong']);
  expect(await by({ createdAt: { from: '2026-02-05T00:00:00Z', to: '2026-03-01T00:00:00Z' } })).toEqual([
    'late',
    'late-text',
  ]);
  expect(await by({ createdAt: { through: '2026-02-05T00:00:00Z', from: '2026-02-01T00:00:00Z' } })).toEqual([
    'late',
    'late-text',
  ]);
});

test('that list goes on from page to page, each by as many statements', async () => {
  const seen: string[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < 10; pages += 1) {
    const { nodes, pageInfo } = await review({ first: 4, after });
    seen.push(...namesOf({ nodes }));
    expect(pageInfo.hasPreviousPage).toBe(pages > 0);
    after = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) break;
  }
  expect(seen.sort()).toEqual(namesOf(await review({ first: 100 })));
  const few = await countStatements(gateway.db, () => review({ first: 2, filter: { fate: ['counted'] } }));
  expect(await countStatements(gateway.db, () => review({ first: 100, filter: { fate: ['counted'] } }))).toBe(few);
  const { errors } = await gateway.graphql(REVIEW, { after: 'x' });
  expect(errors?.[0]?.extensions?.code).toBe('validation_errors');
  const reader = await gateway.makeKey({ permissions: { event: ['read'] } });
  expect((await gateway.graphql(REVIEW, {}, reader)).errors?.[0]?.extensions?.code).toBe('forbidden');
  const other = await gateway.db.prisma.organization.create({ data: { name: 'Stranger' } });
  const key = await gateway.makeKey({ organizationId: other.id });
  expect(await review({}, key)).toMatchObject({ totalCount: 0, nodes: [] });
});

test('a level has no event before its subscription began, except where another plan came before', async () => {
  const ended = at('2026-02-10T00:00:00Z');
  const id = await makeSubscription('grown', { status: 'terminated', terminatedAt: ended });
  await makeSubscription('grown', { startedAt: ended, previousSubscriptionId: id });
  await makeSubscription('again', { status: 'terminated', terminatedAt: ended });
  await makeSubscription('again', { startedAt: at('2026-02-12T00:00:00Z') });
  const at11 = '2026-02-11T00:00:00Z';
  await send(
    ['early', 'disk', '2025-12-31T23:59:59.999Z', { gb: 3 }, 'grown'],
    ['begin', 'disk', '2026-01-01T00:00:00Z', { gb: 3 }, 'grown'],
    ['switch', 'disk', '2026-02-10T00:00:00.001Z', { gb: 3 }, 'grown'],
    ['pause', 'disk', at11, { gb: 3 }, 'again'],
    ['pause-seat', 'seats', at11, { user: 'ada' }, 'again'],
  );
  for (const id of ['early', 'pause']) await expectFate(id, 'unmatched', ['timestamp: subscription_not_running']);
  for (const id of ['begin', 'switch', 'pause-seat']) await expectFate(id, 'counted');
});

test('the last second of a billed period is its own, whole, where its end is told to the second', async () => {
  const subscriptionId = await makeSubscription('brought');
  const { organizationId } = gateway;
  const to = at('2026-01-31T23:59:59Z');
  const final = { status: 'finalized', finalizedAt: at('2026-02-01T01:00:00Z') } as const;
  const invoiceId = await makeInvoice(gateway.db, seller, final);
  await gateway.db.prisma.billingPeriod.create({
    data: {
      ...{ organizationId, invoiceId, subscriptionId, invoicingReason: 'subscription_periodic' },
      ...{ subscriptionFromDatetime: JANUARY.from, subscriptionToDatetime: to },
      ...{ chargesFromDatetime: JANUARY.from, chargesToDatetime: to },
    },
  });
  await send(
    ['last-second', 'traffic', '2026-01-31T23:59:59.999Z', { gb: 1 }, 'brought'],
    ['next-second', 'traffic', '2026-02-01T00:00:00Z', { gb: 1 }, 'brought'],
  );
  await expectFate('last-second', 'late', ['timestamp: period_is_billed']);
  await expectFate('next-second', 'counted');
});
