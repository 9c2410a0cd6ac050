import { afterAll, beforeAll, expect, it } from 'vitest';
import { rememberingNames, statementName } from '../../../src/store/database/statement-name.ts';
import { makeInvoice, makeSeller } from '../../invoice-rows.ts';
import { createTestApp, statementsOf, type TestApp } from '../../support.ts';

let gateway: TestApp;
let invoiceId: string;
beforeAll(async () => {
  gateway = await createTestApp();
  invoiceId = await makeInvoice(gateway.db, await makeSeller(gateway.db, gateway.organizationId));
});
afterAll(() => gateway.close());

const SHOWN = '{ svcId customer { svcId } allFees { svcId } appliedTaxes { svcId } }';

async function namesOf(query: string): Promise<string[]> {
  const statements = await statementsOf(gateway.db, async () => {
    expect((await gateway.graphql(query)).errors).toBeUndefined();
  });
  return statements.map((sql) => statementName({ sql }));
}

it.each([
  `{ invoices(first: 20) { nodes ${SHOWN} } }`,
  `{ invoices(last: 20, filter: { status: [finalized] }) { nodes ${SHOWN} } }`,
  `{ invoices(page: 2, perPage: 10) { edges { node ${SHOWN} } } }`,
])('the page of a list is planned for its values: %s', async (query) => {
  expect(await namesOf(query)).toEqual(['']);
});

it('the plan of a lookup is kept', async () => {
  expect(await namesOf(`{ invoice(svcId: "${invoiceId}") ${SHOWN} }`)).toEqual([expect.stringMatching(/^[\w-]{27}$/)]);
});

it('a statement gets its name when it is sent again, and only so many do', () => {
  const nameOf = rememberingNames();
  const sql = (n: number) => `SELECT ${n}`;
  expect(nameOf({ sql: sql(1) })).toBe('');
  expect(nameOf({ sql: sql(1) })).toBe(statementName({ sql: sql(1) }));
  expect(nameOf({ sql: sql(1) })).toBe(statementName({ sql: sql(1) }));
  const many = Array.from({ length: 10_000 }, (_, n) => sql(n + 2));
  expect(new Set(many.map((one) => nameOf({ sql: one })))).toEqual(new Set(['']));
  const named = many.filter((one) => nameOf({ sql: one }) || nameOf({ sql: one }));
  expect(named).toHaveLength(1999);
  expect(nameOf({ sql: sql(1) })).toBe(statementName({ sql: sql(1) }));
});

it('long statements have no name, and named ones are so long in all', () => {
  const nameOf = rememberingNames();
  const named = (sql: string) => nameOf({ sql }) || nameOf({ sql });
  expect(named('x'.repeat(60_000))).toBe('');
  const many = Array.from({ length: 500 }, (_, n) => `${n} ${'x'.repeat(40_000)}`);
  expect(many.filter(named)).toHaveLength(99);
  expect(named('SELECT 1')).not.toBe('');
});
