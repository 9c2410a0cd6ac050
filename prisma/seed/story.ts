import { customerRow, MORNING } from './customer-row.ts';
import type { PlanRow, Section, SubscriptionRow } from './document.ts';
import { byCode } from './input.ts';
import { type Person, traitOf } from './people.ts';
import { overriding } from './plan-row.ts';
import { idOf } from './random.ts';
import { usageOf } from './usage.ts';
import { walletCodes } from './wallet.ts';

function overrideOf(person: Person, parent: PlanRow): PlanRow {
  const charges = parent.charges
    .slice(0, 1)
    .map((charge) => ({ code: charge.code, invoice_display_name: 'Negotiated' }));
  const amount_cents = Math.round(parent.amount_cents * 0.8);
  return overriding(parent, person.id, {
    amount_cents,
    name: `${parent.name} for ${person.name}`,
    charges: charges as never,
  });
}

function firstSubscription(person: Person, plan: PlanRow): SubscriptionRow {
  const at = `${person.since}${MORNING}`;
  const ends = traitOf(person, 'terminate') ?? traitOf(person, 'refund');
  return {
    svc_id: idOf('subscription', person.id),
    external_id: `sub_${person.id}`,
    external_customer_id: `cus_${person.id}`,
    plan_code: plan.code,
    ...(person.traits.has('override') ? { plan_overrides: overrideOf(person, plan) } : {}),
    status: ends ? 'terminated' : 'active',
    billing_time: person.traits.has('anniversary') ? 'anniversary' : 'calendar',
    subscription_at: at,
    ...(ends ? { terminated_at: `${ends[0]}T15:30:00Z` } : {}),
    ...(traitOf(person, 'refund') ? { on_termination_credit_note: 'refund' as const } : {}),
    created_at: at,
    updated_at: at,
  };
}

/** The plan that follows the first one. */
function nextSubscription(person: Person, first: SubscriptionRow): SubscriptionRow[] {
  const change = traitOf(person, 'upgrade') ?? traitOf(person, 'downgrade');
  if (!change) return [];
  const at = `${change[0]}T11:00:00Z`;
  const { plan_overrides: _, ...base } = first;
  return [
    {
      ...base,
      svc_id: idOf('subscription', person.id, 'next'),
      plan_code: String(change[1]),
      svc_previous_subscription_id: first.svc_id,
      created_at: at,
      updated_at: at,
    },
  ];
}

/** A subscription that waits for its day and its payment, and one that waited in vain. */
function waitingSubscriptions(person: Person, first: SubscriptionRow): SubscriptionRow[] {
  const future = traitOf(person, 'future');
  if (!future) return [];
  const created_at = `2026-11-02${MORNING}`;
  const common = { ...first, plan_code: String(future[1]), subscription_at: `${future[0]}T00:00:00Z`, created_at };
  const rule = { svc_id: idOf('rule', person.id), type: 'payment', timeout_hours: 48, status: 'pending', created_at };
  return [
    {
      ...common,
      svc_id: idOf('subscription', person.id, 'future'),
      external_id: `sub_${person.id}_2`,
      status: 'pending',
      activation_rules: [rule],
    },
    {
      ...common,
      svc_id: idOf('subscription', person.id, 'given up'),
      external_id: `sub_${person.id}_3`,
      status: 'canceled',
      canceled_at: '2026-11-05T10:00:00Z',
      cancellation_reason: 'timeout',
    },
  ];
}

function withUnits(person: Person, row: SubscriptionRow): SubscriptionRow {
  const change = traitOf(person, 'units');
  if (!change) return row;
  const at = `${change[0]}T10:00:00Z`;
  const fixed_charge_code = row.plan_code === 'enterprise' ? 'dedicated_node' : 'support';
  return {
    ...row,
    fixed_charge_units_events: [{ fixed_charge_code, units: `${change[1]}.0`, effective_at: at, created_at: at }],
  };
}

/** Customers, subscriptions and usage of a list of people, added to a section that has its plans. */
export function addPeople(section: Section, people: readonly Person[]): void {
  for (const person of people) {
    const plan = byCode(section.plans, person.plan);
    const first = withUnits(person, firstSubscription(person, plan));
    const rows = [first, ...nextSubscription(person, first), ...waitingSubscriptions(person, first)];
    section.customers.push(customerRow(person, section.customers.length + 1, plan.amount_currency));
    section.subscriptions.push(...rows);
    if (person.traits.has('idle')) continue;
    const family = rows.filter(({ external_id }) => external_id === first.external_id);
    section.events.push(
      ...usageOf(
        family,
        family.map((row) => byCode(section.plans, row.plan_code)),
        walletCodes(person)[0] ?? null,
      ),
    );
  }
  section.events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}
