import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCreditNote } from '../../credit-note-rows.ts';
import { makeInvoice, makeSeller, type Seller } from '../../invoice-rows.ts';
import { extract } from '../../pdf/extract.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';

const HOUR = 3_600_000;
let clock = Date.parse('2026-06-01T10:00:00Z');
const now = () => new Date(clock);
let test: TestApp;
let executed: TestApp;
let seller: Seller;
let invoiceId: string;
let id: string;
let address: string;

beforeAll(async () => {
  test = await createTestApp({ now, fastPath: true });
  executed = await createTestApp({ now, fastPath: false, db: test.db });
  seller = await makeSeller(test.db, test.organizationId);
  invoiceId = await makeInvoice(test.db, seller, { number: 'QUI-7' });
  id = await makeCreditNote(test.db, seller, invoiceId, {
    number: 'QUI-7-CN1',
  });
  address = await addressOf(id);
});
afterAll(async () => {
  await executed?.close();
  await test?.close();
});

const ONE = 'query ($svcId: UUID!) { creditNote(svcId: $svcId) { svcId fileUrl } }';

async function addressOf(svcId: string, key?: string): Promise<string> {
  const { data, errors } = await test.graphql(ONE, { svcId }, key);
  expect(errors).toBeUndefined();
  return data.creditNote.fileUrl;
}

async function get(url: string) {
  const response = await test.app.fetch(new Request(url));
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function refusalOf(url: string) {
  const { status, headers, bytes } = await get(url);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  return [status, JSON.parse(bytes.toString()).code];
}

const changed = (name: string, value: string, of = address) => {
  const url = new URL(of);
  url.searchParams.set(name, value);
  return url.href;
};
const asKind = (url: string, kind: string, of: string) => url.replace(/\/files\/[^?]*/, `/files/${kind}/${of}.pdf`);

describe('the file', () => {
  it('is the PDF under the number of the note, without a key', async () => {
    expect(address).toMatch(new RegExp(`/files/credit_notes/${id}\\.pdf\\?`));
    const { status, headers, bytes } = await get(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(headers.get('content-disposition')).toContain('inline; filename="QUI-7-CN1.pdf"');
    expect(headers.get('cache-control')).toContain('private');
    expect((await extract(new Uint8Array(bytes))).info.Title).toBe('Credit note QUI-7-CN1');
    expect((await get(address)).bytes.equals(bytes)).toBe(true);
  });

  it('tells what is stored of the note', async () => {
    const paid = await makeInvoice(test.db, seller, { number: 'QUI-8' }, [
      { itemName: 'Seats', amountCents: 6000n, taxesRate: '20' },
      { itemName: 'raw name', itemInvoiceDisplayName: '東京 API', amountCents: 4000n, taxesRate: '5.5' },
    ]);
    const fees = await test.db.prisma.fee.findMany({ where: { invoiceId: paid }, orderBy: { amountCents: 'desc' } });
    const amounts = [3000n, 2000n];
    const items = fees.map((fee, at) => ({ feeId: fee.id, amountCents: amounts[at] ?? 0n }));
    const stored = {
      number: 'QUI-8-CN1',
      reason: 'product_unsatisfactory',
      description: 'Two days without service',
      couponsAdjustmentAmountCents: 500n,
      subTotalExcludingTaxesAmountCents: 4500n,
      taxesRate: '14.2',
      taxesAmountCents: 639n,
      totalAmountCents: 5139n,
      creditAmountCents: 1139n,
      refundAmountCents: 3000n,
      offsetAmountCents: 1000n,
    } as const;
    const { bytes } = await get(await addressOf(await makeCreditNote(test.db, seller, paid, stored, items)));
    const { text } = await extract(new Uint8Array(bytes));
    for (const line of [
      'QUI-8-CN1 Feb 3, 2026 QUI-8 €51.39',
      'Two days without service',
      'Seats 20% €30.00',
      '東京 API 5.5% €20.00',
      'Total of items €50.00',
      'Coupon adjustment -€5.00',
      'Subtotal (excl. tax) €45.00',
      'Tax (14.2%) €6.39',
      'Total €51.39',
      'Refunded €30.00',
      'Credited to later invoices €11.39',
      'Offset against the invoice €10.00',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  it('tells no rate of taxes of a note that was stored without one', async () => {
    const members = { taxesRate: undefined, taxesAmountCents: 200n, totalAmountCents: 1200n };
    const { bytes } = await get(await addressOf(await makeCreditNote(test.db, seller, invoiceId, members, [])));
    const { text } = await extract(new Uint8Array(bytes));
    expect(text).toContain('\nTax €2.00\n');
    expect(text).not.toContain('%');
  });
});

describe('403', () => {
  it('the signature of an invoice opens no credit note, nor the reverse, also where both have one identifier', async () => {
    const twin = await makeInvoice(test.db, seller, { id });
    const { body } = await test.rest('POST', `/invoices/${twin}/download`);
    const ofInvoice: string = body.invoice.file_url;
    expect([(await get(ofInvoice)).status, (await get(address)).status]).toEqual([200, 200]);
    expect(new URL(ofInvoice).searchParams.get('expires')).toBe(new URL(address).searchParams.get('expires'));
    expect(await refusalOf(asKind(ofInvoice, 'credit_notes', id))).toEqual([403, 'signature_invalid']);
    expect(await refusalOf(asKind(address, 'invoices', id))).toEqual([403, 'signature_invalid']);
  });

  it('for an address that was changed in any part', async () => {
    const other = await makeCreditNote(test.db, seller, invoiceId);
    const all = [
      asKind(address, 'credit_notes', other),
      asKind(address, 'credit_notes', id.toUpperCase()),
      changed('organization', '0190a1a8-0000-7000-8000-000000000000'),
      changed('expires', '99999999999'),
      changed('signature', ''),
      changed('signature', new URL(await addressOf(other)).searchParams.get('signature') ?? ''),
      address.split('?')[0] ?? '',
    ];
    for (const url of all) expect(await refusalOf(url), url).toEqual([403, 'signature_invalid']);
    expect((await get(asKind(address, 'quotes', id))).status).not.toBe(200);
  });

  it('once it has expired', async () => {
    clock += HOUR - 1000;
    expect((await get(address)).status).toBe(200);
    clock += 1000;
    expect(await refusalOf(address)).toEqual([403, 'signature_expired']);
    clock -= HOUR;
  });
});

describe('another organization', () => {
  it('is shown no note of this one, and its own signature opens none', async () => {
    const stranger = await createTestApp({ now, db: test.db });
    const { data } = await stranger.graphql(ONE, { svcId: id });
    expect(data.creditNote).toBeNull();
    const theirs = await makeSeller(test.db, stranger.organizationId);
    const own = await makeCreditNote(test.db, theirs, await makeInvoice(test.db, theirs));
    const url = await addressOf(own, stranger.key);
    expect((await get(url)).status).toBe(200);
    expect(await refusalOf(asKind(url, 'credit_notes', id))).toEqual([403, 'signature_invalid']);
    expect(await refusalOf(changed('organization', test.organizationId, url))).toEqual([403, 'signature_invalid']);
    // Signed for the organization that asked: what became another's since is not found.
    await test.db.prisma.creditNote.update({
      where: { id: own },
      data: { organizationId: test.organizationId },
    });
    expect(await refusalOf(url)).toEqual([404, 'object_not_found']);
    await stranger.close();
  });
});

describe('a note that is not final', () => {
  it('has no address, and the one that it had answers 404', async () => {
    const note = await makeCreditNote(test.db, seller, invoiceId);
    const url = await addressOf(note);
    expect((await get(url)).status).toBe(200);
    await test.db.prisma.creditNote.update({
      where: { id: note },
      data: { status: 'draft' },
    });
    expect(await addressOf(note)).toBeNull();
    expect(await refusalOf(url)).toEqual([404, 'object_not_found']);
    await test.db.prisma.creditNoteItem.deleteMany({
      where: { creditNoteId: note },
    });
    await test.db.prisma.creditNote.delete({ where: { id: note } });
    expect(await refusalOf(url)).toEqual([404, 'object_not_found']);
  });
});

describe('a key', () => {
  const only = (...resources: string[]) => Object.fromEntries(resources.map((resource) => [resource, ['read']]));

  it.each([
    ['customer', ['credit_note', 'fee']],
    ['fee', ['credit_note', 'customer']],
  ])('that may not read a %s is given no address', async (lacking, resources) => {
    const key = await test.makeKey({ permissions: only(...resources) });
    for (const app of [test, executed]) {
      const { data, errors } = await app.graphql(ONE, { svcId: id }, key);
      expect(data).toEqual({ creditNote: { svcId: id, fileUrl: null } });
      expect(errors?.map(({ extensions }) => extensions)).toEqual([
        {
          code: 'forbidden',
          reason: `read_action_not_allowed_for_${lacking}`,
        },
      ]);
    }
  });

  it('that may read both is', async () => {
    const key = await test.makeKey({
      permissions: only('credit_note', 'customer', 'fee'),
    });
    expect(await addressOf(id, key)).toBe(address);
  });
});

describe('a list of notes', () => {
  const LIST = 'query ($first: Int!) { creditNotes(first: $first) { nodes { svcId status fileUrl } } }';

  it('gives every address in the statements of one, the same by the fast path and without it', async () => {
    for (let made = 0; made < 50; made += 1)
      await makeCreditNote(test.db, seller, invoiceId, {
        status: made % 5 ? 'finalized' : 'draft',
      });
    const answers: unknown[] = [];
    // The first address that a process makes reads the secret.
    await executed.graphql(LIST, { first: 1 }, test.key);
    for (const app of [executed, test, test]) {
      const counts: number[] = [];
      for (const first of [1, 50]) {
        counts.push(
          await countStatements(test.db, async () => {
            const { data, errors } = await app.graphql(LIST, { first }, test.key);
            expect(errors).toBeUndefined();
            expect(data.creditNotes.nodes).toHaveLength(first);
            if (first === 50) answers.push(data.creditNotes.nodes);
          }),
        );
      }
      expect(counts[1]).toBe(counts[0]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    for (const { svcId, status, fileUrl } of answers[0] as {
      svcId: string;
      status: string;
      fileUrl: string | null;
    }[]) {
      if (status === 'draft') expect(fileUrl).toBeNull();
      else expect(fileUrl).toContain(`/files/credit_notes/${svcId}.pdf?`);
    }
  });
});
