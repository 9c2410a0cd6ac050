import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { isList, memberAt } from '../value/json.ts';
import { nameFromCode } from './name.ts';

const isLimited = ({ item }: Draft, ...members: string[]) =>
  members.some((member) => {
    const list = memberAt(item, member);
    return isList(list) && list.length > 0;
  });

/** Kind, limits and expiry of a new coupon follow from what else it gives. */
export async function fillCoupons(drafts: Draft[], importer: Importing): Promise<void> {
  nameFromCode(drafts);
  for (const draft of drafts) {
    const { row, place } = draft;
    row.coupon_type ??= row.percentage_rate == null ? 'fixed_amount' : 'percentage';
    const value = row.coupon_type === 'percentage' ? 'percentage_rate' : 'amount_cents';
    if (row[value] == null) importer.faults.add(`${place}.${value}`, 'value_is_mandatory');
    row.limited_plans ??= isLimited(draft, 'plans', 'plan_codes', 'applies_to.plan_codes');
    row.limited_billable_metrics ??= isLimited(
      draft,
      'billable_metrics',
      'billable_metric_codes',
      'applies_to.billable_metric_codes',
    );
    row.expiration ??= row.expiration_at == null ? 'no_expiration' : 'time_limit';
    if (row.amount_cents != null) row.amount_currency ??= await importer.defaultCurrency();
  }
}

/** An application takes what it does not give from its coupon. */
export function fillAppliedCoupons(drafts: Draft[]): void {
  for (const { row, found } of drafts) {
    const coupon = found.coupon_id;
    const ofAmount = coupon?.coupon_type !== 'percentage';
    if (row.amount_cents === undefined && ofAmount) row.amount_cents = coupon?.amount_cents ?? null;
    if (row.amount_currency === undefined && row.amount_cents != null)
      row.amount_currency = coupon?.amount_currency ?? null;
    if (row.percentage_rate === undefined && !ofAmount) row.percentage_rate = coupon?.percentage_rate ?? null;
    row.frequency ??= coupon?.frequency;
    if (row.frequency_duration === undefined) row.frequency_duration = coupon?.frequency_duration ?? null;
    if (row.frequency_duration_remaining === undefined) row.frequency_duration_remaining = row.frequency_duration;
  }
}
