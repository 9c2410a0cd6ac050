import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { expectedFigures } from '../graphql/customer/expected-figure.ts';
import { type Row, rowMaker } from '../graphql/rows.ts';
import { createServerDatabase, dice, type Roll } from '../support.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const CUSTOMERS = 12;
const ROUNDS = 60;
const NOW = new Date('2026-06-15T12:00:00Z');

// The embedded server has one connection: nobody writes beside another.
describe.runIf(process.env.DATABASE_URL)('balances of customers on whom several write at once', () => {
  let server: Awaited<ReturnType<typeof createServerDatabase>>;
  let db: Database;
  let writers: pg.Client[];
  let organizationId: string;
  let entity: Row;
  let customers: Row[];

  beforeAll(async () => {
    server = await createServerDatabase();
    db = await openDatabase({ url: server.url, poolSize: 2 });
    ({ id: organizationId } = await db.prisma.organization.create({ data: { name: 'Quillo' } }));
    const make = rowMaker(db, organizationId);
    entity = await make('BillingEntity', { code: 'main' });
    customers = await make.many(
      'Customer',
      Array.from({ length: CUSTOMERS }, (_, index) => ({
        ...{ externalId: `c-${index}`, slug: `C-${index}`, currency: 'EUR', billingEntityId: entity.id },
      })),
    );
    writers = Array.from({ length: 4 }, () => new pg.Client({ connectionString: server.url }));
    for (const writer of writers) await writer.connect();
  });
  afterAll(async () => {
    for (const writer of writers ?? []) await writer.end();
    await db?.close();
    await server?.drop();
  });

  /** Makes an invoice for each of some customers by one statement, in their order. */
  async function invoice(writer: pg.Client, owners: readonly string[], roll: Roll): Promise<string[]> {
    const ids = owners.map(() => randomUUID());
    await writer.query(
      `INSERT INTO invoices (id, organization_id, customer_id, billing_entity_id, number, issuing_date, payment_due_date,
         invoice_type, status, payment_status, currency, total_amount_cents, payment_overdue)
       SELECT o.id, $1, o.customer, $2, o.id, '2026-06-01', '2026-06-01', 'subscription', 'finalized', 'pending', 'EUR', $5, $6
       FROM unnest($3::uuid[], $4::uuid[]) AS o(id, customer)`,
      [organizationId, entity.id, ids, owners, 100 + roll(900), roll(2) === 0],
    );
    return ids;
  }
  const pay = (writer: pg.Client, invoices: readonly string[], roll: Roll) =>
    writer.query(
      `UPDATE invoices SET total_paid_amount_cents = total_paid_amount_cents + $2, payment_overdue = $3 WHERE id = ANY($1::uuid[])`,
      [invoices, roll(80), roll(2) === 0],
    );
  const credit = (writer: pg.Client, invoiceId: string, roll: Roll) =>
    writer.query(
      `INSERT INTO credit_notes (id, organization_id, customer_id, invoice_id, number, status, currency, issuing_date,
         total_amount_cents, offset_amount_cents, reason)
       SELECT gen_random_uuid(), organization_id, customer_id, id, gen_random_uuid()::text, 'finalized', currency, issuing_date, $2, $2, 'other'
       FROM invoices WHERE id = $1`,
      [invoiceId, roll(60)],
    );

  async function expectBalances() {
    const { outstanding, overdue } = await expectedFigures({ db, organizationId }, NOW);
    const rows = await db.prisma.customer.findMany({ where: { organizationId } });
    const told = rows.map((row) => [row.externalId, `${row.outstandingBalanceCents}`, `${row.overdueBalanceCents}`]);
    const sum = (figures: { amountCents: string }[]) => figures[0]?.amountCents ?? '0';
    expect(told).toEqual(
      rows.map(({ externalId }) => [externalId, sum(outstanding(externalId)), sum(overdue(externalId))]),
    );
    expect(rows.every((row) => Number(row.outstandingBalanceCents) > 0)).toBe(true);
  }

  const shuffled = <T>(values: readonly T[], roll: Roll): T[] =>
    values
      .map((value) => ({ value, at: roll(1_000_000) }))
      .sort((one, other) => one.at - other.at)
      .map(({ value }) => value);

  it('are right, and nobody waits for one who waits for him, by statements on many customers in any order', async () => {
    const write = async (writer: pg.Client, seed: number) => {
      const roll = dice(seed);
      const ids = customers.map(({ id }) => id);
      const mine: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        mine.push(...(await invoice(writer, shuffled(ids, roll).slice(0, 2 + roll(CUSTOMERS - 1)), roll)));
        await pay(writer, shuffled(mine, roll).slice(0, 8), roll);
        await credit(writer, mine[roll(mine.length)] ?? '', roll);
        if (roll(4) === 0) await writer.query('DELETE FROM invoices WHERE id = $1', [await fresh(writer, ids, roll)]);
      }
    };
    const fresh = async (writer: pg.Client, ids: readonly string[], roll: Roll) =>
      (await invoice(writer, [ids[roll(CUSTOMERS)] ?? ''], roll))[0];
    await Promise.all(writers.map((writer, index) => write(writer, index + 1)));
    await expectBalances();
  });

  it('are right by transactions on one customer, each of which locks it first, as issuing does', async () => {
    const [{ id: owner }] = customers as [Row, ...Row[]];
    const shared = await invoice(writers[0] as pg.Client, [owner, owner, owner], dice(9));
    const write = async (writer: pg.Client, seed: number) => {
      const roll = dice(seed);
      for (let round = 0; round < ROUNDS; round += 1) {
        await writer.query('BEGIN');
        await writer.query('SELECT id FROM customers WHERE id = $1 FOR UPDATE', [owner]);
        const [own = ''] = await invoice(writer, [owner], roll);
        await pay(writer, shuffled([own, ...shared], roll).slice(0, 2), roll);
        await credit(writer, shared[roll(3)] ?? '', roll);
        await writer.query(roll(5) === 0 ? 'ROLLBACK' : 'COMMIT');
      }
    };
    await Promise.all(writers.map((writer, index) => write(writer, index + 11)));
    await expectBalances();
  });
});
