import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import type { InvoiceResult } from '../../../src/billing/invoice/issued-invoice.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import type { BillingTime } from '../../../src/billing/period/terms.ts';
import type { MadeInvoice } from '../../../src/billing/subscription/change.ts';
import { advance, newTimeline } from '../../../src/billing/timeline/timeline.ts';
import type { TimelineResult, TimelineState, TimelineStep } from '../../../src/billing/timeline/timeline-type.ts';
import { formatInstant } from '../../instant.ts';
import { agrees, matchSet, plain } from './scenario-compare.ts';
import { totalsView } from './scenario-compute.ts';
import {
  couponInputs,
  creditNoteInputs,
  customerInput,
  entityInput,
  fixedChargeInput,
  moment,
  planInput,
  walletInputs,
} from './scenario-input.ts';
import type { Amount, FixedChargeJson, PlanJson, ScenarioJson, SetupJson } from './scenario-type.ts';

interface StepJson {
  at: string;
  do: Exclude<TimelineStep['do'], 'issue_due'> | 'bill';
  subscription?: string;
  external_id?: string;
  plan?: string;
  billing_time?: BillingTime;
  subscription_at?: string;
  ending_at?: string | null;
  metric?: string;
  properties?: Record<string, unknown>;
  received_at?: string;
  new_subscription?: string;
  on_termination_invoice?: 'generate' | 'skip';
  on_termination_credit_note?: 'credit' | 'refund' | 'offset' | 'skip';
  changes?: { fixed_charge: string; units: Amount; add?: FixedChargeJson }[];
  apply_units_immediately?: boolean;
}

interface ExpectedStep {
  step: number;
  new_invoices?: number;
  invoice?: Record<string, unknown>;
  fees?: Record<string, unknown>[];
  fees_include_only_listed_types?: string[];
  boundaries?: Record<string, unknown> & { subscription?: string };
  credit_note?: (Record<string, unknown> & { balance_after?: unknown }) | null;
  wallets_after?: Record<string, unknown>;
  fees_total_of_usage?: unknown[];
  true_up?: Record<string, unknown>;
}

/** Runs the steps and compares what is known after each of them. */
export function evaluateTimeline(scenario: ScenarioJson) {
  const steps = scenario.action.steps as StepJson[];
  const results = run(scenario.setup, steps);
  const expected = scenario.expected.steps as ExpectedStep[];
  const compared = expected.map((step) => compareStep(step, results, results[step.step - 1]));
  return {
    actual: compared.map(({ actual }) => actual),
    agree: compared.every(({ agree }) => agree),
  };
}

function run(setup: SetupJson, steps: readonly StepJson[]): TimelineResult[] {
  const plans = (setup.plans ?? [setup.plan as PlanJson]).map((plan) => planInput(plan, setup.taxes));
  let state = newTimeline({
    customer: customerInput(setup),
    billingEntity: entityInput(setup.billing_entity, setup.taxes),
    plans,
    coupons: couponInputs(setup.coupons),
    creditNotes: creditNoteInputs(setup.credit_notes),
    wallets: walletInputs(setup.wallets),
  });
  return steps.map((json) => {
    const result = advance(withAddedCharges(state, json, setup), stepOf(json, state));
    state = result.state;
    return result;
  });
}

function stepOf(json: StepJson, state: TimelineState): TimelineStep {
  const at = moment(json.at);
  const subscriptionId = json.subscription ?? '';
  switch (json.do) {
    case 'subscribe':
      return {
        at,
        do: 'subscribe',
        subscriptionId,
        externalId: json.external_id ?? subscriptionId,
        planCode: json.plan ?? '',
        billingTime: json.billing_time ?? 'calendar',
        subscriptionAt: json.subscription_at ? moment(json.subscription_at) : undefined,
        endingAt: json.ending_at ? moment(json.ending_at) : null,
        onTerminationCreditNote: json.on_termination_credit_note,
      };
    case 'event': {
      const { externalId } = state.subscriptions.find(({ id }) => id === subscriptionId) ?? {
        externalId: subscriptionId,
      };
      const createdAt = json.received_at ? moment(json.received_at) : undefined;
      const event = { timestamp: at, createdAt, properties: json.properties ?? {} };
      return { at: createdAt ?? at, do: 'event', externalId, metricCode: json.metric ?? '', event };
    }
    case 'terminate':
      return {
        at,
        do: 'terminate',
        subscriptionId,
        invoice: json.on_termination_invoice,
        creditNote: json.on_termination_credit_note,
      };
    case 'change_plan':
      return {
        at,
        do: 'change_plan',
        subscriptionId,
        newSubscriptionId: json.new_subscription ?? '',
        planCode: json.plan ?? '',
        billingTime: json.billing_time,
      };
    case 'change_fixed_charge_units': {
      const changes = (json.changes ?? []).map((change) => ({
        fixedChargeId: change.fixed_charge,
        units: dec(change.units),
      }));
      return { at, do: json.do, subscriptionId, changes, immediately: json.apply_units_immediately ?? false };
    }
    case 'pay':
    case 'pay_fee':
    case 'refresh_draft':
    case 'settle_activation':
    case 'retry_invoice':
    case 'edit_fee':
    case 'void_invoice':
    case 'regenerate_invoice':
    case 'settle_waiting':
    case 'one_off':
      throw new Error(`no case has ${json.do}`);
    case 'bill':
      return { at, do: 'issue_due' };
    default:
      return { at, do: json.do };
  }
}

/** A change may add a fixed charge to the plan: then its units start with the change. */
function withAddedCharges(state: TimelineState, json: StepJson, setup: SetupJson): TimelineState {
  const added = (json.changes ?? []).flatMap(({ add }) => (add ? [fixedChargeInput(add, setup.taxes)] : []));
  if (added.length === 0) return state;
  const subscriptions = state.subscriptions.map((subscription) => {
    if (subscription.id !== json.subscription) return subscription;
    const plan = { ...subscription.plan, fixedCharges: [...subscription.plan.fixedCharges, ...added] };
    const unitEvents = { ...subscription.unitEvents, ...Object.fromEntries(added.map(({ id }) => [id, []])) };
    return { ...subscription, plan, unitEvents };
  });
  return { ...state, subscriptions };
}

function compareStep(expected: ExpectedStep, results: readonly TimelineResult[], result: TimelineResult | undefined) {
  if (!result) return { actual: undefined, agree: false };
  // A finalized draft is the invoice a step is about; otherwise the last one that was made, in this step or before.
  const made = results.slice(0, expected.step).flatMap(({ invoices }) => invoices);
  const invoice = result.invoices.at(-1) ?? made.at(-1);
  const actual = stepView(expected, result, invoice);
  const { fees, fees_include_only_listed_types: types, ...rest } = expected;
  const sameFees = fees === undefined || agreeFees(fees, feeViews(invoice?.fees ?? []), types);
  return { actual, agree: sameFees && agrees(rest, { ...actual, step: expected.step }) };
}

/** Every expected fee is one real fee on the members listed, and none of the compared types is left over. */
export function agreeFees(
  expected: readonly Record<string, unknown>[],
  actual: readonly Record<string, unknown>[],
  types?: readonly string[],
): boolean {
  const compared = types ? actual.filter((fee) => types.includes(String(fee.type))) : actual;
  return matchSet(expected, compared)?.length === 0;
}

function stepView(expected: ExpectedStep, result: TimelineResult, invoice: MadeInvoice | undefined) {
  const note = result.creditNotes.at(-1) ?? null;
  const after = note && result.state.madeNotes.find(({ id }) => id === note.id);
  const balance = result.state.creditNotes.find(({ id }) => id === note?.id)?.balanceCents;
  const usage = (invoice?.fees ?? []).filter((fee) => fee.type === 'charge');
  const trueUp = usage.find((fee) => fee.trueUpParentKey !== null);
  return plain({
    new_invoices: result.invoices.length,
    invoice: invoice && invoiceView(invoice),
    fees: feeViews(invoice?.fees ?? []),
    fees_include_only_listed_types: expected.fees_include_only_listed_types,
    boundaries: invoice && boundariesView(invoice, expected.boundaries?.subscription),
    credit_note: after && {
      status: after.status,
      sub_total_excluding_taxes_amount_cents: after.subTotalExcludingTaxesAmountCents,
      taxes_amount_cents: after.taxesAmountCents,
      total_amount_cents: after.totalAmountCents,
      credit_amount_cents: after.creditAmountCents,
      refund_amount_cents: after.refundAmountCents,
      offset_amount_cents: after.offsetAmountCents,
      balance_after: balance,
    },
    wallets_after: Object.fromEntries(result.state.wallets.map((wallet) => [wallet.code, wallet.balanceCents])),
    fees_total_of_usage: usage
      .filter((fee) => fee !== trueUp)
      .map((fee) => fee.amountCents)
      .sort((a, b) => Number(a - b)),
    true_up: trueUp && feeView(trueUp),
  }) as Record<string, unknown>;
}

export function invoiceView(invoice: InvoiceResult) {
  return {
    ...totalsView(invoice),
    status: invoice.status,
    invoice_type: invoice.type,
    currency: invoice.currency,
    billing_entity_code: invoice.billingEntityCode,
    issuing_date: invoice.issuingDate,
    payment_due_date: invoice.paymentDueDate,
    expected_finalization_date: invoice.expectedFinalizationDate,
    payment_status: invoice.paymentStatus,
  };
}

function boundariesView(invoice: InvoiceResult, subscription: string | undefined) {
  const period =
    invoice.billingPeriods.find((candidate) => candidate.subscriptionId === subscription) ?? invoice.billingPeriods[0];
  const text = (at: number | null | undefined) => (at == null ? null : formatInstant(at));
  return {
    subscription: period?.subscriptionId,
    from_datetime: text(period?.from),
    to_datetime: text(period?.to),
    charges_from_datetime: text(period?.chargesFrom),
    charges_to_datetime: text(period?.chargesTo),
    fixed_charges_from_datetime: text(period?.fixedChargesFrom),
    fixed_charges_to_datetime: text(period?.fixedChargesTo),
  };
}

export function feeViews(fees: readonly InvoiceFee[]): Record<string, unknown>[] {
  return fees.map((fee) => plain(feeView(fee)) as Record<string, unknown>);
}

function feeView(fee: InvoiceFee) {
  return {
    type: fee.type,
    subscription: fee.subscriptionId,
    metric: fee.metricId,
    fixed: fee.fixedChargeId,
    charge: fee.chargeId,
    true_up: fee.trueUpParentKey !== null,
    units: fee.units,
    amount_cents: fee.amountCents,
    precise_amount_cents: fee.preciseAmountCents,
    unit_amount_cents: fee.unitAmountCents,
    taxes_amount_cents: fee.taxesAmountCents,
    taxes_rate: fee.taxesRate,
    precise_coupons_amount_cents: fee.preciseCouponsAmountCents,
    from_date: fee.period && formatInstant(fee.period.from),
    to_date: fee.period && formatInstant(fee.period.to),
  };
}
