import { expect } from 'vitest';
import type { CustomerRow, InvoiceRow, Section } from '../../../prisma/seed/document.ts';
import { extendedInvoice } from '../../../src/rest/fragments.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { parseJson } from '../../../src/store/transfer/value/json.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { amountsShown, beforeWallets, comparable, invoiceOfPlan } from './demo-invoice.ts';
import { CATALOGUE, dayOf, demoSections, OWN, sectionAt, zoneIn } from './demo-past.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Answer = any;

/** A periodic invoice of the demo, and the beginning of the day on which it was made. */
interface Billing {
  readonly section: Section;
  readonly customer: CustomerRow;
  readonly row: InvoiceRow;
  readonly until: number;
}

export const isPeriodic = ({ billing_periods: periods }: InvoiceRow) =>
  (periods ?? []).some(({ invoicing_reason: reason }) => reason === 'subscription_periodic');

/** In how many parts the customers of an organization are previewed, each by a file of tests: one would take minutes. */
export const PARTS = 3;

/** The periodic invoices of every third customer, from that one on. */
export function billingsOf(section: Section, part: number): Billing[] {
  const own = section.customers.filter((_, at) => at % PARTS === part);
  const customers = new Map(own.map((customer) => [customer.external_id, customer]));
  return section.invoices.filter(isPeriodic).flatMap((row) => {
    const customer = customers.get(row.external_customer_id);
    return customer ? [{ section, customer, row, until: dayOf(row.created_at, zoneIn(section, customer)) }] : [];
  });
}

/** The gateway over a database of its own, and the moment it takes for now. */
interface Past {
  readonly test: TestApp;
  now: Date;
  /** Rows by list and identifier as they were last imported: what is the same needs no import. */
  readonly stored: Map<string, string>;
}

const store = ({ test, now }: Past, document: unknown) =>
  importDocument(test.db, parseJson(JSON.stringify(document)), { now });

/** Brings the database to what was known of some customers just before a moment. Returns their documents. */
async function rewindTo(past: Past, billings: readonly Billing[], until: number): Promise<Section[]> {
  const pasts = billings.map(({ section, customer }) => sectionAt(section, customer, until));
  const changed = OWN.map((list) => {
    const rows = pasts.flatMap((section) => section[list] as { svc_id?: string; transaction_id?: string }[]);
    const fresh = rows.filter((row) => {
      const id = `${list} ${row.svc_id ?? row.transaction_id}`;
      const before = past.stored.get(id);
      const gone = before ? Object.keys(JSON.parse(before)).filter((member) => !(member in row)) : [];
      // An import leaves what is absent as it is.
      if (gone.length > 0) throw new Error(`${id} loses ${gone}`);
      past.stored.set(id, JSON.stringify(row));
      return before !== past.stored.get(id);
    });
    return [list, fresh];
  });
  await store(past, { organization: billings[0]?.section.organization, ...Object.fromEntries(changed) });
  return pasts;
}

/** The preview of the subscriptions of an invoice, through REST. */
async function preview({ test }: Past, { section, customer, row }: Billing, key: string): Promise<Answer> {
  const ids = (row.billing_periods ?? []).map(({ svc_subscription_id: id }) => id);
  const rows = section.subscriptions.filter(({ svc_id }) => ids.includes(svc_id));
  const subscriptions = { external_ids: rows.map(({ external_id }) => external_id) };
  const body = { customer: { external_id: customer.external_id }, subscriptions };
  const answer = await test.rest('POST', '/invoices/preview', body, { key });
  expect(answer.status, `${row.number} ${answer.text.slice(0, 200)}`).toBe(200);
  return answer.body.invoice;
}

const isAmount = (member: string, text: string) => member.endsWith('_cents') && /^-?\d+$/.test(text);

/** The graph writes amounts and percentages as strings, REST as numbers. */
const asRest = (invoice: Answer): Answer =>
  JSON.parse(JSON.stringify(invoice), (member, value) =>
    typeof value === 'string' && (isAmount(member, value) || /tax(es)?_rate$/.test(member)) ? Number(value) : value,
  );

/** Every invoice of an organization that the API shows, as REST shows it. */
async function issued({ test }: Past, key: string): Promise<Map<string, Answer>> {
  const query = `query ($after: String) { invoices(first: 100, after: $after) {
    pageInfo { hasNextPage endCursor } nodes { ...ExtendedInvoice } } } ${extendedInvoice}`;
  const all = new Map<string, Answer>();
  for (let after: string | null = null; ; ) {
    const { data, errors } = await test.graphql(query, { after }, key);
    expect(errors).toBeUndefined();
    for (const invoice of data.invoices.nodes) all.set(invoice.svc_id, asRest(invoice));
    if (!data.invoices.pageInfo.hasNextPage) return all;
    after = data.invoices.pageInfo.endCursor;
  }
}

/** Whether credits came into a wallet between the day of a draft and the day it became final. */
const isToppedUp = ({ section, customer, row, until }: Billing) =>
  section.wallets
    .filter((wallet) => wallet.external_customer_id === customer.external_id)
    .flatMap(({ wallet_transactions }) => wallet_transactions)
    .some(({ transaction_type: type, settled_at: at }) => {
      const settled = Date.parse(String(at));
      return type === 'inbound' && until <= settled && settled < Date.parse(String(row.finalized_at ?? row.created_at));
    });

interface Shown extends Billing {
  readonly shown: Answer;
  readonly ofPlan: Answer;
}

/** Only a yearly plan of which parts are billed by the month is previewed to another day than the one that is billed. */
const isSplit = ({ section, row }: Billing) => {
  const [period] = row.billing_periods ?? [];
  const subscription = section.subscriptions.find(({ svc_id: id }) => id === period?.svc_subscription_id);
  const plan = section.plans.find(({ code }) => code === subscription?.plan_code);
  return plan?.bill_charges_monthly === true || plan?.bill_fixed_charges_monthly === true;
};

async function showAll(past: Past, billings: readonly Billing[], key: string): Promise<Shown[]> {
  const all: Shown[] = [];
  const moments = [...new Set(billings.map(({ until }) => until))].sort((one, other) => one - other);
  for (const [rank, until] of moments.entries()) {
    past.now = new Date(until - 1);
    // The embedded server gathers no statistics by itself, and without them it plans for empty tables.
    if (rank % 40 === 10) await past.test.db.prisma.$executeRaw`ANALYZE`;
    const due = billings.filter((billing) => billing.until === until);
    const sections = await rewindTo(past, due, until);
    for (const [index, billing] of due.entries()) {
      const section = sections[index];
      const ofPlan = section && isSplit(billing) ? invoiceOfPlan(section, billing.customer, billing.row, until) : null;
      all.push({ ...billing, shown: await preview(past, billing, key), ofPlan });
    }
  }
  return all;
}

/** Compares one preview with its invoice, by the rule that is named. */
function compare({ shown, ofPlan, ...billing }: Shown, invoice: Answer): string {
  const { number, status } = billing.row;
  // A preview takes the period of the plan: of a yearly plan with monthly parts it shows the next yearly invoice (invoicing 17.3).
  if (ofPlan) {
    expect(amountsShown(shown), number).toEqual(amountsShown(ofPlan));
    return 'yearly';
  }
  // An invoice of nothing that the customer does not want is closed: the API shows it nowhere.
  if (status === 'closed') {
    expect(invoice).toBeUndefined();
    expect(amountsShown(shown), number).toEqual(amountsShown(billing.row));
    return 'closed';
  }
  // A draft is paid from wallets as they are on the day it becomes final (invoicing 14).
  if (isToppedUp(billing)) {
    expect(beforeWallets(shown), number).toEqual(beforeWallets(invoice));
    return 'topped up';
  }
  expect(comparable(shown), number).toEqual(comparable(invoice));
  return 'same';
}

/**
 * Previews every periodic invoice of a part of the customers, in the state just before it was made, through REST, and compares it
 * with the invoice. Returns how many agreed by which rule.
 */
export async function comparePart(name: string, part: number): Promise<Record<string, number>> {
  const section = demoSections().find(({ organization }) => organization.name === name);
  if (!section) throw new Error(`the demo has no ${name}`);
  let past: Past | undefined;
  // The fragment of the REST API is more than clients may ask for in one operation.
  const protection = { limits: { aliases: 1000, cost: 1e9 } };
  const test = await createTestApp({ now: () => past?.now ?? new Date(), protection });
  past = { test, now: new Date('2024-10-01T00:00:00Z'), stored: new Map() };
  try {
    const catalogue = CATALOGUE.map((list) => [list, section[list]]);
    await store(past, { organization: section.organization, ...Object.fromEntries(catalogue) });
    const key = await test.makeKey({ organizationId: section.organization.svc_id });
    const shown = await showAll(past, billingsOf(section, part), key);
    past.now = new Date('2026-11-27T12:00:00Z');
    await store(past, section);
    const invoices = await issued(past, key);
    const counts: Record<string, number> = {};
    for (const one of shown) {
      const rule = compare(one, invoices.get(one.row.svc_id));
      counts[rule] = (counts[rule] ?? 0) + 1;
    }
    return counts;
  } finally {
    await test.close();
  }
}
