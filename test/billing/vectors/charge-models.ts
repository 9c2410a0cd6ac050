import { runningTotalFold, runningTotalsOf } from '../../../src/billing/aggregate/running-total.ts';
import type {
  ChargeProperties,
  PercentageRange,
  PriceModel,
  PriceRange,
} from '../../../src/billing/catalogue/charge-type.ts';
import { dec, ZERO } from '../../../src/billing/money/decimal.ts';
import { freeAllowance } from '../../../src/billing/price/allowance.ts';
import { priceRange } from '../../../src/billing/price/graduated.ts';
import { pricePercentageRange } from '../../../src/billing/price/graduated-percentage.ts';
import { priceFunction } from '../../../src/billing/price/price.ts';
import type { PricedUsage } from '../../../src/billing/price/price-type.ts';
import { shareTotals, transactionTotals } from '../price/totals.ts';
import { judgePlain } from './deviations.ts';
import type { Evaluation, Json } from './vector-type.ts';

export const file = 'charge-models';

interface ModelInput {
  readonly units: string;
  readonly full_units?: string | null;
  readonly events_count?: number | string;
  readonly events?: readonly string[];
  readonly running_total?: readonly string[];
  readonly per_event?: { readonly units: readonly string[]; readonly prorated_units: readonly string[] };
  readonly prorated?: boolean;
  readonly exclude_event?: boolean;
  readonly adjacent?: boolean;
  readonly currency?: string;
  readonly precise_total_amount_cents?: string;
  readonly total_aggregated_units?: string;
}

interface ModelCase extends Json {
  readonly id: string;
  readonly model: PriceModel;
  readonly scope: 'charge' | 'range';
  readonly properties: ChargeProperties & { readonly range?: PriceRange & PercentageRange };
  readonly input: ModelInput;
}

function runningTotals(properties: ChargeProperties, input: ModelInput) {
  const allowance = freeAllowance(properties);
  if (input.running_total !== undefined) return runningTotalsOf(input.running_total.map(dec), allowance);
  const fold = runningTotalFold(allowance);
  for (const value of input.events ?? []) fold.add(dec(value));
  return fold.finish();
}

function usageOf({ model, properties, input }: ModelCase): PricedUsage {
  const prorated = input.per_event?.prorated_units ?? [];
  const full = input.full_units == null || (model === 'volume' && !input.prorated) ? null : dec(input.full_units);
  return {
    units: dec(input.units),
    fullUnits: full,
    eventsCount: dec(input.events_count ?? input.events?.length ?? 0),
    runningTotals: runningTotals(properties, input),
    transactions: transactionTotals(properties, (input.events ?? []).map(dec)),
    shares: shareTotals(
      properties,
      (input.per_event?.units ?? []).map((units, at) => ({ full: dec(units), prorated: dec(prorated[at] ?? '0') })),
    ),
    preciseTotalAmountCents:
      input.precise_total_amount_cents === undefined ? ZERO : dec(input.precise_total_amount_cents),
    withoutEvent: input.exclude_event === true,
    currency: input.currency ?? 'EUR',
  };
}

function rangeDetail({ model, properties: { range }, input }: ModelCase): unknown {
  if (range === undefined) return undefined;
  const units = dec(input.units);
  if (model === 'graduated') return priceRange(range, units, input.adjacent === true).detail;
  return pricePercentageRange(range, units).detail;
}

export function evaluate(vectorCase: unknown): Evaluation {
  const known = vectorCase as ModelCase;
  const common = { amount_in: 'currency_units' };
  if (known.scope === 'range') return judgePlain(file, known, { ...common, range_detail: rangeDetail(known) });
  const byEvent = known.input.prorated === true && known.input.per_event !== undefined;
  const price = priceFunction(known.model, byEvent)(known.properties, usageOf(known));
  return judgePlain(file, known, {
    ...common,
    amount: price.amount,
    unit_amount: price.unitAmount,
    amount_details: price.amountDetails,
    total_aggregated_units: known.input.total_aggregated_units,
  });
}
