import { routes } from '../../../src/rest/index.ts';
import type { LifecycleStep } from '../../billing/vectors/lifecycle-type.ts';
import type { Json } from '../../billing/vectors/vector-type.ts';

/** A verb as an operation of the API. */
export interface Verb {
  /** Method and path as the route table has them; of an operation of the graph, a name for it. */
  readonly route: string;
  /** An operation that REST does not have: documents of which the first counts that is not refused, and its variables from a step's body. */
  readonly graph?: { readonly documents: readonly string[]; readonly variables: (body: Json) => Json };
  /** The outer key of the body; none where it has no body, or no key. */
  readonly root?: string;
  /** What is called by the step's name: the member of the answered object. */
  readonly key?: 'code' | 'external_id' | 'svc_id';
  /** Members that the step says of the organization's default, which the body does not have. */
  readonly isWhole?: boolean;
  /** Whether the step's body is the query. */
  readonly asQuery?: boolean;
}

const SUBSCRIPTION = '/subscriptions/{external_id}';
const CHARGE = '/charges/{charge_code}';
const FIXED_CHARGE = '/fixed_charges/{fixed_charge_code}';

/** What is made, changed and removed by code, in the paths of a resource. */
const ofResource = (name: string, path: string): Record<string, Verb> => ({
  [`create_${name}`]: { route: `POST ${path}`, root: name, key: 'code' },
  [`update_${name}`]: { route: `PUT ${path}/{code}`, root: name, key: 'code' },
  [`get_${name}`]: { route: `GET ${path}/{code}`, key: 'code' },
  [`delete_${name}`]: { route: `DELETE ${path}/{code}` },
});

/** Filters of a charge: of a plan or of a subscription. */
const ofFilters = (name: string, owner: string): Record<string, Verb> => ({
  [`create_${name}`]: { route: `POST ${owner}${CHARGE}/filters`, root: 'filter', key: 'svc_id' },
  [`update_${name}`]: { route: `PUT ${owner}${CHARGE}/filters/{filter_id}`, root: 'filter', key: 'svc_id' },
  [`delete_${name}`]: { route: `DELETE ${owner}${CHARGE}/filters/{filter_id}`, root: 'filter' },
});

const SUBSCRIBE: Verb = { route: 'POST /subscriptions', root: 'subscription', key: 'svc_id' };
const UPSERT: Verb = { route: 'POST /customers', root: 'customer', key: 'external_id' };

/** What is changed of a fee by hand. Numbers are decimal texts to the graph. */
function adjustment(fee: Json): Json {
  const named = Object.entries(fee).map(([name, value]) => [ADJUSTED[name] ?? name, value]);
  return Object.fromEntries(named.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]));
}

const ADJUSTED: Readonly<Record<string, string>> = {
  ...{ id: 'svcFeeId', fee_id: 'svcFeeId', subscription_id: 'svcSubscriptionId', charge_id: 'svcChargeId' },
  ...{ charge_filter_id: 'svcChargeFilterId', fixed_charge_id: 'svcFixedChargeId' },
  ...{ invoice_display_name: 'invoiceDisplayName', unit_precise_amount: 'preciseUnitAmount' },
  // In units of the currency, whatever it is called.
  unit_amount_cents: 'preciseUnitAmount',
};

const listed = ({ fees }: Json): Json => (fees === undefined ? {} : { fees: (fees as Json[]).map(adjustment) });

export const VERBS: Readonly<Record<string, Verb>> = {
  ...ofResource('tax', '/taxes'),
  ...ofResource('add_on', '/add_ons'),
  ...ofResource('billable_metric', '/billable_metrics'),
  ...ofResource('plan', '/plans'),
  ...ofResource('coupon', '/coupons'),
  ...ofResource('billing_entity', '/billing_entities'),
  create_charge: { route: 'POST /plans/{code}/charges', root: 'charge', key: 'code' },
  update_charge: { route: `PUT /plans/{code}${CHARGE}`, root: 'charge', key: 'code' },
  delete_charge: { route: `DELETE /plans/{code}${CHARGE}`, root: 'charge' },
  ...ofFilters('charge_filter', '/plans/{code}'),
  create_fixed_charge: { route: 'POST /plans/{code}/fixed_charges', root: 'fixed_charge', key: 'code' },
  update_fixed_charge: { route: `PUT /plans/{code}${FIXED_CHARGE}`, root: 'fixed_charge', key: 'code' },
  create_customer: UPSERT,
  update_customer: UPSERT,
  get_customer: { route: 'GET /customers/{external_customer_id}', key: 'external_id' },
  delete_customer: { route: 'DELETE /customers/{external_customer_id}' },
  update_organization: { route: 'PUT /organizations', root: 'organization' },
  create_subscription: SUBSCRIBE,
  change_plan: SUBSCRIBE,
  update_subscription: { route: `PUT ${SUBSCRIPTION}`, root: 'subscription', key: 'svc_id' },
  terminate_subscription: { route: `DELETE ${SUBSCRIPTION}`, asQuery: true, key: 'svc_id' },
  set_units: { route: `PUT ${SUBSCRIPTION}${FIXED_CHARGE}`, root: 'fixed_charge' },
  update_subscription_charge: { route: `PUT ${SUBSCRIPTION}${CHARGE}`, root: 'charge', key: 'code' },
  ...ofFilters('subscription_charge_filter', SUBSCRIPTION),
  send_event: { route: 'POST /events', root: 'event' },
  send_events: { route: 'POST /events/batch' },
  estimate_event: { route: 'POST /events/estimate_fees', root: 'event' },
  apply_coupon: { route: 'POST /applied_coupons', root: 'applied_coupon', key: 'svc_id' },
  create_wallet: { route: 'POST /wallets', root: 'wallet', key: 'svc_id' },
  terminate_wallet: { route: 'DELETE /wallets/{svc_id}', key: 'svc_id' },
  top_up_wallet: { route: 'POST /wallet_transactions', root: 'wallet_transaction', key: 'svc_id' },
  void_wallet_credits: { route: 'POST /wallet_transactions', root: 'wallet_transaction', key: 'svc_id' },
  create_wallet_alert: {
    ...{ route: 'POST /customers/{external_customer_id}/wallets/{wallet_code}/alerts', root: 'alert', key: 'svc_id' },
  },
  create_subscription_alert: { route: `POST ${SUBSCRIPTION}/alerts`, root: 'alert', key: 'svc_id' },
  create_one_off_invoice: { route: 'POST /invoices', root: 'invoice', key: 'svc_id' },
  update_invoice: { route: 'PUT /invoices/{svc_id}', root: 'invoice', key: 'svc_id' },
  refresh_invoice: { route: 'PUT /invoices/{svc_id}/refresh', key: 'svc_id' },
  finalize_invoice: { route: 'PUT /invoices/{svc_id}/finalize', key: 'svc_id' },
  void_invoice: { route: 'POST /invoices/{svc_id}/void', key: 'svc_id' },
  retry_payment: { route: 'POST /invoices/{svc_id}/retry_payment', key: 'svc_id' },
  record_payment: { route: 'POST /payments', root: 'payment', key: 'svc_id' },
  update_fee: { route: 'PUT /fees/{svc_id}', root: 'fee', key: 'svc_id' },
  adjust_fee: {
    route: 'GRAPH createAdjustedFee',
    graph: {
      documents: [
        `mutation ($svcId: UUID!, $input: AdjustedFeeInput!) {
          fee: createAdjustedFee(svcId: $svcId, input: $input) { svc_id: svcId }
        }`,
      ],
      variables: (body) => ({ input: adjustment(body) }),
    },
  },
  regenerate_invoice: {
    ...{ route: 'GRAPH regenerateInvoice', key: 'svc_id' },
    graph: {
      documents: [
        `mutation ($svcId: UUID!, $fees: [AdjustedFeeInput!]) {
          invoice: regenerateInvoice(svcId: $svcId, fees: $fees) { svc_id: svcId }
        }`,
      ],
      variables: listed,
    },
  },
  // Of an invoice that is final, what would stand for it once it is voided.
  regeneration_preview: {
    route: 'GRAPH regenerateInvoice',
    graph: {
      documents: ['', 'voidInvoice(svcId: $svcId, dryRun: true) { svcId }'].map(
        (before) => `mutation ($svcId: UUID!, $fees: [AdjustedFeeInput!]) {
          ${before}
          invoice: regenerateInvoice(svcId: $svcId, fees: $fees, dryRun: true) {
            taxes_rate: taxesRate taxes_amount_cents: taxesAmountCents
            invoice_type: invoiceType status issuing_date: issuingDate
            fees_amount_cents: feesAmountCents coupons_amount_cents: couponsAmountCents total_amount_cents: totalAmountCents
            applied_taxes: appliedTaxes { tax_code: taxCode tax_rate: taxRate amount_cents: amountCents }
            fees: allFees {
              amount_cents: amountCents units precise_unit_amount: preciseUnitAmount item { type code name }
              taxes_rate: taxesRate taxes_amount_cents: taxesAmountCents
              applied_taxes: appliedTaxes { tax_code: taxCode tax_rate: taxRate amount_cents: amountCents }
            }
          }
        }`,
      ),
      variables: listed,
    },
  },
  create_pricing_unit: {
    ...{ route: 'GRAPH createPricingUnit', key: 'code' },
    graph: {
      documents: [
        `mutation ($input: CreatePricingUnitInput!) {
          pricing_unit: createPricingUnit(input: $input) { svc_id: svcId code }
        }`,
      ],
      variables: ({ short_name: shortName, ...unit }) => ({ input: { ...unit, shortName } }),
    },
  },
  create_credit_note: { route: 'POST /credit_notes', root: 'credit_note', key: 'svc_id' },
  estimate_credit_note: { route: 'POST /credit_notes/estimate', root: 'credit_note' },
  create_dunning_campaign: { route: 'POST /dunning_campaigns', root: 'dunning_campaign', key: 'code' },
};

/** Verbs of the clock: what is due happens by itself as it moves on. */
const CLOCK: readonly string[] = ['bill', 'run_clock', 'check'];
/** Operations that do the same at any time. */
const TIMELESS =
  /^(create|update|get)_(tax|add_on|billable_metric|plan|coupon|organization|billing_entity|charge|charge_filter)$|^create_(customer|pricing_unit)$|^refresh_invoice$|^stub_/;
/** Tasks that the clock does. */
const TASKS: readonly string[] = [
  ...['update_usage', 'finalize_drafts', 'refresh_drafts', 'mark_overdue'],
  ...['activate_pending_subscriptions', 'terminate_ended_subscriptions', 'expire_incomplete_subscriptions'],
  'retry_vies_checks',
];
/** After so long the register is asked again that did not answer. */
const ASKED_AGAIN = 5 * 60_000;

const known = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
const plainPath = (path: string) => path.replace(/\{[^}]*\}/g, '{}');
const byShape = new Map([...known].map(([name, route]) => [plainPath(name), route]));

/** The route of a verb, whatever its parameters are called there. */
export const routeOf = ({ route }: Verb) => byShape.get(plainPath(route));

/** Whether there is a list of such things. */
export const hasList = (kind: string) => known.has(`GET /${kind}`);

/** The verb of a step that the API does not have; null where it has it. */
export function missingOperation({ do: verb, with: body = {} }: LifecycleStep): string | null {
  if (verb === 'run_clock') {
    const task = ((body.tasks ?? []) as string[]).find((one) => !TASKS.includes(one));
    return task === undefined ? null : `run_clock with ${task}`;
  }
  if (CLOCK.includes(verb) || verb === 'stub_vies') return null;
  const found = VERBS[verb];
  return found && (found.graph || routeOf(found)) ? null : verb;
}

export const isRun = (verb: string) => CLOCK.includes(verb);

/** How long a run takes at least, so that what it is for is due in it. */
export function durationOf({ with: body = {} }: LifecycleStep): number {
  return ((body.tasks ?? []) as string[]).includes('retry_vies_checks') ? ASKED_AGAIN : 1000;
}

export const isTimeless = (verb: string) => TIMELESS.test(verb);

/** What is answered without its outer key: `{"plan": {...}}`; lists as they are. */
export function bare(body: Json): Json {
  const members = Object.values(body);
  const [only] = members;
  return members.length === 1 && typeof only === 'object' && only !== null && !Array.isArray(only)
    ? (only as Json)
    : body;
}
