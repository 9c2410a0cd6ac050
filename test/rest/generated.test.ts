import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPLIED, APPLIED_COUPON, CODES, createFullApp, METHODS, WALLETS } from '../robust/full-app.ts';
import type { Answer, TestApp } from '../support.ts';
import {
  against,
  alternatives,
  description,
  generated,
  type Hints,
  placesOf,
  replaced,
  resolved,
} from './described.ts';
import { IDS } from './fixture.ts';
import { REFUSED } from './refused.ts';
import { sampleBody, sampledBy, sampledRoutes } from './sample.ts';

// The description is held against the server: what it allows is answered or refused for what it means, never for its shape;
// what it forbids is refused; every answer is one that it describes. Requests are made from its own schemas.

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app.close());

const CALLS = { code: 'fuzzed', charge_code: 'calls' };
const PARAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  findAllPlanCharges: { code: 'orchid' },
  createPlanCharge: { code: 'fuzzed' },
  findPlanCharge: { code: 'orchid', charge_code: 'api_calls' },
  destroyPlanCharge: { code: 'fuzzed', charge_code: 'taken-away' },
  findAllPlanChargeFilters: { code: 'orchid', charge_code: 'api_calls' },
  updatePlanChargeFilter: { code: 'orchid', charge_code: 'api_calls', filter_id: IDS.filter },
  destroyPlanChargeFilter: { ...CALLS, filter_id: '' },
  findAllPlanFixedCharges: { code: 'orchid' },
  createPlanFixedCharge: { code: 'fuzzed' },
  findPlanFixedCharge: { code: 'fuzzed', fixed_charge_code: 'desk' },
  destroyPlanFixedCharge: { code: 'fuzzed', fixed_charge_code: 'taken-away' },
  replacePlanMetadata: { code: 'fuzzed' },
  mergePlanMetadata: { code: 'fuzzed' },
  deleteAllPlanMetadata: { code: 'fuzzed' },
  deletePlanMetadataKey: { code: 'orchid', key: 'team' },
  downloadInvoice: { id: IDS.invoices[1] ?? '' },
  previewInvoice: {},
  mergeWalletMetadata: { id: WALLETS[0] ?? '' },
  terminateWallet: { svc_id: WALLETS[1] ?? '' },
  createChargeFilter: { code: 'fuzzed', charge_code: 'calls' },
  getChargeFilter: { code: 'orchid', charge_code: 'api_calls', filter_id: IDS.filter },
  updateCharge: { code: 'fuzzed', charge_code: 'calls' },
  updateFixedCharge: { code: 'fuzzed', fixed_charge_code: 'desk' },
  getSubscriptionCharge: { external_id: 'sub_ada', charge_code: 'api_calls' },
  getFee: { svc_id: IDS.fullFee },
  listCustomerPaymentRequests: { external_customer_id: 'cust_ada' },
  findCustomerCurrentUsage: { external_customer_id: 'cust_ada' },
  findAllCustomerPastUsage: { external_customer_id: 'cust_ada' },
  getSubscriptionLifetimeUsage: { external_id: 'sub_at_once' },
  updateSubscriptionLifetimeUsage: { external_id: 'sub_at_once' },
  findCustomerProjectedUsage: { external_customer_id: 'cust_ada' },
  findCustomer: { external_customer_id: 'cust_kept' },
  destroyCustomer: { external_customer_id: 'cust_doomed' },
  getCustomerPortalUrl: { external_customer_id: 'cust_kept' },
  generateCustomerCheckoutURL: { external_customer_id: 'cust_kept' },
  findEvent: { transaction_id: 'generated-0' },
  findAllCustomerAppliedCoupons: { external_customer_id: 'cust_kept' },
  deleteAppliedCoupon: { external_customer_id: 'cust_kept', applied_coupon_id: APPLIED_COUPON },
  findInvoice: { svc_id: IDS.invoices[1] },
  updateFee: { svc_id: IDS.sparseFee },
  deleteFee: { svc_id: IDS.negativeFee },
  refreshInvoice: { svc_id: IDS.invoices[1] },
  finalizeInvoice: { svc_id: IDS.invoices[1] },
  updateInvoice: { svc_id: IDS.invoices[1] },
  loseDisputeInvoice: { svc_id: IDS.invoices[1] },
  invoicePaymentUrl: { svc_id: IDS.invoices[1] },
  findCreditNote: { svc_id: IDS.note },
  findPayment: { svc_id: IDS.payments[0] },
  findPaymentRequest: { svc_id: IDS.requests[0] },
  findSubscription: { external_id: 'sub_ada' },
  updateSubscription: { external_id: 'sub_ada' },
  findAllSubscriptionCharges: { external_id: 'sub_fuzzed' },
  overrideSubscriptionCharge: { external_id: 'sub_fuzzed', charge_code: 'calls' },
  findAllSubscriptionFixedCharges: { external_id: 'sub_fuzzed' },
  findSubscriptionFixedCharge: { external_id: 'sub_fuzzed', fixed_charge_code: 'desk' },
  overrideSubscriptionFixedCharge: { external_id: 'sub_fuzzed', fixed_charge_code: 'desk' },
  ...Object.fromEntries(
    ['findAll', 'find', 'create', 'update', 'destroy'].map((verb) => [
      `${verb}SubscriptionChargeFilter${verb === 'findAll' ? 's' : ''}`,
      { external_id: 'sub_fuzzed', charge_code: 'calls', filter_id: '' },
    ]),
  ),
  createSubscriptionAlert: { external_id: 'sub_at_once' },
  getSubscriptionAlerts: { external_id: 'sub_fuzzed' },
  getSubscriptionAlert: { external_id: 'sub_fuzzed', code: 'kept' },
  updateSubscriptionAlert: { external_id: 'sub_fuzzed', code: 'kept' },
  deleteSubscriptionAlert: { external_id: 'sub_fuzzed', code: 'kept' },
  deleteAllSubscriptionAlerts: { external_id: 'sub_at_once' },
  destroySubscription: { external_id: 'ended' },
  ...Object.fromEntries(
    ['Invoices', 'CreditNotes', 'Payments', 'Subscriptions'].map((kind) => [
      `findAllCustomer${kind}`,
      { external_customer_id: 'cust_ada' },
    ]),
  ),
  findAllEntitlements: { code: 'kept' },
  createEntitlement: { code: 'at_once' },
  updateEntitlement: { code: 'kept' },
  findEntitlement: { code: 'kept', feature_code: 'kept' },
  destroyEntitlement: { code: 'fuzzed', feature_code: 'kept' },
  findAllSubscriptionEntitlements: { external_id: 'sub_fuzzed' },
  updateSubscriptionEntitlements: { external_id: 'sub_fuzzed' },
  destroySubscriptionEntitlement: { external_id: 'sub_at_once', feature_code: 'kept' },
  destroySubscriptionEntitlementPrivilege: { external_id: 'sub_fuzzed', feature_code: 'kept', privilege_code: 'sso' },
  findAllCustomersPaymentMethods: { external_customer_id: 'cust_kept' },
  paymentMethodSetAsDefault: { external_customer_id: 'cust_kept', svc_id: METHODS[0] },
  destroyPaymentMethod: { external_customer_id: 'cust_kept', svc_id: METHODS[1] },
  removeEntitlementPrivilege: { code: 'kept', feature_code: 'kept', privilege_code: 'sso' },
  deleteFeaturePrivilege: { code: 'kept', privilege_code: 'seats' },
  ...Object.fromEntries(
    sampledRoutes.flatMap(({ route, verb }) =>
      verb === 'create' ? [] : [[route.operation, { code: CODES[verb] }] as const],
    ),
  ),
};

const PRICED = { code: 'taken-away', charge_model: 'standard' };

/** A filter of a charge of a subscription, made where it has none. */
async function anyFilter() {
  const path = '/subscriptions/sub_fuzzed/charges/calls/filters';
  await app.rest('POST', path, { filter: { values: { region: ['eu', 'us'] }, properties: { amount: '1' } } });
  const { filters } = (await app.rest('GET', path)).body;
  return { filter_id: filters.at(-1).svc_id };
}

// Of a clock that is moved by an hour; it is the last operation that is asked.
// The clock goes over the beginning of the month after this one, when most is due.
const NEXT_MONTH = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1);
const BEFORE = new Date(NEXT_MONTH - 1_800_000);
const SOON = new Date(NEXT_MONTH - 900_000).toISOString();
const BEGUN = new Date(NEXT_MONTH + 1_800_000).toISOString();

/** A new final invoice that is to be paid. */
async function sold() {
  const { body } = await app.rest('POST', '/invoices', EXAMPLES.createInvoice);
  return { svc_id: body.invoice.svc_id };
}

/** An alert of a subscription, in place of all others. */
async function anyAlert() {
  const path = '/subscriptions/sub_fuzzed/alerts';
  await app.rest('DELETE', path);
  await app.rest('POST', path, EXAMPLES.createSubscriptionAlert);
  return {};
}

/** Makes again what an operation takes away; says where it stands. */
const AGAIN: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  async destroyPlanCharge() {
    await app.rest('POST', '/plans/fuzzed/charges', { charge: { ...PRICED, billable_metric_code: 'api_calls' } });
    return {};
  },
  async destroyPlanFixedCharge() {
    await app.rest('POST', '/plans/fuzzed/fixed_charges', { fixed_charge: { ...PRICED, add_on_code: 'desk' } });
    return {};
  },
  async destroyPlanChargeFilter() {
    const path = '/plans/fuzzed/charges/calls/filters';
    const filter = { values: { region: ['eu', 'us'] }, properties: { amount: '1' } };
    await app.rest('POST', path, { filter });
    const { filters } = (await app.rest('GET', path)).body;
    return { filter_id: filters.at(-1).svc_id };
  },
  findSubscriptionChargeFilter: anyFilter,
  updateSubscriptionChargeFilter: anyFilter,
  destroySubscriptionChargeFilter: anyFilter,
  getSubscriptionAlert: anyAlert,
  updateSubscriptionAlert: anyAlert,
  deleteSubscriptionAlert: anyAlert,
  async deletePlanMetadataKey() {
    await app.rest('PATCH', '/plans/orchid/metadata', { metadata: { team: 'growth' } });
    return {};
  },
  async destroySubscription() {
    const subscription = { external_customer_id: 'cust_kept', plan_code: 'fuzzed', external_id: 'ended' };
    await app.rest('POST', '/subscriptions', { subscription });
    return {};
  },
  voidInvoice: sold,
  retryPayment: sold,
  async advanceTestClock() {
    await app.db.prisma.organization.update({ where: { id: app.organizationId }, data: { testClockAt: BEFORE } });
    return {};
  },
  async retryInvoice() {
    const made = await sold();
    await app.db.prisma.invoice.update({ where: { id: made.svc_id }, data: { status: 'failed', taxStatus: 'failed' } });
    return made;
  },
};

const EXISTING: Hints = {
  plan_code: ['fuzzed', 'clover', 'orchid'],
  external_id: ['cust_ada', 'cust_bare'],
  external_ids: [['sub_fuzzed'], []],
  billing_entity_code: ['acme.fr', 'acme_de', null],
  integration_customers: [[], null],
  currency: ['EUR', null],
  amount_currency: ['EUR', 'USD'],
  country: ['FR', 'DE', null],
  timezone: ['Europe/Paris', null],
  payment_provider: ['stripe', 'adyen', null],
  tax_codes: [['vat20'], [], null],
  metric_code: ['api_calls'],
  billable_metric_code: ['api_calls'],
  billable_metric_id: [null],
  add_on_code: ['desk'],
  add_on_id: [null],
  trial_period: [0, 7, 12.5, '3.25', null],
  external_subscription_id: ['sub_at_once', null],
  coupon_code: [APPLIED],
  plan_codes: [['orchid'], [], null],
  billable_metric_codes: [['api_calls'], [], null],
  group: ['{"region":"eu"}', '{"region":["eu","us"]}'],
  filter_by_presentation: ['["team"]', '[]'],
  expression: ['1 + 1', 'event.code', 'event.properties.a'],
  amount: ['0', '0.5', '12.34'],
  to: [SOON],
  values: [{ region: ['eu'] }, { region: ['us', 'eu'] }, { region: ['__ALL_FILTER_VALUES__'] }],
  usage: [[{ metric_code: 'api_calls', units: '3' }], [], null],
  'billing_entity_codes[]': [['acme.fr'], ['acme_de', 'acme.fr']],
};

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
  readonly body: any;
  // biome-ignore lint/suspicious/noExplicitAny: JSON Schemas
  readonly query: readonly { name: string; schema: any }[];
  // biome-ignore lint/suspicious/noExplicitAny: JSON Schemas
  readonly answers: Readonly<Record<string, any>>;
}

const schemaOf = (part: { $ref?: string; content?: unknown }) => {
  const name = part.$ref?.split('/').at(-1);
  const whole = name === undefined ? part : description.components.responses[name];
  // Without content the answer is nothing, which is no JSON.
  return whole.content?.['application/json'].schema ?? {};
};

const operations: Operation[] = Object.entries<Record<string, never>>(description.paths).flatMap(([path, methods]) =>
  // biome-ignore lint/suspicious/noExplicitAny: what is read here is checked by the tests of the description
  Object.entries<any>(methods).map(([method, operation]) => ({
    name: operation.operationId as string,
    method: method.toUpperCase(),
    path,
    body: operation.requestBody && schemaOf(operation.requestBody),
    query: operation.parameters.filter((one: { in?: string }) => one.in === 'query'),
    answers: Object.fromEntries(
      Object.entries<{ $ref?: string }>(operation.responses).map(([status, part]) => [status, schemaOf(part)]),
    ),
  })),
);

const addressOf = ({ name, path }: Operation, query: object = {}, made: Readonly<Record<string, string>> = {}) => {
  const params = { ...PARAMS[name], ...made };
  const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
  const pairs = Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)]));
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? filled : `${filled}?${text}`;
};

/** What a refusal may say of a request whose shape is right: what it names is not there, or does not go together. */
const MEANINGS: ReadonlySet<string> = new Set([
  'historical_usage_amount_cents value_is_out_of_range',
  ...['usage_thresholds incompatible_params', 'plan_overrides.usage_thresholds incompatible_params'],
  ...['base alert_already_exists', 'thresholds value_is_mandatory', 'thresholds too_many_thresholds'],
  ...['thresholds duplicate_threshold_values', 'thresholds multiple_recurring_thresholds'],
  ...['thresholds:value recurring_value_is_negative', 'thresholds:value value_is_out_of_range'],
  ...['billable_metric value_is_mandatory', 'billable_metric value_must_be_blank'],
  ...['properties invalid_amount', 'properties missing_graduated_ranges', 'properties missing_volume_ranges'],
  ...['values value_is_invalid', 'values value_already_exist'],
  ...['billable_metric_filter relation_must_exist', 'billable_metric relation_must_exist'],
  ...[
    'charge_model invalid_aggregation_type_or_charge_model',
    'pay_in_advance invalid_aggregation_type_or_charge_model',
  ],
  ...['currency value_is_invalid', 'country not_a_valid_country_code', 'timezone invalid_timezone'],
  ...['amount_currency value_is_invalid', 'amount_cents value_is_mandatory', 'percentage_rate value_is_mandatory'],
  ...['percentage_rate value_is_out_of_range', 'metric_code value_is_invalid', 'usage units_or_events_must_be_given'],
  ...['customer must_be_persisted', 'base customer_currency_does_not_match', 'terminated_at cannot_be_in_past'],
  ...['base new_plan_should_be_different_from_existing_plan', 'conversion_rate value_is_out_of_range'],
  ...['regroup_paid_fees only_compatible_with_pay_in_advance_and_non_invoiceable'],
  ...['invoiceable must_be_true_unless_pay_in_advance', 'min_amount_cents not_compatible_with_pay_in_advance'],
  ...['prorated invalid_billable_metric_or_charge_model'],
  ...['code value_is_too_long', 'wallet_id wallet_is_terminated', 'transaction_id value_already_exist'],
  ...[
    'timestamp value_is_out_of_range',
    'events no_events',
    'transaction_id value_is_mandatory',
    'code value_is_mandatory',
  ],
  ...['external_subscription_id value_is_mandatory', 'timestamp_from not_compatible_with_start'],
  'precise_total_amount_cents value_is_out_of_range',
  ...['ending_at invalid_date', 'external_customer_id value_is_mandatory', 'external_id value_already_exist'],

  'code does_not_match_an_instant_charge',
  ...['name value_is_mandatory', 'code value_already_exist', 'rate value_is_out_of_range'],
  ...['group value_is_invalid', 'filter_by_presentation value_is_invalid'], // no JSON of an object, or of a list
  ...['field_name value_is_mandatory', 'recurring not_compatible_with_aggregation_type', 'key value_is_mandatory'],
  ...['weighted_interval value_is_invalid', 'values value_is_mandatory'],
  ...['currency currencies_does_not_match', 'shipping_country not_a_valid_country_code', 'email invalid_email_format'],
  ...['document_locale not_a_valid_language_code', 'external_id value_is_mandatory', 'metadata invalid_count'],
  'provider_payment_methods value_is_invalid',
  ...['integration_customers invalid_count_per_integration_type', 'integration_type value_is_invalid'],
  ...['invoice_custom_sections skip_sections_and_selected_ids_sent_together', 'key value_already_exist'],
  ...[
    'metadata value_is_invalid',
    'url url_is_invalid',
    'payment_provider value_is_invalid',
    'logo_url url_is_invalid',
    'currencies value_is_invalid',
  ],
  ...['has_customer_type value_is_invalid', 'value value_is_mandatory'],
  ...['add_on relation_must_exist', 'pricing_unit relation_must_exist', 'usage_thresholds duplicated_values'],
  ...['usage_thresholds multiple_recurring_thresholds', 'pay_in_advance invalid_charge_model'],
  ...['prorated invalid_charge_model'],
  ...['privilege.code value_is_duplicated', 'privilege.code value_is_mandatory', 'privilege.config invalid_format'],
  ...['expression value_is_mandatory', 'expression invalid_expression', 'event invalid_event'],
  ...['amount_currency value_is_mandatory', 'frequency_duration value_is_mandatory', 'expiration_at invalid_date'],
  ...[
    'frequency_duration value_is_out_of_range',
    'amount_cents value_is_out_of_range',
    'coupon coupon_is_not_reusable',
  ],
  ...['eu_tax_management org_must_be_in_eu', 'webhook_url url_is_invalid', 'from_date value_is_out_of_range'],
  ...['eu_tax_management billing_entity_must_be_in_eu', 'email_settings unsupported_value'],
  ...['logo invalid_content_type', 'document_number_prefix value_is_too_short', 'default_currency value_is_invalid'],
]);

/** Each field with each of its codes, also of the objects of a list. */
const saidIn = (details: Readonly<Record<string, object>>): string[] =>
  Object.entries(details).flatMap(([field, said]) =>
    Array.isArray(said)
      ? said.map((code) => `${field} ${code}`)
      : saidIn(('errors' in said ? said.errors : said) as Readonly<Record<string, object>>),
  );

const FIRST_PAYMENT = [
  ...['payment_method invalid_payment_method', 'timeout_hours value_must_be_positive_or_zero'],
  ...['activation_rules invalid_type', 'activation_rules duplicated_type'],
];

/** The same of one operation: items of a list without an identifier are new, and lack what must be there. */
const OWN_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  updatePlan: [
    'charge_model value_is_invalid',
    'charge_model value_is_mandatory',
    'conversion_rate value_is_mandatory',
  ],
  createInvoice: [
    'boundaries values_are_invalid',
    'unit_amount_cents value_is_out_of_range',
    'payment_method invalid_payment_method',
  ],
  voidInvoice: [
    'credit_refund_amount total_amount_exceeds_invoice_amount',
    ...['credit_amount value_is_out_of_range', 'refund_amount value_is_out_of_range'],
  ],
  retryPayment: ['payment_method invalid_payment_method'],
  createSubscription: [...FIRST_PAYMENT, 'customer no_linked_payment_provider'],
  updateSubscription: [...FIRST_PAYMENT, 'activation_rules subscription_not_pending'],
  advanceTestClock: ['to value_is_mandatory', 'to value_is_out_of_range'],
};

const meansSomething = ({ status, body }: Answer, operation: string) =>
  status === 404 ||
  status === 405 ||
  (status === 403 && body.code === 'feature_unavailable') ||
  (status === 422 &&
    saidIn(body.error_details).every((said) => MEANINGS.has(said) || OWN_MEANINGS[operation]?.includes(said)));

/** Values of other types than a schema takes, and that are none of the casts for existing clients. */
function strangers(shape: unknown): unknown[] {
  const all = alternatives(shape);
  const types = all.map(({ type }) => type);
  const odd: unknown[] = [true, [], [true], { strange: 1 }];
  if (types.some((type) => type === 'integer' || type === 'number' || type === 'boolean')) odd.push('many');
  if (types.includes('integer')) odd.push(1.5);
  if (types.includes('boolean')) odd.push(1, 'true');
  if (types.includes('array') || types.includes('object')) odd.push('x', 7);
  if (all.some(({ enum: values, pattern }) => values || pattern)) odd.push('no such value');
  return odd;
}

// Of prices, the rules read only those of the model, and drop the others unread: the charges here are of a standard price.
const isUnread = (path: readonly (string | number)[]) => {
  const at = path.indexOf('properties');
  return at >= 0 && path.length > at + 1 && path[at + 1] !== 'amount';
};

const AT_ONCE = { external_subscription_id: 'sub_at_once', code: 'api_calls' };

const EXAMPLES: Readonly<Record<string, unknown>> = {
  previewInvoice: { plan_code: 'fuzzed', customer: { external_id: 'cust_ada' } },
  createChargeFilter: { filter: { properties: { amount: '1' }, values: { region: ['us'] } } },
  updateCharge: { charge: { invoice_display_name: 'Calls' } },
  createPlanCharge: { charge: { code: 'generated', billable_metric_code: 'api_calls', charge_model: 'standard' } },
  createPlanFixedCharge: { fixed_charge: { code: 'generated', add_on_code: 'desk', charge_model: 'standard' } },
  updatePlanChargeFilter: { filter: { properties: { amount: '3' } } },
  replacePlanMetadata: { metadata: { team: 'growth' } },
  destroySubscription: { on_termination_invoice: 'skip' },
  destroyPlanCharge: { charge: { cascade_updates: false } },
  destroyPlanFixedCharge: { fixed_charge: { cascade_updates: false } },
  destroyPlanChargeFilter: { filter: { cascade_updates: false } },
  updateFixedCharge: { fixed_charge: { units: '4' } },
  overrideSubscriptionCharge: { charge: { invoice_display_name: 'Calls' } },
  overrideSubscriptionFixedCharge: { fixed_charge: { units: '4' } },
  createSubscriptionChargeFilter: { filter: { properties: { amount: '1' }, values: { region: ['us'] } } },
  updateSubscriptionChargeFilter: { filter: { properties: { amount: '3' } } },
  evaluateBillableMetricExpression: { expression: '1 + 1', event: { code: 'calls', properties: {} } },
  updateOrganization: { organization: { city: 'Brest' } },
  createCustomer: { customer: { external_id: 'generated' } },
  updateSubscriptionLifetimeUsage: { lifetime_usage: { external_historical_usage_amount_cents: 7 } },
  applyCoupon: { applied_coupon: { external_customer_id: 'cust_kept', coupon_code: APPLIED } },
  createEntitlement: { entitlements: { kept: { sso: true, note: 'A' } } },
  updateEntitlement: { entitlements: { kept: { sso: false } } },
  createSubscription: {
    subscription: { external_customer_id: 'subscribed', external_id: 'generated', plan_code: 'fuzzed' },
  },
  updateSubscription: { subscription: { name: 'Generated' } },
  updateSubscriptionEntitlements: { entitlements: { kept: { sso: false } } },
  createSubscriptionAlert: {
    alert: { alert_type: 'lifetime_usage_amount', code: 'kept', thresholds: [{ value: 1500 }, { value: '2.5' }] },
  },
  updateSubscriptionAlert: { alert: { name: 'Generated' } },
  updateInvoice: { invoice: { payment_status: 'pending', metadata: [] } },
  voidInvoice: { generate_credit_note: false },
  advanceTestClock: { to: BEGUN },
  retryPayment: { payment_method: { payment_method_type: 'manual' } },
  createInvoice: { invoice: { external_customer_id: 'cust_ada', fees: [{ add_on_code: 'desk' }] } },
  updateFee: { fee: { payment_status: 'pending' } },
  createEvent: { event: { transaction_id: 'generated-0', code: 'api_calls' } },
  createBatchEvents: { events: [{ transaction_id: 'generated-1', code: 'api_calls' }] },
  eventEstimateFees: { event: AT_ONCE },
  eventEstimateInstantFees: { event: AT_ONCE },
  eventBatchEstimateInstantFees: { events: [AT_ONCE] },
  ...Object.fromEntries(sampledRoutes.map((one) => [one.route.operation, sampleBody(one, 'generated')])),
};

const RUNNING = { external_subscription_id: 'sub_at_once' };
const QUERIES: Readonly<Record<string, object>> = {
  findCustomerCurrentUsage: RUNNING,
  findCustomerProjectedUsage: RUNNING,
  findAllCustomerPastUsage: RUNNING,
};

const RUNS = { numRuns: 30, seed: 20261128 };

describe.each(operations)('$name', (operation) => {
  const { method, body: shape, query, answers } = operation;
  const { charge_code = null, fixed_charge_code = charge_code } = PARAMS[operation.name] ?? {};
  // What the next request finds again keeps its code, and its model: of properties only those of the model are read.
  const isUpdated = sampledBy(operation.name)?.verb === 'update';
  const hints: Hints = {
    ...EXISTING,
    ...(operation.name.startsWith('event') && { code: ['api_calls'] }),
    ...(isUpdated && { code: [CODES.update] }),
    ...(operation.name === 'createInvoice' && { external_customer_id: ['cust_ada'] }),
    ...(operation.name === 'applyCoupon' && { external_customer_id: ['cust_kept', 'cust_bare'] }),
    ...(/^(create|update)Plan(Fixed)?(Charge)?$/.test(operation.name) && {
      charge_model: ['standard'],
      units: [0, 2.5, '3', null],
    }),
    ...(/BillableMetric$/.test(operation.name) && { values: [['eu'], ['us', 'eu']] }),
    ...(fixed_charge_code && { code: [fixed_charge_code], charge_model: ['standard', null] }),
  };
  const kept = fixed_charge_code
    ? ['code', 'charge_model']
    : /^createPlan(FixedCharge|Charge)?$/.test(operation.name)
      ? ['charge_model']
      : operation.name === 'updatePlan'
        ? ['code', 'charge_model']
        : isUpdated
          ? ['code']
          : [];
  const send = async (sent: unknown, parameters: object = {}) => {
    const made = await AGAIN[operation.name]?.();
    const answer = await app.rest(method, addressOf(operation, parameters, made), sent);
    const told = answers[answer.status];
    expect(told, `${answer.status} is not described: ${answer.text}`).toBeDefined();
    expect(against(told, answer.body), JSON.stringify({ sent, parameters })).toEqual([]);
    return answer;
  };

  it('answers what the description says', async () => {
    const sent = shape && method !== 'PATCH' ? EXAMPLES[operation.name] : undefined;
    const { status, body } = await send(sent, QUERIES[operation.name]);
    const refusal = REFUSED[operation.name];
    expect(refusal ? body : status).toEqual(refusal ?? 200);
  });

  it.runIf(query.length > 0)('takes every query that the description allows', async () => {
    const parameters = fc.record(
      Object.fromEntries(
        query.map(({ name, schema }) => [
          name,
          generated({ type: 'object', properties: { [name]: schema } }, EXISTING).map(
            (made) => (made as Record<string, unknown>)[name],
          ),
        ]),
      ),
      { requiredKeys: [] },
    );
    const check = async (sent: object) => {
      const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
      const answer = await send(shape ? EXAMPLES[operation.name] : undefined, given);
      expect(
        answer.status === 200 || meansSomething(answer, operation.name),
        `${answer.text} ${JSON.stringify(given)}`,
      ).toBe(true);
    };
    await fc.assert(fc.asyncProperty(parameters, check), RUNS);
    for (const { name, schema } of query) {
      const sent = shape ? EXAMPLES[operation.name] : undefined;
      if (schema.enum) expect((await send(sent, { [name]: 'no such value' })).status).toBe(422);
    }
  });

  it.runIf(shape)('takes every body that the description allows', async () => {
    const statuses: Record<number, number> = {};
    const check = async (sent: unknown) => {
      expect(against(shape, sent)).toEqual([]);
      const answer = await send(sent);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status !== 200)
        expect(meansSomething(answer, operation.name), `${answer.text} ${JSON.stringify(sent)}`).toBe(true);
    };
    await fc.assert(fc.asyncProperty(generated(shape, hints, kept), check), RUNS);
    // What chance leaves out: the least of it.
    const names = alternatives(shape).flatMap((one) => Object.keys(resolved(one).properties));
    const least = [{}, ...names.flatMap((name) => [{ [name]: {} }, { [name]: [] }, { [name]: null }])];
    for (const sent of least.filter((one) => against(shape, one).length === 0)) await check(sent);
    expect(statuses[200], JSON.stringify(statuses)).toBeGreaterThan(0);
  });

  it.runIf(shape)('refuses what the description forbids', async () => {
    let refused = 0;
    const whole = (EXAMPLES[operation.name] ?? {}) as object;
    const pick = fc.tuple(generated(shape, hints, kept), fc.nat(), fc.nat());
    const check = async ([sent, at, which]: [unknown, number, number]) => {
      const places = placesOf(shape, sent).filter(({ path }) => !isUnread(path));
      const { path, shape: here } = places[at % places.length] ?? { path: [], shape };
      const odd = strangers(here);
      const broken = replaced(sent, path, odd[which % odd.length]);
      if (against(shape, broken).length === 0) return;
      refused += 1;
      expect([400, 422, 404], JSON.stringify(broken)).toContain((await send(broken)).status);
    };
    await fc.assert(fc.asyncProperty(pick, check), RUNS);
    expect(refused).toBeGreaterThan(20);
    const empty = [
      null,
      [],
      'x',
      7,
      {},
      ...alternatives(shape)
        .flatMap((one) => Object.keys(resolved(one).properties))
        .flatMap((name) => [
          { ...whole, [name]: 'x' },
          { ...whole, [name]: {} },
        ]),
    ];
    for (const broken of empty.filter((one) => against(shape, one).length > 0)) {
      expect([400, 422], JSON.stringify(broken)).toContain((await send(broken)).status);
    }
  });
});
