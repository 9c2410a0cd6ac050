import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeInvoice, makeSeller, type Seller, sample } from '../../invoice-rows.ts';
import { type Extracted, extract } from '../../pdf/extract.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';

let test: TestApp;
let seller: Seller;

beforeAll(async () => {
  test = await createTestApp();
  seller = await makeSeller(test.db, test.organizationId);
});
afterAll(() => test.close());

const download = (id: string, key?: string | null) =>
  test.rest('POST', `/invoices/${id}/download`, undefined, key === undefined ? {} : { key });

async function fetched(url: string, on: TestApp = test): Promise<Uint8Array> {
  const response = await on.app.fetch(new Request(url));
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** What a reader sees of the document behind an invoice's `file_url`. */
async function read(id: string, on: TestApp = test): Promise<Extracted> {
  const { body } = await on.rest('POST', `/invoices/${id}/download`);
  return extract(await fetched(body.invoice.file_url, on));
}

const NOT_FOUND = { status: 404, error: 'Not Found', code: 'object_not_found' };

describe('200', () => {
  it('answers with the extended invoice and an address that needs no key', async () => {
    const id = await makeInvoice(test.db, seller, { number: 'QUI-2026-7' });
    const { status, body } = await download(id);
    expect(status).toBe(200);
    expect(body.invoice).toMatchObject({
      svc_id: id,
      number: 'QUI-2026-7',
      status: 'finalized',
      total_amount_cents: 1250,
    });
    expect(Object.keys(body.invoice).sort()).toEqual(Object.keys(sample).sort());
    expect(body.invoice.fees).toHaveLength(1);
    const response = await test.app.fetch(new Request(body.invoice.file_url));
    expect(response.status).toBe(200);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('answers with every nested array', async () => {
    const { organizationId, customerId, planId } = seller;
    const { prisma } = test.db;
    const id = await makeInvoice(test.db, seller);
    const own = { organizationId, invoiceId: id };
    const subscription = await prisma.subscription.create({
      data: { organizationId, customerId, planId, externalId: 'sub_1', status: 'active', subscriptionAt: new Date(0) },
    });
    const threshold = await prisma.usageThreshold.create({ data: { organizationId, planId, amountCents: 10_000n } });
    await prisma.invoiceMetadata.create({ data: { ...own, key: 'po', value: 'PO-1' } });
    await prisma.invoiceAppliedTax.create({
      data: { ...own, taxName: 'VAT', taxCode: 'vat', taxRate: '20', amountCurrency: 'EUR' },
    });
    await prisma.invoiceAppliedCustomSection.create({
      data: { ...own, code: 'pay', details: 'Pay', displayName: 'How' },
    });
    await prisma.appliedUsageThreshold.create({
      data: { ...own, usageThresholdId: threshold.id, lifetimeUsageAmountCents: 12_000n },
    });
    await prisma.billingPeriod.create({
      data: {
        ...own,
        subscriptionId: subscription.id,
        subscriptionFromDatetime: new Date('2025-12-01T00:00:00Z'),
        subscriptionToDatetime: new Date('2025-12-31T23:59:59Z'),
        chargesFromDatetime: new Date('2025-12-01T00:00:00Z'),
        chargesToDatetime: new Date('2025-12-31T23:59:59Z'),
        invoicingReason: 'subscription_periodic',
      },
    });
    await prisma.credit.create({
      data: {
        ...own,
        itemType: 'coupon',
        itemId: randomUUID(),
        itemCode: 'ten',
        itemName: 'Ten',
        amountCents: 10n,
        amountCurrency: 'EUR',
        beforeTaxes: true,
      },
    });
    await prisma.invoiceErrorDetail.create({ data: { ...own, errorCode: 'tax_error', details: { tax_error: 'x' } } });
    const { invoice } = (await download(id)).body;
    expect(invoice).toMatchObject({
      metadata: [{ key: 'po', value: 'PO-1' }],
      applied_taxes: [{ tax_code: 'vat', tax_rate: 20, svc_invoice_id: id }],
      applied_invoice_custom_sections: [{ code: 'pay', svc_invoice_id: id }],
      applied_usage_thresholds: [{ lifetime_usage_amount_cents: 12_000, usage_threshold: { svc_id: threshold.id } }],
      billing_periods: [{ external_subscription_id: 'sub_1', svc_plan_id: planId }],
      subscriptions: [{ svc_id: subscription.id, external_id: 'sub_1' }],
      credits: [{ item: { type: 'coupon', code: 'ten' }, invoice: { svc_id: id } }],
      error_details: [{ error_code: 'tax_error', details: { tax_error: 'x' } }],
    });
    for (const name of Object.keys(sample).filter((key) => Array.isArray(sample[key]) && key !== 'fees')) {
      expect(Object.keys(invoice[name][0]).sort(), name).toEqual(Object.keys(sample[name][0]).sort());
    }
  });

  it('finds an identifier in upper case', async () => {
    const id = await makeInvoice(test.db, seller);
    const { status, body } = await download(id.toUpperCase());
    expect(status).toBe(200);
    expect((await test.app.fetch(new Request(body.invoice.file_url))).status).toBe(200);
  });

  it('keeps every digit of an amount beyond 32 and beyond 53 bits (GB-058)', async () => {
    const id = await makeInvoice(test.db, seller, { currency: 'JPY' }, [{ amountCents: 30_000_000_000n }]);
    expect((await download(id)).body.invoice).toMatchObject({
      total_amount_cents: 30_000_000_000,
      fees_amount_cents: 30_000_000_000,
    });
    const vast = await makeInvoice(test.db, seller, {}, [{ amountCents: 9_007_199_254_740_993n }]);
    expect((await download(vast)).text).toContain('"total_amount_cents":9007199254740993,');
    expect((await read(vast)).text).toContain('90,071,992,547,409.93');
  });

  it('asks the same number of statements for 2 and for 200 fees', async () => {
    const fees = (count: number) => Array.from({ length: count }, () => ({ amountCents: 100n }));
    const few = await makeInvoice(test.db, seller, {}, fees(2));
    const many = await makeInvoice(test.db, seller, {}, fees(200));
    await download(few);
    const ofFew = await countStatements(test.db, () => download(few));
    const ofMany = await countStatements(test.db, () => download(many));
    expect({ ofFew, ofMany }).toEqual({ ofFew: 1, ofMany: 1 });
    expect(await countStatements(test.db, () => read(many))).toBe(2);
  });

  it('ignores body and query', async () => {
    const id = await makeInvoice(test.db, seller);
    expect((await test.rest('POST', `/invoices/${id}/download?page=x`, undefined, { raw: '{' })).status).toBe(200);
  });
});

describe('401', () => {
  it('without a key or with a wrong one', async () => {
    const id = await makeInvoice(test.db, seller);
    expect((await download(id, null)).status).toBe(401);
    expect((await download(id, 'sk_svc_wrong')).status).toBe(401);
  });
});

describe('403', () => {
  it('for a publishable key', async () => {
    const id = await makeInvoice(test.db, seller);
    const { status, body } = await download(id, await test.makeKey({ kind: 'publishable' }));
    expect([status, body.code]).toEqual([403, 'publishable_key_not_allowed']);
  });

  it('for a key that may only read invoices', async () => {
    const id = await makeInvoice(test.db, seller);
    const { status, body } = await download(id, await test.makeKey({ permissions: { invoice: ['read'] } }));
    expect([status, body.code]).toEqual([403, 'write_action_not_allowed_for_invoice']);
  });

  it('is not asked about what the invoice shows: writing invoices is enough', async () => {
    const id = await makeInvoice(test.db, seller);
    const { status, body } = await download(id, await test.makeKey({ permissions: { invoice: ['write'] } }));
    expect([status, body.invoice.fees.length]).toEqual([200, 1]);
  });
});

describe('404', () => {
  it.each(['draft', 'voided', 'generating', 'failed', 'open', 'closed', 'pending'] as const)(
    'for an invoice that is %s',
    async (status) => {
      const id = await makeInvoice(test.db, seller, { status });
      expect(await download(id)).toMatchObject({ status: 404, body: NOT_FOUND });
    },
  );

  it('for an invoice that does not exist, and for what is no UUID', async () => {
    for (const id of [randomUUID(), 'abc', '42', `${randomUUID()}zz`, "x'%20OR%20'1'%3D'1"]) {
      expect(await download(id), id).toMatchObject({ status: 404, body: NOT_FOUND });
    }
  });

  it("for another organization's invoice", async () => {
    const id = await makeInvoice(test.db, seller);
    const { id: organizationId } = await test.db.prisma.organization.create({
      data: { name: `Other ${randomUUID()}` },
    });
    expect(await download(id, await test.makeKey({ organizationId }))).toMatchObject({ status: 404, body: NOT_FOUND });
  });
});

describe('the document', () => {
  it('shows a unit price with the digits of the currency (GB-007)', async () => {
    const line = { amountCents: 153_450n, units: '1023', preciseUnitAmount: '1.5', itemName: 'Line' };
    const { text } = await read(await makeInvoice(test.db, seller, { currency: 'HUF' }, [line]));
    expect(text).toContain('1.50');
    expect(text).toContain('1,534.50');
  });

  it('has a line for an amount without units, none for nothing, and adds up (GB-062)', async () => {
    const fees = [
      { feeType: 'subscription' as const, itemName: 'Basic', amountCents: 0n },
      { feeType: 'fixed_charge' as const, itemName: 'Standby line', units: '0', amountCents: 8500n },
      { feeType: 'charge' as const, itemName: 'Idle metric', units: '0', amountCents: 0n },
    ];
    const { text } = await read(await makeInvoice(test.db, seller, { currency: 'USD' }, fees));
    expect(text).toContain('Standby line');
    expect(text).toContain('85.00');
    expect(text).not.toContain('Idle metric');
    expect(text).not.toContain('Basic');
  });

  it('prints any script, and markup as text (GB-064)', async () => {
    const name = 'Żółw & Ő 東京 Ünal (EU) \\ <b>x</b>';
    const other = await makeSeller(test.db, test.organizationId, { customer: { name, documentLocale: 'fr' } });
    const id = await makeInvoice(test.db, other, {}, [{ amountCents: 123_456_789n }]);
    const own = { organizationId: test.organizationId, invoiceId: id };
    const details = 'août – 1\u202f000,00 € ₹';
    await test.db.prisma.invoiceAppliedCustomSection.create({
      data: { ...own, code: 'note', details, displayName: 'Note' },
    });
    const { text, missing } = await read(id);
    for (const part of ['Żółw', '東京', 'Ünal (EU) \\', '<b>x</b>', 'août', '€', '1 234 567,89']) {
      expect(text).toContain(part);
    }
    for (const part of ['1 /234', '&amp;', '&lt;b&gt;', '\ufffd']) expect(text).not.toContain(part);
    expect(missing).toBe(0);
  });

  it('says how a stored amount came about, whatever members the details have', async () => {
    const ranges = [
      {
        units: '10.0',
        from_value: 0,
        to_value: 10,
        flat_unit_amount: '2.0',
        per_unit_amount: '1.0',
        per_unit_total_amount: '10.0',
        total_with_flat_amount: '12.0',
      },
      {
        units: '5.0',
        from_value: 11,
        to_value: null,
        flat_unit_amount: '0.0',
        per_unit_amount: '0.5',
        per_unit_total_amount: '2.5',
        total_with_flat_amount: '2.5',
      },
    ];
    const id = await makeInvoice(test.db, seller, {}, [
      { amountCents: 1450n, amountDetails: { graduated_ranges: ranges, plan_amount_cents: null, rate: null } },
      { amountCents: 100n, amountDetails: { graduated_ranges: [{ units: 'many' }], rate: 'x', per_package_size: [] } },
      {
        amountCents: 100n,
        amountDetails: [],
        filters: { region: ['eu', 'us'] },
        groupedBy: { cloud: 'aws', zone: null },
      },
    ]);
    const { data } = await test.graphql(`{ invoice(svcId: "${id}") { fileUrl } }`);
    const { text } = await extract(await fetched(data.invoice.fileUrl));
    expect(text).toContain('0 – 10 10 €1.00 €10.00');
    expect(text).toContain('0 – 10, flat fee €2.00');
    expect(text).toContain('11 + 5 €0.50 €2.50');
    expect(text).toMatch(/region: eu, us/);
    expect(text).toContain('cloud: aws');
  });
});

describe('dates (GB-015)', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each(['America/Los_Angeles', 'Asia/Tokyo', 'UTC'])(
    'are the stored ones where the server runs in %s',
    async (name) => {
      process.env.TZ = name;
      expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(name);
      const here = await createTestApp();
      const customer = { timezone: 'Asia/Tokyo' };
      const tokyo = await makeSeller(here.db, here.organizationId, { customer });
      // Midnight in Tokyo: the day before everywhere west of it.
      const period = { fromDate: new Date('2025-11-30T15:00:00Z'), toDate: new Date('2025-12-31T14:59:59Z') };
      const id = await makeInvoice(here.db, tokyo, {}, [{ amountCents: 100n, ...period }]);
      const { body } = await here.rest('POST', `/invoices/${id}/download`);
      expect(body.invoice).toMatchObject({ issuing_date: '2026-01-01', payment_due_date: '2026-03-08' });
      const { text } = await read(id, here);
      expect(text).toMatch(/Jan(uary)? 0?1, 2026/);
      expect(text).toMatch(/Mar(ch)? 0?8, 2026/);
      await here.close();
    },
  );
});
