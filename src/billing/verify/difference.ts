import { Decimal, dec, decimalText } from '../money/decimal.ts';

/**
 * Why a stored figure is not the one that is computed now. `usage_changed`: the events that are stored come to other units. `price_changed`:
 * the units are the same, and cost something else by the prices that are stored. `fee_missing`, `fee_unexpected`: a fee that would be made is not
 * there, or one is that would not be. `not_the_sum`: the figure does not follow from the others of its invoice. `note_changed`: a credit note on it
 * gives back something else than it would.
 */
export type DifferenceReason =
  | 'usage_changed'
  | 'price_changed'
  | 'fee_missing'
  | 'fee_unexpected'
  | 'not_the_sum'
  | 'note_changed';

/** A figure of an invoice that is not what it is computed to be. Amounts in minor units, others as decimals; empty: there is none. */
export interface Difference {
  readonly invoiceId: string;
  /** Of a fee, what it bills in front: `minutes.units`. */
  readonly figure: string;
  readonly stored: string;
  readonly computed: string;
  readonly reason: DifferenceReason;
}

/** A value of an invoice, or none. */
export type Figure = Decimal | bigint | string | null | undefined;
/** By their names. */
export type Figures = Readonly<Record<string, Figure>>;

/** A figure as it is told. */
export function textOf(value: Figure): string {
  if (value === null || value === undefined) return '';
  return value instanceof Decimal ? decimalText(value) : String(value);
}

/** Decimals are stored with 30 digits after the point, and computed with more: what goes on from one that was stored has not all of them. */
const LEAST = dec('1e-20');

const isSame = (stored: Figure, computed: Figure) =>
  stored instanceof Decimal && computed instanceof Decimal
    ? stored.minus(computed).abs().lt(LEAST)
    : textOf(stored) === textOf(computed);

/** A difference of an invoice that is being looked at. */
export type OwnDifference = Omit<Difference, 'invoiceId'>;

/** The figures of the second that are not those of the first. */
export const unequal = (stored: Figures, computed: Figures) =>
  Object.keys(computed).flatMap((figure) => {
    const [is, shouldBe] = [stored[figure], computed[figure]];
    return isSame(is, shouldBe) ? [] : [{ figure, stored: textOf(is), computed: textOf(shouldBe) }];
  });
