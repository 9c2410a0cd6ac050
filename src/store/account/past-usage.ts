import type { PlanChargeInput } from '../../billing/catalogue/plan.ts';
import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { TenantClient } from '../database/tenant.ts';
import type { BillingPeriodWhereInput, ChargeInclude } from '../generated/prisma/models.ts';
import { FEE, storedFee } from './fee-row.ts';
import { chargeInput } from './plan-input.ts';

/** Whose past usage is meant. */
export interface PastUsageOf {
  readonly externalSubscriptionId: string;
  /** Of a customer, by one of its identifiers. */
  readonly customerId?: string;
  readonly externalCustomerId?: string;
  /** Only charges on this metric. */
  readonly metricCode?: string | null | undefined;
}

/** What an invoice billed of the usage of a subscription in one period. */
export interface PastPeriod {
  readonly id: string;
  readonly createdAt: Date;
  readonly chargesFromDatetime: Date;
  readonly chargesToDatetime: Date;
  readonly invoiceId: string;
  readonly issuingDate: Date;
  readonly currency: string;
  /** Fees of usage; what completes a minimum is none. */
  readonly fees: readonly InvoiceFee[];
}

interface PeriodPage {
  readonly where: object;
  readonly orderBy: object[];
  readonly take: number;
  readonly skip: number;
}

const conditionOf = ({
  externalSubscriptionId,
  customerId,
  externalCustomerId,
}: PastUsageOf): BillingPeriodWhereInput => ({
  subscription: {
    externalId: externalSubscriptionId,
    ...(customerId !== undefined && { customerId }),
    ...(externalCustomerId !== undefined && { customer: { externalId: externalCustomerId } }),
  },
});

/** How many periods were billed. */
export const countPastPeriods = (db: TenantClient, of: PastUsageOf): Promise<number> =>
  db.billingPeriod.count({ where: conditionOf(of) });

/** A page of billed periods with their fees: two statements, however many there are. */
export async function readPastPeriods(db: TenantClient, of: PastUsageOf, page: PeriodPage): Promise<PastPeriod[]> {
  const { where, orderBy, take, skip } = page;
  const periods = await db.billingPeriod.findMany({
    ...{ where: { AND: [conditionOf(of), where] }, orderBy, take, skip },
    include: { invoice: { select: { issuingDate: true, currency: true } } },
  });
  const fees = await db.fee.findMany({
    where: {
      ...{ invoiceId: { in: periods.map(({ invoiceId }) => invoiceId) }, feeType: 'charge', deletedAt: null },
      ...{ subscriptionId: { in: periods.map(({ subscriptionId }) => subscriptionId) }, trueUpParentFeeId: null },
      ...(of.metricCode ? { charge: { billableMetric: { code: of.metricCode } } } : {}),
    },
    include: FEE,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const byPeriod = new Map<string, InvoiceFee[]>();
  const keyOf = (one: { readonly invoiceId: string | null; readonly subscriptionId: string | null }) =>
    `${one.invoiceId} ${one.subscriptionId}`;
  for (const fee of fees) {
    const own = byPeriod.get(keyOf(fee)) ?? [];
    byPeriod.set(keyOf(fee), own);
    own.push(storedFee(fee, 'UTC'));
  }
  return periods.map((period) => {
    const { id, createdAt, chargesFromDatetime, chargesToDatetime, invoiceId, invoice } = period;
    return {
      ...{ id, createdAt, chargesFromDatetime, chargesToDatetime, invoiceId },
      ...{ issuingDate: invoice.issuingDate, currency: invoice.currency },
      fees: byPeriod.get(keyOf(period)) ?? [],
    };
  });
}

const NAMED = {
  ...{ taxes: true, pricingUnit: true, filters: true },
  billableMetric: { include: { filters: true } },
} satisfies ChargeInclude;

/** The charges that fees name, also those that are deleted since, by their identifiers. */
export async function readCharges(db: TenantClient, ids: readonly string[]): Promise<Map<string, PlanChargeInput>> {
  if (ids.length === 0) return new Map();
  const rows = await db.charge.findMany({ where: { id: { in: [...new Set(ids)] } }, include: NAMED });
  return new Map(rows.map((row) => [row.id, chargeInput(row)]));
}
