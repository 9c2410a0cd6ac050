import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadApp, IDS } from '../fixture.ts';
import { itIsGuarded, NOT_FOUND } from '../guarded.ts';

let app: Awaited<ReturnType<typeof createReadApp>>;
beforeAll(async () => {
  app = await createReadApp();
});
afterAll(() => app.close());

describe('200', () => {
  it('a fee with everything', async () => {
    const { status, body } = await app.rest('GET', `/fees/${IDS.fullFee}`);
    expect(status).toBe(200);
    expect(body.fee).toMatchObject({
      svc_id: IDS.fullFee,
      svc_charge_filter_id: IDS.filter,
      external_customer_id: 'cust_ada',
      external_subscription_id: 'sub_ada',
      amount_cents: 1346,
      taxes_amount_cents: 269,
      total_amount_cents: 1615,
      precise_amount: '13.45662',
      precise_total_amount: '16.147944',
      taxes_precise_amount: '2.691324',
      precise_coupons_amount_cents: '33.33333',
      sub_total_excluding_taxes_amount_cents: 1313,
      sub_total_excluding_taxes_precise_amount_cents: '1312.32867',
      units: '10.0',
      precise_unit_amount: '1.345662',
      taxes_rate: 20,
      events_count: 10,
      pay_in_advance: true,
      invoiceable: false,
      from_date: '2026-01-01T00:00:00Z',
      payment_status: 'refunded',
      item: {
        type: 'charge',
        item_type: 'BillableMetric',
        filter_invoice_display_name: 'Europe',
        filters: { region: ['eu'] },
        grouped_by: { cloud: 'aws' },
      },
      amount_details: { rate: '1.0' },
      applied_taxes: [{ tax_code: 'vat20', tax_rate: 20, amount_cents: 269 }],
      pricing_unit_details: { pricing_unit_code: 'credits', precise_amount_cents: '897.108', conversion_rate: '1.5' },
      presentation_breakdowns: [{ presentation_by: { cloud: 'aws' }, units: '10.0' }],
    });
  });
  it('a fee with nothing that is optional', async () => {
    const { status, body } = await app.rest('GET', `/fees/${IDS.sparseFee}`);
    expect(status).toBe(200);
    for (const name of ['svc_invoice_id', 'events_count', 'from_date', 'description', 'pricing_unit_details']) {
      expect(body.fee, name).toHaveProperty(name, null);
    }
    expect(body.fee.item).toMatchObject({ filters: null, filter_invoice_display_name: null, grouped_by: {} });
    expect(body.fee.applied_taxes).toEqual([]);
  });
  it('prints decimals of any size without an exponent', async () => {
    const { text, body } = await app.rest('GET', `/fees/${IDS.preciseFee}`);
    expect(body.fee).toMatchObject({
      units: '74759000.0',
      precise_unit_amount: '0.00000018',
      total_aggregated_units: '1500000000000000000000000.0',
      precise_amount: '13.45662',
    });
    expect(text).not.toMatch(/"-?\d+(\.\d+)?[eE][+-]?\d+"/);
  });
  it('keeps negative units and every digit of the details', async () => {
    const { body } = await app.rest('GET', `/fees/${IDS.negativeFee}`);
    expect(body.fee).toMatchObject({ units: '0.0', total_aggregated_units: '-10.0', amount_cents: 0 });
    expect(body.fee.amount_details.graduated_ranges[0]).toMatchObject({
      units: '-5.1612903225806452',
      total_with_flat_amount: '-0.041612903225806452',
      to_value: null,
    });
  });
  it('is found whatever the letters of the identifier', async () => {
    expect((await app.rest('GET', `/fees/${IDS.fullFee.toUpperCase()}`)).status).toBe(200);
  });
});

itIsGuarded(
  () => app,
  'GET',
  () => `/fees/${IDS.fullFee}`,
  'fee:read',
);

describe('404', () => {
  it.each([['7d0f5a34-1b1e-4c57-9a52-999999999999'], ['not-a-uuid'], ['%00'], ["1' OR '1'='1"]])('%s', async (id) => {
    const { status, body } = await app.rest('GET', `/fees/${id.startsWith('%') ? id : encodeURIComponent(id)}`);
    expect(status).toBe(404);
    expect(body).toEqual(NOT_FOUND);
  });
  it("another organization's fee", async () => {
    const { status, body } = await app.rest('GET', `/fees/${IDS.fullFee}`, undefined, { key: app.other });
    expect(status).toBe(404);
    expect(body).toEqual(NOT_FOUND);
  });
  it('a deleted fee', async () => {
    await app.db.prisma.fee.update({ where: { id: IDS.sparseFee }, data: { deletedAt: new Date() } });
    expect((await app.rest('GET', `/fees/${IDS.sparseFee}`)).status).toBe(404);
    await app.db.prisma.fee.update({ where: { id: IDS.sparseFee }, data: { deletedAt: null } });
  });
});
