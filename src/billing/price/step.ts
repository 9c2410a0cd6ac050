import type { PercentageRange, PriceRange } from '../catalogue/charge-type.ts';
import { type Decimal, dec } from '../money/decimal.ts';
import type { AmountDetails, PriceStep } from './price-type.ts';

/** One line of `amount_details.graduated_ranges`. */
export interface RangeDetail {
  readonly from_value: PriceRange['from_value'];
  readonly to_value: PriceRange['to_value'];
  readonly units: string;
  readonly per_unit_amount: string;
  readonly per_unit_total_amount: string;
  readonly flat_unit_amount: string;
  readonly total_with_flat_amount: string;
}

/** One line of `amount_details.graduated_percentage_ranges`. */
export interface PercentageRangeDetail {
  readonly from_value: PercentageRange['from_value'];
  readonly to_value: PercentageRange['to_value'];
  readonly units: string;
  readonly rate: string;
  readonly per_unit_total_amount: string;
  readonly flat_unit_amount: string;
  readonly total_with_flat_amount: string;
}

const boundsOf = ({ from_value: from, to_value: to }: Pick<RangeDetail, 'from_value' | 'to_value'>) => ({
  ...{ from: String(from), to: to === null ? null : String(to) },
});

const flatSteps = (amount: Decimal, bounds: Pick<PriceStep, 'from' | 'to'>): PriceStep[] =>
  amount.isZero() ? [] : [{ kind: 'flat', amount, ...bounds }];

/** What each range of a graduated price adds, from the details of its amount. */
export const rangeSteps = (details: readonly RangeDetail[]): PriceStep[] =>
  details.flatMap((range) => {
    const bounds = boundsOf(range);
    const [units, unitAmount] = [dec(range.units), dec(range.per_unit_amount)];
    const amount = dec(range.per_unit_total_amount);
    return [{ kind: 'units', units, unitAmount, amount, ...bounds }, ...flatSteps(dec(range.flat_unit_amount), bounds)];
  });

/** The same of graduated percentages. */
export const percentageRangeSteps = (details: readonly PercentageRangeDetail[]): PriceStep[] =>
  details.flatMap((range) => {
    const bounds = boundsOf(range);
    const flat = dec(range.flat_unit_amount);
    const amount = dec(range.total_with_flat_amount).minus(flat);
    return [
      { kind: 'rate', units: dec(range.units), rate: dec(range.rate), amount, ...bounds },
      ...flatSteps(flat, bounds),
    ];
  });

const figure = (details: AmountDetails, name: string) => dec(String(details[name] ?? '0'));

/** What a percentage, fixed amounts a transaction and bounds a transaction add. */
export function percentageSteps(details: AmountDetails): PriceStep[] {
  const of = (name: string) => figure(details, name);
  const free: PriceStep[] = [
    { kind: 'free_units', units: of('free_units') },
    { kind: 'free_events', units: of('free_events') },
  ];
  const fixed = of('fixed_fee_total_amount');
  const bounds = of('min_max_adjustment_total_amount');
  return [
    ...free.filter(({ units }) => units?.gt(0)),
    { kind: 'rate', units: of('paid_units'), rate: of('rate'), amount: of('per_unit_total_amount') },
    ...(fixed.isZero()
      ? []
      : [
          {
            ...{ kind: 'transactions' as const, units: of('paid_events') },
            ...{ unitAmount: of('fixed_fee_unit_amount'), amount: fixed },
          },
        ]),
    ...(bounds.isZero() ? [] : [{ kind: 'bounds' as const, amount: bounds }]),
  ];
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** What details that were kept with an amount say of it; nothing where they are none that says it all. */
export function keptSteps(details: AmountDetails): PriceStep[] {
  const { graduated_ranges: ranges, graduated_percentage_ranges: percentages } = details;
  if (isList(ranges)) return rangeSteps(ranges as readonly RangeDetail[]);
  if (isList(percentages)) return percentageRangeSteps(percentages as readonly PercentageRangeDetail[]);
  if (details.rate !== undefined && details.per_unit_total_amount !== undefined) return percentageSteps(details);
  return [];
}
