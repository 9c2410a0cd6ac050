import { isMemberState, MEMBER_STATES, type TaxException } from './member-state.ts';
import { readVatNumber } from './vat-number.ts';

/** A tax that is made where an entity has its VAT managed. */
export interface ManagedTax {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** Percent, as text. */
  readonly rate: string;
}

const PREFIX = 'svc_eu_';
const REVERSE_CHARGE = `${PREFIX}reverse_charge`;
const TAX_EXEMPT = `${PREFIX}tax_exempt`;
const standardOf = (country: string) => `${PREFIX}${country.toLowerCase()}_standard`;
const exceptionOf = (country: string, { name }: TaxException) => `${PREFIX}${country.toLowerCase()}_exception_${name}`;

/** Every tax that a customer may be given: two of each member state and territory at most, the reverse charge and the exemption. */
export const MANAGED_TAXES: readonly ManagedTax[] = [
  ...Object.entries(MEMBER_STATES).flatMap(([country, { standard, exceptions = [] }]) => [
    {
      ...{ code: standardOf(country), name: `VAT ${country}`, rate: standard },
      description: `Standard rate of VAT in ${country}`,
    },
    ...exceptions.map((exception) => ({
      ...{ code: exceptionOf(country, exception), name: `VAT ${country}, ${exception.title}`, rate: exception.rate },
      description: `Rate of VAT in ${exception.title}`,
    })),
  ]),
  { code: REVERSE_CHARGE, name: 'Reverse charge', rate: '0', description: 'VAT is due by the customer' },
  { code: TAX_EXEMPT, name: 'Tax exempt', rate: '0', description: 'The customer is outside of the EU' },
];

const CODES: ReadonlySet<string> = new Set(MANAGED_TAXES.map(({ code }) => code));

/** Whether a code is that of a tax that was chosen and not said. */
export const isManagedTax = (code: string): boolean => CODES.has(code);

/** What is known of a customer's VAT number: nothing was asked, nobody answered yet, or the register's answer. */
export type VatStatus = 'pending' | 'valid' | 'invalid';

/** Where a customer is, as far as taxes go. */
export interface VatAddress {
  readonly country: string | null;
  readonly zipcode: string | null;
  readonly taxIdentificationNumber: string | null;
}

/** Postal codes are written with a country before them, with spaces and with hyphens. */
const plainZip = (zipcode: string | null) =>
  (zipcode ?? '')
    .toUpperCase()
    .replace(/^[A-Z]{1,2}(?=[\s-]?\d)/, '')
    .replace(/[\s-]/g, '');

const territoryAt = (country: string, zipcode: string | null): TaxException | undefined =>
  MEMBER_STATES[country]?.exceptions?.find((one) => one.zipcode.test(plainZip(zipcode)));

const rateAt = (country: string, zipcode: string | null) => {
  const territory = territoryAt(country, zipcode);
  return territory ? exceptionOf(country, territory) : standardOf(country);
};

/**
 * The code of the tax of a customer of an entity in a member state, by what is known. A number that is not known to be valid does not
 * count. Territories without VAT come before any number; then a valid number of another country than the entity's is a reverse charge.
 * Without a country the customer is taken to be where the entity is; outside of the EU it is exempt. Source: engine-catalogue 4.4.
 */
export function vatTaxOf(entityCountry: string, customer: VatAddress, status: VatStatus | null): string {
  const { country, zipcode, taxIdentificationNumber } = customer;
  const territory = country ? territoryAt(country, zipcode) : undefined;
  if (country && territory && Number(territory.rate) === 0) return exceptionOf(country, territory);
  const number = status === 'valid' ? readVatNumber(taxIdentificationNumber) : undefined;
  if (number) {
    if (number.country !== entityCountry) return REVERSE_CHARGE;
    return country === number.country ? rateAt(country, zipcode) : standardOf(number.country);
  }
  if (!country) return standardOf(entityCountry);
  return isMemberState(country) ? rateAt(country, zipcode) : TAX_EXEMPT;
}

const WAITS = [5, 5, 10, 20, 40];
const HOUR = 60;

/** Minutes until a number is asked about again that nobody answered so many times. */
export const minutesUntilAsked = (unanswered: number): number => WAITS[unanswered - 1] ?? HOUR;
