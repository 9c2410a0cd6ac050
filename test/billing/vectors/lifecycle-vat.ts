import { customerVat } from '../../../src/billing/vat/customer-vat.ts';
import { isManagedTax, MANAGED_TAXES, type VatStatus, vatTaxOf } from '../../../src/billing/vat/vat-tax.ts';
import type { TaxJson } from './scenario-type.ts';
import type { Json } from './vector-type.ts';

interface VatCustomer {
  readonly country: string | null;
  readonly zipcode: string | null;
  readonly taxIdentificationNumber: string | null;
  readonly billingEntityCode: string;
  readonly taxCodes: readonly string[];
  readonly vatStatus: VatStatus | null;
}

const NOBODY: VatCustomer = {
  ...{ country: null, zipcode: null, taxIdentificationNumber: null, billingEntityCode: 'default', taxCodes: [] },
  vatStatus: null,
};

const MEMBERS = {
  country: 'country',
  zipcode: 'zipcode',
  taxIdentificationNumber: 'tax_identification_number',
} as const;

/** The taxes of customers where the entity's VAT is managed, with a register of VAT numbers that answers as it is told. */
export function managedVat(organization: Json, taxes: TaxJson[]) {
  const entity = { country: (organization.country ?? null) as string | null, euTaxManagement: false };
  const customers = new Map<string, VatCustomer>();
  let answer = 'unavailable';
  const known = (id: string) => customers.get(id) ?? NOBODY;
  /** What the register says of a number that waits, if it says anything. */
  const settle = (id: string) => {
    const customer = known(id);
    if (customer.vatStatus !== 'pending' || answer === 'unavailable' || entity.country === null) return;
    const vatStatus = answer === 'valid' ? 'valid' : 'invalid';
    const others = customer.taxCodes.filter((code) => !isManagedTax(code));
    const taxCodes = [...others, vatTaxOf(entity.country, customer, vatStatus)];
    customers.set(id, { ...customer, vatStatus, taxCodes });
  };
  return {
    manage(managed: boolean) {
      if (managed && !entity.euTaxManagement) taxes.push(...MANAGED_TAXES.map(({ code, rate }) => ({ code, rate })));
      entity.euTaxManagement = managed;
    },
    answers: (outcome: string) => {
      answer = outcome;
    },
    /** The codes of a customer's taxes after a write of it. */
    write(id: string, body: Json): readonly string[] {
      const before = customers.get(id);
      const sent = body.tax_codes as string[] | undefined;
      const said = Object.entries(MEMBERS).filter(([, name]) => name in body);
      const members = Object.fromEntries(said.map(([member, name]) => [member, body[name] ?? null]));
      const after = { ...known(id), ...members, ...(sent && { taxCodes: sent }) };
      const { taxCodes, status } = customerVat({ entity, before, after, sent });
      customers.set(id, { ...after, taxCodes, vatStatus: status });
      settle(id);
      return known(id).taxCodes;
    },
    codesOf: (id: string): readonly string[] => known(id).taxCodes,
  };
}
