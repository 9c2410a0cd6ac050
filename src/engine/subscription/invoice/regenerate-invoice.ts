import type { ListedFee } from '../../../billing/invoice/edited-draft.ts';
import { checkRegeneration } from '../../../billing/invoice/invoice-write.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { soldOn } from '../../../store/account/add-on-input.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { lifeOfFees, lockInvoice, regeneratedOf } from '../../../store/invoice/invoice-lock.ts';
import type { Written } from '../../changed.ts';
import { live } from '../../life/live.ts';
import { inTransaction } from '../../transaction.ts';
import { editIn, type SentAdjustment } from './adjust-fee.ts';

function listed(sent: SentAdjustment): ListedFee {
  const { svcFeeId, svcSubscriptionId, svcChargeId, svcChargeFilterId, svcFixedChargeId } = sent;
  const edit = editIn(sent);
  const isAsItIs = Object.values(edit).every((value) => value === null);
  return {
    feeKey: svcFeeId ?? null,
    price: {
      ...{ subscriptionId: svcSubscriptionId ?? null, chargeId: svcChargeId ?? null },
      ...{ filterId: svcChargeFilterId ?? null, fixedChargeId: svcFixedChargeId ?? null },
    },
    edit: isAsItIs ? null : edit,
  };
}

/** Who was chosen to collect the payment of an invoice collects that of the one in its place. */
async function keepPayer(
  tx: TenantTransaction,
  voidedId: string,
  made: { readonly id: string; readonly updatedAt: Date },
) {
  const select = { paymentMethodType: true, paymentMethodId: true } as const;
  const chosen = await tx.invoice.findUniqueOrThrow({ where: { id: voidedId }, select });
  if (!chosen.paymentMethodType) return;
  const { id, updatedAt } = made;
  await tx.invoice.update({ where: { id }, data: { ...chosen, updatedAt }, select: { id: true } });
}

/**
 * Makes an invoice anew of a voided one, with the fees that are sent of those that it had, as they were or changed, or with all of them: of two at one
 * moment one does, the other is told. Says the new invoice. Throws `object_not_found` for the invoice, a fee or a price, `method_not_allowed` where it is
 * not voided or has been made anew already, and a validation error.
 */
export function regenerateInvoice(
  db: TenantClient,
  actor: Actor,
  svcId: string,
  sent?: readonly SentAdjustment[] | null,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    const { id: invoiceId, status, invoiceType: type } = invoice;
    checkRegeneration({ status, type }, (await regeneratedOf(tx, invoiceId)) !== null);
    const addOns = await soldOn(tx, invoiceId);
    const at = actor.now.getTime();
    const step = { at, do: 'regenerate_invoice' as const, invoiceId, fees: sent?.map(listed), addOns };
    const life = await lifeOfFees(tx, invoice);
    const changed = await live({ db, tx, actor }, life, { steps: [step], invoiceIds: [invoiceId] });
    const [id] = changed.invoices ?? [];
    if (!id) throw new Error('an invoice that was not made anew');
    await keepPayer(tx, invoiceId, { id, updatedAt: actor.now });
    return { id, changed };
  });
}
