// `npm run openapi:examples` asks the demo each endpoint once and keeps what was sent and answered: the examples of the
// description. The demo is loaded into a database of its own, so that the writes touch nothing else.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { prepareDemo } from '../../src/command/demo.ts';
import { routes } from '../../src/rest/index.ts';
import type { Example } from '../../src/rest/openapi/openapi.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { scriptsOn } from '../../src/store/database/embedded/embedded.ts';
import { migrate } from '../../src/store/database/migration.ts';
import type { Event } from '../../src/store/generated/prisma/client.ts';
import { REFUSED } from './refused.ts';
import { inExampleOrder, sampleBody, sampledRoutes, WHOLE_CUSTOMER } from './sample.ts';

const FILE = fileURLToPath(new URL('../../src/rest/openapi/examples.json', import.meta.url));
const SERVER = 'https://billing.example.com';

const PAGE = { page: 1, per_page: 1 };

/** What is asked of the organization of the demo, or of one with another key. */
type Asked = Omit<Example, 'response'> & { readonly key?: string };

const price = { amount: '0.12' };

async function priced({ prisma }: Database, organizationId: string) {
  const where = { organizationId, charge: { chargeModel: 'standard', plan: { parentId: null } } } as const;
  const filter = await prisma.chargeFilter.findFirstOrThrow({
    ...{ where, orderBy: { createdAt: 'asc' } },
    include: { charge: { include: { plan: true, billableMetric: { include: { filters: true } } } } },
  });
  const other = await prisma.chargeFilter.findFirstOrThrow({
    ...{ where: { ...where, id: { not: filter.id } }, orderBy: { createdAt: 'asc' } },
    include: { charge: { include: { plan: true } } },
  });
  const fixed = await prisma.fixedCharge.findFirstOrThrow({
    where: { organizationId, plan: { parentId: null } },
    orderBy: { createdAt: 'asc' },
    include: { plan: true },
  });
  const subscription = await prisma.subscription.findFirstOrThrow({
    where: { organizationId, status: 'active', plan: { charges: { some: { chargeModel: 'graduated' } } } },
    orderBy: { createdAt: 'asc' },
    include: { plan: { include: { charges: { where: { chargeModel: 'graduated' } } } } },
  });
  const [key] = filter.charge.billableMetric.filters;
  const path = { code: filter.charge.plan.code, charge_code: filter.charge.code };
  const values = { [key?.key ?? '']: key?.values.slice(0, 2) };
  return {
    createPlan: {
      request: {
        plan: {
          ...{ code: 'sample', name: 'Sample plan', interval: 'monthly', pay_in_advance: true },
          ...{ amount_cents: 4900, amount_currency: 'EUR', trial_period: 14, metadata: { team: 'growth' } },
          minimum_commitment: { amount_cents: 10_000, invoice_display_name: 'Minimum' },
          usage_thresholds: [{ amount_cents: 50_000, threshold_display_name: 'High usage' }],
          charges: [
            {
              ...{ billable_metric_id: filter.charge.billableMetricId, charge_model: 'standard', properties: price },
              filters: [{ invoice_display_name: 'A part', properties: price, values }],
            },
          ],
          fixed_charges: [
            { add_on_id: fixed.addOnId, charge_model: 'standard', units: 2, properties: { amount: '15' } },
          ],
        },
      },
    },
    createChargeFilter: {
      params: path,
      request: { filter: { invoice_display_name: 'Two at one price', properties: price, values } },
    },
    getChargeFilter: { params: { ...path, filter_id: filter.id } },
    findAllPlanChargeFilters: { params: path, query: { page: 1, per_page: 1 } },
    updatePlanChargeFilter: {
      params: { ...path, filter_id: filter.id },
      request: { filter: { invoice_display_name: 'A part', properties: price, cascade_updates: true } },
    },
    destroyPlanChargeFilter: {
      params: { code: other.charge.plan.code, charge_code: other.charge.code, filter_id: other.id },
      request: { filter: { cascade_updates: true } },
    },
    findAllPlanCharges: { params: { code: path.code }, query: { page: 1, per_page: 1 } },
    createPlanCharge: {
      params: { code: path.code },
      request: {
        charge: {
          ...{ billable_metric_id: filter.charge.billableMetricId, code: 'sample', charge_model: 'standard' },
          ...{ properties: price, cascade_updates: true },
        },
      },
    },
    findPlanCharge: { params: { ...path, charge_code: 'sample' } },
    destroyPlanCharge: { params: { ...path, charge_code: 'sample' }, request: { charge: { cascade_updates: true } } },
    findAllPlanFixedCharges: { params: { code: fixed.plan.code }, query: { page: 1, per_page: 1 } },
    createPlanFixedCharge: {
      params: { code: fixed.plan.code },
      request: {
        fixed_charge: {
          ...{ add_on_id: fixed.addOnId, code: 'sample', charge_model: 'standard', units: '2' },
          properties: { amount: '15' },
        },
      },
    },
    findPlanFixedCharge: { params: { code: fixed.plan.code, fixed_charge_code: 'sample' } },
    destroyPlanFixedCharge: {
      params: { code: fixed.plan.code, fixed_charge_code: 'sample' },
      request: { fixed_charge: { cascade_updates: true } },
    },
    replacePlanMetadata: { params: { code: path.code }, request: { metadata: { team: 'growth', tier: 'gold' } } },
    mergePlanMetadata: { params: { code: path.code }, request: { metadata: { owner: null } } },
    deletePlanMetadataKey: { params: { code: path.code, key: 'tier' } },
    deleteAllPlanMetadata: { params: { code: path.code } },
    updateCharge: { params: path, request: { charge: { invoice_display_name: 'Usage', properties: price } } },
    updateFixedCharge: {
      params: { code: fixed.plan.code, fixed_charge_code: fixed.code },
      request: { fixed_charge: { invoice_display_name: 'Support', units: '12', apply_units_immediately: false } },
    },
    getSubscriptionCharge: {
      params: { external_id: subscription.externalId, charge_code: subscription.plan.charges[0]?.code },
    },
  } satisfies Record<string, Asked>;
}

/** Prices of subscriptions, one of which has an override with filters. */
async function overridden({ prisma }: Database, organizationId: string) {
  const active = { some: { status: 'active' } } as const;
  const filter = await prisma.chargeFilter.findFirstOrThrow({
    where: {
      organizationId,
      charge: { chargeModel: 'standard', plan: { parentId: { not: null }, subscriptions: active } },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: {
      charge: {
        include: { billableMetric: { include: { filters: true } }, plan: { include: { subscriptions: true } } },
      },
    },
  });
  const fixed = await prisma.fixedCharge.findFirstOrThrow({
    where: { organizationId, chargeModel: 'standard', plan: { subscriptions: active } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: {
      plan: { include: { subscriptions: { where: { status: 'active' }, orderBy: { externalId: 'asc' } } } },
    },
  });
  const { charge } = filter;
  const [key] = charge.billableMetric.filters;
  const values = { [key?.key ?? '']: key?.values.slice(0, 2) };
  const external_id = charge.plan.subscriptions[0]?.externalId;
  const ofCharge = { external_id, charge_code: charge.code };
  const ofFilter = { ...ofCharge, filter_id: filter.id };
  const ofFixed = { external_id: fixed.plan.subscriptions[0]?.externalId, fixed_charge_code: fixed.code };
  return {
    findAllSubscriptionCharges: { params: { external_id }, query: PAGE },
    overrideSubscriptionCharge: {
      params: ofCharge,
      request: { charge: { invoice_display_name: 'Agreed usage', min_amount_cents: 1000, properties: price } },
    },
    findAllSubscriptionChargeFilters: { params: ofCharge, query: PAGE },
    createSubscriptionChargeFilter: {
      params: ofCharge,
      request: { filter: { invoice_display_name: 'Two at one price', properties: price, values } },
    },
    findSubscriptionChargeFilter: { params: ofFilter },
    updateSubscriptionChargeFilter: {
      params: ofFilter,
      request: { filter: { invoice_display_name: 'An agreed part', properties: price } },
    },
    destroySubscriptionChargeFilter: { params: ofFilter },
    findAllSubscriptionFixedCharges: { params: { external_id: ofFixed.external_id }, query: PAGE },
    findSubscriptionFixedCharge: { params: ofFixed },
    overrideSubscriptionFixedCharge: {
      params: ofFixed,
      request: { fixed_charge: { units: '12', apply_units_immediately: false, properties: { amount: '14' } } },
    },
  } satisfies Record<string, Asked>;
}

const ofSubscription = (external_id: string) => {
  const params = { external_id, feature_code: 'sample' };
  const ofAlert = { params: { external_id, code: 'spent' } };
  return {
    findAllSubscriptionEntitlements: { params: { external_id } },
    updateSubscriptionEntitlements: { params: { external_id }, request: { entitlements: { sample: { seats: 50 } } } },
    destroySubscriptionEntitlement: { params },
    createSubscriptionAlert: {
      params: { external_id },
      request: {
        alert: {
          ...{ alert_type: 'current_usage_amount', code: 'spent', name: 'Much was used' },
          thresholds: [
            { code: 'warn', value: '150000' },
            { code: 'again', value: '50000', recurring: true },
          ],
        },
      },
    },
    getSubscriptionAlerts: { params: { external_id }, query: PAGE },
    getSubscriptionAlert: ofAlert,
    updateSubscriptionAlert: { ...ofAlert, request: { alert: { name: 'Very much was used' } } },
    deleteSubscriptionAlert: ofAlert,
    deleteAllSubscriptionAlerts: { params: { external_id } },
    destroySubscriptionEntitlementPrivilege: { params: { ...params, privilege_code: 'seats' } },
  };
};

const OF_PLAN = { code: 'sample', feature_code: 'sample' };

/** What plans give to those who subscribe. */
const entitled = {
  createFeature: {
    request: {
      feature: {
        ...{ code: 'sample', name: 'Sample feature', description: 'Of a sample' },
        privileges: [
          { code: 'seats', name: 'Seats', value_type: 'integer' },
          { code: 'sso', name: 'Single sign-on', value_type: 'boolean' },
          { code: 'region', value_type: 'select', config: { select_options: ['eu', 'us'] } },
        ],
      },
    },
  },
  deleteFeaturePrivilege: { params: { code: 'sample', privilege_code: 'region' } },
  findAllEntitlements: { params: { code: 'sample' } },
  createEntitlement: { params: { code: 'sample' }, request: { entitlements: { sample: { seats: 10, sso: true } } } },
  updateEntitlement: { params: { code: 'sample' }, request: { entitlements: { sample: { seats: 25 } } } },
  findEntitlement: { params: OF_PLAN },
  destroyEntitlement: { params: OF_PLAN },
  removeEntitlementPrivilege: { params: { ...OF_PLAN, privilege_code: 'sso' } },
} satisfies Record<string, Asked>;

/** An event like one that is stored, of another identifier. */
const usage = ({ code, externalSubscriptionId, timestamp, properties }: Event, name: string) => ({
  ...{ transaction_id: `example-${name}`, external_subscription_id: externalSubscriptionId, code },
  ...{ timestamp: timestamp.getTime() / 1000, properties },
});

async function issued({ prisma }: Database, organizationId: string) {
  const ofUsage = { feeType: 'charge', amountCents: { gt: 0 } } as const;
  const invoice = await prisma.invoice.findFirstOrThrow({
    where: { organizationId, status: 'finalized', fees: { some: ofUsage }, credits: { some: {} } },
    orderBy: [{ fees: { _count: 'asc' } }, { id: 'asc' }],
    include: { customer: true },
  });
  const draft = await prisma.invoice.findFirstOrThrow({
    where: { organizationId, status: 'draft', totalAmountCents: { gt: 100 } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const addOn = await prisma.addOn.findFirstOrThrow({
    where: { organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const fee = await prisma.fee.findFirstOrThrow({
    where: { organizationId, invoiceId: invoice.id, ...ofUsage },
    orderBy: { id: 'asc' },
  });
  // The demo has no fee on no invoice: the line of a draft is made one.
  const line = await prisma.fee.findFirstOrThrow({
    where: { organizationId, invoice: { status: 'draft', id: { not: draft.id } }, ...ofUsage },
    orderBy: { id: 'asc' },
  });
  const loose = await prisma.fee.update({ where: { id: line.id }, data: { invoiceId: null } });
  // No service of taxes fails here: an invoice of the demo is made one that waits for it.
  const final = await prisma.invoice.findFirstOrThrow({
    where: { organizationId, status: 'finalized', paymentStatus: 'pending', id: { not: invoice.id } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const untaxed = await prisma.invoice.update({
    where: { id: final.id },
    data: { status: 'failed', taxStatus: 'failed', ...{ sequentialId: null, billingEntitySequentialId: null } },
  });
  const wallet = await prisma.wallet.findFirstOrThrow({
    where: { organizationId, status: 'active' },
    orderBy: { createdAt: 'asc' },
  });
  const request = await prisma.paymentRequest.findFirstOrThrow({
    where: { organizationId },
    orderBy: { createdAt: 'asc' },
    include: { customer: true },
  });
  const plan = await prisma.plan.findFirstOrThrow({
    where: { organizationId, parentId: null },
    orderBy: [{ charges: { _count: 'asc' } }, { createdAt: 'asc' }],
  });
  const event = await prisma.event.findFirstOrThrow({
    where: { organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const instant = await prisma.subscription.findFirstOrThrow({
    where: { organizationId, status: 'active', plan: { charges: { some: { payInAdvance: true } } } },
    orderBy: { externalId: 'asc' },
    include: {
      customer: true,
      plan: { include: { charges: { where: { payInAdvance: true }, include: { billableMetric: true } } } },
    },
  });
  const method = await prisma.paymentMethod.findFirstOrThrow({
    where: { organizationId, subscriptions: { none: {} } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { customer: true },
  });
  const ofMethod = { external_customer_id: method.customer.externalId, svc_id: method.id };
  const [atOnceCharge] = instant.plan.charges;
  const atOnce = {
    ...{ transaction_id: 'example-d', external_subscription_id: instant.externalId },
    ...{
      code: atOnceCharge?.billableMetric.code,
      properties: { [atOnceCharge?.billableMetric.fieldName ?? '']: '25' },
    },
  };
  const used = {
    params: { external_customer_id: instant.customer.externalId },
    query: { external_subscription_id: instant.externalId },
  };
  const note = await prisma.creditNote.findFirstOrThrow({
    where: { organizationId, status: 'finalized' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { customer: true },
  });
  const payment = await prisma.payment.findFirstOrThrow({
    where: { organizationId, invoiceId: { not: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { customer: true },
  });
  const ofInvoice = { params: { external_customer_id: invoice.customer.externalId } };
  const customer = { name: 'Harbour & Sons', currency: plan.amountCurrency, country: 'FR', timezone: 'Europe/Paris' };
  const applied = await prisma.appliedCoupon.findFirstOrThrow({
    where: { organizationId, status: 'active', customer: { deletedAt: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { customer: true, coupon: true },
  });
  const ofApplied = { external_customer_id: applied.customer.externalId };
  return {
    applyCoupon: {
      request: {
        applied_coupon: {
          ...ofApplied,
          coupon_code: applied.coupon.code,
          frequency: 'recurring',
          frequency_duration: 3,
        },
      },
    },
    findAllCustomerAppliedCoupons: { params: ofApplied, query: { page: 1, per_page: 1 } },
    deleteAppliedCoupon: { params: { ...ofApplied, applied_coupon_id: applied.id } },
    createCustomer: { request: { customer: WHOLE_CUSTOMER } },
    getCustomerPortalUrl: { params: ofApplied },
    generateCustomerCheckoutURL: { params: ofApplied },
    findCustomer: { params: { external_customer_id: 'sample' } },
    destroyCustomer: { params: { external_customer_id: 'sample' } },
    downloadInvoice: { params: { id: invoice.id } },
    previewInvoice: { request: { customer, plan_code: plan.code, billing_time: 'anniversary' } },
    mergeWalletMetadata: {
      params: { id: wallet.id },
      request: { metadata: { cost_centre: 'C-12', reviewed_by: null } },
    },
    terminateWallet: { params: { svc_id: wallet.id } },
    getFee: { params: { svc_id: fee.id } },
    findInvoice: { params: { svc_id: invoice.id } },
    createInvoice: {
      request: {
        invoice: {
          ...{ external_customer_id: invoice.customer.externalId, currency: invoice.currency },
          fees: [{ add_on_code: addOn.code, units: '2', unit_amount_cents: 4900, description: 'Two days on site' }],
        },
      },
    },
    updateFee: { params: { svc_id: loose.id }, request: { fee: { payment_status: 'succeeded' } } },
    deleteFee: { params: { svc_id: loose.id } },
    refreshInvoice: { params: { svc_id: draft.id } },
    finalizeInvoice: { params: { svc_id: draft.id } },
    updateInvoice: {
      params: { svc_id: invoice.id },
      request: { invoice: { payment_status: 'succeeded', metadata: [{ key: 'order', value: 'PO-77' }] } },
    },
    retryInvoice: { params: { svc_id: untaxed.id } },
    retryPayment: { params: { svc_id: draft.id }, request: { payment_method: { payment_method_type: 'manual' } } },
    invoicePaymentUrl: { params: { svc_id: draft.id } },
    loseDisputeInvoice: { params: { svc_id: draft.id } },
    voidInvoice: { params: { svc_id: draft.id }, request: { generate_credit_note: true, credit_amount: 100 } },
    findAllInvoices: { query: { ...PAGE, payment_overdue: false } },
    findAllCustomerInvoices: { ...ofInvoice, query: { ...PAGE, status: 'finalized' } },
    findAllFees: { query: { ...PAGE, fee_type: 'charge' } },
    findCreditNote: { params: { svc_id: note.id } },
    findAllCreditNotes: { query: { ...PAGE, currency: note.currency } },
    findAllCustomerCreditNotes: { params: { external_customer_id: note.customer.externalId }, query: PAGE },
    findPayment: { params: { svc_id: payment.id } },
    findAllPayments: { query: { ...PAGE, invoice_id: payment.invoiceId } },
    findAllCustomerPayments: { params: { external_customer_id: payment.customer.externalId }, query: PAGE },
    findPaymentRequest: { params: { svc_id: request.id } },
    findAllPaymentRequests: { query: { ...PAGE, currency: request.amountCurrency } },
    findSubscription: { params: { external_id: instant.externalId } },
    findAllSubscriptions: { query: { ...PAGE, plan_code: instant.plan.code } },
    findAllCustomerSubscriptions: { params: { external_customer_id: instant.customer.externalId }, query: PAGE },
    createSubscription: {
      request: {
        subscription: {
          ...{ external_customer_id: 'subscriber', external_id: 'sample', plan_code: plan.code },
          ...{ name: 'Sample subscription', billing_time: 'anniversary' },
        },
      },
    },
    updateSubscription: {
      params: { external_id: 'sample' },
      request: { subscription: { name: 'Other subscription', ending_at: '2099-12-31T00:00:00Z' } },
    },
    destroySubscription: {
      ...{ params: { external_id: 'sample' }, query: { on_termination_invoice: 'generate' } },
      request: { on_termination_credit_note: 'credit' },
    },
    listBillingEntities: {},
    findOrganization: {},
    findAllUsages: { query: { time_granularity: 'monthly', currency: plan.amountCurrency } },
    findAllGrossRevenues: { query: { currency: plan.amountCurrency, months: 3 } },
    findAllInvoiceCollections: { query: { currency: plan.amountCurrency, months: 2 } },
    findAllInvoicedUsages: { query: { currency: plan.amountCurrency, months: 2 } },
    findAllMrrs: { query: { currency: plan.amountCurrency, months: 3 } },
    findAllOverdueBalances: { query: { currency: plan.amountCurrency, months: 12 } },
    updateOrganization: { request: { organization: { webhook_url: 'https://example.com/hooks', city: 'Paris' } } },
    listCustomerPaymentRequests: {
      params: { external_customer_id: request.customer.externalId },
      query: { page: 1, per_page: 1 },
    },
    createEvent: { request: { event: usage(event, 'a') } },
    eventEstimateFees: { request: { event: atOnce } },
    eventEstimateInstantFees: { request: { event: atOnce } },
    eventBatchEstimateInstantFees: { request: { events: [atOnce] } },
    createBatchEvents: { request: { events: [usage(event, 'b'), usage(event, 'c')] } },
    findAllEvents: { query: { page: 1, per_page: 1, external_subscription_id: event.externalSubscriptionId } },
    evaluateBillableMetricExpression: {
      request: {
        expression: 'round(event.properties.seconds / 60, 2)',
        event: { code: 'calls', timestamp: 1_767_225_600, properties: { seconds: 100 } },
      },
    },
    findCustomerCurrentUsage: used,
    findCustomerProjectedUsage: used,
    updateSubscriptionLifetimeUsage: {
      params: { external_id: instant.externalId },
      request: { lifetime_usage: { external_historical_usage_amount_cents: 120_000 } },
    },
    ...ofSubscription(instant.externalId),
    findAllCustomersPaymentMethods: { params: { external_customer_id: method.customer.externalId } },
    paymentMethodSetAsDefault: { params: ofMethod },
    destroyPaymentMethod: { params: ofMethod },
    getSubscriptionLifetimeUsage: { params: { external_id: instant.externalId } },
    findAllCustomerPastUsage: { ...used, query: { ...used.query, page: 1, per_page: 1 } },
    findEvent: { params: { transaction_id: event.transactionId } },
  } satisfies Record<string, Asked>;
}

/** Of each resource an object that is created, read, changed and deleted; of its list one page. */
function sampled(): Record<string, Asked> {
  const one = sampledRoutes.map((sample): [string, Asked] => {
    const request = sampleBody(sample, 'sample');
    const params = sample.verb === 'create' ? {} : { params: { code: 'sample' } };
    return [sample.route.operation, { ...params, ...(request && { request }) }];
  });
  const lists = routes.filter(({ operation, path }) => /^findAll/.test(operation) && !path.includes('{'));
  const pages = lists.map(({ operation }): [string, Asked] => [operation, { query: { page: 1, per_page: 1 } }]);
  return Object.fromEntries([...pages, ...one]);
}

function addressOf(path: string, { params = {}, query = {} }: Asked): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/api/v1${filled}${search.size > 0 ? `?${search}` : ''}`;
}

async function examplesOf(db: Database): Promise<Record<string, Example>> {
  const demo = await prepareDemo(db, new Date());
  if (!demo) throw new Error('the demo is missing');
  const { id } = await db.prisma.organization.findFirstOrThrow({ where: { name: 'Quintavel' } });
  const asked: Record<string, Asked> = {
    ...sampled(),
    ...(await issued(db, id)),
    ...(await priced(db, id)),
    ...(await overridden(db, id)),
    ...entitled,
    // An empty organization that has a clock.
    advanceTestClock: { key: demo.trialKey, request: { to: '2026-02-01T00:00:00Z' } },
  };
  const app = createApp({ db, logger: pino({ level: 'silent' }), publicUrl: SERVER });
  const headersOf = (key = demo.secretKey) => ({
    ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  });
  const examples: Record<string, Example> = {};
  for (const { operation, method, path } of inExampleOrder(routes)) {
    const example = asked[operation];
    if (!example) throw new Error(`${operation} has no example`);
    const { key, ...shown } = example;
    const body = example.request === undefined ? null : JSON.stringify(example.request);
    const response = await app.fetch(
      new Request(`${SERVER}${addressOf(path, example)}`, { method, headers: headersOf(key), body }),
    );
    const text = await response.text();
    const refusal = REFUSED[operation];
    if (!(refusal ? isDeepStrictEqual(JSON.parse(text), refusal) : response.ok))
      throw new Error(`${operation}: ${text}`);
    // What is always refused has nothing to show, and neither has what says nothing.
    examples[operation] = { ...shown, ...(!refusal && text !== '' && { response: JSON.parse(text) }) };
  }
  await app.close();
  return Object.fromEntries(routes.map(({ operation }) => [operation, examples[operation] as Example]));
}

const embedded = await PGlite.create();
await migrate(scriptsOn(embedded));
const db = await openDatabase({ embedded });
const signature = /signature=[\w-]+/g;
const text = `${JSON.stringify(await examplesOf(db), null, 1)}\n`;
await writeFile(FILE, text.replaceAll(signature, 'signature=signed'));
await db.close();
await embedded.close();
