import type { PlanChargeInput, PlanFilterInput } from '../../billing/catalogue/plan.ts';
import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import { byFilter, byGroup, type UsageFigures, usageFigures } from '../../billing/fee/usage-figure.ts';
import type { GroupedBy } from '../../billing/usage/grouped-by.ts';

/** A fee of usage, with what it would be at the end of the period where that is asked for. */
export interface UsageFee {
  readonly fee: InvoiceFee;
  readonly projected: InvoiceFee | null;
}

export interface FiguresView {
  readonly figures: UsageFigures;
  /** Null where nothing is projected. */
  readonly projected: UsageFigures | null;
}

export interface FilterView extends FiguresView {
  /** Null for what no filter matches. */
  readonly filter: Pick<PlanFilterInput, 'values' | 'invoiceDisplayName'> | null;
}

export interface GroupView extends FiguresView {
  readonly groupedBy: GroupedBy;
  readonly filters: readonly FilterView[];
}

/** A charge as usage names it. */
export type NamedCharge = Pick<PlanChargeInput, 'id' | 'code' | 'model' | 'invoiceDisplayName' | 'metric' | 'filters'>;

export interface ChargeUsageView extends FiguresView {
  readonly charge: NamedCharge;
  readonly currency: string;
  readonly filters: readonly FilterView[];
  readonly groups: readonly GroupView[];
}

/** Usage of a subscription over a period. Amounts are minor units. */
export interface UsageView {
  readonly fromDatetime: Date;
  readonly toDatetime: Date;
  readonly issuingDate: Date;
  readonly svcInvoiceId: string | null;
  readonly currency: string;
  readonly amountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly projectedAmountCents: bigint | null;
  readonly chargesUsage: readonly ChargeUsageView[];
}

function figuresOf(fees: readonly UsageFee[]): FiguresView {
  const projected = fees.flatMap((one) => one.projected ?? []);
  const isProjected = fees.length > 0 && projected.length === fees.length;
  return { figures: usageFigures(fees.map(({ fee }) => fee)), projected: isProjected ? usageFigures(projected) : null };
}

function filtersOf({ filters }: NamedCharge, fees: readonly UsageFee[]): FilterView[] {
  if (filters.length === 0) return [];
  return byFilter(fees).map((own) => {
    const filter = filters.find(({ id }) => id === own[0]?.fee.filterId) ?? null;
    return { ...figuresOf(own), filter };
  });
}

/** The usage of a charge, from its fees. */
export function chargeUsageView(charge: NamedCharge, currency: string, fees: readonly UsageFee[]): ChargeUsageView {
  const groups = byGroup(fees).map((own) => ({
    ...figuresOf(own),
    groupedBy: own[0]?.fee.groupedBy ?? {},
    filters: filtersOf(charge, own),
  }));
  return { ...figuresOf(fees), charge, currency, filters: filtersOf(charge, fees), groups };
}
