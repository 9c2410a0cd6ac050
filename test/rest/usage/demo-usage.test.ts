import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, openDemoDatabase, statementsOf, type TestApp } from '../../support.ts';

// Previews at the end of a period are the demo's invoices: test/store/demo-preview. So what current usage has in common with a
// preview of the same moment it has in common with the invoice.

const NOW = new Date('2026-11-27T12:00:00Z');
let demo: Awaited<ReturnType<typeof openDemoDatabase>>;
let gateway: TestApp;
let key: string;
beforeAll(async () => {
  demo = await openDemoDatabase();
  gateway = await createTestApp({ db: demo.db, now: () => NOW });
  key = await gateway.makeKey({ organizationId: demo.organizations[0] ?? '' });
});
afterAll(async () => {
  await gateway.close();
  await demo.db.close();
});

interface Figures {
  readonly amountCents: string;
  readonly eventsCount: number | null;
}
interface Charged extends Figures {
  readonly charge: { readonly svcId: string };
}
interface Fee extends Figures {
  readonly svcChargeId: string | null;
  readonly svcTrueUpParentFeeId: string | null;
}

const ACTIVE = `query ($page: Int) { subscriptions(page: $page, perPage: 30, filter: { status: [active] }) {
  nodes { externalId customer { externalId } currentUsage { fromDatetime toDatetime amountCents
    chargesUsage { amountCents eventsCount charge { svcId } } } } } }`;
const PREVIEW = `query ($input: InvoicePreviewInput!) { invoicePreview(input: $input) {
  allFees { svcChargeId amountCents eventsCount svcTrueUpParentFeeId }
  billingPeriods { chargesFromDatetime chargesToDatetime } } }`;

async function chargesInAdvance(): Promise<Set<string>> {
  const rows = await demo.db.prisma.charge.findMany({ where: { payInAdvance: true }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

/** Sums by charge, those of nothing left out. */
function byCharge(figures: readonly (readonly [string, Figures])[]): Record<string, [string, number]> {
  const sums: Record<string, [string, number]> = {};
  for (const [id, { amountCents, eventsCount }] of figures) {
    const [amount, events] = sums[id] ?? ['0', 0];
    const next: [string, number] = [String(BigInt(amount) + BigInt(amountCents)), events + (eventsCount ?? 0)];
    if (next[0] !== '0' || next[1] !== 0) sums[id] = next;
  }
  return sums;
}

it('current usage of every subscription of the demo is what its next invoice bills of it', {
  timeout: 240_000,
}, async () => {
  const inAdvance = await chargesInAdvance();
  const pages = await Promise.all([1, 2].map((page) => gateway.graphql(ACTIVE, { page }, key)));
  for (const { errors } of pages) expect(errors).toBeUndefined();
  const subscriptions = pages.flatMap(({ data }) => data.subscriptions.nodes);
  expect(subscriptions.length).toBe(54);
  let used = 0;
  const otherPeriods: string[] = [];
  for (const { externalId, customer, currentUsage } of subscriptions) {
    const input = { customer: { externalId: customer.externalId }, subscriptions: { externalIds: [externalId] } };
    const { data, errors } = await gateway.graphql(PREVIEW, { input }, key);
    expect(errors, externalId).toBeUndefined();
    const [period] = data.invoicePreview.billingPeriods;
    const fees = (data.invoicePreview.allFees as Fee[]).filter(
      (fee) => fee.svcChargeId !== null && fee.svcTrueUpParentFeeId === null && !inAdvance.has(fee.svcChargeId),
    );
    const charged = (currentUsage.chargesUsage as Charged[]).filter(({ charge }) => !inAdvance.has(charge.svcId));
    const shown = byCharge(charged.map((one) => [one.charge.svcId, one]));
    if (period.chargesFromDatetime !== currentUsage.fromDatetime) {
      otherPeriods.push(externalId);
      continue;
    }
    expect(period.chargesToDatetime, externalId).toBe(currentUsage.toDatetime);
    expect(shown, externalId).toEqual(byCharge(fees.map((fee) => [fee.svcChargeId ?? '', fee])));
    if (Object.keys(shown).length > 0) used += 1;
  }
  // Billed by the year, with usage by the month: the preview is that of the year's end.
  expect(otherPeriods.sort()).toEqual(['sub_granada', 'sub_inverness', 'sub_juneau', 'sub_keelung']);
  expect(used).toBeGreaterThan(40);
});

it('usage is added up by the database: no event is read', async () => {
  const path = '/customers/cus_belzona/current_usage?external_subscription_id=sub_belzona';
  const sql = await statementsOf(demo.db, async () => {
    expect((await gateway.rest('GET', path, undefined, { key })).status).toBe(200);
  });
  const ofEvents = sql.filter((text) => /\bevents\b/.test(text));
  expect(ofEvents.length).toBeGreaterThan(0);
  for (const text of ofEvents) expect(text).toMatch(/count\(|sum\(|OFFSET/i);
  // The customer, the subscription, and a statement a charge at most twice.
  expect(sql.length).toBeLessThan(20);
});
