import { notFound } from '../../../billing/errors.ts';
import type { FeeEdit, FeePlace } from '../../../billing/fee/draft-fee.ts';
import type { PlacedEdit } from '../../../billing/fee/edited-fee.ts';
import { checkDraftEdit, checkFeeEdit } from '../../../billing/invoice/edited-draft.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import {
  type EditableRow,
  editableFee,
  editablePrice,
  feeAt,
  type NamedPrice,
} from '../../../store/invoice/editable-fee.ts';
import { type LockedInvoice, lifeOf, lockInvoice } from '../../../store/invoice/invoice-lock.ts';
import { allChanged, type Changed, type Written } from '../../changed.ts';
import { live, type Stage } from '../../life/live.ts';
import { inTransaction } from '../../transaction.ts';

/** What is changed by hand on a fee of a draft. The fee is named, or the price of a subscription that has none on the draft yet. */
export interface SentAdjustment extends NamedPrice {
  readonly svcFeeId?: string | null | undefined;
  /** A decimal number. */
  readonly units?: string | null | undefined;
  /** A decimal number, in currency units or in units of the charge's own. */
  readonly preciseUnitAmount?: string | null | undefined;
  readonly invoiceDisplayName?: string | null | undefined;
}

const number = (text: string | null | undefined) => (text == null ? null : dec(text));

/** What a fee is changed to. */
export const editIn = ({ units, preciseUnitAmount, invoiceDisplayName }: SentAdjustment): FeeEdit => ({
  ...{ units: number(units), preciseUnitAmount: number(preciseUnitAmount) },
  invoiceDisplayName: invoiceDisplayName?.trim() || null,
});

/** What a draft would have of a price that it has no fee of. */
async function rowOf(tx: TenantTransaction, { id }: LockedInvoice, sent: SentAdjustment): Promise<EditableRow> {
  const row = sent.svcFeeId ? await editableFee(tx, id, sent.svcFeeId) : await editablePrice(tx, id, sent);
  if (!row) throw notFound('fee');
  return row;
}

async function editFee(
  stage: Stage,
  invoice: LockedInvoice,
  place: PlacedEdit['place'],
  edit: FeeEdit | null,
): Promise<Changed> {
  const step = { at: stage.actor.now.getTime(), do: 'edit_fee' as const, invoiceId: invoice.id, place, edit };
  return live(stage, lifeOf(invoice), { steps: [step] });
}

const shown = ({ units, preciseUnitAmount, invoiceDisplayName }: FeeEdit) => ({
  ...{ adjustedUnits: units?.toFixed() ?? null, adjustedPreciseUnitAmount: preciseUnitAmount?.toFixed() ?? null },
  adjustedInvoiceDisplayName: invoiceDisplayName,
});

/** Logs what is changed by hand on the fees of an invoice. */
const told = (stage: Stage, invoice: LockedInvoice, place: FeePlace, before: FeeEdit | null, after: FeeEdit | null) =>
  recordAudit(stage.tx, {
    ...{ actor: stage.actor, action: 'invoice.fee_adjusted', objectType: 'invoice', objectId: invoice.id },
    ...{ before: before && { ...place, ...shown(before) }, after: after && { ...place, ...shown(after) } },
  });

/**
 * Changes a fee of a draft by hand; the draft is computed again, and keeps the change whenever it is again, also as it becomes final. A price
 * of a billed subscription that the draft has no fee of gets an empty one. Says the fee. Throws `object_not_found` for the invoice or the fee,
 * `forbidden` where it is no draft, and a validation error.
 */
export function adjustFee(db: TenantClient, actor: Actor, svcId: string, sent: SentAdjustment): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    checkDraftEdit(invoice);
    const { place, edit: before, ...fee } = await rowOf(tx, invoice, sent);
    const edit = editIn(sent);
    checkFeeEdit(edit, { ...fee, type: place.type, isEdited: before !== null });
    const stage = { db, tx, actor };
    const changed = await editFee(stage, invoice, place, edit);
    const made = await feeAt(tx, invoice.id, place);
    // Its charge is not billed on this draft, or by groups of which it names none.
    if (!made) throw notFound('fee');
    const auditLogs = [await told(stage, invoice, place, null, edit)];
    return { id: made, changed: allChanged([changed, { auditLogs }]) };
  });
}

/**
 * Takes back what was changed by hand on a fee of a draft: it is what is computed again. Says the invoice. Throws `object_not_found` for the
 * invoice, the fee, and where nothing was changed (`adjusted_fee`), and `forbidden` where it is no draft.
 */
export function destroyAdjustedFee(db: TenantClient, actor: Actor, svcId: string, svcFeeId: string): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    checkDraftEdit(invoice);
    const { place, edit: before } = await rowOf(tx, invoice, { svcFeeId });
    if (!before) throw notFound('adjusted_fee');
    const stage = { db, tx, actor };
    const changed = await editFee(stage, invoice, place, null);
    const auditLogs = [await told(stage, invoice, place, before, null)];
    return { id: invoice.id, changed: allChanged([changed, { auditLogs }]) };
  });
}
