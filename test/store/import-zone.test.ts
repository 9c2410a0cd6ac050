import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { openTestDatabase } from '../support.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => db.close());

// 1 July in Auckland, 30 June in London and Paris.
const created_at = '2026-06-30T20:00:00Z';
const day = (date: Date) => date.toISOString().slice(0, 10);

test.each([
  ['the zone of the own entity', {}, {}, '2026-07-01'],
  ['the own zone before that of the entity', { timezone: 'Europe/London' }, {}, '2026-06-30'],
  ['the zone of the own entity where another one bills', {}, { billing_entity_code: 'fr' }, '2026-07-01'],
])('dates that are not given are days of the customer: %s', async (organization, customer, invoice, expected) => {
  await importDocument(
    db,
    {
      billing_entities: [
        { code: 'nz', timezone: 'Pacific/Auckland', is_default: true },
        { code: 'fr', timezone: 'Europe/Paris' },
      ],
      customers: [{ external_id: 'c', billing_entity_code: 'nz', ...customer }],
      invoices: [{ number: 'A-1', external_customer_id: 'c', created_at, ...invoice }],
      credit_notes: [
        { number: 'A-1-CN1', invoice_number: 'A-1', created_at },
        { number: 'A-1-CN2', invoice_number: 'A-1', external_customer_id: 'c', created_at },
      ],
    },
    { organization, now: new Date('2026-08-01T00:00:00Z') },
  );
  const where = { organization: { name: organization } };
  const dates = [
    ...(await db.prisma.invoice.findMany({ where })),
    ...(await db.prisma.creditNote.findMany({ where })),
  ].map(({ issuingDate }) => day(issuingDate));
  expect(dates).toEqual([expected, expected, expected]);
});
