import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { dec, sum } from '../../../src/billing/money/decimal.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';
import { eventOf, periodOf, usageSince } from '../../billing/vectors/aggregations.ts';
import { differences, setDifferences } from '../../billing/vectors/compare.ts';
import { judge } from '../../billing/vectors/deviations.ts';
import { type ChargeFeesJson, feeView, taxView } from '../../billing/vectors/fee-kind.ts';
import type { Difference, Evaluation, Json, Rounding } from '../../billing/vectors/vector-type.ts';
import type { StoredCase } from './stored-case.ts';
import { windowOf } from './window.ts';

export interface FeeCase extends Json {
  readonly id: string;
  readonly kind: 'charge_fees' | 'pay_in_advance_sequence';
  readonly input: ChargeFeesJson;
  readonly expected: Json & { readonly fees: readonly Json[] };
}

/** Kinds of fee cases that begin with events. */
export const USAGE_KINDS: readonly string[] = ['charge_fees', 'pay_in_advance_sequence'];

const isSequence = ({ kind }: FeeCase) => kind === 'pay_in_advance_sequence';
const wantedPeriod = ({ input }: FeeCase) => periodOf(input.period, input.timezone);
const NO_USAGE: Json = { units: '0', amount_cents: 0, events_count: 0 };

/** Fees that an invoice has: current usage also shows those of no usage. */
function billedFees({ input, expected }: FeeCase): readonly Json[] {
  if (input.context !== 'current_usage') return expected.fees;
  return expected.fees.filter((fee) => differences(NO_USAGE, { events_count: 0, ...fee }).length > 0);
}

/** Why a case cannot be told by stored data; null when it can. */
export function untellableFees(known: FeeCase): string | null {
  if (billedFees(known).length === 0 && known.expected.fees.length > 0) return 'current usage is not billed';
  return windowOf(wantedPeriod(known), false) === undefined ? 'no interval has such a period' : null;
}

function metricOf({ metric }: ChargeFeesJson): Json {
  const { aggregation, field_name, recurring, filters } = metric;
  return {
    ...{ aggregation_type: `${aggregation}_agg`, field_name, recurring, filters },
    rounding_function: metric.rounding?.function ?? metric.rounding_function,
    rounding_precision: metric.rounding?.precision ?? metric.rounding_precision,
  };
}

function chargeOf(known: FeeCase): Json {
  const { filters, applied_pricing_unit: unit, ...charge } = known.input.charge;
  return {
    ...charge,
    ...(isSequence(known) ? { pay_in_advance: true } : {}),
    ...(unit ? { applied_pricing_unit: { code: 'credits', ...unit } } : {}),
    filters: (filters ?? []).map(({ name, ...filter }) => ({ properties: {}, ...filter, invoice_display_name: name })),
  };
}

function eventsOf(known: FeeCase): UsageEvent[] {
  const { aggregation, recurring, field_name: fieldName, filters } = known.input.metric;
  const metric = { aggregation, recurring, fieldName, filters };
  const { events } = usageSince(known.input, metric, wantedPeriod(known), known.input.events.map(eventOf));
  return [...events].map((event, index) => ({ ...event, transactionId: event.transactionId ?? `event-${index}` }));
}

/** The case as stored data. */
export function storedFeeCase(known: FeeCase): StoredCase {
  const { id, input } = known;
  const window = windowOf(wantedPeriod(known), false);
  if (window === undefined) throw new Error(`${id}: no window`);
  const events = eventsOf(known);
  return {
    ...{ id, timezone: input.timezone, window, currency: input.currency, taxRates: input.taxes ?? [] },
    ...{ hasPrevious: input.persisted !== undefined, metric: metricOf(input), charge: chargeOf(known), events },
    advance: isSequence(known) ? events.map(({ transactionId }) => transactionId ?? '') : [],
    now: window.to,
  };
}

/** The fees of the case against those it expects. */
export function judgeFees(known: FeeCase, fees: readonly InvoiceFee[]): Evaluation {
  const rounding = (known.compare_after_rounding ?? {}) as Rounding;
  const { fees: listed, fees_count: count, ...wanted } = known.expected;
  const theirs = billedFees(known);
  const views = fees.map((fee) => ({ ...feeView(fee), ...taxView(fee), filter: fee.item.filterInvoiceDisplayName }));
  const total = sum(fees.map((fee) => dec(fee.amountCents)));
  const actual: Json = { fees: views, fees_count: fees.length, total_amount_cents: total };
  const expected = {
    ...wanted,
    ...(count === undefined ? {} : { fees_count: Number(count) - listed.length + theirs.length }),
  };
  const found: Difference[] = [
    ...differences(expected, actual, rounding),
    ...(isSequence(known)
      ? differences({ fees: theirs }, actual, rounding)
      : setDifferences(theirs, views, rounding, ['fees'])),
  ];
  return judge('fees', known, actual, found);
}
