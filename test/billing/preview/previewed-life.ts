import type { InvoiceResult } from '../../../src/billing/invoice/issued-invoice.ts';
import { Decimal } from '../../../src/billing/money/decimal.ts';
import { formatDate, type Instant, localDate, parseDate, startOfDay } from '../../../src/billing/period/calendar.ts';
import { previewInvoice } from '../../../src/billing/preview/preview.ts';
import type { Preview, PreviewRequest } from '../../../src/billing/preview/preview-type.ts';
import { nextInvoiceAt } from '../../../src/billing/preview/selection.ts';
import { zoneOf } from '../../../src/billing/subscription/billed-subscription.ts';
import { accountOf } from '../../../src/billing/timeline/account.ts';
import { advance } from '../../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../../src/billing/timeline/timeline-type.ts';

type Subscription = TimelineState['subscriptions'][number];
type Named = NonNullable<PreviewRequest['subscriptions']>;

/** A question of a preview about a life, and the step that really does what it asks about. */
interface Question {
  readonly kind: string;
  readonly named: readonly Subscription[];
  readonly asks: Omit<Named, 'externalIds'>;
  readonly steps: readonly TimelineStep[];
}

export interface Answer {
  readonly kind: string;
  readonly preview: Preview;
  readonly invoice: InvoiceResult | null;
}

const zoneIn = ({ customer, billingEntity }: TimelineState) => zoneOf(customer, billingEntity);
const running = ({ subscriptions }: TimelineState) => subscriptions.filter(({ status }) => status === 'active');

/** The first moment of the day on which the running period is billed: the biller works then. */
function runAt(subscription: Subscription, zone: string, now: Instant): Instant {
  return startOfDay(localDate(nextInvoiceAt(subscription, zone, now), zone), zone);
}

/** The next invoice of all subscriptions whose periods end on one day. */
function nextRuns(state: TimelineState, now: Instant): Question[] {
  const zone = zoneIn(state);
  const days = new Map<Instant, Subscription[]>();
  for (const one of running(state)) {
    const at = runAt(one, zone, now);
    days.set(at, [...(days.get(at) ?? []), one]);
  }
  return [...days].map(([at, named]) => ({
    ...{ kind: 'projection', named, asks: {} },
    steps: [{ at, do: 'issue_due' }],
  }));
}

function ends(state: TimelineState, now: Instant, later: number): Question[] {
  const at = now + later;
  return running(state).map((one) => ({
    ...{ kind: 'termination', named: [one], asks: { terminatedAt: new Date(at).toISOString() } },
    steps: [{ at, do: 'terminate', subscriptionId: one.id }],
  }));
}

function changes(state: TimelineState, now: Instant, pick: number): Question[] {
  const zone = zoneIn(state);
  return running(state).flatMap((one, index) => {
    const plan = state.plans[(pick + index) % state.plans.length];
    if (!plan || plan.code === one.plan.code) return [];
    const change = { do: 'change_plan', subscriptionId: one.id, newSubscriptionId: 'new-subscription' } as const;
    return {
      ...{ kind: 'plan_change', named: [one], asks: { planCode: plan.code } },
      steps: [
        { at: now, ...change, planCode: plan.code },
        { at: runAt(one, zone, now), do: 'issue_due' },
      ],
    };
  });
}

/** The life as if the customer had no other subscription that runs or waits: what is not named is not previewed. */
function alone(state: TimelineState, named: readonly Subscription[]): TimelineState {
  const ids = new Set(named.map(({ id }) => id));
  const isMeant = ({ id, status, previousId }: Subscription) =>
    (status !== 'active' && status !== 'pending') || ids.has(id) || (status === 'pending' && ids.has(previousId ?? ''));
  return { ...state, subscriptions: state.subscriptions.filter(isMeant) };
}

function answer(life: TimelineState, now: Instant, { kind, named, asks, steps }: Question): Answer {
  const state = alone(life, named);
  const externalIds = named.map(({ externalId }) => externalId);
  const preview = previewInvoice(
    { subscriptions: { externalIds, ...asks } },
    accountOf(state),
    { plans: state.plans },
    now,
  );
  let after = state;
  for (const step of steps) {
    const done = advance(after, step);
    after = done.state;
    const [invoice] = done.invoices;
    if (!invoice) continue;
    // A preview shows what a draft comes to when its days of grace are over.
    const isDraft = invoice.status === 'draft';
    const at = startOfDay(parseDate(invoice.expectedFinalizationDate), invoice.zone);
    const final = isDraft ? advance(after, { at, do: 'finalize_drafts', invoiceId: invoice.id }).state : after;
    return { kind, preview, invoice: final.invoices.find(({ id }) => id === invoice.id) ?? null };
  }
  return { kind, preview, invoice: null };
}

/** Everything that can be previewed of a life at a moment, beside the invoice that is made when it happens. */
export function* answers(state: TimelineState, now: Instant, pick: number): Generator<Answer> {
  for (const question of nextRuns(state, now)) yield answer(state, now, question);
  // A note for unused days can be used when the invoice that it is on is final.
  const settled = advance(state, { at: now, do: 'finalize_drafts' }).state;
  const later = [...ends(settled, now, 1000 + pick * 7_777_000), ...changes(settled, now, pick)];
  for (const question of later) yield answer(settled, now, question);
}

// Fees are named by what they are made for: a subscription that a preview makes up has another name.
const MADE = /^key$|Key$/;

function plain(value: unknown): unknown {
  if (value instanceof Decimal) return value.toFixed();
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !MADE.test(name) && inner !== undefined)
      .map(([name, inner]) => [name, plain(inner)]),
  );
}

const SHARE = /^preciseCreditNotesAmountCents$/;

/** Fees but what notes paid of each: of several notes the order decides which fee has the last digit. */
export const withoutShares = (fees: unknown): unknown =>
  JSON.parse(JSON.stringify(fees, (name, value) => (SHARE.test(name) ? undefined : value)));

/**
 * All figures and days of an invoice but identifiers of what is made with it. `notes` are the credit notes that pay: a preview takes the one of an end
 * first, an invoice the oldest.
 */
export function shown(invoice: InvoiceResult) {
  const { zone, coupons, wallets } = invoice;
  const day = (at: Instant | null) => (at === null ? null : formatDate(localDate(at, zone)));
  const isNote = ({ type }: InvoiceResult['credits'][number]) => type === 'credit_note';
  return {
    totals: plain({
      ...{ fees: invoice.feesAmountCents, progressive: invoice.progressiveBillingCreditAmountCents },
      ...{ coupons: invoice.couponsAmountCents, net: invoice.subTotalExcludingTaxesAmountCents },
      ...{ taxes: invoice.taxesAmountCents, rate: invoice.taxesRate, gross: invoice.subTotalIncludingTaxesAmountCents },
      ...{ notes: invoice.creditNotesAmountCents, prepaid: invoice.prepaidCreditAmountCents },
      ...{ granted: invoice.prepaidGrantedCreditAmountCents, purchased: invoice.prepaidPurchasedCreditAmountCents },
      ...{ total: invoice.totalAmountCents },
    }),
    document: [
      ...[invoice.type, invoice.currency, zone, invoice.billingEntityCode, invoice.selfBilled, day(invoice.billedAt)],
      ...[invoice.issuingDate, invoice.expectedFinalizationDate, invoice.paymentDueDate, invoice.netPaymentTerm],
    ],
    periods: invoice.billingPeriods.map(({ billedAt, ...period }) => ({ ...period, billedOn: day(billedAt) })),
    fees: plain(invoice.fees),
    taxes: plain(invoice.appliedTaxes),
    credits: plain(invoice.credits.filter((credit) => !isNote(credit))),
    notes: plain(invoice.credits.filter(isNote)),
    wallets: plain(invoice.walletUses),
    after: plain({ coupons, wallets, excess: invoice.excessCredits.map(({ amountCents }) => amountCents) }),
  };
}
