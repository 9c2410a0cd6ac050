import type { FeeRow, InvoiceRow } from './document.ts';
import type { Person } from './people.ts';

/** What somebody enters of a fee; the rest is computed. */
export type EnteredFee = Pick<
  FeeRow,
  'svc_id' | 'units' | 'precise_unit_amount' | 'item' | 'add_on_code' | 'applied_taxes'
>;

export const isOf = (person: Person) => `cus_${person.id}`;

/** An invoice that somebody enters, before it is computed. */
export function entered(
  person: Person,
  svc_id: string,
  invoice_type: InvoiceRow['invoice_type'],
  created_at: string,
  currency: string,
  fees: EnteredFee[],
  status: InvoiceRow['status'] = 'finalized',
): InvoiceRow {
  return {
    svc_id,
    invoice_type,
    external_customer_id: isOf(person),
    created_at,
    currency,
    status,
    fees,
  } as unknown as InvoiceRow;
}
