import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInvoice, makeSeller, type Seller } from '../../invoice-rows.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';

let test: TestApp;
let seller: Seller;

beforeAll(async () => {
  test = await createTestApp();
  seller = await makeSeller(test.db, test.organizationId);
});
afterAll(() => test.close());

const FILE = 'query ($id: UUID!) { invoice(svcId: $id) { fileUrl totalAmountCents } }';
const DOWNLOAD =
  'mutation ($id: UUID!) { downloadInvoice(svcId: $id) { svcId number fileUrl allFees { amountCents } } }';

describe('fileUrl', () => {
  it('is the address of the document, for keys that may read what it shows', async () => {
    const id = await makeInvoice(test.db, seller, {}, [{ amountCents: 30_000_000_000n }]);
    const all = { invoice: ['read'], customer: ['read'], fee: ['read'] };
    for (const lacking of ['customer', 'fee']) {
      const narrow = await test.makeKey({ permissions: { ...all, [lacking]: [] } });
      const { data, errors } = await test.graphql(FILE, { id }, narrow);
      expect(data.invoice).toEqual({ fileUrl: null, totalAmountCents: '30000000000' });
      expect(errors?.[0]?.extensions?.reason).toBe(`read_action_not_allowed_for_${lacking}`);
    }
    const key = await test.makeKey({ permissions: all });
    const { data, errors } = await test.graphql(FILE, { id }, key);
    expect(errors).toBeUndefined();
    expect(data.invoice.totalAmountCents).toBe('30000000000');
    expect((await test.app.fetch(new Request(data.invoice.fileUrl))).status).toBe(200);
  });

  it('is null while the invoice is a draft and when it is voided', async () => {
    for (const status of ['draft', 'voided', 'failed', 'pending'] as const) {
      const { data, errors } = await test.graphql(FILE, { id: await makeInvoice(test.db, seller, { status }) });
      expect([errors, data.invoice.fileUrl], status).toEqual([undefined, null]);
    }
  });

  it('asks nothing of the database', async () => {
    const list = (field: string) => `{ invoices(first: 20) { nodes { svcId ${field} } } }`;
    await test.graphql(list('fileUrl'));
    const without = await countStatements(test.db, () => test.graphql(list('')));
    expect(await countStatements(test.db, () => test.graphql(list('fileUrl')))).toBe(without);
  });
});

describe('downloadInvoice', () => {
  it('answers with a final invoice', async () => {
    const id = await makeInvoice(test.db, seller, { number: 'QUI-9' });
    const { data, errors } = await test.graphql(DOWNLOAD, { id });
    expect(errors).toBeUndefined();
    expect(data.downloadInvoice).toMatchObject({ svcId: id, number: 'QUI-9', allFees: [{ amountCents: '1250' }] });
    expect((await test.app.fetch(new Request(data.downloadInvoice.fileUrl))).status).toBe(200);
  });

  it('finds no other', async () => {
    const draft = await makeInvoice(test.db, seller, { status: 'draft' });
    for (const id of [draft, randomUUID(), 'abc']) {
      const { data, errors } = await test.graphql(DOWNLOAD, { id });
      expect([data, errors?.[0]?.extensions?.code], id).toEqual([{ downloadInvoice: null }, 'object_not_found']);
    }
  });

  it('needs to write invoices', async () => {
    const id = await makeInvoice(test.db, seller);
    const key = await test.makeKey({ permissions: { invoice: ['read'] } });
    const { data, errors } = await test.graphql(DOWNLOAD, { id }, key);
    expect([data, errors?.[0]?.extensions]).toEqual([
      { downloadInvoice: null },
      { code: 'forbidden', reason: 'write_action_not_allowed_for_invoice' },
    ]);
  });

  it("does not find another organization's invoice", async () => {
    const id = await makeInvoice(test.db, seller);
    const { id: organizationId } = await test.db.prisma.organization.create({
      data: { name: `Other ${randomUUID()}` },
    });
    const { errors } = await test.graphql(DOWNLOAD, { id }, await test.makeKey({ organizationId }));
    expect(errors?.[0]?.extensions?.code).toBe('object_not_found');
  });
});
