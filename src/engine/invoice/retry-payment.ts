import { invalid } from '../../billing/errors.ts';
import { checkPaymentRetry, paymentPageRefusal, type SentPaymentMethod } from '../../billing/invoice/payment.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { lockInvoice } from '../../store/invoice/invoice-lock.ts';
import type { Written } from '../changed.ts';
import { methodRefusal } from '../payment/payment-method.ts';
import { inTransaction } from '../transaction.ts';
import { savePayment } from './update-invoice.ts';

/** Why nobody was asked for the money: no provider is connected to this gateway, whatever is stored of the customer's. */
const NOBODY = { error: 'customer_must_have_payment_provider' };

/**
 * Collects what is due of a final invoice once more. Where nothing has to be paid it is paid; else a provider would be asked, and that there is
 * none is no error of the request: it is logged, and the invoice stays as it is. Throws `object_not_found`, `method_not_allowed` where
 * nothing is to be collected, and a validation error for a method that is none. Source: engine-money 3.3.
 */
export function retryPayment(
  db: TenantClient,
  actor: Actor,
  svcId: string,
  method: SentPaymentMethod | null | undefined,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    const { id } = invoice;
    checkPaymentRetry(invoice);
    const refusal = await methodRefusal(tx, method, { id: invoice.customerId });
    if (refusal) throw refusal;
    const isFree = invoice.totalAmountCents <= 0n;
    const paid = isFree ? await savePayment(tx, actor, invoice, 'succeeded') : { before: {}, after: NOBODY };
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'invoice.payment_retried', objectType: 'invoice', objectId: id, ...paid },
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}

/** Makes the page on which an invoice is paid: it says why there is none. Throws `object_not_found` and a validation error. Source: engine-money 3.4. */
export function paymentPage(db: TenantClient, actor: Actor, svcId: string): Promise<never> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    const { paymentProvider } = await tx.customer.findUniqueOrThrow({
      where: { id: invoice.customerId },
      select: { paymentProvider: true },
    });
    throw invalid({ base: [paymentPageRefusal(invoice, paymentProvider)] });
  });
}
