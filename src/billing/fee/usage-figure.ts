import { type Decimal, sum, ZERO } from '../money/decimal.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';
import type { DraftFee, PresentationBreakdown } from './draft-fee.ts';

/** What fees of usage come to together. Amounts are minor units, sums of what each was rounded to. */
export interface UsageFigures {
  readonly units: Decimal;
  readonly totalAggregatedUnits: Decimal;
  readonly eventsCount: number;
  readonly amountCents: bigint;
  /** Where they are priced in a unit of their own. */
  readonly pricingUnit: {
    readonly amountCents: bigint;
    readonly shortName: string;
    readonly conversionRate: Decimal;
  } | null;
  readonly breakdowns: readonly PresentationBreakdown[];
}

const keyOf = (values: GroupedBy) => JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Lists of what has the same key, in the order of their first ones. */
function listed<T>(values: readonly T[], key: (value: T) => string): T[][] {
  const lists = new Map<string, T[]>();
  for (const value of values) {
    const list = lists.get(key(value));
    if (list) list.push(value);
    else lists.set(key(value), [value]);
  }
  return [...lists.values()];
}

function addedUp(breakdowns: readonly PresentationBreakdown[]): PresentationBreakdown[] {
  return listed(breakdowns, ({ presentationBy }) => keyOf(presentationBy)).flatMap((parts) => {
    const [first] = parts;
    return first ? [{ ...first, units: sum(parts.map(({ units }) => units)) }] : [];
  });
}

/** Sums over fees of one charge. */
export function usageFigures(fees: readonly DraftFee[]): UsageFigures {
  const [unit] = fees.flatMap(({ pricingUnit }) => pricingUnit ?? []);
  const cents = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  return {
    units: sum(fees.map(({ units }) => units)),
    totalAggregatedUnits: sum(fees.map((fee) => fee.totalAggregatedUnits ?? fee.units)),
    eventsCount: sum(fees.map(({ eventsCount }) => eventsCount ?? ZERO))
      .trunc()
      .toNumber(),
    amountCents: cents(fees.map(({ amountCents }) => amountCents)),
    pricingUnit: unit
      ? {
          amountCents: cents(fees.map(({ pricingUnit }) => pricingUnit?.amountCents ?? 0n)),
          ...{ shortName: unit.shortName ?? '', conversionRate: unit.conversionRate },
        }
      : null,
    breakdowns: addedUp(fees.flatMap(({ presentationBreakdowns }) => presentationBreakdowns)),
  };
}

/** Fees by the filter that priced them; the rest of a charge with filters is one too. */
export function byFilter<T extends { readonly fee: DraftFee }>(fees: readonly T[]): T[][] {
  return listed(fees, ({ fee }) => fee.filterId ?? '');
}

/** Fees by their pricing group; none where no fee has one. */
export function byGroup<T extends { readonly fee: DraftFee }>(fees: readonly T[]): T[][] {
  if (fees.every(({ fee }) => Object.keys(fee.groupedBy).length === 0)) return [];
  return listed(fees, ({ fee }) => keyOf(fee.groupedBy));
}
