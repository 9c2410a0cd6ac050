import { afterAll, beforeAll, expect, it } from 'vitest';
import { statementName } from '../../src/store/database.ts';
import { makeInvoice, makeSeller } from '../invoice-rows.ts';
import { createTestApp, statementsOf, type TestApp } from '../support.ts';

let gateway: TestApp;
let invoiceId: string;
beforeAll(async () => {
  gateway = await createTestApp();
  invoiceId = await makeInvoice(gateway.db, await makeSeller(gateway.db, gateway.organizationId));
});
afterAll(() => gateway.close());

const SHOWN = '{ svcId customer { svcId } fees { svcId } appliedTaxes { svcId } }';

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
