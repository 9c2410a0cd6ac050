/** A VAT number taken apart: the country by its ISO code, and the number as the EU's register has it, without its prefix. */
export interface VatNumber {
  readonly country: string;
  /** The prefix of the register: that of Greece is `EL`. */
  readonly prefix: string;
  readonly digits: string;
}

/** What follows the prefix, by the prefix; from the European Commission's list of the structures of VAT numbers. Check digits are the register's affair. */
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]?\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Reads a tax identification number as a VAT number of a member state; undefined where it has not the form of one. `it 123.456.789-01` is IT12345678901. */
export function readVatNumber(text: string | null | undefined): VatNumber | undefined {
  const plain = (text ?? '').toUpperCase().replace(/[\s.-]/g, '');
  const [prefix, digits] = [plain.slice(0, 2), plain.slice(2)];
  if (!Object.hasOwn(FORMS, prefix) || !FORMS[prefix]?.test(digits)) return undefined;
  return { country: prefix === 'EL' ? 'GR' : prefix, prefix, digits };
}
