import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoApp, openDemoApp, type Shown } from '../dashboard/demo-app.ts';

let demo: DemoApp;
beforeAll(async () => {
  demo = await openDemoApp();
}, 120_000);
afterAll(() => demo?.close());

const FEE = 'svcId feeType amountCents taxesAmountCents totalAmountCents svcSubscriptionId fromDate';
const GROUP = `subscription { svcId externalId } currency count amountCents taxesAmountCents totalAmountCents fees { ${FEE} }`;
const big = (rows: Shown[], name: string) => rows.reduce((sum, row) => sum + BigInt(row[name]), 0n);

describe('the lines of an invoice', () => {
  it('are grouped by subscription: every line is in one group, and the sums are those of the lines', async () => {
    const known = await demo.rowsOf('invoices', 'svcId billingPeriods { svcId }');
    const { svcId } = known.find(({ billingPeriods }: Shown) => billingPeriods.length > 1);
    const shown = `feesAmountCents currency allFees { ${FEE} } feesBySubscription { ${GROUP} }`;
    const invoices: Shown[] = [(await demo.ask(`{ invoice(svcId: "${svcId}") { ${shown} } }`)).invoice];
    for (const types of ['subscription', 'add_on, credit, one_off']) {
      const text = `{ invoices(first: 100, filter: { invoiceType: [${types}] }) { nodes { ${shown} } } }`;
      invoices.push(...(await demo.ask(text)).invoices.nodes);
    }
    let several = 0;
    let without = 0;
    for (const { currency, allFees, feesBySubscription: groups } of invoices) {
      const ids = groups.flatMap(({ fees }: Shown) => fees.map(({ svcId }: Shown) => svcId));
      expect(ids.toSorted()).toEqual(allFees.map(({ svcId }: Shown) => svcId).toSorted());
      expect(new Set(groups.map(({ subscription }: Shown) => subscription?.svcId)).size).toBe(groups.length);
      for (const { subscription, fees, count, ...sums } of groups) {
        expect(new Set(fees.map((fee: Shown) => fee.svcSubscriptionId))).toEqual(
          new Set([subscription?.svcId ?? null]),
        );
        expect(sums.currency).toBe(currency);
        expect(count).toBe(fees.length);
        for (const name of ['amountCents', 'taxesAmountCents', 'totalAmountCents'])
          expect(sums[name]).toBe(String(big(fees, name)));
      }
      several += groups.length > 1 ? 1 : 0;
      without += groups.at(-1)?.subscription === null ? 1 : 0;
    }
    expect(several).toBeGreaterThan(0);
    expect(without).toBeGreaterThan(0);
  });

  it('are paged, filtered, ordered and summed as every list, by a statement more for the total and for the sums', async () => {
    const invoices = await demo.rowsOf('invoices', `svcId allFees { ${FEE} }`);
    const { svcId, allFees }: Shown = invoices.reduce((one, other) =>
      other.allFees.length > one.allFees.length ? other : one,
    );
    expect(allFees.length).toBeGreaterThan(3);
    const seen: Shown[] = [];
    for (let after = null, more = true; more; ) {
      const text = `query ($id: UUID!, $after: String) { invoice(svcId: $id) { fees(first: 2, after: $after) {
        totalCount nodes { ${FEE} } pageInfo { hasNextPage endCursor } aggregates { count sums { amountCents taxesAmountCents } } } } }`;
      const { fees }: Shown = (await demo.ask(text, { id: svcId, after })).invoice;
      expect(fees.totalCount).toBe(allFees.length);
      const sums = {
        amountCents: String(big(allFees, 'amountCents')),
        taxesAmountCents: String(big(allFees, 'taxesAmountCents')),
      };
      expect(fees.aggregates).toEqual({ count: allFees.length, sums: [sums] });
      seen.push(...fees.nodes);
      ({ hasNextPage: more, endCursor: after } = fees.pageInfo);
    }
    const byId = (fees: Shown[]) => fees.toSorted((one, other) => (one.svcId < other.svcId ? -1 : 1));
    expect(byId(seen)).toEqual(byId(allFees));

    const [{ feeType, svcSubscriptionId }] = allFees;
    const { subscription } = (await demo.ask(`{ fee(svcId: "${allFees[0].svcId}") { subscription { externalId } } }`))
      .fee;
    const filter = `filter: { feeType: ${feeType}, externalSubscriptionId: ${JSON.stringify(subscription.externalId)} }`;
    const ordered = 'orderBy: { field: from_date, direction: desc }';
    const narrowed = await demo.ask(
      `{ invoice(svcId: "${svcId}") { fees(first: 100, ${filter}, ${ordered}) { nodes { ${FEE} } } } }`,
    );
    const { nodes } = narrowed.invoice.fees;
    const expected = allFees.filter(
      (fee: Shown) => fee.feeType === feeType && fee.svcSubscriptionId === svcSubscriptionId,
    );
    expect(nodes.map((fee: Shown) => fee.svcId).toSorted()).toEqual(expected.map((fee: Shown) => fee.svcId).toSorted());
    const dates = nodes.map((fee: Shown) => fee.fromDate);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  it('are for keys that may read fees, and their subscriptions for those that may read such', async () => {
    const [{ svcId }] = await demo.rowsOf('invoices', 'svcId', ', filter: { invoiceType: subscription }');
    const text = `{ invoice(svcId: "${svcId}") { feesBySubscription { amountCents subscription { externalId } } } }`;
    const all = { invoice: ['read'], fee: ['read'], subscription: ['read'] };
    for (const lacking of ['fee', 'subscription']) {
      const key = await demo.makeKey({ organizationId: demo.organizationId, permissions: { ...all, [lacking]: [] } });
      const { errors } = await demo.asked(text, {}, key);
      expect(errors?.[0]?.extensions?.reason).toBe(`read_action_not_allowed_for_${lacking}`);
    }
  });

  it('of a preview are grouped as well', async () => {
    const [{ externalId, customer }] = await demo.rowsOf(
      'subscriptions',
      'externalId customer { externalId }',
      ', filter: { status: active }',
    );
    const input = { customer: { externalId: customer.externalId }, subscriptions: { externalIds: [externalId] } };
    const text = `query ($input: InvoicePreviewInput!) { invoicePreview(input: $input) {
      ... on AnyInvoice { feesAmountCents allFees { amountCents } feesBySubscription { count amountCents currencyDetails { code } subscription { externalId } fees { amountCents } } } } }`;
    const { invoicePreview } = await demo.ask(text, { input });
    const [group, ...others] = invoicePreview.feesBySubscription;
    expect(others).toEqual([]);
    expect(group.subscription).toEqual({ externalId });
    expect([group.amountCents, group.fees]).toEqual([invoicePreview.feesAmountCents, invoicePreview.allFees]);
  });
});
