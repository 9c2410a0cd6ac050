import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { creditNoteRows } from '../../prisma/seed/credit-note-row.ts';
import type { CustomerRow, InvoiceRow, Row, Section, WalletRow } from '../../prisma/seed/document.ts';
import { invoiceRows } from '../../prisma/seed/invoice-row.ts';
import { replay } from '../../prisma/seed/replay.ts';

const file = new URL('../../prisma/demo.json', import.meta.url);
const { organizations } = JSON.parse(readFileSync(file, 'utf8')) as { organizations: Section[] };

const withDefaults = (section: Section): Section => ({
  ...section,
  pricing_units: section.pricing_units ?? [],
  add_ons: section.add_ons ?? [],
  wallets: section.wallets ?? [],
  credit_notes: section.credit_notes ?? [],
});

/** What the rules compute from the document alone: usage, plans, coupons, wallets and the customer's changes. */
function again(section: Section, customer: CustomerRow) {
  const life = replay(section, customer);
  return { life, invoices: invoiceRows(section, customer, life), notes: creditNoteRows(customer, life) };
}

// What happened to an invoice after it was computed: payments and the end of it.
const LATER = new Set(['status', 'payment_status']);
const computed = (row: InvoiceRow) =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(row).filter(([member]) => !LATER.has(member)))));

describe.each(organizations.map(withDefaults))('every invoice of $organization.name is computed again', (section) => {
  it.each(section.customers)('$external_id, to the cent', (customer) => {
    const isOwn = (row: Row | InvoiceRow | WalletRow) => row.external_customer_id === customer.external_id;
    const { life, invoices, notes } = again(section, customer);
    const stored = section.invoices.filter(isOwn);
    expect(stored.map(({ svc_id }) => svc_id).sort()).toEqual(invoices.map(({ svc_id }) => svc_id).sort());
    const rows = new Map(stored.map((row) => [row.svc_id, row]));
    for (const invoice of invoices) expect(rows.get(invoice.svc_id), invoice.number).toMatchObject(computed(invoice));
    for (const invoice of invoices) {
      expect(rows.get(invoice.svc_id)?.fees.map((fee) => fee.amount_cents)).toEqual(
        invoice.fees.map((fee) => fee.amount_cents),
      );
    }
    expect(section.credit_notes.filter(isOwn)).toEqual(JSON.parse(JSON.stringify(notes)));
    for (const wallet of section.wallets.filter(isOwn)) {
      expect(String(wallet.balance_cents)).toBe(
        String(life.state.wallets.find(({ id }) => id === wallet.svc_id)?.balanceCents),
      );
    }
  });

  it('and other usage makes another invoice', () => {
    const event = section.events.find(({ code }) => code === 'api_calls');
    const subscription = section.subscriptions.find(
      ({ external_id }) => external_id === event?.external_subscription_id,
    );
    const customer = section.customers.find(({ external_id }) => external_id === subscription?.external_customer_id);
    if (!event || !customer) throw new Error('no usage in the demo');
    const more = { ...event, properties: { ...event.properties, count: 9_000_000 } };
    const changed = { ...section, events: section.events.map((row) => (row === event ? more : row)) };
    const sum = (from: Section) =>
      again(from, customer).invoices.reduce((total, row) => total + Number(row.fees_amount_cents), 0);
    expect(sum(changed)).toBeGreaterThan(sum(section));
  });
});
