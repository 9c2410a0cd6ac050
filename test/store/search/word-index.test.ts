import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { narrowing } from '../../../src/store/search/word-index.ts';
import { rowMaker } from '../../graphql/rows.ts';
import { openTestDatabase, statementsOf } from '../../support.ts';

let db: Database;
let client: TenantClient;
let organizationId: string;
const ids = new Map<string, string>();

// "reed" is the name of many more customers than a page of the index holds, "heron" and "egret" of one each, "rare" of both.
beforeAll(async () => {
  db = await openTestDatabase();
  for (const name of ['Quillo', 'Brackenfell']) {
    ({ id: organizationId } = await db.prisma.organization.create({ data: { name } }));
    const make = rowMaker(db, organizationId);
    const { id: billingEntityId } = await make('BillingEntity', { code: 'main' });
    const customer = (index: number, words: string) => ({
      externalId: `c${index}`,
      slug: `Q-${index}`,
      name: words,
      billingEntityId,
    });
    const reeds = Array.from({ length: 3000 }, (_, index) => customer(index, `Reed ${index < 1500 ? 'Low' : 'High'}`));
    const rows = await make.many('Customer', [
      ...reeds,
      customer(3000, 'Rare Heron Reed'),
      customer(3001, 'Rare Egret'),
    ]);
    const invoices = await make.many('Invoice', [
      { number: 'A-1', customerId: rows[3000]?.id },
      { number: 'REED-2', customerId: rows[3001]?.id },
      ...Array.from({ length: 1000 }, (_, index) => ({ number: `N-${index}`, customerId: rows[index]?.id })),
    ]);
    for (const [index, row] of rows.slice(3000).entries()) ids.set(`customer ${index + 1}`, row.id);
    for (const [index, row] of invoices.slice(0, 2).entries()) ids.set(`invoice ${index + 1}`, row.id);
  }
  client = forOrganization(db.prisma, organizationId);
}, 120_000);

afterAll(() => db?.close());

const named = (condition: object) =>
  JSON.parse(JSON.stringify(condition), (_key, value) => [...ids].find(([, id]) => id === value)?.[0] ?? value);

describe('what the index of words finds', () => {
  const cases: readonly [model: string, relations: string[], words: string[], condition: object][] = [
    ['Customer', [''], ['heron'], { OR: [{ id: { in: ['customer 1'] } }] }],
    ['Customer', [''], ['rare', 'egr'], { OR: [{ id: { in: ['customer 2'] } }] }],
    ['Customer', [''], ['nothing'], { OR: [{ id: { in: [] } }] }],
    ['Customer', [''], ['reed'], {}],
    // Each in many rows, together in none.
    ['Customer', [''], ['low', 'high'], { OR: [{ id: { in: [] } }] }],
    ['Invoice', ['', 'customer'], ['heron'], { OR: [{ id: { in: [] } }, { customerId: { in: ['customer 1'] } }] }],
    [
      'Invoice',
      ['', 'customer'],
      ['reed', 'egret'],
      { OR: [{ id: { in: [] } }, { customerId: { in: ['customer 2'] } }] },
    ],
    ['Invoice', ['', 'customer'], ['reed'], {}],
    [
      'Invoice',
      ['', 'customer'],
      ['low', 'high', 'reed'],
      { OR: [{ id: { in: ['invoice 2'] } }, { customerId: { in: [] } }] },
    ],
  ];
  it.each(cases)('%s %j %j', async (model, relations, words, condition) => {
    expect(named(await narrowing(client, model, relations, words))).toEqual(condition);
  });

  // The statement as it is sent, whose values are those of one question about one kind of rows.
  it.each(['Customer', 'Invoice'])('%s rows are read by the index, however many have the word', async (model) => {
    for (const word of ['reed', 'heron']) {
      const [sql] = await statementsOf(db, () => narrowing(client, model, [''], [word]));
      const query = `'${organizationId.slice(-8)}${word}':*`;
      const plan = await db.prisma.$queryRawUnsafe<object[]>(`EXPLAIN ${sql}`, 0, 0, organizationId, query, 501);
      expect(JSON.stringify(plan)).toContain(`Bitmap Index Scan on ${model.toLowerCase()}s_words_idx`);
    }
  });
});
