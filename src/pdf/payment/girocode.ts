import { isSepaAccount } from '../../billing/customer/bank-account.ts';

/** A credit transfer: to whom, how much, and what the payee knows it by. */
export type Transfer = {
  iban: string;
  bic?: string | null | undefined;
  holder: string;
  currency: string;
  amountCents: bigint;
  reference: string;
};

const MOST_CENTS = 99_999_999_999n;
const MOST_HOLDER = 70;
const MOST_REFERENCE = 140;
const MOST_BYTES = 331;

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
const start = (text: string, length: number) => [...text].slice(0, length).join('').trim();

/**
 * What a payment code says: the European Payments Council's quick response code for a SEPA credit transfer (EPC069-12,
 * version 002, UTF-8, the reference as free text). Null where there is none: a currency other than EUR, an account out of
 * SEPA's reach, an amount that is not from 0.01 to 999,999,999.99, a reference that would have to be cut.
 */
export function girocodeText({ iban, bic, holder, currency, amountCents, reference }: Transfer): string | null {
  const name = start(oneLine(holder), MOST_HOLDER);
  const told = oneLine(reference);
  if (currency !== 'EUR' || !isSepaAccount(iban, bic) || amountCents < 1n || amountCents > MOST_CENTS) return null;
  if (name === '' || told === '' || [...told].length > MOST_REFERENCE) return null;
  const amount = amountCents.toString().padStart(3, '0').replace(/(..)$/, '.$1');
  // Behind the amount: no purpose and no structured reference.
  const text = ['BCD', '002', '1', 'SCT', bic ?? '', name, iban, `EUR${amount}`, '', '', told].join('\n');
  return Buffer.byteLength(text) <= MOST_BYTES ? text : null;
}
