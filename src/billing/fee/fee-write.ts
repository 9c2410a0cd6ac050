import { notAllowed } from '../errors.ts';

/** Refuses to pay by hand a fee that is paid with its invoice. Source: engine-money 2.13. */
export function checkFeePayment({ invoiceId }: { readonly invoiceId: string | null }): void {
  if (invoiceId !== null) throw notAllowed('invoiceable_fee');
}

/** Refuses to delete a fee that is on an invoice. */
export function checkFeeDeletion({ invoiceId }: { readonly invoiceId: string | null }): void {
  if (invoiceId !== null) throw notAllowed('invoiced_fee');
}
