import type { ChargeProperties, PriceModel } from '../../src/billing/catalogue/charge-type.ts';
import type { ChargeRow, FilterRow, FixedChargeRow, PlanRow } from './document.ts';
import { idOf } from './random.ts';
import { FOUNDED } from './row.ts';

const stamp = { created_at: FOUNDED, updated_at: FOUNDED };

type Filters = readonly (readonly [Record<string, string[]>, ChargeProperties, string?])[];
type ChargeMembers = Partial<Omit<ChargeRow, 'filters'>> & { readonly filters?: Filters };

/** A charge on a metric; its code is the metric's. */
export const charge =
  (metric: string, model: PriceModel, properties: ChargeProperties, { filters = [], ...members }: ChargeMembers = {}) =>
  (plan: string): ChargeRow => ({
    svc_id: idOf('charge', plan, metric),
    code: metric,
    billable_metric_code: metric,
    charge_model: model,
    properties,
    ...members,
    ...stamp,
    filters: filters.map(
      ([values, prices, name], index): FilterRow => ({
        svc_id: idOf('filter', plan, metric, index),
        ...(name ? { invoice_display_name: name } : {}),
        values,
        properties: prices,
        ...stamp,
      }),
    ),
  });

/** A fixed charge on an add-on. */
export const fixed =
  (addOn: string, units: number, amount: string, members: Partial<FixedChargeRow> = {}) =>
  (plan: string): FixedChargeRow => ({
    svc_id: idOf('fixed_charge', plan, addOn),
    code: addOn,
    add_on_code: addOn,
    charge_model: 'standard',
    units,
    properties: { amount },
    ...members,
    ...stamp,
  });

interface Parts {
  readonly charges: readonly ((plan: string) => ChargeRow)[];
  readonly fixed?: readonly ((plan: string) => FixedChargeRow)[];
  readonly committed?: number;
  readonly thresholds?: readonly (readonly [number, boolean, string])[];
}

/** A plan and everything in it. */
export function plan(
  code: string,
  name: string,
  amount: readonly [number, string],
  parts: Parts,
  members: Partial<PlanRow> = {},
): PlanRow {
  const [amount_cents, amount_currency] = amount;
  return {
    svc_id: idOf('plan', code),
    code,
    name,
    interval: 'monthly',
    amount_cents,
    amount_currency,
    ...members,
    ...stamp,
    charges: parts.charges.map((make) => make(code)),
    ...(parts.fixed ? { fixed_charges: parts.fixed.map((make) => make(code)) } : {}),
    ...(parts.committed
      ? { minimum_commitment: { svc_id: idOf('commitment', code), amount_cents: parts.committed, ...stamp } }
      : {}),
    ...(parts.thresholds
      ? {
          usage_thresholds: parts.thresholds.map(([cents, recurring, label]) => ({
            svc_id: idOf('threshold', code, cents, label),
            amount_cents: cents,
            recurring,
            threshold_display_name: label,
            ...stamp,
          })),
        }
      : {}),
  };
}

/** A range of prices. */
export const range = (from: number, to: number | null, each: string, flat = '0') => ({
  from_value: from,
  to_value: to,
  per_unit_amount: each,
  flat_amount: flat,
});
/** A plan of one subscription's own: the parent's with other prices. Everything in it has its own identifier. */
export function overriding(parent: PlanRow, owner: string, members: Partial<PlanRow>): PlanRow {
  const own = (id: string) => idOf('override', owner, id);
  return {
    ...parent,
    ...members,
    svc_id: own(parent.svc_id),
    svc_parent_id: parent.svc_id,
    charges: parent.charges.map((row) => ({
      ...row,
      svc_id: own(row.svc_id),
      svc_parent_id: row.svc_id,
      filters: (row.filters ?? []).map((filter) => ({ ...filter, svc_id: own(filter.svc_id) })),
      ...members.charges?.find(({ code }) => code === row.code),
    })),
    fixed_charges: (parent.fixed_charges ?? []).map((row) => ({
      ...row,
      svc_id: own(row.svc_id),
      svc_parent_id: row.svc_id,
    })),
    usage_thresholds: (parent.usage_thresholds ?? []).map((row) => ({ ...row, svc_id: own(row.svc_id) })),
  };
}
