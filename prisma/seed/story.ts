import { DAY_MS } from '../../src/billing/calendar.ts';
import { type CustomerRow, type PlanRow, type Section, type SubscriptionRow, timeText } from './document.ts';
import { byCode } from './input.ts';
import type { Person } from './people.ts';
import { traitOf } from './people.ts';
import { overriding } from './plan.ts';
import { idOf } from './random.ts';
import { usageOf } from './usage.ts';

/** Everything starts in the morning of Greenwich. */
const MORNING = 'T09:00:00Z';

function locationOf(person: Person) {
  return {
    ...(person.zone ? { timezone: person.zone } : {}),
    city: person.city,
    country: person.country,
    address_line1: `${(person.id.length * 7) % 90} ${person.city}`,
  };
}

export function customerRow(person: Person, rank: number, currency: string): CustomerRow {
  const created_at = timeText(Date.parse(`${person.since}${MORNING}`) - DAY_MS);
  const slug = person.id.replace('_', '-');
  const tax = traitOf(person, 'tax');
  const grace = person.traits.has('grace') ? { invoice_grace_period: 30 } : {};
  const fails = person.traits.has('failing');
  const provider = {
    payment_provider: 'stripe',
    payment_provider_code: 'cards',
    provider_customer_id: `cus_${person.id}`,
  };
  return {
    svc_id: idOf('customer', person.id),
    external_id: `cus_${person.id}`,
    sequential_id: rank,
    name: person.name,
    legal_name: person.name,
    email: `accounts@${slug}.example`,
    phone: `+00 ${100_000 + rank * 317}`,
    url: `https://${slug}.example`,
    customer_type: 'company',
    ...locationOf(person),
    currency,
    billing_entity_code: person.entity,
    billing_configuration: {
      ...grace,
      document_locale: person.locale,
      ...(fails || person.traits.has('wallet') ? { ...provider, provider_payment_methods: ['card'], sync: true } : {}),
    },
    ...(person.traits.has('partner') ? { account_type: 'partner' as const } : {}),
    ...(person.traits.has('skip') ? { finalize_zero_amount_invoice: 'skip' as const } : {}),
    ...(tax ? { tax_codes: [...tax] } : {}),
    ...detailsOf(person, created_at),
    created_at,
    updated_at: created_at,
  };
}

/** What only some customers have: key-value pairs, links to other systems, another place to send to. */
function detailsOf(person: Person, created_at: string) {
  const shows = person.traits.has('wallet') || person.traits.has('meta');
  if (!shows) return {};
  return {
    metadata: [
      { key: 'segment', value: person.country === 'FR' ? 'domestic' : 'export', display_in_invoice: true, created_at },
      { key: 'crm_note', value: `${person.name} ✓`, display_in_invoice: false, created_at },
    ],
    integration_customers: [
      {
        svc_id: idOf('integration', person.id),
        type: 'netsuite',
        integration_code: 'ledger',
        external_customer_id: `NS-${person.id}`,
        subsidiary_id: '1',
        targeted_object: 'company',
        sync_with_provider: true,
        email: `erp@${person.id}.example`,
        created_at,
      },
    ],
    shipping_address: { address_line1: `Dock ${person.id.length}`, city: person.city, country: person.country },
  };
}

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

/** What follows the first subscription: another plan, or one that waits for its day or was given up. */
function laterSubscriptions(person: Person, first: SubscriptionRow): SubscriptionRow[] {
  const change = traitOf(person, 'upgrade') ?? traitOf(person, 'downgrade');
  const future = traitOf(person, 'future');
  const rows: SubscriptionRow[] = [];
  if (change) {
    const at = `${change[0]}T11:00:00Z`;
    const { plan_overrides: _, ...base } = first;
    rows.push({
      ...base,
      svc_id: idOf('subscription', person.id, 'next'),
      plan_code: String(change[1]),
      svc_previous_subscription_id: first.svc_id,
      created_at: at,
      updated_at: at,
    });
  }
  if (future) {
    const common = {
      ...first,
      external_id: `sub_${person.id}_2`,
      plan_code: String(future[1]),
      created_at: `2026-11-02${MORNING}`,
    };
    const subscription_at = `${future[0]}T00:00:00Z`;
    const rule = {
      svc_id: idOf('rule', person.id),
      type: 'payment',
      timeout_hours: 48,
      status: 'pending',
      created_at: common.created_at,
    };
    rows.push(
      {
        ...common,
        svc_id: idOf('subscription', person.id, 'future'),
        status: 'pending',
        subscription_at,
        activation_rules: [rule],
      },
      {
        ...common,
        svc_id: idOf('subscription', person.id, 'given up'),
        external_id: `sub_${person.id}_3`,
        status: 'canceled',
        subscription_at,
        canceled_at: '2026-11-05T10:00:00Z',
        cancellation_reason: 'timeout',
      },
    );
  }
  return rows;
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
    const rows = [first, ...laterSubscriptions(person, first)];
    section.customers.push(customerRow(person, section.customers.length + 1, plan.amount_currency));
    section.subscriptions.push(...rows);
    if (person.traits.has('idle')) continue;
    const family = rows.filter(({ external_id }) => external_id === first.external_id);
    section.events.push(
      ...usageOf(
        family,
        family.map((row) => byCode(section.plans, row.plan_code)),
      ),
    );
  }
  section.events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}
