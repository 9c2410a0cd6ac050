import { addOnFee } from '../fee/add-on-fee.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import { makeInvoice } from './make.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

type OneOffStep = Extract<TimelineStep, { do: 'one_off' }>;

/** Add-ons are sold on an invoice of their own, which is final at once and uses no coupon, note or wallet. Source: engine-money 2.11. */
export function sellAddOns(state: TimelineState, { at, currency, sold }: OneOffStep): TimelineState {
  const { customer, billingEntity } = state;
  const taxed = { customer, billingEntity, currency, zone: zoneOf(customer, billingEntity) };
  const fees = sold.map((one, index) => addOnFee(one, `add_on/${index}`, taxed));
  return makeInvoice(state, { at, subscriptions: [], fees, type: 'one_off', currency });
}
