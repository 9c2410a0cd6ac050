import { document } from '../document.ts';
import { extendedInvoice } from '../fragments.ts';
import type { Route } from '../route.ts';

interface Body {
  readonly generate_credit_note?: unknown;
  readonly credit_amount?: unknown;
  readonly refund_amount?: unknown;
}

export const voidInvoice: Route = {
  ...{ method: 'POST', path: '/invoices/{svc_id}/void', permission: 'invoice:write', operation: 'voidInvoice' },
  document: document(
    `mutation voidInvoice($svcId: UUID!, $generateCreditNote: Boolean, $creditAmount: BigInt, $refundAmount: BigInt) {
      invoice: voidInvoice(svcId: $svcId, generateCreditNote: $generateCreditNote, creditAmountCents: $creditAmount,
        refundAmountCents: $refundAmount) { ...ExtendedInvoice }
    }`,
    extendedInvoice,
  ),
  body: true,
  lookup: document('query look($svcId: UUID!) { invoice(svcId: $svcId) { svcId } }'),
  dependsOnState: true,
  variables: ({ params, body }) => {
    const { generate_credit_note, credit_amount, refund_amount }: Body = Object(body);
    return {
      ...{ svcId: params.svc_id, generateCreditNote: generate_credit_note },
      ...{ creditAmount: credit_amount, refundAmount: refund_amount },
    };
  },
};
