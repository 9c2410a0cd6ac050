import { isOpen } from '../../billing/invoice/final-status.ts';
import type { Change } from '../../billing/subscription/change.ts';
import { type Actor, type AuditEntry, recordAudits } from '../../store/access/audit.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';

type Told = Omit<AuditEntry, 'actor'>;

const STATUS_ACTION: Readonly<Record<string, string>> = {
  active: 'subscription.started',
  incomplete: 'subscription.incomplete',
  terminated: 'subscription.terminated',
  canceled: 'subscription.canceled',
};

/** What is logged of a change; undefined for one that another entry tells of. */
function entryOf(change: Change, statuses: ReadonlyMap<string, string>): Told | undefined {
  if (change.kind === 'invoice_made') {
    const { id: objectId, number, status, totalAmountCents } = change.invoice;
    const after = { number, status, totalAmountCents };
    return { action: 'invoice.created', objectType: 'invoice', objectId, before: null, after };
  }
  if (change.kind === 'invoice_settled' && change.invoice.status === 'closed') {
    const told = { action: 'invoice.closed', objectType: 'invoice', objectId: change.invoice.id };
    return { ...told, before: { status: 'open' }, after: { status: 'closed' } };
  }
  if (change.kind === 'invoice_recomputed' || change.kind === 'invoice_settled') {
    const { id: objectId, number, status, totalAmountCents } = change.invoice;
    const after = { number, status, totalAmountCents };
    const action = isOpen(change.invoice) ? 'invoice.refreshed' : 'invoice.finalized';
    const before = { status: statuses.get(objectId) ?? 'draft' };
    return { action, objectType: 'invoice', objectId, before, after };
  }
  if (change.kind === 'invoice_voided') {
    const told = { action: 'invoice.voided', objectType: 'invoice', objectId: change.invoiceId };
    return { ...told, before: { status: 'finalized' }, after: { status: 'voided' } };
  }
  if (change.kind === 'credit_note_made') {
    const { id: objectId, number, status, totalAmountCents } = change.note;
    const after = { number, status, totalAmountCents };
    return { action: 'credit_note.created', objectType: 'credit_note', objectId, before: null, after };
  }
  if (change.kind === 'fee_made') {
    const { id: objectId, fee } = change.fee;
    const { amountCents, taxesAmountCents, units } = fee;
    const after = { amountCents, taxesAmountCents, units };
    return { action: 'fee.created', objectType: 'fee', objectId, before: null, after };
  }
  if (change.kind === 'subscription_changed' && change.members.status) {
    const { subscriptionId: objectId, members } = change;
    const before = { status: statuses.get(objectId) ?? 'pending' };
    const action = STATUS_ACTION[members.status ?? ''] ?? 'subscription.updated';
    return { action, objectType: 'subscription', objectId, before, after: { status: members.status } };
  }
  return undefined;
}

/** What is logged of changes. `statuses`: of subscriptions and invoices before. `why`: further members of what is told of invoices. */
interface ToldOf {
  readonly actor: Actor;
  readonly changes: readonly Change[];
  readonly statuses?: ReadonlyMap<string, string>;
  readonly why?: Readonly<Record<string, unknown>>;
}

function entriesOf({ actor, changes, statuses = new Map(), why = {} }: ToldOf): AuditEntry[] {
  return changes.flatMap((change) => {
    const told = entryOf(change, statuses);
    if (!told) return [];
    const after = told.objectType === 'invoice' ? { ...(told.after as object), ...why } : told.after;
    return [{ actor, ...told, after }];
  });
}

/**
 * Logs what rules decided, in one statement: invoices that were made or became final, credit notes, subscriptions that start or end. Says the
 * entries.
 */
export const auditChanges = (tx: TenantTransaction, parts: readonly ToldOf[]): Promise<string[]> =>
  recordAudits(tx, parts.flatMap(entriesOf));
