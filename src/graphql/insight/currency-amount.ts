import { dec, roundToInteger } from '../../billing/money/decimal.ts';
import { builder } from '../base/builder.ts';
import { currencyFields } from '../base/currency.ts';

/** An amount in one currency. */
export interface CurrencyAmount {
  readonly currency: string;
  readonly amountCents: bigint;
}

/** A sum of the database as whole minor units, rounded half up: recurring revenue is a twelfth of a year's. */
export const wholeCents = (sum: string): bigint => roundToInteger(dec(sum));

export const CurrencyAmountType = builder.objectRef<CurrencyAmount>('CurrencyAmount').implement({
  description: 'An amount in one currency.',
  fields: (t) => ({
    ...currencyFields(t, 'The currency.'),
    amountCents: t.expose('amountCents', {
      type: 'BigInt',
      description: 'The amount in minor units. An exact sum, which may have more digits than 64 bits hold.',
    }),
  }),
});
