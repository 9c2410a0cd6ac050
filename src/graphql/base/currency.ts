import { CURRENCIES, minorDigits } from '../../billing/money/currency.ts';
import { builder, type Types } from './builder.ts';
import { ANY_KEY } from './guard.ts';

interface Currency {
  readonly code: string;
  readonly exponent: number;
}

/** Also of a code that is not accepted today. */
export const currencyOf = (code: string): Currency => ({ code, exponent: minorDigits(code) });

const CurrencyType = builder.objectRef<Currency>('Currency').implement({
  description: 'A currency, with what is needed to write its amounts.',
  extensions: { price: -1 }, // as much as nothing: no row is read for it
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Code of ISO 4217, for example EUR.' }),
    exponent: t.exposeInt('exponent', {
      description:
        'Digits after the point of one unit: 2 for EUR, 0 for JPY, 3 for KWD, 4 for CLF. An amount in minor units is divided by ten ' +
        'to this power.',
    }),
  }),
});

const DESCRIPTION = 'The currency of the amounts beside it, with the digits of its minor unit.';

/** A field `currencyDetails` of objects that name their currency by a member, where they name one. */
export function currencyDetails(member: string) {
  const resolve = (row: Readonly<Record<string, unknown>>): Currency | null => {
    const code = row[member];
    return typeof code === 'string' ? currencyOf(code) : null;
  };
  return { type: CurrencyType, description: DESCRIPTION, extensions: { ofPreviewed: resolve }, resolve };
}

/** The currency of an object that is no row: its code and its details. */
export const currencyFields = <Row extends { readonly currency: string }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  description: string,
) => {
  const details = (row: Row) => currencyOf(row.currency);
  return {
    currency: t.string({ description, resolve: (row) => row.currency }),
    currencyDetails: t.field({
      type: CurrencyType,
      description: DESCRIPTION,
      extensions: { ofPreviewed: details },
      resolve: details,
    }),
  };
};

builder.queryField('currencies', (t) =>
  t.field({
    type: [CurrencyType],
    description: 'The currencies that are accepted, in the order of their codes. Any key may read them.',
    extensions: { permission: ANY_KEY, price: 0 },
    resolve: () => [...CURRENCIES].sort().map(currencyOf),
  }),
);
