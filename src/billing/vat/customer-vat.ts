import { isMemberState } from './member-state.ts';
import { readVatNumber } from './vat-number.ts';
import { isManagedTax, type VatAddress, type VatStatus, vatTaxOf } from './vat-tax.ts';

/** A customer as far as its taxes are managed. */
export interface VatCustomer extends VatAddress {
  readonly billingEntityCode: string;
  readonly taxCodes: readonly string[];
}

interface VatWrite {
  readonly entity: { readonly country: string | null; readonly euTaxManagement: boolean };
  /** Undefined of a new customer. */
  readonly before?: (VatCustomer & { readonly vatStatus: VatStatus | null }) | undefined;
  readonly after: VatCustomer;
  /** Codes of taxes that were sent along; undefined where nothing was said of them. */
  readonly sent?: readonly string[] | null | undefined;
}

const hasMoved = (before: VatCustomer | undefined, after: VatCustomer) =>
  before === undefined ||
  (['taxIdentificationNumber', 'country', 'zipcode', 'billingEntityCode'] as const).some(
    (name) => before[name] !== after[name],
  );

/**
 * The taxes of a customer after a write, and what is known of its VAT number. Where the entity has its VAT managed, a tax is chosen for a new
 * customer, for one that has none, and whenever its number, its place or its entity is another; then it stands beside the taxes that were sent
 * along, and replaces all others. A new number is `pending` until the register has answered. Source: engine-catalogue 4.4.
 */
export function customerVat({ entity, before, after, sent }: VatWrite): {
  readonly taxCodes: readonly string[];
  readonly status: VatStatus | null;
} {
  const { country, euTaxManagement } = entity;
  const isMoved = hasMoved(before, after);
  if (!euTaxManagement || !isMemberState(country)) {
    const isDropped = before !== undefined && before.billingEntityCode !== after.billingEntityCode && !sent;
    return {
      taxCodes: isDropped ? after.taxCodes.filter((code) => !isManagedTax(code)) : after.taxCodes,
      status: null,
    };
  }
  const isAsked = readVatNumber(after.taxIdentificationNumber) !== undefined;
  const isKnown = before?.taxIdentificationNumber === after.taxIdentificationNumber;
  const status = isAsked ? (isKnown && before?.vatStatus) || 'pending' : null;
  if (!isMoved && after.taxCodes.length > 0) return { taxCodes: after.taxCodes, status };
  return { taxCodes: [...new Set([...(sent ?? []), vatTaxOf(country, after, status)])].sort(), status };
}
