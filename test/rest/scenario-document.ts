import { createHash, randomUUID } from 'node:crypto';
import type { InvoiceFee } from '../../src/billing/fee/invoice-fee.ts';
import type { PastInvoice } from '../../src/billing/invoice/past-invoice.ts';
import { accountOf } from '../billing/vectors/scenario-preview.ts';
import type {
  ChargeJson,
  CouponJson,
  CustomerJson,
  EntityJson,
  FixedChargeJson,
  PlanJson,
  SetupJson,
  SubscriptionJson,
  WalletJson,
} from '../billing/vectors/scenario-type.ts';

/** What a preview is asked in a scenario that states it; some only state what is to be billed. */
export interface ScenarioParams {
  readonly plan_code?: string;
  readonly billing_entity_code?: string;
  readonly customer?: CustomerJson & Record<string, unknown>;
  readonly subscriptions?: { external_ids?: string[]; plan_code?: string; terminated_at?: string } | unknown[];
}

export interface ScenarioDocument {
  readonly document: Record<string, unknown>;
  /** Undefined when nobody is stored: the customer is made up by the request, or unknown. */
  readonly externalCustomerId: string | undefined;
  readonly subscriptions: readonly StoredSubscription[];
}

/** A subscription of the scenario; those before and after each other share one external identifier. */
export interface StoredSubscription {
  readonly svcId: string;
  readonly externalId: string;
  readonly json: SubscriptionJson;
}

const text = (at: number) => new Date(at).toISOString();
const EPOCH = Date.parse('2020-01-01T00:00:00Z');
/** Times of rows whose order counts: the scenario states no more than the order. */
const inOrder = (index: number) => text(EPOCH + index * 60_000);
export const plansOf = ({ plans, plan }: SetupJson): PlanJson[] => plans ?? (plan ? [plan] : []);
export const subscriptionsOf = ({ subscriptions, subscription }: SetupJson): SubscriptionJson[] =>
  subscriptions ?? (subscription ? [subscription] : []);
export const externalIdsOf = ({ subscriptions }: ScenarioParams): string[] =>
  (Array.isArray(subscriptions) ? undefined : subscriptions?.external_ids) ?? [];

function settings(of: EntityJson | CustomerJson) {
  return {
    invoice_grace_period: of.invoice_grace_period,
    net_payment_term: of.net_payment_term,
    subscription_invoice_issuing_date_anchor: of.subscription_invoice_issuing_date_anchor,
    subscription_invoice_issuing_date_adjustment: of.subscription_invoice_issuing_date_adjustment,
    tax_codes: of.tax_codes ?? [],
  };
}

// Columns of an entity that cannot be null take their default when the scenario says nothing.
const stated = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined && value !== null));

function entities(setup: SetupJson) {
  const own = setup.billing_entity ?? { code: 'be' };
  const named = subscriptionsOf(setup).flatMap(({ billing_entity: code }) => (code ? [{ code } as EntityJson] : []));
  const given = [own, ...(setup.other_billing_entity ? [setup.other_billing_entity] : []), ...named];
  const all = given.filter((entity, index) => given.findIndex(({ code }) => code === entity.code) === index);
  return all.map((entity, index) =>
    stated({
      ...{ code: entity.code, name: 'Billing entity', is_default: index === 0, timezone: entity.timezone ?? 'UTC' },
      ...settings(entity),
      finalize_zero_amount_invoice: entity.finalize_zero_amount_invoice,
      document_numbering: entity.document_numbering,
      document_number_prefix: entity.document_number_prefix,
    }),
  );
}

function metrics(setup: SetupJson) {
  const charges = plansOf(setup).flatMap((plan) => plan.charges ?? []);
  const codes = [...new Set(charges.map((each) => each.metric))];
  const priced = codes.map((code) =>
    metric(
      code,
      charges.filter((each) => each.metric === code),
    ),
  );
  const limits = [...(setup.wallets ?? []), ...(setup.coupons ?? []), ...(setup.organization_coupons ?? [])].flatMap(
    (one) =>
      ('limited_billable_metrics' in one ? one.limited_billable_metrics : (one as WalletJson).billable_metrics) ?? [],
  );
  const unpriced = [...new Set(limits)].filter((code) => !codes.includes(code));
  return [...priced, ...unpriced.map((code) => ({ code, name: code, aggregation_type: 'count_agg' }))];
}

function metric(code: string, charges: readonly ChargeJson[]) {
  const keys = new Map<string, Set<string>>();
  const values = charges.flatMap(({ filters }) => (filters ?? []).flatMap((filter) => Object.entries(filter.values)));
  for (const [key, named] of values) keys.set(key, new Set([...(keys.get(key) ?? []), ...named]));
  const [first] = charges;
  return {
    ...{ code, name: code, aggregation_type: `${first?.aggregation}_agg`, field_name: first?.field_name },
    recurring: first?.recurring ?? false,
    filters: [...keys].map(([key, named]) => ({ key, values: [...named] })),
  };
}

function charge(json: ChargeJson) {
  const { code, metric: metricCode, aggregation: _, recurring: _r, field_name: _f, ...rest } = json;
  return stated({ charge_model: 'standard', ...rest, code, billable_metric_code: metricCode });
}

const addOnCode = (json: FixedChargeJson) => json.add_on ?? `${json.code}-add-on`;

function fixedCharge({ add_on: _, ...json }: FixedChargeJson) {
  return stated({ charge_model: 'standard', ...json, units: String(json.units), add_on_code: addOnCode(json) });
}

function plan({ charges, fixed_charges: fixed, usage_thresholds: thresholds, ...json }: PlanJson) {
  return stated({
    ...{ interval: 'monthly', amount_currency: 'EUR', ...json, name: json.name ?? json.code },
    charges: (charges ?? []).map(charge),
    fixed_charges: (fixed ?? []).map(fixedCharge),
    usage_thresholds: thresholds,
  });
}

function addOns(setup: SetupJson) {
  const codes = plansOf(setup).flatMap((each) => (each.fixed_charges ?? []).map(addOnCode));
  const amount = { amount_cents: 0, amount_currency: 'EUR' };
  return [...new Set(codes)].map((code) => ({ code, name: code, ...amount }));
}

/** Identifiers and successors: a chain of plan changes has the external identifier of its first subscription. */
function stored(setup: SetupJson, params: ScenarioParams): StoredSubscription[] {
  const all = subscriptionsOf(setup);
  const before = (json: SubscriptionJson) =>
    all.find((one) => one !== json && (one.next === json.id || json.previous === one.id));
  const externalId = (json: SubscriptionJson): string => {
    const previous = before(json);
    return previous ? externalId(previous) : (json.external_id ?? json.id);
  };
  const named = externalIdsOf(params);
  return all
    .filter((json) => json.persisted !== false || named.includes(externalId(json)))
    .map((json) => ({ svcId: randomUUID(), externalId: externalId(json), json }));
}

function subscription({ svcId, externalId, json }: StoredSubscription, all: readonly StoredSubscription[]) {
  const previous = all.find((one) => one.json.next === json.id || json.previous === one.json.id);
  // A preview ends what runs: the request says so, and when.
  const ended = json.status === 'terminated';
  return stated({
    svc_id: svcId,
    external_id: externalId,
    plan_code: json.plan,
    name: json.name,
    billing_entity_code: json.billing_entity,
    status: ended ? 'active' : (json.status ?? 'active'),
    billing_time: json.billing_time,
    subscription_at: json.subscription_at,
    started_at: json.status === 'pending' ? null : (json.started_at ?? json.subscription_at),
    ending_at: json.ending_at,
    created_at: json.created_at ?? json.subscription_at,
    on_termination_credit_note: json.on_termination_credit_note,
    svc_previous_subscription_id: previous?.svcId,
  });
}

function coupon(json: CouponJson) {
  return stated({
    ...{ code: json.code, name: json.name ?? json.code, coupon_type: json.coupon_type ?? 'fixed_amount' },
    ...{
      amount_cents: json.amount_cents,
      amount_currency: json.amount_currency,
      percentage_rate: json.percentage_rate,
    },
    ...{
      frequency: json.frequency ?? 'once',
      frequency_duration: json.frequency_duration,
      expiration: 'no_expiration',
    },
    applies_to: { plan_codes: json.limited_plans ?? [], billable_metric_codes: json.limited_billable_metrics ?? [] },
  });
}

function appliedCoupon(json: CouponJson, index: number, customer: string, svcId: string) {
  return stated({
    ...{ svc_id: svcId, coupon_code: json.code, external_customer_id: customer, status: 'active' },
    ...{
      amount_cents: json.amount_cents,
      amount_currency: json.amount_currency,
      percentage_rate: json.percentage_rate,
    },
    ...{ frequency: json.frequency ?? 'once', frequency_duration: json.frequency_duration },
    frequency_duration_remaining: json.frequency_duration_remaining,
    created_at: inOrder(index),
  });
}

function wallet(json: WalletJson, index: number, customer: string) {
  return stated({
    ...{ external_customer_id: customer, code: json.code, name: json.code, currency: json.currency ?? 'EUR' },
    ...{ status: json.status ?? 'active', priority: json.priority ?? 50, rate_amount: json.rate_amount ?? '1' },
    balance_cents: json.balance_cents,
    applies_to: { fee_types: json.allowed_fee_types ?? [], billable_metric_codes: json.billable_metrics ?? [] },
    created_at: inOrder(json.created_order ?? index),
    wallet_transactions: (json.inbound ?? []).map((credit, at) => ({
      ...{ transaction_type: 'inbound', status: 'settled', transaction_status: credit.kind },
      ...{ remaining_amount_cents: credit.remaining_cents, amount: '0', credit_amount: '0' },
      ...{ priority: credit.priority ?? 50, created_at: inOrder(at) },
    })),
  });
}

function pastFee(fee: InvoiceFee, svcId: string | undefined, currency: string) {
  return stated({
    ...{
      svc_subscription_id: svcId,
      fee_type: fee.type,
      item: { type: fee.type, code: fee.item.code, name: fee.item.name },
    },
    ...{ units: '1', amount_currency: currency, amount_cents: fee.amountCents.toString() },
    precise_amount_cents: fee.preciseAmountCents.toFixed(),
    precise_unit_amount: fee.preciseUnitAmount.toFixed(),
    taxes_amount_cents: fee.taxesAmountCents.toString(),
    taxes_precise_amount_cents: fee.taxesPreciseAmountCents.toFixed(),
    taxes_rate: fee.taxesRate.toFixed(),
    from_date: fee.period && text(fee.period.from),
    to_date: fee.period && text(fee.period.to),
  });
}

function pastInvoice(past: PastInvoice, customer: string, svcIdOf: Map<string, string>, currency: string) {
  const total = past.subTotalIncludingTaxesAmountCents.toString();
  return {
    ...{ external_customer_id: customer, number: past.number, invoice_type: 'subscription', status: 'finalized' },
    ...{ currency, issuing_date: past.issuingDate, created_at: text(past.billedAt) },
    fees_amount_cents: past.feesAmountCents.toString(),
    sub_total_including_taxes_amount_cents: total,
    total_amount_cents: total,
    total_paid_amount_cents: past.totalPaidAmountCents.toString(),
    fees: past.fees.map((fee) => pastFee(fee, svcIdOf.get(fee.subscriptionId ?? ''), currency)),
    billing_periods: past.billingPeriods.map((period) =>
      stated({
        svc_subscription_id: svcIdOf.get(period.subscriptionId),
        invoicing_reason: period.reason,
        subscription_from_datetime: text(period.from ?? past.billedAt),
        subscription_to_datetime: text(period.to ?? past.billedAt),
        charges_from_datetime: text(period.chargesFrom ?? period.from ?? past.billedAt),
        charges_to_datetime: text(period.chargesTo ?? period.to ?? past.billedAt),
      }),
    ),
  };
}

/** Invoices on which coupons were used before. */
function couponUse(json: CouponJson, appliedId: string, index: number, customer: string, currency: string) {
  const used = String(json.already_credited_cents ?? 0);
  if (used === '0') return [];
  return [
    {
      ...{ external_customer_id: customer, number: `used-${index}`, invoice_type: 'one_off', status: 'finalized' },
      ...{ currency, issuing_date: '2020-01-01', created_at: inOrder(index), coupons_amount_cents: used },
      credits: [
        { svc_applied_coupon_id: appliedId, amount_cents: used, amount_currency: currency, before_taxes: true },
      ],
    },
  ];
}

function money(setup: SetupJson, customer: string, svcIdOf: Map<string, string>) {
  const currency = plansOf(setup)[0]?.amount_currency ?? 'EUR';
  const applied = (setup.coupons ?? []).map((json) => ({ json, id: randomUUID() }));
  const history = subscriptionsOf(setup).length > 0 ? accountOf(setup as SetupJson).pastInvoices : [];
  const notes = setup.credit_notes ?? [];
  return {
    applied_coupons: applied.map(({ json, id }, index) => appliedCoupon(json, index, customer, id)),
    wallets: (setup.wallets ?? []).map((json, index) => wallet(json, index, customer)),
    invoices: [
      ...history.map((past) => pastInvoice(past, customer, svcIdOf, currency)),
      ...applied.flatMap(({ json, id }, index) => couponUse(json, id, index, customer, currency)),
      ...(notes.length > 0 ? [{ external_customer_id: customer, number: 'noted', status: 'finalized', currency }] : []),
    ],
    credit_notes: notes.map((note, index) => ({
      ...{ external_customer_id: customer, invoice_number: 'noted', number: note.code, status: note.status },
      ...{ currency: note.currency, credit_status: 'available', balance_amount_cents: note.balance_amount_cents },
      ...{ credit_amount_cents: note.balance_amount_cents, total_amount_cents: note.balance_amount_cents },
      created_at: inOrder(index),
    })),
  };
}

/** Identifiers that the request names and nobody of the scenario has belong to another customer of the organization. */
function strangers(setup: SetupJson, params: ScenarioParams, known: readonly StoredSubscription[]) {
  const [first] = plansOf(setup);
  const foreign = externalIdsOf(params).filter((id) => !known.some(({ externalId }) => externalId === id));
  if (!first || foreign.length === 0) return { customers: [], subscriptions: [] };
  const at = '2024-01-01T00:00:00Z';
  return {
    customers: [{ external_id: 'stranger', currency: 'EUR' }],
    subscriptions: foreign.map((external_id) => ({
      ...{ external_id, external_customer_id: 'stranger', plan_code: first.code },
      ...{ status: 'active', subscription_at: at, started_at: at, created_at: at },
    })),
  };
}

// A request can say who the customer is and where, not how it is billed: such a customer has to be stored.
const HOW = ['invoice_grace_period', 'net_payment_term', 'finalize_zero_amount_invoice'] as const;
function hasSettings(customer: CustomerJson): boolean {
  const own = settings(customer);
  const stating = [own.subscription_invoice_issuing_date_anchor, own.subscription_invoice_issuing_date_adjustment];
  const how = HOW.map((name) => customer[name]).filter((value) => value !== 'inherit');
  return own.tax_codes.length > 0 || [...stating, ...how].some((value) => value !== null && value !== undefined);
}

/** Whether the customer of a scenario has to be a row. */
function isStored({ customer, wallets, coupons, credit_notes: notes }: SetupJson): boolean {
  if (!customer) return false;
  if (customer.persisted !== false) return true;
  const pays = [wallets, coupons, notes].some((rows) => (rows ?? []).length > 0);
  return !pays && hasSettings(customer);
}

/** The import document of what a scenario sets up. */
export function scenarioDocument(setup: SetupJson, params: ScenarioParams): ScenarioDocument {
  const customer = isStored(setup) ? setup.customer : undefined;
  const external = customer ? (customer.external_id ?? params.customer?.external_id ?? 'customer') : undefined;
  const subscriptions = customer ? stored(setup, params) : [];
  const svcIdOf = new Map(subscriptions.map(({ json, svcId }) => [json.id, svcId]));
  const externalIdOf = new Map(subscriptions.map(({ json, externalId }) => [json.id, externalId]));
  const other = strangers(setup, params, subscriptions);
  const connections = (setup as { integrations?: { type: string; code: string }[] }).integrations ?? [];
  const document = {
    taxes: (setup.taxes ?? []).map((tax) => ({ ...tax, name: tax.code })),
    billing_entities: entities(setup),
    billable_metrics: metrics(setup),
    add_ons: addOns(setup),
    plans: plansOf(setup).map(plan),
    coupons: [...(setup.coupons ?? []), ...(setup.organization_coupons ?? [])].map(coupon),
    customers: [
      ...(customer && external ? [customerRow(setup, customer, external)] : []),
      ...other.customers,
      ...(connections.length > 0 ? [connected(connections)] : []),
    ],
    subscriptions: [
      ...subscriptions.map((one) => ({ ...subscription(one, subscriptions), external_customer_id: external })),
      ...other.subscriptions,
    ],
    ...(external ? money(setup, external, svcIdOf) : {}),
    events: (setup.events ?? []).map((event, index) => ({
      ...{ transaction_id: `event-${index}`, code: event.metric, timestamp: event.timestamp },
      external_subscription_id: externalIdOf.get(event.subscription) ?? event.subscription,
      properties: event.properties,
      created_at: event.timestamp,
    })),
  };
  return { document, externalCustomerId: external, subscriptions };
}

function customerRow(setup: SetupJson, customer: CustomerJson, external_id: string) {
  return stated({
    ...{ external_id, name: customer.name, currency: customer.currency, ...settings(customer) },
    timezone: customer.timezone ?? setup.timezone,
    finalize_zero_amount_invoice: customer.finalize_zero_amount_invoice,
    billing_entity_code: setup.billing_entity?.code ?? 'be',
  });
}

const connected = (connections: readonly { type: string; code: string }[]) => ({
  external_id: 'connected',
  integration_customers: connections.map(({ type, code }) => ({ type, integration_code: code })),
});

/** A name for the organization of a scenario. */
export const organizationName = (id: string, setup: SetupJson) =>
  `${id} ${createHash('sha1').update(JSON.stringify(setup)).digest('hex').slice(0, 8)}`;
