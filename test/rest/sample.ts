import { snakeCase } from '../../src/billing/name-case.ts';
import { type Field, sentName } from '../../src/billing/resource/field.ts';
import { routes } from '../../src/rest/index.ts';
import type { Route } from '../../src/rest/route.ts';

interface Sample {
  /** Of a body that makes one: every member, none with the value that it has by default. */
  readonly made: Readonly<Record<string, unknown>>;
  /** Of a body that changes it. */
  readonly changed: Readonly<Record<string, unknown>>;
  /** What lets every member be null that can be; nothing where each can by itself. */
  readonly least?: Readonly<Record<string, unknown>>;
  /** Members that what is made with that cannot be without all the same. */
  readonly needed?: readonly string[];
  /** Whether objects stay: none is deleted. */
  readonly isKept?: boolean;
  /** Of one that stands beside others without changing them. */
  readonly quiet?: Readonly<Record<string, unknown>>;
  /** Whether its code never changes. */
  readonly keepsCode?: boolean;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** One object of each resource that REST creates, changes and deletes by its code: what every test of resources is made from. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  Tax: {
    made: {
      code: 'sample',
      name: 'Sample tax',
      description: 'Of a sample',
      rate: '12.5',
      applied_to_organization: true,
    },
    changed: { name: 'Other tax', description: null, rate: '0' },
    quiet: { applied_to_organization: false },
  },
  AddOn: {
    made: {
      ...{ code: 'sample', name: 'Sample add-on', description: 'Of a sample', invoice_display_name: 'Set-up' },
      ...{ amount_cents: 5_000_000_000, amount_currency: 'JPY', tax_codes: [] },
    },
    changed: { name: 'Other add-on', invoice_display_name: null, amount_cents: 1, amount_currency: 'EUR' },
  },
  BillableMetric: {
    made: {
      ...{ code: 'sample', name: 'Sample metric', description: 'Of a sample', aggregation_type: 'weighted_sum_agg' },
      ...{ field_name: 'seconds', recurring: true, rounding_function: 'ceil', rounding_precision: -1 },
      ...{ weighted_interval: 'seconds', expression: 'event.properties.seconds * 2' },
      filters: [
        { key: 'region', values: ['eu', 'us'] },
        { key: 'tier', values: ['gold'] },
      ],
    },
    least: { aggregation_type: 'count_agg', recurring: false },
    changed: { name: 'Other metric', rounding_function: null, rounding_precision: null, filters: [] },
  },
  Coupon: {
    made: {
      ...{ code: 'sample', name: 'Sample coupon', description: 'Of a sample', coupon_type: 'fixed_amount' },
      ...{ amount_cents: 5_000_000_000, amount_currency: 'JPY', percentage_rate: '12.5', frequency: 'recurring' },
      ...{ frequency_duration: 3, reusable: false, expiration: 'time_limit', expiration_at: '2099-12-31T23:59:59Z' },
      applies_to: { plan_codes: [], billable_metric_codes: [] },
    },
    least: { frequency: 'forever' },
    needed: ['amount_cents', 'amount_currency'],
    changed: { name: 'Other coupon', description: null, amount_cents: 1, amount_currency: 'EUR', frequency: 'once' },
  },
  Feature: {
    made: { code: 'sample', name: 'Sample feature', description: 'Of a sample' },
    changed: { name: 'Other feature', description: null },
    keepsCode: true,
  },
  Plan: {
    made: {
      ...{ code: 'sample', name: 'Sample plan', description: 'Of a sample', invoice_display_name: 'Printed plan' },
      ...{ interval: 'yearly', amount_cents: 5_000_000_000, amount_currency: 'JPY', pay_in_advance: true },
      ...{ trial_period: 12.5, bill_charges_monthly: true, bill_fixed_charges_monthly: true },
      ...{ metadata: { team: 'growth', owner: null }, tax_codes: [] },
    },
    changed: { name: 'Other plan', invoice_display_name: null, amount_cents: 0, trial_period: 0, metadata: { a: 'b' } },
  },
  BillingEntity: {
    made: {
      ...{ code: 'sample', name: 'Sample entity', email: 'billing@example.com', phone: '+33 1 23' },
      ...{ legal_name: 'Sample SAS', legal_number: 'FR-77', tax_identification_number: 'FR40303265045' },
      ...{ address_line1: '1 Quay', address_line2: 'Door 2', city: 'Brest', state: 'Bretagne', zipcode: '29200' },
      ...{
        country: 'FR',
        default_currency: 'EUR',
        timezone: 'Europe/Madrid',
        document_numbering: 'per_billing_entity',
      },
      ...{ document_number_prefix: 'SAMPLE', finalize_zero_amount_invoice: false, net_payment_term: 12 },
      ...{ eu_tax_management: true, email_settings: ['invoice.finalized'] },
      logo: `data:image/png;base64,${PIXEL}`,
      billing_configuration: {
        ...{ invoice_footer: 'Thank you', invoice_grace_period: 4, document_locale: 'fr' },
        subscription_invoice_issuing_date_anchor: 'current_period_end',
        subscription_invoice_issuing_date_adjustment: 'keep_anchor',
      },
      ...{ tax_codes: [], invoice_custom_section_codes: [] },
    },
    least: { eu_tax_management: false },
    changed: {
      name: 'Other entity',
      phone: null,
      net_payment_term: 5,
      billing_configuration: { invoice_footer: null },
    },
    quiet: { eu_tax_management: false },
    keepsCode: true,
    isKept: true,
  },
};

/** The same of resources that only the graph creates, changes and deletes. */
export const GRAPH_SAMPLES: Readonly<Record<string, Sample>> = {
  PricingUnit: {
    made: { code: 'sample', name: 'Sample credits', short_name: 'SC', description: 'Of a sample' },
    changed: { name: 'Other credits', short_name: '€€€', description: null },
  },
  InvoiceCustomSection: {
    made: {
      ...{ code: 'sample', name: 'Sample section', description: 'Of a sample', display_name: 'Terms' },
      ...{ details: 'Paid within a month.\nOr later.', applied_to_organization: true },
    },
    changed: { name: 'Other section', details: null, applied_to_organization: false },
    quiet: { applied_to_organization: false },
  },
};

/** A customer of whom everything is said; of lists what needs nothing that is not there. */
export const WHOLE_CUSTOMER: Readonly<Record<string, unknown>> = {
  ...{ external_id: 'sample', name: 'Harbour & Sons', firstname: 'Ada', lastname: 'Hale', email: 'ada@example.com' },
  ...{ phone: '+33 1 23', url: 'https://example.com', logo_url: 'https://example.com/logo.png' },
  ...{ legal_name: 'Harbour SAS', legal_number: 'FR-77', tax_identification_number: 'FR123', currency: 'EUR' },
  ...{ timezone: 'Europe/Madrid', account_type: 'partner', customer_type: 'company' },
  ...{
    address_line1: '1 Quay',
    address_line2: 'Door 2',
    city: 'Brest',
    state: 'Bretagne',
    zipcode: '29200',
    country: 'FR',
  },
  shipping_address: {
    ...{ address_line1: '9 Rue', address_line2: 'Dock', city: 'Lyon', state: 'Rhône', zipcode: '69001', country: 'FR' },
  },
  ...{ net_payment_term: 12, finalize_zero_amount_invoice: 'skip', skip_invoice_custom_sections: true },
  billing_configuration: {
    ...{ invoice_grace_period: 4, document_locale: 'fr', sync: true, sync_with_provider: false },
    subscription_invoice_issuing_date_anchor: 'current_period_end',
    subscription_invoice_issuing_date_adjustment: 'keep_anchor',
    ...{ payment_provider: 'stripe', payment_provider_code: 'main', provider_customer_id: 'cus_1' },
    provider_payment_methods: ['card'],
  },
  ...{ tax_codes: [], invoice_custom_section_codes: [] },
  metadata: [{ key: 'tier', value: 'gold', display_in_invoice: true }],
  integration_customers: [{ integration_type: 'xero', integration_code: 'books', external_customer_id: 'x-1' }],
};

type Members = Readonly<Record<string, unknown>>;

/** A member as a body sends it: in the object that holds it, by its name there. */
export function bodyOf(name: string, field: Field, value: unknown): Members {
  const sent = { [snakeCase(sentName(name, field))]: value };
  return field.group ? { [snakeCase(field.group.name)]: sent } : sent;
}

/** The value of a member in a body; undefined where it says nothing of it. */
export function saidOf(body: Members, name: string, field: Field): unknown {
  const holder = field.group ? (body[snakeCase(field.group.name)] as Members | undefined) : body;
  return holder?.[snakeCase(sentName(name, field))];
}

/** Members that REST takes and does not show: its contract has no place for them. */
export const NOT_SHOWN: readonly string[] = ['phone'];

type Verb = 'create' | 'find' | 'update' | 'destroy';

/** A resource of the samples by one of its routes. */
export interface SampledRoute {
  readonly type: string;
  readonly verb: Verb;
  readonly route: Route;
  /** What bodies and answers call it. */
  readonly root: string;
}

/** What a route does with a resource of the samples; undefined for every other route. Lists name none. */
export function sampledBy(operation: string): SampledRoute | undefined {
  const [, said, type = ''] = /^(create|find|get|update|destroy)(\w+)$/.exec(operation) ?? [];
  const verb = said === 'get' ? 'find' : said;
  const route = routes.find((one) => one.operation === operation);
  if (!route || !(type in SAMPLES)) return undefined;
  return { type, verb: verb as Verb, route, root: snakeCase(type) };
}

/** The body that a route takes, with the object's code where it makes one. */
export function sampleBody({ type, verb, root }: SampledRoute, code: string, isQuiet = false): object | undefined {
  const { made = {}, changed = {}, quiet } = SAMPLES[type] ?? {};
  if (verb === 'create') return { [root]: { ...made, ...(isQuiet && quiet), code } };
  return verb === 'update' ? { [root]: changed } : undefined;
}

export const sampledRoutes = routes.flatMap(({ operation }) => sampledBy(operation) ?? []);

/** The route of a resource that does something. */
export function routeOf(type: string, verb: Verb): SampledRoute {
  const found = sampledRoutes.find((one) => one.type === type && one.verb === verb);
  if (!found) throw new Error(`${verb}${type} is no route`);
  return found;
}

export const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A sample as an input of the graph; objects in it too. */
export const camelled = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), camelled(inner)]));

/** A mutation of a resource that only the graph writes, with the input of its sample. */
export interface GraphWrite {
  /** `createPricingUnit`. */
  readonly name: string;
  readonly type: string;
  readonly verb: 'create' | 'update' | 'destroy';
  readonly permission: string;
  readonly query: string;
  variables(code: string, isQuiet?: boolean): Record<string, unknown>;
}

function graphWriteOf(type: string, verb: GraphWrite['verb']): GraphWrite {
  const { made = {}, changed = {}, quiet } = GRAPH_SAMPLES[type] ?? {};
  const [isNamed, hasInput] = [verb !== 'create', verb !== 'destroy'];
  const inputType = `${verb === 'create' ? 'Create' : 'Update'}${type}Input!`;
  const declared = [...(isNamed ? ['$code: String!'] : []), ...(hasInput ? [`$input: ${inputType}`] : [])];
  const given = [...(isNamed ? ['code: $code'] : []), ...(hasInput ? ['input: $input'] : [])];
  const name = `${verb}${type}`;
  return {
    ...{ name, type, verb, permission: `${snakeCase(type)}:write` },
    query: `mutation (${declared.join(', ')}) { ${name}(${given.join(', ')}) { svcId code name } }`,
    variables: (code, isQuiet) => ({
      ...(isNamed && { code }),
      ...(hasInput && { input: camelled(verb === 'create' ? { ...made, ...(isQuiet && quiet), code } : changed) }),
    }),
  };
}

/** All mutations of resources that only the graph writes. Pricing units are never deleted. */
export const graphWrites: readonly GraphWrite[] = Object.keys(GRAPH_SAMPLES).flatMap((type) => [
  graphWriteOf(type, 'create'),
  graphWriteOf(type, 'update'),
  ...(type === 'PricingUnit' ? [] : [graphWriteOf(type, 'destroy')]),
]);

/** Routes so that what an example names is still there: what goes is asked last, resources after what belongs to them. */
export function inExampleOrder(all: readonly Route[]): Route[] {
  const rankOf = ({ operation }: Route) =>
    sampledBy(operation)?.verb === 'destroy' ? 2 : Number(/^destroy(?!.*Privilege$)/.test(operation));
  return [...all].sort((one, other) => rankOf(one) - rankOf(other));
}
