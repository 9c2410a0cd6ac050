import { expireIncomplete, settleActivation, settleFree } from './activation.ts';
import { changePlan, settleWaiting } from './change-plan.ts';
import { changeUnits } from './change-units.ts';
import { recordEvent } from './event.ts';
import { editDraft, finalizeDrafts, refreshDraft, retryInvoice, settleTaxes } from './finalize.ts';
import { issueDay, startPending } from './issue-day.ts';
import { payFee } from './loose-fee.ts';
import { pay } from './make.ts';
import { sellAddOns } from './one-off.ts';
import { regenerateInvoice } from './regenerate.ts';
import { subscribe } from './subscribe.ts';
import { terminate, terminateEnded } from './terminate.ts';
import { updateUsage } from './threshold.ts';
import type { TimelineResult, TimelineState, TimelineStep } from './timeline-type.ts';
import { voidInvoice } from './void.ts';

/**
 * The life of one customer as a state machine: a state and what happens next give the state after it and the invoices and
 * credit notes that were made. Pure: the same steps give the same documents. Throws a RangeError for an unknown id or code.
 */
export function advance(state: TimelineState, step: TimelineStep): TimelineResult {
  const after = stateAfter({ ...state, changes: [] }, step);
  const { changes } = after;
  const invoices = new Set(changes.flatMap((change) => ('invoice' in change ? [change.invoice.id] : [])));
  const notes = new Set(changes.flatMap((change) => (change.kind === 'credit_note_made' ? [change.note.id] : [])));
  return {
    state: { ...after, changes: [] },
    invoices: after.invoices.filter(({ id }) => invoices.has(id)),
    creditNotes: after.madeNotes.filter(({ id }) => notes.has(id)),
    changes,
  };
}

function stateAfter(state: TimelineState, step: TimelineStep): TimelineState {
  switch (step.do) {
    case 'subscribe':
      return subscribe(state, step);
    case 'event':
      return recordEvent(state, step);
    case 'issue_due':
      return issueDay(state, step.at);
    case 'terminate':
      return terminate(state, step.subscriptionId, step.at, step);
    case 'terminate_ended':
      return terminateEnded(state, step.at);
    case 'change_plan':
      return changePlan(state, step);
    case 'settle_waiting':
      return settleWaiting(state, step.at, step.planIds);
    case 'change_fixed_charge_units':
      return changeUnits(state, step);
    case 'update_usage':
      return updateUsage(state, step.at);
    case 'settle_activation':
      return settleActivation(state, step.subscriptionId, step.outcome, step.at);
    case 'expire_incomplete':
      return expireIncomplete(state, step.at);
    case 'start_pending':
      return startPending(state, step.at, step.subscriptionId);
    case 'finalize_drafts':
      return finalizeDrafts(state, step.at, step);
    case 'refresh_draft':
      return refreshDraft(state, step.invoiceId);
    case 'settle_taxes':
      return settleFree(settleTaxes(state, step.at), step.at);
    case 'retry_invoice':
      return retryInvoice(state, step.invoiceId, step.at);
    case 'edit_fee':
      return editDraft(state, step.invoiceId, step);
    case 'void_invoice':
      return voidInvoice(state, step);
    case 'regenerate_invoice':
      return regenerateInvoice(state, step);
    case 'one_off':
      return sellAddOns(state, step);
    case 'pay_fee':
      return payFee(state, step.feeId, step.at);
    case 'pay':
      return pay(state, step.invoiceId, step.amountCents);
  }
}

/** A customer to whom nothing has happened yet. */
export function newTimeline(
  start: Pick<TimelineState, 'customer' | 'billingEntity' | 'plans'> &
    Partial<Pick<TimelineState, 'coupons' | 'creditNotes' | 'wallets' | 'ranks'>>,
): TimelineState {
  return {
    subscriptions: [],
    events: [],
    invoices: [],
    creditNotes: [],
    madeNotes: [],
    coupons: [],
    wallets: [],
    ranks: { forCustomer: 0, forEntity: 0 },
    fees: [],
    changes: [],
    ...start,
  };
}
