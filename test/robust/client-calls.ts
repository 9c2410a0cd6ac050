import { expect } from 'vitest';
import { IDS } from '../rest/fixture.ts';
import { routeOf, SAMPLES, sampleBody } from '../rest/sample.ts';
import { APPLIED_COUPON, METHODS } from './full-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Answers = Readonly<Record<string, any>>;

/** A call of the published client: `area.method`, what it is given, and what the answer holds at least. Later calls may be given what earlier ones answered. */
export type Call = readonly [
  name: string,
  given: readonly unknown[] | ((answers: Answers) => readonly unknown[]),
  held: object,
];

const CODE = 'by-client';
const ONE_PAGE = { meta: { current_page: 1 } };
const holding = (one: object) => expect.arrayContaining([expect.objectContaining(one)]);
const ONE = { per_page: 1 };
const PRICE = { properties: { amount: '0.5' } };
const METADATA = { team: 'growth', tier: 'gold' };
const FILTER = { invoice_display_name: 'Europe', values: { region: ['eu'] }, ...PRICE };

/** What is made, read, listed, changed and deleted by its code; what needs it is called before it is deleted. */
function ofResource(area: string, type: string, needing: readonly Call[] = []): readonly Call[] {
  const [create, update] = [routeOf(type, 'create'), routeOf(type, 'update')];
  const of = (held: object) => ({ [create.root]: held });
  const changed = of({ code: CODE, name: SAMPLES[type]?.changed.name });
  const all = `${area.charAt(0).toUpperCase()}${area.slice(1)}`;
  return [
    [`${area}.create${type}`, [sampleBody(create, CODE)], of({ code: CODE, name: SAMPLES[type]?.made.name })],
    [`${area}.find${type}`, [CODE], of({ code: CODE, name: SAMPLES[type]?.made.name })],
    [`${area}.findAll${all}`, [ONE], ONE_PAGE],
    [`${area}.update${type}`, [CODE, sampleBody(update, '')], changed],
    ...needing,
    [`${area}.destroy${type}`, [CODE], changed],
  ];
}

const entity = { create: routeOf('BillingEntity', 'create'), update: routeOf('BillingEntity', 'update') };

const OF_ENTITIES: readonly Call[] = [
  ['billingEntities.createBillingEntity', [sampleBody(entity.create, CODE)], { billing_entity: { code: CODE } }],
  ['billingEntities.getBillingEntity', [CODE], { billing_entity: { code: CODE, net_payment_term: 12 } }],
  ['billingEntities.listBillingEntities', [], { billing_entities: holding({ code: CODE }) }],
  [
    'billingEntities.updateBillingEntity',
    [CODE, sampleBody(entity.update, '')],
    { billing_entity: { code: CODE, net_payment_term: 5 } },
  ],
  ['organizations.findOrganization', [], { organization: { default_currency: 'EUR' } }],
  ['organizations.updateOrganization', [{ organization: { city: 'Brest' } }], { organization: { city: 'Brest' } }],
];

const EVALUATED = { expression: '1 + 2', event: { code: 'x', timestamp: 1_767_225_600, properties: {} } };

const OF_FEATURES: readonly Call[] = [
  ['features.deleteFeaturePrivilege', ['kept', 'note'], { feature: { code: 'kept' } }],
  ['plans.createEntitlement', ['aster', { entitlements: { kept: { seats: 5, sso: true } } }], {}],
  ['plans.updateEntitlement', ['aster', { entitlements: { kept: { seats: 9 } } }], {}],
  ['plans.findAllEntitlements', ['aster'], { entitlements: [{ code: 'kept' }] }],
  ['plans.findEntitlement', ['aster', 'kept'], { entitlement: { code: 'kept' } }],
  ['plans.removeEntitlementPrivilege', ['aster', 'kept', 'sso'], { entitlement: { code: 'kept' } }],
  ['plans.destroyEntitlement', ['aster', 'kept'], { entitlement: { code: 'kept' } }],
];

const CHARGE = { code: 'usage', charge_model: 'standard', billable_metric_code: 'api_calls', ...PRICE };
const FIXED = { code: 'desks', charge_model: 'standard', add_on_code: 'desk', units: '2', ...PRICE };
const filterId = (answers: Answers) => answers['plans.createPlanChargeFilter'].filter.svc_id;

/** What stands in a plan, of which it is the code. */
const ofPlan = (code: string): readonly Call[] => [
  ['plans.createPlanCharge', [code, { charge: CHARGE }], { charge: { code: 'usage' } }],
  ['plans.findPlanCharge', [code, 'usage'], { charge: { code: 'usage', ...PRICE } }],
  ['plans.findAllPlanCharges', [code, ONE], { charges: [{ code: 'usage' }], ...ONE_PAGE }],
  [
    'plans.updatePlanCharge',
    [code, 'usage', { charge: { invoice_display_name: 'Usage', min_amount_cents: 5000000000 } }],
    { charge: { invoice_display_name: 'Usage', min_amount_cents: 5000000000 } },
  ],
  ['plans.createPlanChargeFilter', [code, 'usage', { filter: FILTER }], { filter: FILTER }],
  ['plans.findPlanChargeFilter', (answers) => [code, 'usage', filterId(answers)], { filter: FILTER }],
  ['plans.findAllPlanChargeFilters', [code, 'usage', ONE], { filters: [FILTER], ...ONE_PAGE }],
  [
    'plans.updatePlanChargeFilter',
    (answers) => [code, 'usage', filterId(answers), { filter: { invoice_display_name: 'EU' } }],
    { filter: { ...FILTER, invoice_display_name: 'EU' } },
  ],
  [
    'plans.destroyPlanChargeFilter',
    (answers) => [code, 'usage', filterId(answers), { filter: { cascade_updates: true } }],
    { filter: { invoice_display_name: 'EU' } },
  ],
  ['plans.destroyPlanCharge', [code, 'usage', { charge: { cascade_updates: true } }], { charge: { code: 'usage' } }],
  ['plans.createPlanFixedCharge', [code, { fixed_charge: FIXED }], { fixed_charge: { code: 'desks' } }],
  ['plans.findPlanFixedCharge', [code, 'desks'], { fixed_charge: { code: 'desks', units: 2 } }],
  ['plans.findAllPlanFixedCharges', [code, ONE], { fixed_charges: [{ code: 'desks' }], ...ONE_PAGE }],
  ['plans.updatePlanFixedCharge', [code, 'desks', { fixed_charge: { units: '4' } }], { fixed_charge: { units: 4 } }],
  ['plans.destroyPlanFixedCharge', [code, 'desks', {}], { fixed_charge: { code: 'desks' } }],
  ['plans.replacePlanMetadata', [code, { metadata: METADATA }], { metadata: METADATA }],
  ['plans.mergePlanMetadata', [code, { metadata: { owner: null } }], { metadata: { ...METADATA, owner: null } }],
  ['plans.deletePlanMetadataKey', [code, 'tier'], { metadata: { team: 'growth', owner: null } }],
  ['plans.deleteAllPlanMetadata', [code], { metadata: null }],
];

const APPLICATION = { external_customer_id: CODE, coupon_code: 'applied', frequency: 'recurring' };

const OF_CUSTOMERS: readonly Call[] = [
  [
    'customers.createCustomer',
    [{ customer: { external_id: CODE, name: 'Harbour', currency: 'EUR', metadata: [{ key: 'a', value: 'b' }] } }],
    { customer: { external_id: CODE, name: 'Harbour', metadata: [{ key: 'a', value: 'b' }] } },
  ],
  ['customers.findCustomer', [CODE], { customer: { external_id: CODE } }],
  ['customers.findAllCustomers', [{ ...ONE, search_term: 'Harbour' }], { customers: [{ external_id: CODE }] }],
  [
    'appliedCoupons.applyCoupon',
    [{ applied_coupon: { ...APPLICATION, frequency_duration: 3 } }],
    { applied_coupon: { coupon_code: 'applied', external_customer_id: CODE, frequency_duration: 3 } },
  ],
  [
    'appliedCoupons.findAllAppliedCoupons',
    [{ external_customer_id: CODE }],
    { applied_coupons: [{ status: 'active' }] },
  ],
  ['customers.findAllCustomerAppliedCoupons', [CODE], { applied_coupons: [{ coupon_code: 'applied' }] }],
  ['customers.deleteAppliedCoupon', ['cust_kept', APPLIED_COUPON], { applied_coupon: { status: 'terminated' } }],
  ['customers.findAllCustomersPaymentMethods', ['cust_kept'], ONE_PAGE],
  [
    'customers.paymentMethodSetAsDefault',
    [METHODS[0], 'cust_kept'],
    { payment_method: { svc_id: METHODS[0], is_default: true } },
  ],
  ['customers.destroyPaymentMethod', [METHODS[1], 'cust_kept'], { payment_method: { svc_id: METHODS[1] } }],
  ['customers.findAllCustomerInvoices', ['cust_ada', ONE], { invoices: [{}], ...ONE_PAGE }],
  ['customers.findAllCustomerCreditNotes', ['cust_ada', ONE], { credit_notes: [{ svc_id: IDS.note }] }],
  ['customers.findAllCustomerPayments', ['cust_ada', ONE], { payments: [{}], ...ONE_PAGE }],
  ['customers.findAllCustomerPaymentRequests', ['cust_ada', ONE], { payment_requests: [{}], ...ONE_PAGE }],
];

const USED = { external_subscription_id: CODE };
const ALERT = {
  alert_type: 'current_usage_amount',
  code: 'spent',
  thresholds: [{ code: 'warn', value: 1500 }],
} as const;
const ownFilterId = (answers: Answers) => answers['subscriptions.createSubscriptionChargeFilter'].filter.svc_id;

const OF_SUBSCRIPTIONS: readonly Call[] = [
  [
    'subscriptions.createSubscription',
    [{ subscription: { external_customer_id: CODE, external_id: CODE, plan_code: 'at_once' } }],
    { subscription: { external_id: CODE, status: 'active', plan_code: 'at_once' } },
  ],
  ['subscriptions.findSubscription', [CODE], { subscription: { external_id: CODE } }],
  ['subscriptions.findAllSubscriptions', [{ ...ONE, plan_code: 'at_once' }], { subscriptions: [{}], ...ONE_PAGE }],
  ['customers.findAllCustomerSubscriptions', [CODE], { subscriptions: [{ external_id: CODE }], ...ONE_PAGE }],
  [
    'subscriptions.updateSubscription',
    [CODE, { subscription: { name: 'Harbour', ending_at: '2099-12-31T00:00:00Z' } }],
    { subscription: { name: 'Harbour', ending_at: '2099-12-31T00:00:00Z' } },
  ],
  ['subscriptions.findSubscriptionCharge', [CODE, 'calls'], { charge: { code: 'calls' } }],
  ['subscriptions.findAllSubscriptionCharges', [CODE, ONE], { charges: [{}], ...ONE_PAGE }],
  ['subscriptions.findAllSubscriptionFixedCharges', ['sub_fuzzed'], { fixed_charges: [{ code: 'desk' }] }],
  ['subscriptions.findSubscriptionFixedCharge', ['sub_fuzzed', 'desk'], { fixed_charge: { code: 'desk' } }],
  [
    'subscriptions.overrideSubscriptionFixedCharge',
    ['sub_fuzzed', 'desk', { fixed_charge: { invoice_display_name: 'Own desks' } }],
    { fixed_charge: { code: 'desk', invoice_display_name: 'Own desks' } },
  ],
  [
    'subscriptions.overrideSubscriptionCharge',
    [CODE, 'calls', { charge: { invoice_display_name: 'Agreed' } }],
    { charge: { code: 'calls', invoice_display_name: 'Agreed' } },
  ],
  [
    'subscriptions.createSubscriptionChargeFilter',
    [CODE, 'calls', { filter: FILTER }],
    { filter: { invoice_display_name: FILTER.invoice_display_name } },
  ],
  ['subscriptions.findAllSubscriptionChargeFilters', [CODE, 'calls', ONE], { filters: [{}], ...ONE_PAGE }],
  [
    'subscriptions.findSubscriptionChargeFilter',
    (answers) => [CODE, 'calls', ownFilterId(answers)],
    { filter: { values: FILTER.values } },
  ],
  [
    'subscriptions.updateSubscriptionChargeFilter',
    (answers) => [CODE, 'calls', ownFilterId(answers), { filter: { invoice_display_name: 'EU' } }],
    { filter: { invoice_display_name: 'EU' } },
  ],
  [
    'subscriptions.destroySubscriptionChargeFilter',
    (answers) => [CODE, 'calls', ownFilterId(answers)],
    { filter: { invoice_display_name: 'EU' } },
  ],
  ['subscriptions.getSubscriptionLifetimeUsage', [CODE], { lifetime_usage: { external_subscription_id: CODE } }],
  [
    'subscriptions.updateSubscriptionLifetimeUsage',
    [CODE, { lifetime_usage: { external_historical_usage_amount_cents: 700 } }],
    { lifetime_usage: { external_historical_usage_amount_cents: 700 } },
  ],
  ['customers.findCustomerCurrentUsage', [CODE, USED], { customer_usage: { currency: 'EUR' } }],
  ['customers.findCustomerProjectedUsage', [CODE, USED], { customer_projected_usage: { currency: 'EUR' } }],
  ['customers.findAllCustomerPastUsage', [CODE, USED], { usage_periods: [] }],
  [
    'subscriptions.updateSubscriptionEntitlements',
    [CODE, { entitlements: { kept: { seats: 50 } } }],
    { entitlements: [{ code: 'kept' }] },
  ],
  ['subscriptions.findAllSubscriptionEntitlements', [CODE], { entitlements: [{ code: 'kept' }] }],
  ['subscriptions.destroySubscriptionEntitlementPrivilege', [CODE, 'kept', 'seats'], {}],
  ['subscriptions.destroySubscriptionEntitlement', [CODE, 'kept'], {}],
  ['subscriptions.createSubscriptionAlert', [CODE, { alert: ALERT }], { alert: { code: ALERT.code } }],
  ['subscriptions.getSubscriptionAlerts', [CODE], { alerts: [{ code: ALERT.code }], ...ONE_PAGE }],
  ['subscriptions.getSubscriptionAlert', [CODE, ALERT.code], { alert: { thresholds: [{ value: '1500.0' }] } }],
  [
    'subscriptions.updateSubscriptionAlert',
    [CODE, ALERT.code, { alert: { name: 'Later' } }],
    { alert: { name: 'Later' } },
  ],
  ['subscriptions.deleteSubscriptionAlert', [CODE, ALERT.code], { alert: { name: 'Later' } }],
  ['subscriptions.deleteAllSubscriptionAlerts', [CODE], {}],
  ['subscriptions.destroySubscription', [CODE], { subscription: { status: 'terminated' } }],
  ['customers.destroyCustomer', [CODE], { customer: { external_id: CODE } }],
];

const OF_FIGURES: readonly Call[] = [
  ['analytics.findAllGrossRevenues', [{ currency: 'EUR' }], { gross_revenues: [{ currency: 'EUR' }] }],
  ['analytics.findAllInvoiceCollections', [{ currency: 'EUR' }], { invoice_collections: [{ currency: 'EUR' }] }],
  ['analytics.findAllInvoicedUsages', [{ currency: 'EUR' }], { invoiced_usages: [] }],
  [
    'analytics.findAllMrrs',
    [{ currency: 'EUR', months: 2 }],
    { mrrs: holding({ currency: 'EUR', month: '2026-05-01' }) },
  ],
  ['analytics.findAllOverdueBalances', [{ currency: 'EUR' }], { overdue_balances: [] }],
  [
    'analytics.findAllUsages',
    [{ currency: 'EUR', time_granularity: 'monthly' }],
    { usages: [{ billable_metric_code: 'api_calls' }] },
  ],
];

/** An application that builds its catalogue, keeps its customers and has them subscribe, in this order. */
export const CALLS: readonly Call[] = [
  ...OF_ENTITIES,
  ...ofResource('taxes', 'Tax'),
  ...ofResource('billableMetrics', 'BillableMetric', [
    ['billableMetrics.evaluateBillableMetricExpression', [EVALUATED], { expression_result: { value: '3.0' } }],
  ]),
  ...ofResource('addOns', 'AddOn'),
  ...ofResource('features', 'Feature', OF_FEATURES),
  ...ofResource('plans', 'Plan', ofPlan(CODE)),
  ...ofResource('coupons', 'Coupon'),
  ...OF_CUSTOMERS,
  ...OF_SUBSCRIPTIONS,
  ...OF_FIGURES,
];

/** Areas of the client that the calls cover. */
export const AREAS: readonly string[] = [...new Set(CALLS.map(([name]) => name.split('.')[0] ?? ''))];

/** Methods of these areas that are of other resources, which have no routes. */
export const ELSEWHERE = /^customers\.\w*CustomerWallet\w*$/;

/** Calls that are refused whoever is named, each with the operation that says how. */
export const REFUSED_CALLS: readonly (readonly [name: string, given: readonly unknown[], operation: string])[] = [
  ['customers.getCustomerPortalUrl', ['cust_kept'], 'getCustomerPortalUrl'],
  ['customers.generateCustomerCheckoutUrl', ['cust_kept'], 'generateCustomerCheckoutURL'],
];
