import type { PlanInput } from '../../../src/billing/catalogue/plan.ts';
import type { BillingEntityInput, CustomerInput } from '../../../src/billing/customer/customer.ts';
import type { TerminationCredit } from '../../../src/billing/customer/subscription.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import type { BillingTime } from '../../../src/billing/period/terms.ts';
import { advance, newTimeline } from '../../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../../src/billing/timeline/timeline-type.ts';
import { appliedCoupon, cataloguePlan, changedPlan, newCatalogue } from './lifecycle-catalogue.ts';
import type { LifecycleEngine, LifecycleStep, Made, PriceKind, View } from './lifecycle-type.ts';
import { managedVat } from './lifecycle-vat.ts';
import { missingVerb } from './lifecycle-verb.ts';
import {
  chargeView,
  couponView,
  creditNoteView,
  currentUsageView,
  fixedChargeView,
  invoiceView,
  lifetimeUsageView,
  looseFeeView,
  subscriptionView,
} from './lifecycle-view.ts';
import { customerInput, entityInput, moment } from './scenario-input.ts';
import type { CustomerJson, EntityJson, TaxJson } from './scenario-type.ts';
import type { Json } from './vector-type.ts';

type Move = TimelineStep extends infer Step ? (Step extends TimelineStep ? Omit<Step, 'at'> : never) : never;
type Named = (name: unknown) => string;
type Do = (step: LifecycleStep, named: Named) => string | null;

const code = (body: Json) => String(body.code);

/** The rules as an engine: one timeline a customer, over one entity and one list of plans. */
export function timelineEngine(organization: Json): LifecycleEngine {
  const catalogue = newCatalogue();
  const vat = managedVat(organization, catalogue.taxes);
  const customers = new Map<string, TimelineState>();
  const premium = organization.premium_integrations as string[] | undefined;
  const hasThresholds = premium === undefined || premium.includes('progressive_billing');
  let entity: BillingEntityInput = organizationEntity(organization, []);
  let plans: readonly PlanInput[] = [];
  let taxCodes: string[] = [];
  let now = 0;
  let subscriptions = 0;
  let events = 0;

  /** What all customers share is put into the state before each move, and what a move changed of it is kept. */
  let forEntity = 0;
  const stateOf = (customer: string): TimelineState => {
    const state = customers.get(customer);
    if (!state) throw new Error(`no customer ${customer}`);
    return { ...state, billingEntity: entity, plans, ranks: { ...state.ranks, forEntity } };
  };
  const keep = (customer: string, state: TimelineState) => {
    forEntity = state.ranks.forEntity;
    customers.set(customer, state);
  };
  const move = (customer: string, step: Move) =>
    keep(customer, advance(stateOf(customer), { ...step, at: now } as TimelineStep).state);
  const moveAll = (step: Move) => {
    for (const customer of customers.keys()) move(customer, step);
  };
  const ownerOf = (id: string) => {
    const [customer = '', own = ''] = id.split(/:(.*)/s);
    return { customer, id: own };
  };
  const customerOf = (has: (state: TimelineState) => boolean): string => {
    const found = [...customers].find(([, state]) => has(state));
    if (!found) throw new Error('no customer has it');
    return found[0];
  };
  const ofSubscription = (id: string) => customerOf((state) => state.subscriptions.some((one) => one.id === id));
  const taxesJson = (body: Json) => body.tax_codes as string[] | undefined;

  const settings = (body: Json): CustomerJson => ({
    ...(body as CustomerJson),
    ...((body.billing_configuration ?? {}) as CustomerJson),
    tax_codes: taxesJson(body),
  });
  const putCustomer: Do = (step) => {
    const body = step.with ?? {};
    const id = String(body.external_id);
    const known = customers.get(id);
    const codes = vat.write(id, body);
    const said = settings({ ...body, tax_codes: [...codes] });
    const given = customerInput({ customer: said, taxes: catalogue.taxes });
    const partner = body.account_type === 'partner';
    if (!known) {
      const customer = { ...given, id, sequentialId: customers.size + 1, partner };
      customers.set(id, newTimeline({ customer, billingEntity: entity, plans }));
      return id;
    }
    const mayTurn = body.account_type !== undefined && known.subscriptions.length === 0;
    keep(id, { ...stateOf(id), customer: merged(known.customer, given, body, mayTurn ? partner : undefined) });
    if (given.invoiceGracePeriod === 0) move(id, { do: 'finalize_drafts' });
    return id;
  };
  const putPlan: Do = ({ with: body = {}, on }, named) => {
    const known = plans.find((plan) => plan.code === (on === undefined ? undefined : named(on)));
    const plan = known ? changedPlan(known, body, hasThresholds) : cataloguePlan(catalogue, body, hasThresholds);
    plans = [...plans.filter(({ id }) => id !== plan.id), plan];
    for (const [customer, state] of customers) {
      const changed = state.subscriptions.map((one) => (one.plan.id === plan.id ? { ...one, plan } : one));
      customers.set(customer, { ...state, subscriptions: changed });
    }
    if (known && known.amountCents !== plan.amountCents) moveAll({ do: 'settle_waiting', planIds: [plan.id] });
    return plan.code;
  };
  const subscribe: Do = ({ with: body = {} }) => {
    const customer = String(body.external_customer_id);
    const externalId = String(body.external_id);
    const running = stateOf(customer).subscriptions.find(
      (one) => one.externalId === externalId && one.status === 'active',
    );
    const planCode = String(body.plan_code);
    if (running?.plan.code === planCode) return running.id;
    subscriptions += 1;
    const id = `${externalId}#${subscriptions}`;
    const billingTime = body.billing_time as BillingTime | undefined;
    if (running) {
      move(customer, { do: 'change_plan', subscriptionId: running.id, newSubscriptionId: id, planCode, billingTime });
      return id;
    }
    move(customer, {
      do: 'subscribe',
      subscriptionId: id,
      externalId,
      planCode,
      name: body.name as string | undefined,
      billingTime: billingTime ?? 'calendar',
      subscriptionAt: body.subscription_at ? moment(String(body.subscription_at)) : undefined,
      endingAt: body.ending_at ? moment(String(body.ending_at)) : null,
      onTerminationCreditNote: body.on_termination_credit_note as TerminationCredit | undefined,
    });
    return id;
  };
  const sendEvent = (body: Json) => {
    const externalId = String(body.external_subscription_id);
    // An event may come before the subscription that it names: then it waits with every customer.
    const owners = [...customers].filter(([, state]) =>
      state.subscriptions.some((one) => one.externalId === externalId),
    );
    const [customer] = (owners.length > 0 ? owners : [...customers]).map(([id]) => id);
    if (customer === undefined) throw new Error('an event needs a customer');
    events += 1;
    const amount = body.precise_total_amount_cents;
    move(customer, {
      do: 'event',
      externalId,
      metricCode: code(body),
      deferThresholds: true,
      event: {
        transactionId: String(body.transaction_id),
        timestamp: body.timestamp === undefined ? now : momentOf(body.timestamp),
        createdAt: events,
        properties: (body.properties ?? {}) as Json,
        preciseTotalAmountCents: amount == null ? null : String(amount),
      },
    });
  };
  const terminate: Do = ({ on, with: body = {} }, named) => {
    const id = named(on);
    move(ofSubscription(id), {
      do: 'terminate',
      subscriptionId: id,
      invoice: body.on_termination_invoice as 'generate' | 'skip' | undefined,
      creditNote: body.on_termination_credit_note as TerminationCredit | undefined,
    });
    return null;
  };
  const setUnits: Do = ({ on, with: body = {} }, named) => {
    const { subscription, fixed_charge_code: charge } = on as Json;
    const id = named(subscription);
    const customer = ofSubscription(id);
    const plan = stateOf(customer).subscriptions.find((one) => one.id === id)?.plan;
    const fixedChargeId = `${plan?.code}/${String(charge)}`;
    const changes = [{ fixedChargeId, units: dec(String(body.units)) }];
    const immediately = body.apply_units_immediately === true;
    move(customer, { do: 'change_fixed_charge_units', subscriptionId: id, changes, immediately });
    return null;
  };
  const pay = (id: string, amount?: unknown) => {
    const { customer, id: invoiceId } = ownerOf(id);
    const amountCents = amount === undefined ? undefined : BigInt(String(amount));
    move(customer, { do: 'pay', invoiceId, amountCents });
    return null;
  };
  const tasks: Readonly<Record<string, () => void>> = {
    update_usage: () => moveAll({ do: 'update_usage' }),
    finalize_drafts: () => moveAll({ do: 'finalize_drafts', onlyDue: true }),
    activate_pending_subscriptions: () => moveAll({ do: 'start_pending' }),
    terminate_ended_subscriptions: () => moveAll({ do: 'terminate_ended' }),
    refresh_drafts: () => {
      for (const [customer, state] of customers) {
        const drafts = state.invoices.filter(({ status }) => status === 'draft');
        for (const { id } of drafts) move(customer, { do: 'refresh_draft', invoiceId: id });
      }
    },
  };
  const onInvoice = (verb: 'refresh_draft' | 'finalize_drafts'): Do => {
    return ({ on }, named) => {
      const { customer, id } = ownerOf(named(on));
      move(customer, { do: verb, invoiceId: id });
      return null;
    };
  };

  const verbs: Readonly<Record<string, Do>> = {
    create_tax: ({ with: body = {} }) => {
      catalogue.taxes.push({ code: code(body), rate: body.rate as TaxJson['rate'] });
      if (body.applied_to_organization === true) taxCodes = [...taxCodes, code(body)];
      entity = { ...entity, taxes: organizationEntity({ tax_codes: taxCodes }, catalogue.taxes).taxes };
      return code(body);
    },
    create_add_on: ({ with: body = {} }) => code(body),
    create_pricing_unit: ({ with: body = {} }) => code(body),
    create_billable_metric: ({ with: body = {} }) => {
      catalogue.metrics.set(code(body), body);
      return code(body);
    },
    create_plan: putPlan,
    update_plan: putPlan,
    create_customer: putCustomer,
    update_customer: putCustomer,
    update_organization: ({ with: body = {} }) => {
      if (body.eu_tax_management !== undefined) vat.manage(body.eu_tax_management === true);
      const given = organizationEntity(body, catalogue.taxes);
      entity = { ...entity, ...organizationChanges(given, body) };
      return null;
    },
    create_subscription: subscribe,
    change_plan: subscribe,
    terminate_subscription: terminate,
    set_units: setUnits,
    send_event: ({ with: body = {} }) => {
      sendEvent(body);
      return null;
    },
    send_events: ({ with: body = {} }) => {
      for (const event of body.events as Json[]) sendEvent(event);
      return null;
    },
    create_coupon: ({ with: body = {} }) => {
      catalogue.coupons.set(code(body), body);
      return code(body);
    },
    apply_coupon: ({ with: body = {} }) => {
      const customer = String(body.external_customer_id);
      const state = stateOf(customer);
      const coupon = appliedCoupon(catalogue, body, state.coupons.length);
      keep(customer, { ...state, coupons: [...state.coupons, coupon] });
      return coupon.id;
    },
    update_invoice: ({ on }, named) => pay(named(on)),
    record_payment: ({ with: body = {} }, named) => pay(named(body.invoice_id), body.amount_cents),
    update_fee: ({ on }, named) => {
      const { customer, id } = ownerOf(named(on));
      move(customer, { do: 'pay_fee', feeId: id });
      return null;
    },
    refresh_invoice: onInvoice('refresh_draft'),
    finalize_invoice: onInvoice('finalize_drafts'),
    stub_vies: ({ with: body = {} }) => {
      vat.answers(String(body.outcome));
      return null;
    },
    bill: () => {
      moveAll({ do: 'issue_due' });
      moveAll({ do: 'update_usage' });
      return null;
    },
    run_clock: ({ with: body = {} }) => {
      for (const task of body.tasks as string[]) tasks[task]?.();
      return null;
    },
    check: () => null,
  };

  const views = () => {
    const states = [...customers];
    return {
      invoices: states.flatMap(([, state]) => state.invoices.map((one) => invoiceView({ ...state, plans }, one))),
      fees: states.flatMap(([, state]) => state.fees.map((one) => looseFeeView({ ...state, plans }, one))),
      creditNotes: states.flatMap(([id, { madeNotes, creditNotes }]) =>
        madeNotes.map((one) => creditNoteView(id, one, creditNotes)),
      ),
    };
  };
  const subscriptionViews = () =>
    [...customers.values()].flatMap((state) => state.subscriptions.map(({ id }) => subscriptionView(state, id)));
  const customerViews = () =>
    [...customers].map(([id, { customer }]) => ({
      ...{ id, external_id: id, account_type: customer.partner ? 'partner' : 'customer' },
      ...{ currency: customer.currency ?? null, timezone: customer.timezone ?? null },
      net_payment_term: customer.netPaymentTerm ?? null,
      taxes: vat.codesOf(id).map((tax) => ({ code: tax })),
    }));
  const lists = (): Readonly<Record<string, readonly View[]>> => {
    const { invoices: all, fees, creditNotes } = views();
    const [hidden = [], invoices = []] = [true, false].map((is) => all.filter((one) => isHidden(one) === is));
    const onInvoices = all.flatMap(({ fees: own }) => own as View[]);
    const loose = fees.filter(({ invoice }) => invoice === null);
    return {
      invoices,
      hidden_invoices: hidden,
      fees: [...onInvoices, ...loose],
      credit_notes: creditNotes,
      subscriptions: subscriptionViews(),
      customers: customerViews(),
      applied_coupons: [...customers].flatMap(([id, { coupons }]) => coupons.map((one) => couponView(id, one))),
      events: [...customers.values()].flatMap(({ events: sent }) =>
        sent.map(({ externalSubscriptionId, transactionId, metricCode }) => ({
          ...{
            id: String(transactionId),
            transaction_id: transactionId,
            code: metricCode,
            external_subscription_id: externalSubscriptionId,
          },
        })),
      ),
    };
  };
  /** The price with a code of a plan, or of the plan of a subscription. */
  const priceOf = (kind: PriceKind, of: string, priceCode: string): Json | undefined => {
    const subscription = [...customers.values()].flatMap((state) => state.subscriptions).find(({ id }) => id === of);
    const plan = subscription?.plan ?? plans.find((one) => one.code === of);
    if (kind === 'charges') {
      const charge = plan?.charges.find((one) => one.code === priceCode);
      return charge && chargeView(charge);
    }
    const charge = plan?.fixedCharges.find((one) => one.code === priceCode);
    return charge && fixedChargeView(charge, subscription?.unitEvents?.[charge.id] ?? [], now);
  };

  return {
    unable: missingVerb,
    async perform(step, resolve) {
      now = moment(step.at);
      const before = views();
      const id = verbs[step.do]?.(step, (value) => String(resolve(value))) ?? null;
      const named: Record<string, string> = id === null ? {} : { '': id };
      return { named, ...newOf(before, views()) };
    },
    read: async (list, id) => lists()[list]?.find((one) => one.id === id),
    currentUsage: async (id, query) => currentUsageView(stateOf(ofSubscription(id)), id, now, query),
    lifetimeUsage: async (id) => lifetimeUsageView(stateOf(ofSubscription(id)), id, now),
    dailyUsages: async () => undefined,
    all: async (kind, of) => lists()[kind]?.filter((one) => of === null || belongs(one, of)),
    price: async (kind, of, priceCode) => priceOf(kind, of, priceCode),
    tells: () => false,
  };
}

/** Whether a thing belongs to a subscription or a customer. */
function belongs(view: View, of: string): boolean {
  const periods = (view.billing_periods ?? []) as Json[];
  const owners = [view.subscription, view.invoice, view.external_customer_id, view.plan_code];
  // A subscription is named by its external identifier with a rank.
  const ofEvent =
    typeof view.external_subscription_id === 'string' && of.startsWith(`${view.external_subscription_id}#`);
  return (
    owners.includes(of) || ofEvent || view.id.startsWith(`${of}:`) || periods.some((one) => one.subscription === of)
  );
}

/** What no list has. */
const isHidden = ({ status }: View) => status === 'open' || status === 'closed';

function newOf(before: Made, after: Made): Made {
  const added = (list: 'invoices' | 'fees' | 'creditNotes') => {
    const known = new Set(before[list].map(({ id }) => id));
    return after[list].filter(({ id }) => !known.has(id));
  };
  return {
    invoices: added('invoices').filter((one) => !isHidden(one)),
    fees: added('fees'),
    creditNotes: added('creditNotes'),
  };
}

function momentOf(timestamp: unknown): number {
  return /^\d+(\.\d+)?$/.test(String(timestamp)) ? Number(timestamp) * 1000 : moment(String(timestamp));
}

function organizationEntity(body: Json, taxes: readonly TaxJson[]): BillingEntityInput {
  const byEntity = body.document_numbering === 'per_organization' || body.document_numbering === 'per_billing_entity';
  const numbering = byEntity ? 'per_billing_entity' : 'per_customer';
  return entityInput({ ...(body as unknown as EntityJson), document_numbering: numbering, code: 'default' }, [
    ...taxes,
  ]);
}

/** Only the members that the body names. */
function organizationChanges(given: BillingEntityInput, body: Json): Partial<BillingEntityInput> {
  return {
    ...(body.document_numbering === undefined ? {} : { documentNumbering: given.documentNumbering }),
    ...(body.document_number_prefix === undefined ? {} : { documentNumberPrefix: given.documentNumberPrefix }),
    ...(body.timezone === undefined ? {} : { timezone: given.timezone }),
    ...(body.net_payment_term === undefined ? {} : { netPaymentTerm: given.netPaymentTerm }),
    ...(body.invoice_grace_period === undefined ? {} : { invoiceGracePeriod: given.invoiceGracePeriod }),
  };
}

function merged(known: CustomerInput, given: CustomerInput, body: Json, partner: boolean | undefined): CustomerInput {
  return {
    ...known,
    ...(body.currency === undefined ? {} : { currency: given.currency }),
    ...(body.timezone === undefined ? {} : { timezone: given.timezone }),
    ...(body.net_payment_term === undefined ? {} : { netPaymentTerm: given.netPaymentTerm }),
    taxes: given.taxes,
    ...(given.invoiceGracePeriod === undefined ? {} : { invoiceGracePeriod: given.invoiceGracePeriod }),
    ...(partner === undefined ? {} : { partner }),
  };
}
