import { eventsInMemory } from '../../../src/billing/aggregate/usage-source.ts';
import type { SubscriptionInput } from '../../../src/billing/customer/subscription.ts';
import { BillingError } from '../../../src/billing/errors.ts';
import { subscriptionInvoiceFee } from '../../../src/billing/fee/owned-fee.ts';
import type { CustomerAccount } from '../../../src/billing/invoice/account.ts';
import { applyCreditNotes } from '../../../src/billing/invoice/credit-note-use.ts';
import { computeInvoice } from '../../../src/billing/invoice/invoice.ts';
import type { PastInvoice } from '../../../src/billing/invoice/past-invoice.ts';
import { taxFee } from '../../../src/billing/invoice/tax.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { previewCoupons } from '../../../src/billing/preview/coupon.ts';
import { previewInvoice, previewSelected } from '../../../src/billing/preview/preview.ts';
import type { Preview, PreviewRequest } from '../../../src/billing/preview/preview-type.ts';
import { checkIntegrations, chooseBillingEntity } from '../../../src/billing/preview/request.ts';
import { nextInvoiceAt, selectSubscriptions } from '../../../src/billing/preview/selection.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { terminationCreditNote } from '../../../src/billing/subscription/termination.ts';
import { formatInstant } from '../../instant.ts';
import { agrees, plain } from './scenario-compare.ts';
import {
  cents,
  couponInputs,
  creditNoteInputs,
  customerInput,
  entityInput,
  moment,
  planInput,
  subscriptionInput,
  walletInputs,
} from './scenario-input.ts';
import { agreeFees, feeViews, invoiceView } from './scenario-timeline.ts';
import type {
  Amount,
  CouponJson,
  CustomerJson,
  PastInvoiceJson,
  PlanJson,
  ScenarioJson,
  SetupJson,
} from './scenario-type.ts';

interface ParamsJson {
  plan_code?: string;
  billing_time?: string;
  subscription_at?: string;
  billing_entity_code?: string;
  coupons?: unknown;
  customer?: CustomerJson & Record<string, unknown>;
  subscriptions?: { external_ids?: string[]; plan_code?: string; terminated_at?: string } | unknown[];
}

/** One preview of whole invoices: through the request where the case has one, else with the subscriptions as given. */
export function evaluatePreview({ setup, action, expected }: ScenarioJson) {
  const params = (action.params ?? {}) as ParamsJson;
  const now = moment(action.now as string);
  try {
    const invoice = previewOf(setup, params, now);
    const actual = previewView(invoice, setup);
    const {
      fees,
      fees_include_only_listed_types: types,
      ...rest
    } = expected as {
      fees?: Record<string, unknown>[];
      fees_include_only_listed_types?: string[];
    };
    const sameFees = fees === undefined || agreeFees(fees, feeViews(invoice.fees), types);
    return { actual, agree: sameFees && agrees(rest, withDetail(actual, rest)) };
  } catch (error) {
    const actual = { error: errorView(error) };
    return { actual, agree: agrees(expected, actual) };
  }
}

function previewOf(setup: SetupJson, params: ParamsJson, now: number): Preview {
  const account = accountOf(setup, params);
  const request = requestOf(params);
  const catalogue = { plans: plansOf(setup), subscriptions: account.subscriptions };
  if (!setup.customer) selectSubscriptions(request, { ...catalogue, customer: null }, 'UTC', now);
  if (request.subscriptions?.externalIds || request.planCode) {
    return previewInvoice(request, account, { plans: plansOf(setup) }, now);
  }
  // The case gives the subscriptions as the preview is to bill them.
  return previewSelected({ mode: 'projection', subscriptions: account.subscriptions, linked: [] }, account, now);
}

function requestOf(params: ParamsJson): PreviewRequest {
  const subscriptions = Array.isArray(params.subscriptions) ? undefined : params.subscriptions;
  return {
    planCode: params.plan_code,
    billingTime: params.billing_time,
    subscriptionAt: params.subscription_at,
    subscriptions: subscriptions && {
      externalIds: subscriptions.external_ids,
      planCode: subscriptions.plan_code,
      terminatedAt: subscriptions.terminated_at,
    },
  };
}

function plansOf(setup: SetupJson) {
  const plans = setup.plans ?? (setup.plan ? [setup.plan] : []);
  return plans.map((plan) => planInput(plan, setup.taxes));
}

/** The account of a case, with the history it states. */
export function accountOf(setup: SetupJson, params: ParamsJson = {}): CustomerAccount {
  const entities = [setup.billing_entity, setup.other_billing_entity].flatMap((json) =>
    json ? [entityInput(json, setup.taxes)] : [],
  );
  const billingEntity = chooseBillingEntity(
    params.billing_entity_code,
    entities,
    entities[0] ?? entityInput(undefined, []),
  );
  const provider = setup.tax_provider;
  const account: CustomerAccount = {
    customer: customerInput(setup),
    billingEntity,
    subscriptions: linkedSubscriptions(setup),
    usage: eventsInMemory(
      (setup.events ?? []).map((event) => ({
        externalSubscriptionId: event.subscription,
        metricCode: event.metric,
        timestamp: moment(event.timestamp),
        properties: event.properties,
      })),
    ),
    pastInvoices: [],
    coupons: couponInputs(setup.coupons),
    creditNotes: creditNoteInputs(setup.credit_notes),
    wallets: walletInputs(setup.wallets),
    taxProvider: provider?.result === 'rate' ? { rate: dec(provider.rate) } : provider?.result,
  };
  return withHistory(account, setup.invoice_history ?? []);
}

function linkedSubscriptions(setup: SetupJson): SubscriptionInput[] {
  const plans = new Map(plansOf(setup).map((plan) => [plan.code, plan]));
  const given = setup.subscriptions ?? (setup.subscription ? [setup.subscription] : []);
  const inputs = given.flatMap((json) => {
    const plan = plans.get(json.plan);
    if (!plan) throw new Error(`no plan ${json.plan} in the setup`);
    const subscription = subscriptionInput(json, plan);
    if (json.next === null || typeof json.next !== 'object') return [subscription];
    // Only the price of the successor is stated: that decides what kind of change it is.
    const dearer = { ...plan, amountCents: cents(json.next.amount_cents), interval: json.next.interval };
    const successor = {
      ...subscription,
      id: `${json.id}-next`,
      plan: dearer,
      status: 'pending' as const,
      nextId: null,
    };
    return [
      { ...subscription, nextId: successor.id },
      { ...successor, previousId: json.id },
    ];
  });
  return inputs.map((input) => {
    const follows = inputs.find((other) => other.nextId === input.id);
    return { ...input, previousId: input.previousId ?? follows?.id ?? null };
  });
}

function withHistory(account: CustomerAccount, history: readonly PastInvoiceJson[]): CustomerAccount {
  const pastInvoices: PastInvoice[] = [];
  const growing = { ...account, pastInvoices };
  for (const [index, json] of history.entries()) pastInvoices.push(pastInvoice(growing, json, index));
  return growing;
}

/** An earlier invoice of a subscription: only its reason is stated, and now and then its moment and subscription fee. */
function pastInvoice(account: CustomerAccount, json: PastInvoiceJson, index: number): PastInvoice {
  const subscription = account.subscriptions.find(({ id }) => id === json.subscription);
  if (!subscription) throw new Error(`no subscription ${json.subscription} in the setup`);
  const startedAt = subscription.startedAt ?? subscription.subscriptionAt;
  const billedAt = json.billed_at
    ? moment(json.billed_at)
    : json.invoicing_reason === 'subscription_starting'
      ? startedAt
      : nextInvoiceAt(subscription, account.customer.timezone ?? 'UTC', startedAt);
  const running = { ...subscription, status: 'active' as const, terminatedAt: null };
  const billed = billedSubscription(account, running, billedAt, json.invoicing_reason);
  const { from, to, durationDays } = billed.dates;
  const period = { from, to, durationDays, timezone: billed.zone };
  const owner = { subscription, customer: account.customer, billingEntity: account.billingEntity };
  const made = json.subscription_fee_cents;
  const fees = made === undefined ? [] : [taxFee(subscriptionInvoiceFee(dec(made), period, owner))];
  const gross = fees.reduce((total, fee) => total + fee.amountCents + fee.taxesAmountCents, 0n);
  return {
    id: `invoice-${index}`,
    number: `INV-${index}`,
    type: 'subscription',
    status: 'finalized',
    billedAt,
    issuingDate: formatInstant(billedAt).slice(0, 10),
    zone: billed.zone,
    billingPeriods: [
      {
        subscriptionId: subscription.id,
        planId: subscription.plan.id,
        reason: json.invoicing_reason,
        billedAt,
        from,
        to,
        chargesFrom: billed.dates.chargesFrom,
        chargesTo: billed.dates.chargesTo,
        fixedChargesFrom: null,
        fixedChargesTo: null,
      },
    ],
    fees,
    feesAmountCents: cents(made),
    couponsAmountCents: 0n,
    ...{ currency: subscription.plan.currency, taxesAmountCents: 0n, subTotalExcludingTaxesAmountCents: gross },
    subTotalIncludingTaxesAmountCents: gross,
    totalPaidAmountCents: 0n,
  };
}

function previewView(invoice: Preview, setup: SetupJson): Record<string, unknown> {
  return plain({
    ...invoiceView(invoice),
    fees: feeViews(invoice.fees),
    credits: invoice.credits.map((line) => ({
      type: line.type,
      before_taxes: line.beforeTaxes,
      amount_cents: line.amountCents,
    })),
    subscriptions: invoice.subscriptions.length,
    subscriptions_detail: invoice.subscriptions.map(({ subscription, currentPeriodFrom, currentPeriodTo }) => ({
      plan: subscription.plan.code,
      started_at: subscription.startedAt === null ? null : formatInstant(subscription.startedAt),
      current_billing_period_started_at: currentPeriodFrom === null ? null : formatInstant(currentPeriodFrom),
      current_billing_period_ending_at: currentPeriodTo === null ? null : formatInstant(currentPeriodTo),
    })),
    // A preview moves no balance: what is stored stays.
    wallets_after: Object.fromEntries((setup.wallets ?? []).map((wallet) => [wallet.code, wallet.balance_cents])),
  }) as Record<string, unknown>;
}

/** Details are listed for some of the subscriptions, each by its plan. */
function withDetail(actual: Record<string, unknown>, expected: Record<string, unknown>) {
  const listed = expected.subscriptions_detail as { plan: string }[] | undefined;
  if (!listed) return actual;
  const details = actual.subscriptions_detail as { plan: string }[];
  return { ...actual, subscriptions_detail: details.filter(({ plan }) => listed.some((one) => one.plan === plan)) };
}

const STATUSES = { object_not_found: 404, validation_errors: 422 } as Record<string, number>;

/** An error as the doors show it, in the member names of the file. */
function errorView(error: unknown): Record<string, unknown> {
  if (!(error instanceof BillingError)) throw error;
  const status = STATUSES[error.code] ?? 500;
  if (status === 404) return { status, code: error.message.replace(' not found', '_not_found') };
  return { status, error: error.message, ...error.details };
}

/** Which subscriptions, coupons and customer a preview works with. */
export function evaluateContext({ setup, action, expected }: ScenarioJson) {
  const params = (action.params ?? {}) as ParamsJson;
  try {
    const actual = plain(contextView(setup, params, moment(action.now as string)));
    return { actual, agree: agrees(expected, actual) };
  } catch (error) {
    const actual = { error: errorView(error) };
    return { actual, agree: agrees(expected, actual) };
  }
}

/** The stored customer, one made up from the request, or none: a stored one is named by its external id. */
function contextCustomer(setup: SetupJson, params: ParamsJson): { stored: boolean } | null {
  const { customer } = setup;
  if (params.customer && !('external_id' in params.customer)) return { stored: false };
  if (!customer || (params.customer && params.customer.external_id !== customer.external_id)) return null;
  return { stored: customer.persisted ?? true };
}

function contextView(setup: SetupJson & Record<string, unknown>, params: ParamsJson, now: number) {
  const account = accountOf({ ...setup, customer: setup.customer ?? {} }, {});
  const integrations = (params.customer?.integration_customers ?? []) as Record<string, string>[];
  checkIntegrations(
    integrations.map((one) => ({ type: one.integration_type ?? '', code: one.integration_code ?? '' })),
    (setup.integrations ?? []) as { type: string; code: string }[],
  );
  const own = setup.billing_entity ?? { code: 'be' };
  const entities = [own, ...(setup.other_billing_entity ? [setup.other_billing_entity] : [])];
  const { code } = chooseBillingEntity(params.billing_entity_code, entities, own);
  const catalogue = {
    plans: plansOf(setup),
    customer: contextCustomer(setup, params),
    subscriptions: account.subscriptions,
    billingEntityCode: code === own.code ? null : code,
  };
  const selection = selectSubscriptions(requestOf(params), catalogue, account.customer.timezone ?? 'UTC', now);
  const coupons = (Array.isArray(params.coupons) ? params.coupons : []) as CouponJson[];
  const requested = coupons.map((json) => ({
    code: json.code,
    name: json.name,
    type: json.coupon_type,
    amountCents: json.amount_cents == null ? null : cents(json.amount_cents),
    currency: json.amount_currency,
    rate: json.percentage_rate == null ? null : dec(json.percentage_rate),
    frequency: json.frequency,
  }));
  const chosen = previewCoupons(account.coupons, requested, couponInputs(setup.organization_coupons));
  return {
    mode: selection.mode,
    subscriptions: selection.subscriptions.map((one) => subscriptionView(one, account)),
    applied_coupons: chosen.map((coupon) => coupon.code),
    stored_subscriptions_after: account.subscriptions.map((one) => subscriptionView(one, account)),
    subscriptions_created: 0,
  };
}

function subscriptionView(subscription: SubscriptionInput, account: CustomerAccount) {
  const known = account.subscriptions.some(({ id }) => id === subscription.id);
  const text = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: known ? subscription.id : null,
    external_id: subscription.externalId,
    name: subscription.name,
    plan: subscription.plan.code,
    persisted: subscription.stored,
    status: subscription.status,
    billing_time: subscription.billingTime,
    billing_entity: subscription.billingEntityCode,
    subscription_at: text(subscription.subscriptionAt),
    started_at: text(subscription.startedAt),
    terminated_at: text(subscription.terminatedAt),
  };
}

/** The credit notes that a total is paid with when a subscription is previewed as ended. */
export function previewCreditsOf({ setup, action }: ScenarioJson) {
  const account = accountOf(setup);
  const [subscription] = account.subscriptions;
  if (!subscription) throw new Error('no subscription in the setup');
  const billed = billedSubscription(account, subscription, subscription.terminatedAt ?? 0, 'subscription_terminating');
  const note = terminationCreditNote(billed);
  const total = cents(action.total_amount_cents as Amount);
  const empty = computeInvoice({ currency: subscription.plan.currency, fees: [], kind: 'plain' });
  const first = note && { ...account.creditNotes[0], id: 'note', balanceCents: note.creditAmountCents, createdAt: -1 };
  const notes = first ? [first, ...account.creditNotes] : account.creditNotes;
  const invoice = applyCreditNotes({
    ...empty,
    totalAmountCents: total,
    creditNotes: notes as CustomerAccount['creditNotes'],
  });
  return { credits: invoice.credits.map((line) => line.amountCents) };
}

/** The note of a termination, with the last fee and what was paid for it as the case states them. */
export function terminationNoteOf({ setup, action }: ScenarioJson) {
  const json = setup.last_subscription_fee as Record<string, Amount | null>;
  const plan = setup.plan as PlanJson;
  const taxes = (setup.taxes ?? []).map((tax) => tax.code);
  const given = { ...setup, plan: { ...plan, tax_codes: taxes } } as SetupJson;
  const account = accountOf(given);
  const [subscription] = account.subscriptions;
  if (!subscription) throw new Error('no subscription in the setup');
  const next = action.upgrade ? { ...subscription, id: 'next', status: 'active' as const } : null;
  const linked = { ...subscription, nextId: next?.id ?? null };
  const at = subscription.terminatedAt ?? 0;
  const before = { ...account, subscriptions: next ? [linked, next] : [linked] };
  const past = pastInvoice(
    before,
    {
      subscription: linked.id,
      invoicing_reason: 'subscription_periodic',
      billed_at: setup.subscription?.terminated_at ?? '',
      subscription_fee_cents: json.amount_cents ?? 0,
    },
    0,
  );
  const planAmountCents = json.plan_amount_cents == null ? null : cents(json.plan_amount_cents);
  const fees = past.fees.map((fee) => {
    return taxFee({ ...fee, planAmountCents, preciseCouponsAmountCents: dec(json.coupons_cents ?? 0) });
  });
  const gross = fees.reduce(
    (total, fee) =>
      total.plus(dec(fee.amountCents).minus(fee.preciseCouponsAmountCents)).plus(fee.taxesPreciseAmountCents),
    dec(0),
  );
  const equal = setup.second_equal_fee
    ? taxFee({ ...(past.fees[0] as PastInvoice['fees'][0]), preciseCouponsAmountCents: dec(0) })
    : null;
  const total = equal ? gross.plus(equal.amountCents.toString()).plus(equal.taxesPreciseAmountCents) : gross;
  const credited = cents(json.previously_credited_cents);
  const invoice: PastInvoice = {
    ...past,
    fees,
    subTotalIncludingTaxesAmountCents: cents(json.invoice_sub_total_including_taxes_cents ?? total.toFixed(0)),
    totalPaidAmountCents: cents(setup.paid_amount_cents as Amount),
    creditedItems: fees.map((fee) => ({ feeKey: fee.key, preciseAmountCents: dec(credited) })),
  };
  const billed = billedSubscription({ ...before, pastInvoices: [invoice] }, linked, at, 'subscription_terminating');
  const note = terminationCreditNote(billed, (action.on_termination as 'credit' | undefined) ?? 'credit');
  if (note === null) return { credit_note: null };
  return {
    item_precise_amount_cents: note.itemPreciseAmountCents,
    sub_total_excluding_taxes_amount_cents: note.subTotalExcludingTaxesAmountCents,
    taxes_amount_cents: note.taxesAmountCents,
    total_amount_cents: note.totalAmountCents,
    credit_amount_cents: note.creditAmountCents,
    refund_amount_cents: note.refundAmountCents,
    offset_amount_cents: note.offsetAmountCents,
  };
}
