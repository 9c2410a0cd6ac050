import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoApp, openDemoApp, type Shown } from './demo-app.ts';

let demo: DemoApp;
beforeAll(async () => {
  demo = await openDemoApp();
}, 120_000);
afterAll(() => demo?.close());

const LINES = `query ($id: UUID!) { invoice(svcId: $id) {
  number feesAmountCents
  fees(first: 2, orderBy: { field: created_at }) { totalCount nodes { svcId } aggregates { sums { amountCents } } }
  feesBySubscription { subscription { svcId } count amountCents taxesAmountCents totalAmountCents fees { svcId amountCents } }
} }`;

describe('the lines of an invoice', () => {
  it('stand in groups of its subscriptions, and page by page, in one operation', async () => {
    const { prisma } = demo.db;
    const invoices = await prisma.invoice.findMany({
      where: { organizationId: demo.organizationId, status: 'finalized' },
      include: {
        fees: {
          where: { deletedAt: null },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        },
      },
    });
    const subscriptionsOf = ({ fees }: (typeof invoices)[number]) =>
      new Set(fees.map((fee) => fee.subscriptionId)).size;
    invoices.sort((one, other) => subscriptionsOf(other) - subscriptionsOf(one) || other.fees.length - one.fees.length);
    expect(invoices[0] && subscriptionsOf(invoices[0])).toBeGreaterThan(1);
    for (const { id, number, fees, feesAmountCents } of invoices.slice(0, 20)) {
      const { invoice } = await demo.ask(LINES, { id });
      expect([invoice.number, BigInt(invoice.feesAmountCents)]).toEqual([number, feesAmountCents]);
      const amount = fees.reduce((sum, fee) => sum + fee.amountCents, 0n);
      expect(invoice.fees).toEqual({
        totalCount: fees.length,
        nodes: fees.slice(0, 2).map((fee) => ({ svcId: fee.id })),
        aggregates: { sums: [{ amountCents: amount.toString() }] },
      });
      expect(invoice.feesBySubscription).toHaveLength(new Set(fees.map((fee) => fee.subscriptionId)).size);
      for (const group of invoice.feesBySubscription as Shown[]) {
        const own = fees.filter((fee) => fee.subscriptionId === (group.subscription?.svcId ?? null));
        const cents = own.reduce((sum, fee) => sum + fee.amountCents, 0n);
        const taxes = own.reduce((sum, fee) => sum + fee.taxesAmountCents, 0n);
        expect(group).toEqual({
          subscription: own[0]?.subscriptionId ? { svcId: own[0].subscriptionId } : null,
          ...{ count: own.length, amountCents: `${cents}`, taxesAmountCents: `${taxes}` },
          totalAmountCents: `${cents + taxes}`,
          fees: own.map((fee) => ({ svcId: fee.id, amountCents: `${fee.amountCents}` })),
        });
      }
    }
  });
});
