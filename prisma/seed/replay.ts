import { dec } from '../../src/billing/money/decimal.ts';
import type { Instant } from '../../src/billing/period/calendar.ts';
import { zoneOf } from '../../src/billing/subscription/billed-subscription.ts';
import { pay } from '../../src/billing/timeline/make.ts';
import { advance, newTimeline } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../src/billing/timeline/timeline-type.ts';
import { couponInput, customerInput, entityInput, walletInput } from './account-input.ts';
import { isAside, isListed, makeAside } from './aside.ts';
import type { CustomerRow, InvoiceRow, PlanRow, Section, SubscriptionRow } from './document.ts';
import { byCode, planInput } from './input.ts';
import { type Happening, type Life, live } from './life.ts';
import { HORIZON, runsOf } from './moments.ts';
import { topUps } from './top-up.ts';

const RANKS = { arrival: 0, change: 1, run: 2, aside: 3, event: 4, payment: 5 } as const;

const moment = (text: string): Instant => Date.parse(text);
const happening = (at: Instant, rank: number, step: TimelineStep): Happening => ({
  at,
  rank,
  run: (state) => advance(state, step).state,
});

export const planRowOf = (section: Section, subscription: SubscriptionRow): PlanRow =>
  subscription.plan_overrides ?? byCode(section.plans, subscription.plan_code);

/** The start of a subscription, or the change of plan that made it. */
function beginning(section: Section, row: SubscriptionRow, all: readonly SubscriptionRow[]): Happening {
  const at = moment(row.created_at);
  const plan = planInput(section, planRowOf(section, row));
  const previous = all.find(({ svc_id }) => svc_id === row.svc_previous_subscription_id);
  const common = { at, planCode: plan.code, billingTime: row.billing_time };
  const step: TimelineStep = previous
    ? { ...common, do: 'change_plan', subscriptionId: previous.svc_id, newSubscriptionId: row.svc_id }
    : {
        ...common,
        do: 'subscribe',
        subscriptionId: row.svc_id,
        externalId: row.external_id,
        name: row.name ?? null,
        subscriptionAt: moment(row.subscription_at),
        endingAt: row.ending_at ? moment(row.ending_at) : null,
        onTerminationCreditNote: row.on_termination_credit_note,
      };
  return { at, rank: RANKS.change, run: (state) => advance({ ...state, plans: [plan] }, step).state };
}

/** Changes of units after the start; the first entry of a fixed charge is what its plan says. */
function unitChanges(section: Section, row: SubscriptionRow): Happening[] {
  const fixedCharges = planRowOf(section, row).fixed_charges ?? [];
  const later = (row.fixed_charge_units_events ?? []).filter(({ created_at }) => created_at > row.created_at);
  return later.map((change) => {
    const fixedChargeId = byCode(fixedCharges, change.fixed_charge_code).svc_id;
    return happening(moment(change.created_at), RANKS.change, {
      at: moment(change.created_at),
      do: 'change_fixed_charge_units',
      subscriptionId: row.svc_id,
      changes: [{ fixedChargeId, units: dec(change.units) }],
      immediately: change.effective_at === change.created_at,
    });
  });
}

function subscriptionHappenings(section: Section, customer: CustomerRow, zone: string): Happening[] {
  const own = section.subscriptions.filter((row) => row.external_customer_id === customer.external_id);
  const lived = own.filter((row) => row.status !== 'canceled' || row.svc_previous_subscription_id);
  return lived.flatMap((row) => {
    const replaced = own.some(
      (other) => other.svc_previous_subscription_id === row.svc_id && other.status !== 'canceled',
    );
    const plan = planRowOf(section, row);
    const runs = runsOf(row, plan, zone).map((at): Happening => ({ at, rank: RANKS.run, run: biller(at) }));
    const list = [beginning(section, row, own), ...unitChanges(section, row), ...runs];
    if (row.terminated_at && !replaced && !row.ending_at) {
      const at = moment(row.terminated_at);
      list.push(happening(at, RANKS.change, { at, do: 'terminate', subscriptionId: row.svc_id }));
    }
    return list;
  });
}

const biller = (at: Instant) => (state: TimelineState) =>
  advance(advance(state, { at, do: 'terminate_ended' }).state, { at, do: 'issue_due' }).state;

function arrivals(section: Section, customer: CustomerRow): Happening[] {
  const isOwn = (row: { external_customer_id: string }) => row.external_customer_id === customer.external_id;
  const coupons = section.applied_coupons.filter(isOwn).map((row): Happening => {
    const run = (state: TimelineState) => ({ ...state, coupons: [...state.coupons, couponInput(section, row)] });
    return { at: moment(row.created_at), rank: RANKS.arrival, run };
  });
  const wallets = section.wallets.filter(isOwn).flatMap((row): Happening[] => {
    const run = (state: TimelineState) => ({ ...state, wallets: [...state.wallets, walletInput(section, row)] });
    return [{ at: moment(row.created_at), rank: RANKS.arrival, run }, ...topUps(row, RANKS.change)];
  });
  return [...coupons, ...wallets];
}

function eventHappenings(section: Section, externalIds: ReadonlySet<string>): Happening[] {
  return section.events
    .filter((row) => externalIds.has(row.external_subscription_id))
    .map((row) => {
      const at = moment(row.timestamp);
      const event = {
        transactionId: row.transaction_id,
        timestamp: at,
        createdAt: moment(row.created_at),
        properties: row.properties,
        preciseTotalAmountCents: row.precise_total_amount_cents ?? null,
      };
      const externalId = row.external_subscription_id;
      return happening(at, RANKS.event, { at, do: 'event', externalId, metricCode: row.code, event });
    });
}

/** Money that came, and invoices that were voided: both name invoices by their place among the customer's. */
function payments(section: Section, listed: readonly InvoiceRow[]): Happening[] {
  const names = new Map(listed.map(({ svc_id }, index) => [svc_id, `invoice-${index + 1}`]));
  const paid = section.payments.flatMap((row): Happening[] => {
    const name = names.get(row.svc_invoice_id);
    if (!name || row.status !== 'succeeded') return [];
    const run = (state: TimelineState) => pay(state, name, BigInt(row.amount_cents));
    return [{ at: moment(row.created_at), rank: RANKS.payment, run }];
  });
  const voided = listed.flatMap((row, index): Happening[] => {
    if (!row.voided_at) return [];
    const run = (state: TimelineState) => ({
      ...state,
      invoices: state.invoices.map((made, at) => (at === index ? { ...made, status: 'voided' as const } : made)),
    });
    return [{ at: moment(row.voided_at), rank: RANKS.payment, run }];
  });
  return [...paid, ...voided];
}

/** Lives one customer's life up to a moment again from the document alone: its plans, usage, coupons, wallets and changes. */
export function replay(section: Section, customer: CustomerRow, until = HORIZON): Life {
  const entity = entityInput(section, byCode(section.billing_entities, customer.billing_entity_code));
  const zone = zoneOf(customer, entity);
  const own = section.invoices.filter((row) => row.external_customer_id === customer.external_id);
  const subscriptions = section.subscriptions.filter((row) => row.external_customer_id === customer.external_id);
  const asides = new Map<string, InvoiceRow>();
  const happenings = [
    ...arrivals(section, customer),
    ...subscriptionHappenings(section, customer, zone),
    ...own
      .filter(isAside)
      .filter(isListed)
      .map((row): Happening => {
        const run = (state: TimelineState) => {
          asides.set(`invoice-${state.invoices.length + 1}`, row);
          return makeAside(state, section, row);
        };
        return { at: moment(row.created_at), rank: RANKS.aside, run };
      }),
    ...eventHappenings(section, new Set(subscriptions.map(({ external_id }) => external_id))),
    ...payments(section, own.filter(isListed)),
  ].sort((a, b) => a.at - b.at || a.rank - b.rank);
  return live(
    happenings,
    newTimeline({ customer: customerInput(section, customer), billingEntity: entity, plans: [] }),
    zone,
    asides,
    until,
  );
}
