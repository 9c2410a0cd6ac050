import { electronicFormatIBAN, friendlyFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';

/** Members of SEPA outside of the European Economic Area: a transfer to them names the bank. */
const OUTSIDE_EEA = new Set(['AD', 'CH', 'GB', 'GI', 'MC', 'SM', 'VA']);

/**
 * An IBAN without spaces, in capitals; undefined where it is none: its country, its length there and its check digits
 * (ISO 13616, modulo 97) are looked at. `de89 3704 0044 0532 0130 00` is `DE89370400440532013000`.
 */
export function readIban(text: string): string | undefined {
  const iban = electronicFormatIBAN(text) ?? '';
  return isValidIBAN(iban) ? iban : undefined;
}

/** A BIC in capitals, 8 or 11 characters (ISO 9362); undefined where it is none. `cobadeffxxx` is `COBADEFFXXX`. */
export function readBic(text: string): string | undefined {
  const bic = text.trim().toUpperCase();
  return isValidBIC(bic) ? bic : undefined;
}

/** An IBAN as it is printed, in groups of four: `DE89 3704 0044 0532 0130 00`. */
export const printedIban = (iban: string): string => friendlyFormatIBAN(iban) ?? iban;

/** Whether a SEPA credit transfer reaches the account. `GB82...` needs the bank's BIC beside it, `DE89...` does not. */
export function isSepaAccount(iban: string, bic: string | null | undefined): boolean {
  const country = iban.slice(0, 2);
  return isSEPACountry(country) && (Boolean(bic) || !OUTSIDE_EEA.has(country));
}

/**
 * Whether a text is an https address in which `{number}` and `{svc_id}` stand for those of an invoice, behind the host:
 * `https://pay.example/{number}`. User names and other places in braces are refused.
 */
export function isPaymentUrl(text: string): boolean {
  const [, host, rest] = /^https:\/\/([^/?#\\]+)(.*)$/s.exec(text) ?? [];
  if (!host || rest === undefined || /[{}@]/.test(host)) return false;
  return !/[{}\s\\]/.test(rest.replace(/\{number\}|\{svc_id\}/g, '')) && URL.canParse(text);
}

/** The address at which an invoice is paid: what stands in braces gives way to its number and identifier, percent-encoded. */
export const paymentUrlOf = (template: string, { id, number }: { id: string; number: string }): string =>
  template.replaceAll('{number}', encodeURIComponent(number)).replaceAll('{svc_id}', encodeURIComponent(id));
