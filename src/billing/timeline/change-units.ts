import type { UnitEvent } from '../customer/subscription.ts';
import { unitHistory } from '../subscription/fixed-fees.ts';
import { unitsRequest } from '../subscription/invoice-request.ts';
import { unitsEffectiveAt } from '../subscription/units-change.ts';
import { accountOf, billedIn, subscriptionOf } from './account.ts';
import { afterChanges } from './apply.ts';
import { makeInvoice } from './make.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

type ChangeUnits = Extract<TimelineStep, { do: 'change_fixed_charge_units' }>;

/**
 * Other units of fixed charges, now or from the next period. What is paid in advance and grows now is invoiced at once, all
 * charges of one change together; a decrease makes a fee of 0. Source: invoicing 6.
 */
export function changeUnits(state: TimelineState, step: ChangeUnits): TimelineState {
  const changed = record(state, step);
  if (!step.immediately) return changed;
  const ids = step.changes.map((change) => change.fixedChargeId);
  const subscription = subscriptionOf(changed, step.subscriptionId);
  const request = unitsRequest(accountOf(changed), subscription, ids, step.at);
  return request === null ? changed : makeInvoice(changed, request);
}

function record(state: TimelineState, step: ChangeUnits): TimelineState {
  const subscription = subscriptionOf(state, step.subscriptionId);
  const { terms } = billedIn(state, subscription.id, step.at, 'in_advance_charge');
  const timestamp = unitsEffectiveAt(terms, step.at, step.immediately);
  return step.changes.reduce((changed, { fixedChargeId, units }) => {
    const charge = subscription.plan.fixedCharges.find((candidate) => candidate.id === fixedChargeId);
    const isKnown = subscription.unitEvents?.[fixedChargeId] !== undefined;
    const first: readonly UnitEvent[] = charge && !isKnown ? unitHistory(subscription, charge) : [];
    const entries = [...first, { units, timestamp, createdAt: step.at }];
    return afterChanges(changed, [{ kind: 'units_changed', subscriptionId: subscription.id, fixedChargeId, entries }]);
  }, state);
}
