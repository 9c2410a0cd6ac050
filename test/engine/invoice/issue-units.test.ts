import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dec } from '../../../src/billing/money/decimal.ts';
import { issueUnitsOf } from '../../../src/engine/invoice/issue-units.ts';
import { recordUnits } from '../../../src/engine/invoice/record-units.ts';
import { inTransaction } from '../../../src/engine/transaction.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, openDemoDatabase, type TestApp } from '../../support.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const STARTED = '2026-06-01T00:00:00Z';

let test: TestApp;
let tenant: TenantClient;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
  tenant = forOrganization(test.db.prisma, test.organizationId);
  await load({ billing_entities: [entity('per_customer')], add_ons: [DESK] });
});
afterAll(() => test.close());

const DESK = { code: 'desk', name: 'Desk', amount_cents: 1000, amount_currency: 'EUR' };
const entity = (document_numbering: string) => ({
  ...{ code: 'main', name: 'Main', is_default: true, document_number_prefix: 'MAI', document_numbering },
});

async function load(document: object): Promise<void> {
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  await importDocument(test.db, document, { organization: name, now: NOW });
}

/** A customer with a subscription to a plan of its own, whose desks are paid in advance. */
async function customer(code: string, more: object = {}): Promise<void> {
  const desk = { code: 'desk', add_on_code: 'desk', units: '1', pay_in_advance: true, properties: { amount: '10' } };
  await load({
    plans: [{ code, interval: 'monthly', amount_cents: 0, amount_currency: 'EUR', fixed_charges: [desk] }],
    customers: [{ external_id: code, currency: 'EUR', ...more }],
    subscriptions: [
      {
        ...{ external_id: code, external_customer_id: code, plan_code: code, status: 'active' },
        ...{ subscription_at: STARTED, started_at: STARTED },
      },
    ],
  });
}

const grow = (code: string, units: number) =>
  test.rest('PUT', `/plans/${code}/fixed_charges/desk`, {
    fixed_charge: { units: String(units), apply_units_immediately: true },
  });

async function numbers(externalId?: string) {
  const where = externalId === undefined ? {} : { customer: { externalId } };
  const rows = await tenant.invoice.findMany({ where, orderBy: [{ sequentialId: 'asc' }, { number: 'asc' }] });
  return rows.map(({ number, sequentialId, billingEntitySequentialId }) => [
    ...[number, sequentialId, billingEntitySequentialId],
  ]);
}

it('numbers a customer by its own counter, and an entity that switches goes on from all its invoices', async () => {
  await load({ billing_entities: [entity('per_customer')] });
  await customer('ada', { sequential_id: 7 });
  await customer('bob', { sequential_id: 8, account_type: 'partner' });
  await grow('ada', 2);
  await grow('bob', 2);
  await grow('ada', 3);
  await load({ billing_entities: [entity('per_billing_entity')] });
  await grow('ada', 4);
  await grow('bob', 3);
  expect(await numbers('ada')).toEqual([
    ['MAI-007-001', 1, null],
    ['MAI-007-002', 2, null],
    ['MAI-202606-003', 3, 3],
  ]);
  // Self-billed invoices keep the customer's form and are not counted for the entity.
  expect(await numbers('bob')).toEqual([
    ['MAI-008-001', 1, null],
    ['MAI-008-002', 2, null],
  ]);
});

it('goes on from imported invoices, whichever way they were numbered, and never back', async () => {
  await load({ billing_entities: [entity('per_billing_entity')] });
  await customer('cleo', { sequential_id: 9 });
  const invoice = { external_customer_id: 'cleo', status: 'finalized', currency: 'EUR', fees_amount_cents: 0 };
  const imported = { ...invoice, number: 'OLD-40', sequential_id: 40, billing_entity_sequential_id: 50 };
  await load({ invoices: [imported] });
  await grow('cleo', 2);
  await load({ invoices: [{ ...imported, sequential_id: 3, billing_entity_sequential_id: 3 }] });
  await grow('cleo', 3);
  expect((await numbers('cleo')).slice(1)).toEqual([
    ['MAI-202606-051', 41, 51],
    ['MAI-202606-052', 42, 52],
  ]);
});

it('issues of two customers at once take numbers in a row, each once', async () => {
  await load({ billing_entities: [entity('per_billing_entity')] });
  await customer('dora', { sequential_id: 10 });
  await customer('ed', { sequential_id: 11 });
  const before = (await numbers()).length;
  const answers = await Promise.all([2, 3, 4, 5].flatMap((units) => ['dora', 'ed'].map((code) => grow(code, units))));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const issued = await tenant.invoice.findMany({
    where: { customer: { externalId: { in: ['dora', 'ed'] } } },
    select: { billingEntitySequentialId: true, sequentialId: true },
  });
  const ranks = issued.map((row) => Number(row.billingEntitySequentialId)).sort((a, b) => a - b);
  expect(issued).toHaveLength((await numbers()).length - before);
  // Units that others have overtaken are no increase any more, and cost nothing; every invoice has its own number.
  expect(issued.length).toBeGreaterThan(2);
  expect(ranks).toEqual(ranks.map((_, index) => (ranks[0] ?? 0) + index));
});

it('an issue that is undone gives its number back', async () => {
  await customer('fay', { sequential_id: 12 });
  const charge = await tenant.fixedCharge.findFirstOrThrow({ where: { plan: { code: 'fay' } } });
  const actor = { organizationId: test.organizationId, now: NOW, job: 'test' };
  const units = { fixedCharge: charge, before: dec(1), after: dec(2), immediately: true };
  let seen: unknown;
  const undone = inTransaction(tenant, actor, async (tx) => {
    await recordUnits(tx, actor, [units]);
    await issueUnitsOf(tx, actor, { planId: charge.planId, ids: [charge.id] });
    seen = await tx.invoice.findFirst({ where: { customer: { externalId: 'fay' } }, select: { number: true } });
    throw new Error('too late');
  });
  await expect(undone).rejects.toThrow('too late');
  await grow('fay', 2);
  const [kept] = await numbers('fay');
  expect([seen, kept?.[1]]).toEqual([{ number: kept?.[0] }, 1]);
});

it('the migration counts stored invoices as an import does', async () => {
  const { db } = await openDemoDatabase();
  try {
    const counters = () =>
      db.prisma.invoiceCounter.findMany({
        select: { billingEntityId: true, ownerId: true, rank: true, invoices: true },
        orderBy: [{ billingEntityId: 'asc' }, { ownerId: 'asc' }],
      });
    const imported = await counters();
    const file = new URL('../../../prisma/migrations/20261128191313_invoice_counters/migration.sql', import.meta.url);
    const [, fill = ''] = (await readFile(file, 'utf8')).split(/(?=INSERT INTO)/);
    await db.prisma.invoiceCounter.deleteMany();
    await db.prisma.$executeRawUnsafe(fill);
    expect(await counters()).toEqual(imported);
    expect(imported.length).toBeGreaterThan(5);
  } finally {
    await db.close();
  }
});
