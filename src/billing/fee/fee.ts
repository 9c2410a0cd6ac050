import type { GroupAggregate, UsageGroup } from '../aggregate/metric-usage.ts';
import { roundUnits } from '../aggregate/rounding.ts';
import { Decimal, ONE, ZERO } from '../money/decimal.ts';
import { priceFunction } from '../price/price.ts';
import type { Price, PricedUsage } from '../price/price-type.ts';
import { type ChargeUsage, usageGroups } from './charge-usage.ts';
import { advanceUsageUnits } from './current-usage.ts';
import { type DraftFee, draftFee, type PresentationBreakdown } from './draft-fee.ts';
import { editOf, editUnits } from './edited-fee.ts';
import { roundFee } from './rounding.ts';
import { amountSteps, type FeeStep, tells } from './step.ts';
import { trueUpFee } from './true-up.ts';

/** Units that are priced and units that the fee shows, both after the metric's rounding. */
interface ShownUnits {
  readonly priced: Decimal;
  readonly full: Decimal | null;
  readonly shown: Decimal;
}

/** Which units a charge prices and shows: pricing 8.2 (invoice and arrears) and section 10 (current usage in advance). */
function chargeUnits(usage: ChargeUsage, group: UsageGroup): ShownUnits {
  const { charge, context, period } = usage;
  const { units, fullUnits } = group.aggregate;
  const round = (value: Decimal) => roundUnits(value, charge.metric.rounding);
  if (charge.payInAdvance && context === 'current_usage') {
    const advance = advanceUsageUnits(fullUnits, group.advance, period, charge.prorated === true);
    return { priced: round(advance.priced), full: charge.prorated ? fullUnits : null, shown: round(advance.shown) };
  }
  // A recurring charge in advance is renewed for the whole coming period: its total is not prorated.
  if (charge.payInAdvance)
    return { priced: round(fullUnits), full: charge.prorated ? fullUnits : null, shown: round(fullUnits) };
  if (!charge.prorated) return { priced: round(units), full: null, shown: round(units) };
  // Below 0 it is nothing, as on the invoice.
  const shown = context === 'current_usage' ? round(fullUnits) : fullUnits;
  return { priced: round(units), full: fullUnits, shown };
}

/** What a price model reads, from what an aggregation found. */
export function pricedUsage(
  aggregate: GroupAggregate,
  units: Decimal,
  fullUnits: Decimal | null,
  currency: string,
): PricedUsage {
  return {
    units,
    fullUnits,
    eventsCount: aggregate.eventsCount,
    runningTotals: aggregate.runningTotals,
    transactions: aggregate.transactions,
    shares: aggregate.shares,
    preciseTotalAmountCents: aggregate.preciseTotalAmountCents,
    currency,
  };
}

function breakdownsOf(usage: ChargeUsage, group: UsageGroup): readonly PresentationBreakdown[] {
  const scaled = projection(usage);
  const shown = (units: Decimal) => (scaled === null ? units : scaled(units).toDecimalPlaces(PROJECTED_DECIMALS));
  return group.breakdowns.map(({ presentationBy, units }) => ({
    ...{ presentationBy, units: roundUnits(shown(units), usage.charge.metric.rounding) },
  }));
}

const PROJECTED_DECIMALS = 5;

/** What adds up over the period divided by the part of it that has passed; null where nothing is projected. */
function projection({ charge, passed }: ChargeUsage): ((value: Decimal) => Decimal) | null {
  if (passed == null || passed.eq(ONE) || charge.metric.recurring) return null;
  return (value) => (passed.isZero() ? ZERO : Decimal.max(value, ZERO).div(passed));
}

/**
 * Usage as it will be at the end of the period if it goes on like this, units to 5 decimals. Recurring metrics stay what they are; when
 * nothing has passed, nothing is known. 100 units after a third of the period: 300. Source: engine-catalogue 15.2.
 */
function projected(usage: ChargeUsage, aggregate: GroupAggregate, units: ShownUnits) {
  const scaled = projection(usage);
  if (scaled === null) return { aggregate, units };
  const { rounding } = usage.charge.metric;
  const round = (value: Decimal) => roundUnits(scaled(value).toDecimalPlaces(PROJECTED_DECIMALS), rounding);
  const { transactions, eventsCount, preciseTotalAmountCents } = aggregate;
  return {
    units: { priced: round(units.priced), full: units.full && round(units.full), shown: round(units.shown) },
    aggregate: {
      ...aggregate,
      eventsCount: scaled(eventsCount),
      preciseTotalAmountCents: scaled(preciseTotalAmountCents),
      transactions: transactions && { ...transactions, amount: scaled(transactions.amount) },
    },
  };
}

/** Negative units or a negative amount make the whole fee nothing; its details keep what the model said. */
function clamped(units: ShownUnits, price: Price): { shown: Decimal; price: Price } {
  const negative = units.priced.lt(0) || units.shown.lt(0) || price.amount.lt(0);
  if (!negative) return { shown: units.shown, price };
  return { shown: ZERO, price: { ...price, amount: ZERO, unitAmount: ZERO } };
}

/** From the usage of a group to the amount of its fee. */
function groupSteps(usage: ChargeUsage, group: UsageGroup, units: ShownUnits, priced: Price, price: Price): FeeStep[] {
  const { currency, charge } = usage;
  const { pricingUnit } = charge;
  const used = group.aggregate.totalAggregatedUnits ?? units.full ?? units.priced;
  const lost = price.amount.minus(priced.amount);
  const steps = lost.isZero() ? priced.steps() : [...priced.steps(), { kind: 'below_zero' as const, amount: lost }];
  return [
    tells('usage', { units: used, events: group.aggregate.eventsCount }),
    ...(units.full === null || units.full.eq(units.priced)
      ? []
      : [tells('prorated_units', { units: units.priced, whole: units.full })]),
    ...amountSteps(steps, { currency, pricingUnit }),
  ];
}

function groupFee(usage: ChargeUsage, group: UsageGroup): DraftFee {
  const { charge, currency, period } = usage;
  const { aggregate, units } = projected(usage, group.aggregate, chargeUnits(usage, group));
  const proratedByEvent = charge.prorated === true && !charge.payInAdvance;
  const model = priceFunction(charge.model, proratedByEvent);
  const priced = model(group.properties, pricedUsage(aggregate, units.priced, units.full, currency));
  const { shown, price } = clamped(units, priced);
  const fee = draftFee({
    key: `charge:${charge.id}:${group.filter?.id ?? ''}:${group.key}`,
    type: 'charge',
    chargeId: charge.id,
    filterId: group.filter?.id ?? null,
    groupedBy: group.groupedBy,
    units: shown,
    ...roundFee(price.amount, price.unitAmount, { currency, pricingUnit: charge.pricingUnit }),
    eventsCount: group.aggregate.eventsCount,
    totalAggregatedUnits: group.aggregate.totalAggregatedUnits ?? units.priced,
    amountDetails: price.amountDetails,
    period,
    payInAdvance: charge.payInAdvance === true,
    invoiceable: charge.invoiceable !== false,
    presentationBreakdowns: breakdownsOf(usage, group),
  });
  usage.trace?.(fee.key, groupSteps(usage, group, units, priced, price));
  const edit = editOf(usage.edits ?? [], fee);
  if (!edit) return fee;
  const { model: priceModel, pricingUnit } = charge;
  const own = { model: priceModel, properties: group.properties, pricingUnit };
  return editUnits(fee, own, currency, edit, usage.trace);
}

/** Whether an invoice keeps a fee: units, an amount, an event or an edit, also one that is worth nothing. */
export function isBillable(fee: DraftFee): boolean {
  return fee.edit !== null || !fee.units.isZero() || fee.amountCents !== 0n || !(fee.eventsCount ?? ZERO).isZero();
}

/**
 * The fees of one charge over one window: one a filter and one for the default bucket, split by pricing group; each
 * aggregated, priced and rounded on its own. On an invoice empty fees are dropped and a fee that tops the charge up to its
 * spending minimum is added; its parent is kept. In current usage nothing is dropped and no minimum applies.
 * Three events at 20 EUR in two groups of 2 and 1 are fees of 4000 and 2000 cents. Source: pricing 8.
 */
export function chargeFees(usage: ChargeUsage): readonly DraftFee[] {
  const fees = usageGroups(usage).map((group) => groupFee(usage, group));
  if (usage.context !== 'invoice') return fees;
  const parent = fees.find((fee) => fee.filterId === null);
  const trueUp = parent === undefined ? null : trueUpFee(usage, fees, parent);
  const kept = fees.filter((fee) => isBillable(fee) || fee.key === trueUp?.trueUpParentKey);
  return trueUp === null ? kept : [...kept, trueUp];
}
