import type { LifecycleStep } from './lifecycle-type.ts';
import type { Json } from './vector-type.ts';

const ENTITY = [
  ...['timezone', 'document_numbering', 'document_number_prefix', 'net_payment_term', 'invoice_grace_period'],
  'eu_tax_management',
];
const CUSTOMER = [
  ...['external_id', 'name', 'currency', 'timezone', 'net_payment_term', 'tax_codes', 'account_type', 'email'],
  ...['country', 'city', 'zipcode', 'address_line1', 'state', 'finalize_zero_amount_invoice', 'billing_configuration'],
  'tax_identification_number',
];
const SUBSCRIPTION = ['external_customer_id', 'external_id', 'plan_code', 'billing_time'];
const EVENT = ['transaction_id', 'external_subscription_id', 'code', 'timestamp', 'properties'];
const NAMED = ['name', 'code', 'description', 'invoice_display_name'];

const THRESHOLD = ['amount_cents', 'recurring', 'threshold_display_name'];
const PRICE = [...NAMED, 'charge_model', 'properties', 'pay_in_advance', 'prorated', 'tax_codes'];
/** Members of parts of a plan. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  charges: [
    ...[...PRICE, 'billable_metric_id', 'billable_metric_code', 'filters', 'min_amount_cents', 'invoiceable'],
    ...['regroup_paid_fees', 'accepts_target_wallet', 'applied_pricing_unit'],
  ],
  fixed_charges: [...PRICE, 'add_on_code', 'units'],
  usage_thresholds: THRESHOLD,
  minimum_commitment: ['amount_cents', 'invoice_display_name', 'tax_codes'],
};

/** The verbs that the timeline has, and the members of their bodies that it takes. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  create_tax: [...NAMED, 'rate', 'applied_to_organization'],
  create_add_on: [...NAMED, 'amount_cents', 'amount_currency'],
  create_pricing_unit: [...NAMED, 'short_name'],
  create_billable_metric: [
    ...[...NAMED, 'aggregation_type', 'recurring', 'field_name', 'filters', 'weighted_interval'],
    ...['rounding_function', 'rounding_precision'],
  ],
  create_plan: [
    ...[...NAMED, 'interval', 'amount_cents', 'amount_currency', 'pay_in_advance', 'trial_period', 'tax_codes'],
    ...['bill_charges_monthly', 'bill_fixed_charges_monthly', ...Object.keys(PARTS)],
  ],
  // What another amount does to changes of plan that wait is no rule of the timeline.
  update_plan: [...NAMED, 'usage_thresholds'],
  create_customer: CUSTOMER,
  update_customer: CUSTOMER,
  update_organization: ENTITY,
  create_subscription: [
    ...SUBSCRIPTION,
    ...['name', 'subscription_at', 'ending_at', 'on_termination_credit_note', 'on_termination_invoice'],
  ],
  change_plan: [...SUBSCRIPTION, 'name'],
  terminate_subscription: ['status', 'on_termination_credit_note', 'on_termination_invoice'],
  set_units: ['units', 'apply_units_immediately'],
  send_event: [...EVENT, 'precise_total_amount_cents'],
  send_events: ['events'],
  create_coupon: [
    ...[...NAMED, 'coupon_type', 'amount_cents', 'amount_currency', 'percentage_rate', 'expiration', 'frequency'],
    ...['frequency_duration', 'reusable', 'applies_to'],
  ],
  apply_coupon: [
    ...['external_customer_id', 'coupon_code', 'amount_cents', 'amount_currency', 'percentage_rate'],
    ...['frequency', 'frequency_duration'],
  ],
  update_invoice: ['payment_status'],
  record_payment: ['invoice_id', 'amount_cents', 'reference'],
  update_fee: ['payment_status'],
  refresh_invoice: [],
  finalize_invoice: [],
  stub_vies: ['outcome'],
  bill: [],
  run_clock: ['tasks'],
  check: [],
};

const CONFIGURATION = ['invoice_grace_period'];
const TASKS: readonly unknown[] = [
  ...['update_usage', 'finalize_drafts', 'refresh_drafts'],
  ...['activate_pending_subscriptions', 'terminate_ended_subscriptions'],
];

/** The verb of a step that the timeline does not have, with what of it; null where it has all of it. */
export function missingVerb(step: LifecycleStep): string | null {
  const taken = VERBS[step.do];
  if (taken === undefined) return step.do;
  if (step.expect?.error !== undefined) return `${step.do} that fails`;
  const body = step.with ?? {};
  const member = Object.keys(body).find((name) => !taken.includes(name));
  const part = member ?? strangePart(step.do, body);
  return part === undefined ? null : `${step.do} with ${part}`;
}

function strangePart(verb: string, body: Json): string | undefined {
  if (verb === 'run_clock') return ((body.tasks ?? []) as string[]).find((task) => !TASKS.includes(task));
  if (verb === 'update_invoice' || verb === 'update_fee') {
    return body.payment_status === 'succeeded' ? undefined : String(body.payment_status);
  }
  if (verb === 'create_plan') return strangeMember(body);
  const configuration = Object.keys((body.billing_configuration ?? {}) as Json);
  return configuration.find((name) => !CONFIGURATION.includes(name));
}

function strangeMember(plan: Json): string | undefined {
  const parts = Object.entries(PARTS).flatMap(([part, taken]) => {
    const listed = [plan[part] ?? []].flat() as Json[];
    return listed.flatMap(Object.keys).filter((name) => !taken.includes(name));
  });
  return parts[0];
}
