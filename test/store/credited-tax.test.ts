import { afterAll, beforeAll, expect, it } from 'vitest';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const STARTED = '2026-06-01T00:00:00Z';
const FEE = '018f0000-0000-7000-8000-000000000999';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
});
afterAll(() => test.close());

const plan = (code: string, amount_cents: number) => ({
  ...{ code, amount_cents, amount_currency: 'EUR', interval: 'monthly', pay_in_advance: true },
});
const note = (number: string) => ({
  ...{ invoice_number: 'INV-1', number, status: 'finalized', currency: 'EUR', total_amount_cents: 400 },
  ...{ sub_total_excluding_taxes_amount_cents: 333, taxes_amount_cents: 67, refund_amount_cents: 400 },
  items: [{ svc_fee_id: FEE, amount_cents: 333, precise_amount_cents: '333', amount_currency: 'EUR' }],
});

/** 9.99 at 20 % for June, paid in advance; `notes` have given back 3.33 each with a tax of 0.67. */
const documentOf = (notes: readonly string[]) => ({
  taxes: [{ code: 'vat', rate: 20 }],
  billing_entities: [{ code: 'main', is_default: true, tax_codes: ['vat'] }],
  plans: [plan('small', 999), plan('large', 2000)],
  customers: [{ external_id: 'customer', currency: 'EUR' }],
  subscriptions: [
    {
      ...{ external_id: 'sub', external_customer_id: 'customer', plan_code: 'small', status: 'active' },
      ...{ subscription_at: STARTED, started_at: STARTED, created_at: STARTED },
    },
  ],
  invoices: [
    {
      ...{ external_customer_id: 'customer', number: 'INV-1', status: 'finalized', currency: 'EUR' },
      ...{ fees_amount_cents: 999, taxes_amount_cents: 200, total_amount_cents: 1199, created_at: STARTED },
      ...{ sub_total_excluding_taxes_amount_cents: 999, sub_total_including_taxes_amount_cents: 1199 },
      fees: [
        {
          ...{ svc_id: FEE, external_subscription_id: 'sub', item: { type: 'subscription' }, amount_cents: 999 },
          ...{ amount_currency: 'EUR', taxes_rate: 20, taxes_amount_cents: 200, pay_in_advance: true },
          ...{ from_date: STARTED, to_date: '2026-06-30T23:59:59.999Z' },
        },
      ],
      billing_periods: [
        {
          ...{ external_subscription_id: 'sub', invoicing_reason: 'subscription_starting' },
          ...{ subscription_from_datetime: STARTED, subscription_to_datetime: '2026-06-30T23:59:59.999Z' },
          ...{ charges_from_datetime: STARTED, charges_to_datetime: STARTED },
        },
      ],
    },
  ],
  credit_notes: notes.map(note),
});

it.each([
  ['one', ['CN-1'], 799],
  ['two', ['CN-1', 'CN-2'], 399],
])(
  'a plan change after %s of three notes gives back all that is left, with the tax that is left',
  async (_, notes, cents) => {
    const name = `after ${notes.length}`;
    const document = documentOf(notes);
    const ours = JSON.parse(JSON.stringify(document).replaceAll(FEE, FEE.replace('999', `99${notes.length}`)));
    await importDocument(test.db, ours, { organization: name, now: NOW });
    const { id: organizationId } = await test.db.prisma.organization.findUniqueOrThrow({ where: { name } });
    const key = await test.makeKey({ organizationId });
    const body = {
      customer: { external_id: 'customer' },
      subscriptions: { external_ids: ['sub'], plan_code: 'large' },
    };
    const answer = await test.rest('POST', '/invoices/preview', body, { key });
    expect(answer.status).toBe(200);
    expect(answer.body.invoice).toMatchObject({ fees_amount_cents: 2000, taxes_amount_cents: 400 });
    // 999 and 199.8 of tax, less 333 and 67 for each note.
    expect(answer.body.invoice.credit_notes_amount_cents).toBe(cents);
  },
);
