import { document } from '../document.ts';
import { creditNote } from '../fragments.ts';
import type { Route } from '../route.ts';
import { amount, date, listOf, listOfCustomer, one, several, text, yesOrNo } from '../route-list.ts';

const CREDIT_NOTES = {
  name: 'credit_notes',
  permission: 'credit_note:read',
  shown: ['CreditNote', creditNote],
  // A note that is not final yet cannot be told from one that is.
  always: 'status: [finalized]',
} as const;

const OF_CREDIT_NOTES = {
  issuing_date_from: date('issuingDate.from'),
  issuing_date_to: date('issuingDate.to'),
  search_term: text('search'),
  reason: one('reason', 'CreditNoteReason'),
  credit_status: one('creditStatus', 'CreditNoteCreditStatus'),
  refund_status: one('refundStatus', 'CreditNoteRefundStatus'),
  invoice_number: one('invoiceNumber'),
  amount_from: amount('totalAmountCents.from'),
  amount_to: amount('totalAmountCents.to'),
  self_billed: yesOrNo('selfBilled'),
};

/** The reads of credit notes. */
export const creditNoteReads: readonly Route[] = [
  listOf({
    ...CREDIT_NOTES,
    parameters: {
      external_customer_id: one('everExternalCustomerId'),
      currency: one('currency'),
      'billing_entity_codes[]': several('billingEntityCode'),
      ...OF_CREDIT_NOTES,
    },
  }),
  listOfCustomer({ ...CREDIT_NOTES, parameters: OF_CREDIT_NOTES }),
  {
    ...{ method: 'GET', path: '/credit_notes/{svc_id}', permission: 'credit_note:read' },
    operation: 'findCreditNote',
    document: document(
      `query findCreditNote($svcId: UUID!) {
        credit_note: creditNote(svcId: $svcId, status: finalized) { ...CreditNote }
      }`,
      creditNote,
    ),
    variables: ({ params }) => ({ svcId: params.svc_id }),
  },
];
