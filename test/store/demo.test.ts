import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstOrganization } from '../../prisma/seed/organization.ts';
import { secondOrganization } from '../../prisma/seed/second.ts';
import { documentText } from '../../prisma/seed/text.ts';
import type { Database } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { parseJson } from '../../src/store/transfer/value/json.ts';
import { openTestDatabase } from '../support.ts';

const text = readFileSync(new URL('../../prisma/demo.json', import.meta.url), 'utf8');

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  await importDocument(db, parseJson(text), { now: new Date('2026-11-27T12:00:00Z') });
});
afterAll(() => db?.close());

const rows = (sql: string) => db.prisma.$queryRawUnsafe<Record<string, unknown>[]>(sql);
const distinct = async (column: string, table: string) =>
  (await rows(`SELECT DISTINCT ${column}::text AS value FROM ${table} WHERE ${column} IS NOT NULL ORDER BY 1`)).map(
    ({ value }) => value,
  );

it('is what the seed writes, byte for byte', () => {
  expect(documentText([firstOrganization(), secondOrganization()]) === text).toBe(true);
});

it('a second import changes nothing', async () => {
  const again = await importDocument(db, parseJson(text), { now: new Date('2026-11-28T12:00:00Z') });
  expect([again.created, again.updated]).toEqual([{}, {}]);
});

it('tells the server how many rows there are, which plans by it', async () => {
  const [fees] = await rows(`SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'fees'`);
  expect(fees?.rows).toBe(await db.prisma.fee.count());
});

describe('its amounts agree', () => {
  it.each([
    [
      'fees add up to the invoice',
      `SELECT i.number FROM invoices i WHERE i.fees_amount_cents <>
         (SELECT coalesce(sum(f.amount_cents), 0) FROM fees f WHERE f.invoice_id = i.id)`,
    ],
    [
      'totals follow from their parts',
      `SELECT number FROM invoices WHERE sub_total_excluding_taxes_amount_cents <>
           fees_amount_cents - progressive_billing_credit_amount_cents - coupons_amount_cents
         OR sub_total_including_taxes_amount_cents <> sub_total_excluding_taxes_amount_cents + taxes_amount_cents
         OR total_amount_cents <> sub_total_including_taxes_amount_cents - credit_notes_amount_cents - prepaid_credit_amount_cents
         OR total_amount_cents < 0 OR total_paid_amount_cents > total_amount_cents`,
    ],
    [
      'credits add up to the amounts of their kinds',
      `SELECT i.number FROM invoices i LEFT JOIN LATERAL (
         SELECT coalesce(sum(amount_cents) FILTER (WHERE item_type = 'coupon'), 0) AS coupons,
                coalesce(sum(amount_cents) FILTER (WHERE item_type = 'credit_note'), 0) AS notes,
                coalesce(sum(amount_cents) FILTER (WHERE item_type = 'invoice'), 0) AS progressive
         FROM credits WHERE invoice_id = i.id) c ON true
       WHERE (i.coupons_amount_cents, i.credit_notes_amount_cents, i.progressive_billing_credit_amount_cents)
             IS DISTINCT FROM (c.coupons, c.notes, c.progressive)`,
    ],
    [
      'taxes of a fee are its lines, to a cent a line',
      `SELECT f.id FROM fees f WHERE abs(f.taxes_amount_cents -
           (SELECT coalesce(sum(t.amount_cents), 0) FROM fee_applied_taxes t WHERE t.fee_id = f.id)) >
           (SELECT count(*) FROM fee_applied_taxes t WHERE t.fee_id = f.id)`,
    ],
    [
      'taxes of an invoice are its lines, to a cent a line',
      `SELECT i.number FROM invoices i WHERE abs(i.taxes_amount_cents -
           (SELECT coalesce(sum(t.amount_cents), 0) FROM invoice_applied_taxes t WHERE t.invoice_id = i.id)) >
           (SELECT count(*) FROM invoice_applied_taxes t WHERE t.invoice_id = i.id)`,
    ],
    [
      'a wallet holds what came in less what was used',
      `SELECT w.code FROM wallets w WHERE w.credits_balance <>
         (SELECT coalesce(sum(CASE t.transaction_type WHEN 'inbound' THEN t.credit_amount ELSE -t.credit_amount END), 0)
          FROM wallet_transactions t WHERE t.wallet_id = w.id AND t.status = 'settled')`,
    ],
    [
      'what wallets gave is what invoices were prepaid',
      `SELECT i.number FROM invoices i WHERE i.prepaid_credit_amount_cents <> coalesce((SELECT sum(
           t.amount * CASE i.currency WHEN 'JPY' THEN 1 WHEN 'KWD' THEN 1000 ELSE 100 END)
         FROM wallet_transactions t WHERE t.invoice_id = i.id AND t.transaction_type = 'outbound'), 0)`,
    ],
    [
      'a note has left what invoices have not used',
      `SELECT n.number FROM credit_notes n WHERE n.balance_amount_cents <> n.credit_amount_cents -
         (SELECT coalesce(sum(c.amount_cents), 0) FROM credits c WHERE c.credit_note_id = n.id)
         OR n.total_amount_cents <> n.credit_amount_cents + n.refund_amount_cents + n.offset_amount_cents`,
    ],
    [
      'payments are what was paid',
      `SELECT i.number FROM invoices i WHERE i.total_paid_amount_cents <>
         (SELECT coalesce(sum(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.status = 'succeeded')`,
    ],
    [
      'requests ask for what is due on their invoices',
      `SELECT r.id FROM payment_requests r WHERE r.amount_cents <> (SELECT sum(i.total_amount_cents)
         FROM "_PaymentRequestInvoices" l JOIN invoices i ON i.id = l."A" WHERE l."B" = r.id)`,
    ],
  ])('%s', async (_, sql) => {
    expect(await rows(sql)).toEqual([]);
  });
});

describe('it shows every kind of', () => {
  it.each([
    ['status', 'invoices', ['closed', 'draft', 'failed', 'finalized', 'generating', 'open', 'pending', 'voided']],
    ['payment_status', 'invoices', ['failed', 'pending', 'succeeded']],
    ['invoice_type', 'invoices', ['add_on', 'credit', 'one_off', 'progressive_billing', 'subscription']],
    ['currency', 'invoices', ['BRL', 'EUR', 'GBP', 'JPY', 'KWD', 'USD']],
    ['fee_type', 'fees', ['add_on', 'charge', 'commitment', 'credit', 'fixed_charge', 'subscription']],
    ['payment_status', 'fees', ['failed', 'pending', 'refunded', 'succeeded']],
    ['status', 'subscriptions', ['active', 'canceled', 'pending', 'terminated']],
    ['payment_status', 'payment_requests', ['failed', 'pending', 'succeeded']],
    ['item_type', 'credits', ['coupon', 'credit_note', 'invoice']],
    ['status', 'wallets', ['active', 'terminated']],
    ['country', 'billing_entities', ['BR', 'DE', 'FR', 'JP', 'US']],
    [
      'charge_model',
      'charges',
      ['dynamic', 'graduated', 'graduated_percentage', 'package', 'percentage', 'standard', 'volume'],
    ],
  ])('%s of %s', async (column, table, expected) => {
    expect(await distinct(column, table)).toEqual(expected);
  });
});
