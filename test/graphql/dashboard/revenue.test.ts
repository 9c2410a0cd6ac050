import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decimal, dec } from '../../../src/billing/money/decimal.ts';
import { type DemoApp, openDemoApp, type Shown } from './demo-app.ts';

let demo: DemoApp;
beforeAll(async () => {
  demo = await openDemoApp();
}, 120_000);
afterAll(() => demo?.close());

const SUBSCRIBED = ['subscription', 'charge', 'fixed_charge', 'commitment'];

interface Earned {
  readonly month: string;
  readonly currency: string;
  readonly plan: string | undefined;
  readonly metric: string | undefined;
  readonly cents: bigint;
  readonly units: Decimal;
}

/** Every fee on an invoice that is final, issued to a customer and not lost in a dispute, with what earned it. */
async function earnedBy(organizationId: string): Promise<Earned[]> {
  const { prisma } = demo.db;
  const invoices = await prisma.invoice.findMany({ where: { organizationId } });
  const counted = new Map(
    invoices
      .filter((row) => row.status === 'finalized' && !row.selfBilled && row.paymentDisputeLostAt === null)
      .map((row) => [row.id, row]),
  );
  const plans = new Map((await prisma.plan.findMany()).map((row) => [row.id, row]));
  const fees = await prisma.fee.findMany({
    where: { organizationId, deletedAt: null },
    include: { subscription: true, charge: { include: { billableMetric: true } } },
  });
  return fees.flatMap((fee) => {
    const invoice = counted.get(fee.invoiceId ?? '');
    if (!invoice?.issuingDate) return [];
    const own = plans.get(fee.subscription?.planId ?? '');
    return [
      {
        month: `${invoice.issuingDate.toISOString().slice(0, 7)}-01`,
        currency: fee.amountCurrency,
        plan: SUBSCRIBED.includes(fee.feeType) ? plans.get(own?.parentId ?? own?.id ?? '')?.code : undefined,
        metric: fee.feeType === 'charge' ? fee.charge?.billableMetric.code : undefined,
        cents: fee.amountCents,
        units: dec(fee.units),
      },
    ];
  });
}

const FIGURES = `query ($from: Date, $to: Date, $currency: String) { analytics(from: $from, to: $to, currency: $currency) {
  plans: revenueByPlan(first: 100) { code: planCode currency amountCents feesCount
    months { month currency amountCents feesCount } }
  metrics: revenueByBillableMetric(first: 100) { code: billableMetricCode currency amountCents units feesCount
    months { month currency amountCents units feesCount } }
} }`;

const total = (rows: readonly Earned[], withUnits: boolean) => ({
  amountCents: rows.reduce((sum, { cents }) => sum + cents, 0n).toString(),
  feesCount: rows.length,
  ...(withUnits ? { units: rows.reduce((sum, { units }) => sum.plus(units), dec(0)).toFixed() } : {}),
});

/** What earned what, in the order of the answer. */
function ranked(rows: readonly Earned[], by: 'plan' | 'metric') {
  const keys = [...new Set(rows.filter((row) => row[by]).map((row) => `${row[by]} ${row.currency}`))];
  const list = keys.map((key) => {
    const [code, currency] = key.split(' ');
    const own = rows.filter((row) => row[by] === code && row.currency === currency);
    const months = [...new Set(own.map(({ month }) => month))].sort().map((month) => ({
      ...{ month, currency },
      ...total(
        own.filter((row) => row.month === month),
        by === 'metric',
      ),
    }));
    return { code: code ?? '', currency, ...total(own, by === 'metric'), months };
  });
  return list.sort((one, other) => {
    const [mine, theirs] = [BigInt(one.amountCents), BigInt(other.amountCents)];
    if (mine !== theirs) return mine > theirs ? -1 : 1;
    return one.code < other.code ? -1 : 1;
  });
}

const plain = (rows: Shown[]): Shown[] =>
  rows.map(({ units, months, ...row }) => ({
    ...row,
    ...(units === undefined ? {} : { units: dec(units).toFixed() }),
    ...(months ? { months: plain(months) } : {}),
  }));

describe('revenue by plan and by metric', () => {
  it('by month and currency adds up the fees of each organization', async () => {
    for (const [organizationId, key] of [
      [demo.organizationId, demo.key],
      [demo.otherId, demo.otherKey],
    ] as const) {
      const from = '2017-01-01'; // 120 months, in which the demo lies
      const to = '2026-12-31';
      const rows = await earnedBy(organizationId);
      const { analytics } = await demo.ask(FIGURES, { from, to }, key);
      expect(plain(analytics.plans)).toEqual(ranked(rows, 'plan'));
      expect(plain(analytics.metrics)).toEqual(ranked(rows, 'metric'));
      expect(analytics.plans.some(({ months }: Shown) => months.length > 5)).toBe(true);
      expect(analytics.metrics.some(({ months }: Shown) => months.length > 5)).toBe(true);
    }
  });

  it('of some months and one currency is that of these alone', async () => {
    const rows = (await earnedBy(demo.organizationId)).filter(
      ({ month, currency }) => month >= '2026-03-01' && month <= '2026-06-01' && currency === 'EUR',
    );
    const { analytics } = await demo.ask(FIGURES, { from: '2026-03-09', to: '2026-06-02', currency: 'EUR' });
    expect(plain(analytics.plans)).toEqual(ranked(rows, 'plan'));
    expect(plain(analytics.metrics)).toEqual(ranked(rows, 'metric'));
    expect(analytics.plans.length).toBeGreaterThan(2);
  });

  it('costs a statement for the list and one for its months, however many there are', async () => {
    const counts = [];
    for (const first of [1, 100]) {
      const text = `{ analytics { revenueByPlan(first: ${first}) { planCode months { month amountCents } } } }`;
      counts.push((await demo.statements(text)).length);
    }
    expect(counts).toEqual([2, 2]);
    expect(await demo.statements('{ analytics { revenueByPlan { planCode } } }')).toHaveLength(1);
  });
});
