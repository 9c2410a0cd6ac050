import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { type FeeRow, type InvoiceRow, type PaymentRow, type Section, timeText } from './document.ts';
import { HORIZON } from './moments.ts';
import { type Person, traitOf } from './people.ts';
import { idOf, Random } from './random.ts';
import { ENTITY_TOPICS, sectionIn } from './section.ts';

const TODAY = timeText(HORIZON).slice(0, 10);

/** Older invoices carry no notes: they would say the same. */
const ANNOTATED_FROM = '2026-08-01';

const isDue = (row: InvoiceRow) => row.status === 'finalized' && row.total_amount_cents > 0;

function payment(invoice: InvoiceRow, at: number, status: PaymentRow['status']): PaymentRow {
  const created_at = timeText(at);
  const byHand = invoice.currency === 'JPY';
  return {
    svc_id: idOf('payment', invoice.svc_id, status),
    svc_invoice_id: invoice.svc_id,
    amount_cents: invoice.total_amount_cents,
    status,
    payment_type: byHand ? 'manual' : 'provider',
    ...(byHand
      ? { reference: `transfer ${invoice.number}` }
      : { provider_payment_id: `pi_${invoice.svc_id.slice(0, 12)}` }),
    created_at,
    updated_at: created_at,
  };
}

/** How a customer pays: in time, late with the last two open, or with a card that has begun to fail. */
function paymentsOf(person: Person, invoices: readonly InvoiceRow[]): PaymentRow[] {
  const random = new Random(`payments ${person.id}`);
  const due = invoices.filter(isDue);
  return due.flatMap((invoice, index): PaymentRow[] => {
    const made = Date.parse(String(invoice.finalized_at ?? invoice.created_at));
    const at = made + random.whole(0, 12) * DAY_MS + random.whole(1, 80_000) * 1000;
    const fromEnd = due.length - index;
    if (person.traits.has('failing') && fromEnd <= 2) return [payment(invoice, made + 3_600_000, 'failed')];
    if (person.traits.has('late'))
      return fromEnd <= 2 || at + 40 * DAY_MS > HORIZON ? [] : [payment(invoice, at + 40 * DAY_MS, 'succeeded')];
    if (at >= HORIZON)
      return fromEnd === 1
        ? [payment(invoice, made + 60_000, 'processing')].filter((row) => Date.parse(row.created_at) < HORIZON)
        : [];
    return [payment(invoice, at, 'succeeded')];
  });
}

const ownInvoices = (section: Section, person: Person) =>
  section.invoices.filter((row) => row.external_customer_id === `cus_${person.id}`);

/** What people did about the invoices of the first run: payments, and one invoice that was voided. */
export function addPayments(section: Section, people: readonly Person[]): void {
  section.payments = people.flatMap((person) => {
    const own = ownInvoices(section, person);
    const voided =
      person.traits.has('one_off') && person.plan === 'growth'
        ? own.find((row) => row.invoice_type === 'one_off')
        : undefined;
    if (voided) voided.voided_at = timeText(Date.parse(voided.created_at) + 3 * DAY_MS);
    return paymentsOf(
      person,
      own.filter((row) => row !== voided),
    );
  });
}

function feeOutcome(row: FeeRow, invoice: InvoiceRow, at: string | undefined, refunded: ReadonlySet<string>): void {
  if (refunded.has(row.svc_id)) Object.assign(row, { payment_status: 'refunded', succeeded_at: at, refunded_at: at });
  else if (invoice.payment_status === 'succeeded')
    Object.assign(row, { payment_status: 'succeeded', succeeded_at: at });
  else if (invoice.payment_status === 'failed') Object.assign(row, { payment_status: 'failed', failed_at: at });
}

/** State of payment of invoices and their fees, as the payments say. */
export function settle(section: Section): void {
  const last = new Map(section.payments.map((row) => [row.svc_invoice_id, row]));
  const refunds = section.credit_notes.filter(({ refund_amount_cents }) => Number(refund_amount_cents) > 0);
  const refunded = new Set(
    refunds.flatMap(({ items }) => (items as { svc_fee_id: string }[]).map(({ svc_fee_id }) => svc_fee_id)),
  );
  for (const invoice of section.invoices) {
    const paid = last.get(invoice.svc_id);
    if (paid?.status === 'failed') invoice.payment_status = 'failed';
    invoice.payment_overdue =
      isDue(invoice) && invoice.payment_status !== 'succeeded' && invoice.payment_due_date < TODAY;
    invoice.updated_at = paid?.created_at ?? invoice.finalized_at ?? invoice.created_at;
    if (invoice.voided_at) {
      invoice.status = 'voided';
      invoice.updated_at = invoice.voided_at;
    }
    if (invoice.status === 'finalized')
      for (const fee of invoice.fees) feeOutcome(fee, invoice, String(invoice.updated_at), refunded);
  }
}

function request(section: Section, person: Person, invoices: readonly InvoiceRow[], status: string, at: string): void {
  const [first] = invoices;
  if (!first) return;
  const svc_id = idOf('payment_request', person.id, status, at);
  const amount = invoices.reduce((sum, row) => sum + row.total_amount_cents, 0);
  section.payment_requests.push({
    svc_id,
    external_customer_id: `cus_${person.id}`,
    email: section.customers.find(({ external_id }) => external_id === `cus_${person.id}`)?.email,
    amount_cents: amount,
    amount_currency: first.currency,
    payment_status: status,
    svc_invoice_ids: invoices.map((row) => row.svc_id),
    created_at: at,
    updated_at: at,
  });
}

/** Requests to pay: open for those who are late, failed for failing cards, and paid ones of the past. */
export function addRequests(section: Section, people: readonly Person[]): void {
  for (const person of people) {
    const own = ownInvoices(section, person);
    const overdue = own.filter((row) => row.payment_overdue === true);
    if (person.traits.has('late')) request(section, person, overdue, 'pending', '2026-11-24T08:00:00Z');
    if (person.traits.has('failing')) request(section, person, overdue, 'failed', '2026-11-20T08:00:00Z');
    const before = person.traits.has('late')
      ? own.filter((row) => row.payment_status === 'succeeded' && isDue(row)).slice(0, 1)
      : [];
    request(section, person, before, 'succeeded', String(before[0]?.updated_at));
  }
}

const ERRORS: Readonly<Record<string, Record<string, string>>> = {
  failed: { tax_error: 'customerAddressCouldNotResolve' },
  pending: { tax_error: 'taxServiceUnavailable' },
};

/** What is printed or noted on some invoices besides amounts. */
export function annotate(section: Section, people: readonly Person[]): void {
  for (const row of section.invoices) {
    const details = ERRORS[row.status];
    if (details)
      row.error_details = [
        { svc_id: idOf('error', row.svc_id), error_code: 'tax_error', details, created_at: row.created_at },
      ];
  }
  const exempt = people.filter((person) => traitOf(person, 'tax')?.[0] === 'zero');
  const late = people.filter(({ traits }) => traits.has('late'));
  const own = ENTITY_TOPICS.map(([code, topic]) => [late.filter(({ entity }) => entity === code), topic] as const);
  for (const [payers, topic] of [[exempt, 'export_note'] as const, ...own]) {
    for (const person of payers) annotateOwn(section, person, topic);
  }
}

function annotateOwn(section: Section, person: Person, topic: string): void {
  const printed = sectionIn(topic, person.locale);
  for (const invoice of ownInvoices(section, person)) {
    if (invoice.status !== 'finalized' || !printed || invoice.created_at < ANNOTATED_FROM) continue;
    const { code, display_name, details } = printed;
    invoice.applied_invoice_custom_sections = [{ code, display_name, details, created_at: invoice.created_at }];
    invoice.metadata = [
      { key: 'purchase_order', value: `PO-${String(invoice.number).slice(-7)}`, created_at: invoice.created_at },
    ];
  }
}
