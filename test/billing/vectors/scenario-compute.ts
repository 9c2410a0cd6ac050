import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { chooseTaxes } from '../../../src/billing/fee/tax-source.ts';
import { applyCoupons } from '../../../src/billing/invoice/coupon.ts';
import { applyCreditNotes } from '../../../src/billing/invoice/credit-note-use.ts';
import { invoiceDates } from '../../../src/billing/invoice/date.ts';
import type { DraftInvoice } from '../../../src/billing/invoice/draft-invoice.ts';
import { finalStatus } from '../../../src/billing/invoice/final-status.ts';
import { computeInvoice } from '../../../src/billing/invoice/invoice.ts';
import { draftNumber, invoiceNumber } from '../../../src/billing/invoice/numbering.ts';
import type { PastInvoice } from '../../../src/billing/invoice/past-invoice.ts';
import { applyProgressiveCredit } from '../../../src/billing/invoice/progressive-billing.ts';
import { applyTaxes } from '../../../src/billing/invoice/tax.ts';
import { applyWallets } from '../../../src/billing/invoice/wallet.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { addDays, formatDate, localDate, startOfDay } from '../../../src/billing/period/calendar.ts';
import { planChange } from '../../../src/billing/period/proration.ts';
import type { PeriodTerms } from '../../../src/billing/period/terms.ts';
import { trialEnd } from '../../../src/billing/period/trial.ts';
import { committedCents, missingCents } from '../../../src/billing/subscription/commitment.ts';
import { planFeeCents, wholeDays } from '../../../src/billing/subscription/plan-fee.ts';
import {
  cents,
  couponInputs,
  creditNoteInputs,
  customerInput,
  entityInput,
  feeInput,
  moment,
  planInput,
  subscriptionInput,
  taxesBy,
  walletInputs,
} from './scenario-input.ts';
import type { Amount, PlanJson, ProgressiveJson, ScenarioJson, SetupJson, SubscriptionJson } from './scenario-type.ts';

type Compute = (scenario: ScenarioJson) => unknown;

/** What each kind of computation gives on the rules, in the member names of the file. */
export const COMPUTE: Readonly<Record<string, Compute>> = {
  fee_taxes: ({ setup }) => ({ fees: taxed(setup).fees.map(feeView) }),
  totals: ({ setup }) => invoiceView(taxed(setup)),
  advance_charges_totals: ({ setup }) => invoiceView(computeInvoice({ ...whole(setup), kind: 'collected' })),
  full_invoice: ({ setup }) => invoiceView(computeInvoice({ ...whole(setup), kind: 'final' })),
  apply_coupons: ({ setup }) => couponsView(applyCoupons({ ...draftOf(setup), coupons: couponInputs(setup.coupons) })),
  apply_credit_notes: ({ setup }) => {
    const draft = { ...draftOf(setup), creditNotes: creditNoteInputs(setup.credit_notes) };
    const invoice = applyCreditNotes(draft);
    const after = invoice.creditNotes.map((note) => note.balanceCents);
    return { credits: invoice.credits.map((line) => line.amountCents), credit_notes_after: after };
  },
  allocate_wallets: ({ setup }) => walletsView(setup),
  granted_purchased: ({ setup }) => walletsView(setup),
  progressive_credit: ({ setup }) => progressiveView(setup),
  final_status: ({ setup, action }) => ({
    status: finalStatus(
      cents(action.fees_amount_cents as Amount),
      customerInput(setup),
      entityInput(setup.billing_entity, setup.taxes),
    ),
  }),
  invoice_dates: datesOf,
  numbering: numbersOf,
  subscription_fee: subscriptionFeeOf,
  commitment_amount: ({ setup, action }) => {
    const { terms, plan } = subscriptionOf(setup);
    const [from, to] = [moment(action.from_datetime as string), moment(action.to_datetime as string)];
    const period = { from, to, zone: terms.zone, durationDays: wholeDays(terms, from) };
    return { commitment_amount_cents: committedCents(plan.commitment?.amountCents ?? 0n, period) };
  },
  commitment_preview_fee: commitmentFeeOf,
};

function draftOf(setup: SetupJson): DraftInvoice {
  const empty = computeInvoice({ currency: setup.invoice_currency ?? 'EUR', fees: [], kind: 'plain' });
  const fees = (setup.fees ?? []).map((fee, index) => feeInput(fee, index, chosenTaxes(setup, index)));
  const feesAmountCents = fees.reduce((total, fee) => total + fee.amountCents, 0n);
  const shares = fees.reduce((total, fee) => total.plus(fee.preciseCouponsAmountCents), dec(0));
  const couponsAmountCents = cents(setup.coupons_amount_cents);
  const net = setup.invoice_sub_total_cents ?? dec(feesAmountCents).minus(shares).toFixed(0);
  return {
    ...empty,
    fees,
    feesAmountCents,
    couponsAmountCents,
    subTotalExcludingTaxesAmountCents: cents(net),
    totalAmountCents: cents(setup.invoice_total_cents),
  };
}

function chosenTaxes(setup: SetupJson, index: number) {
  const fee = setup.fees?.[index];
  const plan = setup.plan ?? setup.plans?.[0];
  return chooseTaxes({
    explicit: taxesBy(setup.taxes, fee?.explicit_tax_codes),
    own: taxesBy(setup.taxes, fee?.own_tax_codes),
    plan: fee?.type === 'add_on' ? [] : taxesBy(setup.taxes, plan?.tax_codes),
    customer: customerInput(setup).taxes,
    billingEntity: entityInput(setup.billing_entity, setup.taxes).taxes,
  });
}

function taxed(setup: SetupJson): DraftInvoice {
  return applyTaxes(draftOf(setup));
}

function whole(setup: SetupJson) {
  return {
    currency: setup.invoice_currency ?? 'EUR',
    fees: draftOf(setup).fees,
    progressive: progressiveInputs(setup),
    coupons: couponInputs(setup.coupons),
    creditNotes: creditNoteInputs(setup.credit_notes),
    wallets: walletInputs(setup.wallets),
  };
}

function feeView(fee: InvoiceFee) {
  return {
    amount_cents: fee.amountCents,
    taxes_amount_cents: fee.taxesAmountCents,
    taxes_rate: fee.taxesRate,
    precise_coupons_amount_cents: fee.preciseCouponsAmountCents,
    applied: fee.appliedTaxes.map((line) => ({ code: line.code, amount_cents: line.amountCents })),
  };
}

/** The totals of an invoice in the member names of the file. */
export function totalsView(invoice: DraftInvoice) {
  return {
    fees_amount_cents: invoice.feesAmountCents,
    progressive_billing_credit_amount_cents: invoice.progressiveBillingCreditAmountCents,
    coupons_amount_cents: invoice.couponsAmountCents,
    sub_total_excluding_taxes_amount_cents: invoice.subTotalExcludingTaxesAmountCents,
    taxes_amount_cents: invoice.taxesAmountCents,
    taxes_rate: invoice.taxesRate,
    sub_total_including_taxes_amount_cents: invoice.subTotalIncludingTaxesAmountCents,
    credit_notes_amount_cents: invoice.creditNotesAmountCents,
    prepaid_credit_amount_cents: invoice.prepaidCreditAmountCents,
    prepaid_granted_credit_amount_cents: invoice.prepaidGrantedCreditAmountCents,
    prepaid_purchased_credit_amount_cents: invoice.prepaidPurchasedCreditAmountCents,
    total_amount_cents: invoice.totalAmountCents,
  };
}

function invoiceView(invoice: DraftInvoice) {
  const applied = invoice.appliedTaxes.map((line) => ({
    code: line.code,
    amount_cents: line.amountCents,
    fees_amount_cents: line.feesAmountCents,
    taxable_base_amount_cents: line.feesAmountCents,
  }));
  return { ...totalsView(invoice), fees: invoice.fees.map(feeView), applied_taxes: applied };
}

function couponsView(invoice: DraftInvoice) {
  return {
    coupons_amount_cents: invoice.couponsAmountCents,
    sub_total_excluding_taxes_amount_cents: invoice.subTotalExcludingTaxesAmountCents,
    credits_count: invoice.credits.length,
    credit_currency: invoice.credits[0]?.currency,
    fees: invoice.fees.map(feeView),
    coupons_after: invoice.coupons.map((coupon) => ({
      status: coupon.status,
      frequency_duration_remaining: coupon.periodsRemaining,
    })),
  };
}

function walletsView(setup: SetupJson) {
  const invoice = applyWallets({ ...draftOf(setup), wallets: walletInputs(setup.wallets) });
  const used = invoice.walletUses.map((use) => [use.walletId, use.amountCents]);
  const inbound = invoice.wallets.map((wallet) => [wallet.code, wallet.inbound.map((credit) => credit.remainingCents)]);
  return {
    ...totalsView(invoice),
    by_wallet: Object.fromEntries(used),
    inbound_after: Object.fromEntries(inbound),
    balances_after: Object.fromEntries(invoice.wallets.map((wallet) => [wallet.code, wallet.balanceCents])),
  };
}

/** A case has one subscription, which its progressive invoices do not name. */
function progressiveInputs({ fees = [], progressive_invoices = [] }: SetupJson): PastInvoice[] {
  const subscription = fees[0]?.subscription ?? null;
  return progressive_invoices.map((json, index) => progressiveInput(json, index, subscription));
}

function progressiveInput(json: ProgressiveJson, index: number, subscription: string | null): PastInvoice {
  const fees = json.fees.map((fee, at) => feeInput({ type: 'charge', subscription, ...fee }, at, []));
  return {
    id: `progressive-${index}`,
    number: `progressive-${index}`,
    type: 'progressive_billing',
    status: 'finalized',
    billedAt: index,
    issuingDate: '2024-01-01',
    zone: 'UTC',
    billingPeriods: [],
    fees,
    feesAmountCents: cents(json.fees_amount_cents),
    couponsAmountCents: cents(json.coupons_amount_cents),
    ...{ currency: 'EUR', taxesAmountCents: 0n, subTotalExcludingTaxesAmountCents: 0n },
    subTotalIncludingTaxesAmountCents: 0n,
    totalPaidAmountCents: 0n,
    alreadyCreditedCents: cents(json.already_credited_cents),
    creditNotesMadeCents: cents(json.credit_notes_cents),
  };
}

function progressiveView(setup: SetupJson) {
  // Of several the latest is credited: it holds the usage of those before it.
  const latest = progressiveInputs(setup).slice(-1);
  const invoice = applyProgressiveCredit(draftOf(setup), latest);
  return {
    ...totalsView(invoice),
    credits: invoice.credits.map((line) => line.amountCents),
    credit_note_for_excess_cents: invoice.excessCredits[0]?.amountCents,
    fees: invoice.fees.map(feeView),
  };
}

function datesOf({ setup, action }: ScenarioJson) {
  const customer = customerInput(setup);
  const entity = entityInput(setup.billing_entity, setup.taxes);
  const dated = {
    at: moment(action.datetime as string),
    zone: customer.timezone ?? entity.timezone ?? 'UTC',
    subscription: action.invoice_type === 'subscription' && action.charge_in_advance !== true,
    periodic: action.invoicing_reason === 'subscription_periodic',
  };
  const dates = invoiceDates(dated, customer, entity);
  return {
    issuing_date: formatDate(dates.issuingDate),
    payment_due_date: formatDate(dates.paymentDueDate),
    expected_finalization_date: formatDate(dates.expectedFinalizationDate),
    net_payment_term: dates.netPaymentTerm,
  };
}

interface NumberedJson {
  customer: number;
  billing_entity: string;
  draft?: string;
}
interface NumberingStepJson {
  at: string;
  finalize?: NumberedJson[];
  finalize_drafts?: string[];
  before?: Record<string, string>;
}

function numbersOf({ setup, action }: ScenarioJson) {
  const entities = new Map((setup.billing_entities as SetupJson['billing_entity'][]).map((json) => [json?.code, json]));
  const customers = setup.customers as { id: number; sequential_id: number; partner?: boolean }[];
  const ranks = new Map<string, number>();
  const drafts = new Map<string, NumberedJson>();
  const next = (key: string) => ranks.set(key, (ranks.get(key) ?? 0) + 1).get(key) ?? 0;
  const finalize = (json: NumberedJson, at: string) => {
    const customer = customers.find(({ id }) => id === json.customer);
    const selfBilled = customer?.partner === true;
    const rank = {
      customerSequentialId: customer?.sequential_id ?? 0,
      forCustomer: next(`${json.billing_entity} ${json.customer}`),
      forEntity: selfBilled ? 0 : next(json.billing_entity),
      selfBilled,
    };
    return invoiceNumber(entityInput(entities.get(json.billing_entity), []), rank, moment(at));
  };
  const numbers = (action.steps as NumberingStepJson[]).flatMap((step) => {
    const { before } = step;
    const entity = entities.get(before?.billing_entity);
    if (entity) entities.set(entity.code, { ...entity, ...before });
    const made = (step.finalize ?? []).map((json) => {
      if (!json.draft) return finalize(json, step.at);
      drafts.set(json.draft, json);
      return draftNumber(entityInput(entities.get(json.billing_entity), []));
    });
    const ended = (step.finalize_drafts ?? []).flatMap((id) => {
      const json = drafts.get(id);
      return json ? [finalize(json, step.at)] : [];
    });
    return [...made, ...ended];
  });
  return { numbers };
}

/** The plan and subscription of a case, and the terms of its periods with the successor it states. */
export function subscriptionOf(setup: SetupJson) {
  const plan = planInput(setup.plan ?? ((setup.plans as PlanJson[])[0] as PlanJson), setup.taxes);
  const json = (setup.subscription ?? setup.subscriptions?.[0]) as SubscriptionJson;
  const subscription = subscriptionInput(json, plan);
  const customer = customerInput(setup);
  const next = typeof json.next === 'object' && json.next !== null ? json.next : null;
  const terms: PeriodTerms = {
    interval: plan.interval,
    billingTime: subscription.billingTime,
    subscriptionAt: subscription.subscriptionAt,
    zone: customer.timezone ?? 'UTC',
    payInAdvance: plan.payInAdvance,
    billChargesMonthly: plan.billChargesMonthly,
    billFixedChargesMonthly: plan.billFixedChargesMonthly,
    amountCents: plan.amountCents,
    startedAt: subscription.startedAt ?? subscription.subscriptionAt,
    terminatedAt: subscription.status === 'terminated' ? subscription.terminatedAt : null,
    successor: next ? planChange(plan, { interval: next.interval, amountCents: cents(next.amount_cents) }) : 'none',
    lastInvoice: null,
  };
  return { plan, subscription, terms, json };
}

function subscriptionFeeOf({ setup, action }: ScenarioJson) {
  const { plan, subscription, terms, json } = subscriptionOf(setup);
  const [from, to] = [moment(action.from_datetime as string), moment(action.to_datetime as string)];
  const previous = typeof json.previous === 'object' ? json.previous : null;
  const firstStart = previous?.started_at ? moment(previous.started_at) : terms.startedAt;
  // The file says that it ended, and with `to` when.
  const terminatedAt = subscription.status === 'terminated' ? (terms.terminatedAt ?? to) : null;
  const exact = planFeeCents({
    terms: { ...terms, terminatedAt },
    at: moment(action.timestamp as string),
    from,
    to,
    createdAt: subscription.createdAt,
    trialEndsAt: trialEnd(firstStart, plan.trialDays, terms.zone),
    hasPredecessor: previous !== null,
    startedByUpgrade: previous?.upgraded ?? false,
    billedBefore: action.billed_before === true,
    previousPeriodFrom: startOfDay(addDays(localDate(from, terms.zone), -wholeDays(terms, from)), terms.zone),
  });
  return { amount_cents: exact.toDecimalPlaces(0), precise_amount_cents: exact };
}

interface PreviousJson {
  from_datetime: string;
  to_datetime: string;
}

function commitmentFeeOf({ setup, action }: ScenarioJson) {
  const { plan, terms } = subscriptionOf(setup);
  const previous = action.previous as PreviousJson | null | undefined;
  const settled = plan.payInAdvance ? previous : (action as unknown as PreviousJson);
  if (!settled) return { fee: null };
  const from = moment(settled.from_datetime);
  const to = Math.min(moment(settled.to_datetime), terms.terminatedAt ?? Number.POSITIVE_INFINITY);
  const period = { from, to, zone: terms.zone, durationDays: wholeDays(terms, from) };
  const covered = cents(action.preview_fees_amount_cents as Amount) + cents(action.past_fees_amount_cents as Amount);
  const amount = missingCents(plan.commitment?.amountCents ?? 0n, period, covered);
  const dates = { from_date: formatDate(localDate(from, terms.zone)), to_date: formatDate(localDate(to, terms.zone)) };
  return { fee: amount > 0n ? { type: 'commitment', units: 1, amount_cents: amount, ...dates } : null };
}
