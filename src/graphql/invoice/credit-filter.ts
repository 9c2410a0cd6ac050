import { amounts, anyOf, anyText, dates, either, everOfCustomer, needing, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

/** How lists of credit notes are narrowed and ordered. */
export const creditNoteFilter = listFilter('CreditNote', {
  renamed: { billingEntityCodes: 'billingEntityCode' },
  conditions: {
    status: anyOf('CreditNoteStatus', 'status', 'Only notes in one of these states.'),
    creditStatus: anyOf('CreditNoteCreditStatus', 'creditStatus', 'Only notes whose credit is in one of these states.'),
    refundStatus: anyOf('CreditNoteRefundStatus', 'refundStatus', 'Only notes whose refund is in one of these states.'),
    reason: anyOf('CreditNoteReason', 'reason', 'Only notes issued for one of these reasons.'),
    currency: anyText('currency', 'Only notes in one of these currencies.'),
    externalCustomerId: anyText(ofCustomer, 'Only notes of customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('notes'),
    selfBilled: needing(
      'invoice',
      either(
        'Only notes of self-billed invoices, or only the others.',
        { invoice: { selfBilled: true } },
        { invoice: { selfBilled: false } },
      ),
    ),
    invoiceNumber: anyText('invoice.number', 'Only notes of invoices with one of these numbers.'),
    billingEntityCode: anyText(
      'invoice.billingEntity.code',
      'Only notes of invoices of billing entities with one of these codes.',
    ),
    issuingDate: dates('issuingDate', 'Only notes issued on these dates.'),
    totalAmountCents: amounts('totalAmountCents', 'Only notes whose total is in this range.'),
    search: search("Words in the note's or its invoice's number, or in what lists of customers find its customer by.", [
      'invoice',
      'customer',
    ]),
  },
  orders: ['issuingDate', 'number'],
  moneyOrders: ['totalAmountCents'],
});
