import { readFileSync } from 'node:fs';
import type { CustomerRow, Section, SubscriptionRow, WalletRow } from '../../../prisma/seed/document.ts';
import { fillCustomer } from '../../../prisma/seed/fill.ts';
import { type Instant, localDate, startOfDay } from '../../../src/billing/period/calendar.ts';

const file = new URL('../../../prisma/demo.json', import.meta.url);

const EMPTY = {
  invoice_custom_sections: [],
  coupons: [],
  add_ons: [],
  pricing_units: [],
  wallets: [],
  applied_coupons: [],
  credit_notes: [],
  payments: [],
  payment_methods: [],
};

/** The organizations of the demo; lists that the document leaves out are empty. */
export const demoSections = (): Section[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as { organizations: Section[] }).organizations.map((section) => ({
    ...EMPTY,
    ...section,
  }));

/** Lists of a section that belong to its customers, and those that all of them share. */
export const OWN = [
  ...(['customers', 'payment_methods', 'subscriptions', 'applied_coupons', 'wallets'] as const),
  ...(['invoices', 'credit_notes', 'payments', 'events'] as const),
];
export const CATALOGUE = [
  ...(['taxes', 'invoice_custom_sections', 'billing_entities', 'billable_metrics', 'add_ons'] as const),
  ...(['pricing_units', 'plans', 'coupons'] as const),
];

export function zoneIn(section: Section, customer: CustomerRow): string {
  const entity = section.billing_entities.find(({ code }) => code === customer.billing_entity_code);
  return customer.timezone ?? entity?.timezone ?? 'UTC';
}

/** When the local day of a moment begins: a preview sees what was before it. */
export const dayOf = (at: string, zone: string): Instant => startOfDay(localDate(Date.parse(at), zone), zone);

/** The members of a row that tell what happened before a moment. */
function without<T extends object>(row: T, members: Record<string, unknown>, until: Instant): T {
  const later = (at: unknown) => typeof at === 'string' && Date.parse(at) >= until;
  const gone = Object.keys(members).filter((member) => members[member] === true || later(members[member]));
  return Object.fromEntries(Object.entries(row).filter(([member]) => !gone.includes(member))) as T;
}

function subscriptionsAt(rows: readonly SubscriptionRow[], until: Instant): SubscriptionRow[] {
  return rows.map((row) => ({
    ...without(row, { started_at: true, next_plan_code: true, terminated_at: row.terminated_at }, until),
    fixed_charge_units_events: (row.fixed_charge_units_events ?? []).filter(
      ({ created_at }) => Date.parse(created_at) < until,
    ),
  }));
}

function walletsAt(rows: readonly WalletRow[], until: Instant): WalletRow[] {
  return rows.map((row) => ({
    ...without(row, { terminated_at: row.terminated_at }, until),
    ...(row.status === 'terminated' && Date.parse(String(row.terminated_at)) >= until ? { status: 'active' } : {}),
    wallet_transactions: row.wallet_transactions.filter(({ created_at }) => Date.parse(created_at) < until),
  }));
}

/**
 * What the demo's document was just before a moment, of one customer: what had not happened yet is left out, and everything that
 * is computed is computed again up to there, by the code that writes the demo.
 */
export function sectionAt(section: Section, customer: CustomerRow, until: Instant): Section {
  const isKnown = ({ created_at }: { created_at?: unknown }) => Date.parse(String(created_at)) < until;
  const own = <T extends object>(rows: readonly T[]) =>
    rows.filter((row) => {
      const { external_customer_id, created_at } = row as Record<string, unknown>;
      return external_customer_id === customer.external_id && isKnown({ created_at });
    });
  const subscriptions = own(section.subscriptions);
  const externalIds = new Set(subscriptions.map(({ external_id }) => external_id));
  const invoices = own(section.invoices).map((row) => without(row, { voided_at: row.voided_at }, until));
  const invoiceIds = new Set(invoices.map(({ svc_id }) => svc_id));
  const past: Section = {
    ...section,
    customers: [customer],
    payment_methods: own(section.payment_methods),
    subscriptions: subscriptionsAt(subscriptions, until),
    applied_coupons: own(section.applied_coupons).map((row) => without(row, { terminated_at: true }, until)),
    wallets: walletsAt(own(section.wallets), until),
    invoices,
    fees: [],
    credit_notes: [],
    payment_requests: [],
    payments: section.payments.filter((row) => isKnown(row) && invoiceIds.has(row.svc_invoice_id)),
    events: section.events.filter((row) => isKnown(row) && externalIds.has(row.external_subscription_id)),
  };
  fillCustomer(past, customer, until);
  return past;
}
