import type { Decimal } from '../money/decimal.ts';

export interface TaxInput {
  /** Null: set by an outside tax service. */
  readonly id: string | null;
  readonly code: string;
  readonly name: string;
  readonly description?: string | null;
  /** Percent: 20 is 20 %. */
  readonly rate: Decimal;
}
