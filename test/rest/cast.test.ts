import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullApp, WALLETS } from '../robust/full-app.ts';
import type { TestApp } from '../support.ts';
import { IDS } from './fixture.ts';

// What clients of the reference send besides what the specification shows. Every answer is held against the contract.
let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app.close());

const CHARGE = '/plans/fuzzed/charges/calls';
const DESK = '/plans/fuzzed/fixed_charges/desk';
const [wallet = '', other = '', third = ''] = WALLETS;

const forms = (id: string) => [id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `{${id.replaceAll('-', '')}}`];

describe('identifiers in a path', () => {
  it('of a fee, in capitals, without hyphens and in braces', async () => {
    for (const form of forms(IDS.fullFee)) {
      const { status, body } = await app.rest('GET', `/fees/${encodeURIComponent(form)}`);
      expect([status, body.fee?.svc_id], form).toEqual([200, IDS.fullFee]);
    }
  });
  it('of an invoice, a filter and a wallet', async () => {
    const bare = (id: string | undefined) => (id ?? '').replaceAll('-', '');
    const invoice = await app.rest('POST', `/invoices/${bare(IDS.invoices[1])}/download`);
    expect(invoice.body.invoice.svc_id).toBe(IDS.invoices[1]);
    const filter = await app.rest('GET', `/plans/orchid/charges/api_calls/filters/${bare(IDS.filter)}`);
    expect(filter.body.filter.svc_id).toBe(IDS.filter);
    expect((await app.rest('PATCH', `/wallets/${bare(wallet)}/metadata`, { metadata: { a: 'b' } })).body).toEqual({
      metadata: { a: 'b' },
    });
    expect((await app.rest('DELETE', `/wallets/${bare(third)}`)).body.wallet.svc_id).toBe(third);
  });
  it('what is none is a 404', async () => {
    for (const path of ['abc', `${IDS.fullFee}0`, `{${IDS.fullFee}`, IDS.fullFee.slice(1), `-${IDS.fullFee}`]) {
      expect((await app.rest('GET', `/fees/${encodeURIComponent(path)}`)).status, path).toBe(404);
    }
  });
});

describe('bodies', () => {
  it('none where all of it is optional', async () => {
    const { status, body } = await app.rest('PATCH', `/wallets/${other}/metadata`);
    expect([status, body]).toEqual([200, { metadata: {} }]);
    expect((await app.rest('PATCH', '/wallets/nobody/metadata')).status).toBe(404);
    expect((await app.rest('POST', '/invoices/preview')).status).toBe(404);
    expect((await app.rest('PUT', CHARGE)).status).toBe(400);
  });

  it('of a charge: numbers for texts, digits for numbers, empty texts for nothing', async () => {
    const before = (await app.rest('PUT', CHARGE, { charge: { invoice_display_name: 'Calls' } })).body.charge;
    const { status, body } = await app.rest('PUT', CHARGE, {
      charge: {
        ...{ invoice_display_name: 42, min_amount_cents: '12', code: 7, charge_model: '', billable_metric_id: '' },
        ...{ pay_in_advance: '', prorated: '', invoiceable: '', regroup_paid_fees: '', cascade_updates: '' },
        applied_pricing_unit: { code: 1, conversion_rate: '' },
      },
    });
    const cast = { invoice_display_name: '42', code: '7', min_amount_cents: 12 };
    expect([status, body.charge]).toEqual([200, { ...before, ...cast }]);
    const back = { charge: { code: before.code, min_amount_cents: null } };
    expect((await app.rest('PUT', '/plans/fuzzed/charges/7', back)).body.charge.code).toBe('calls');
    expect((await app.rest('PUT', CHARGE, { charge: { tax_codes: [20] } })).status).toBe(404);
  });

  it('of a filter: numbers for values and for its name', async () => {
    const filter = {
      invoice_display_name: 1.5,
      properties: { amount: '1' },
      values: { region: ['eu'] },
      cascade_updates: '',
    };
    const { status, body } = await app.rest('POST', `${CHARGE}/filters`, { filter });
    expect([status, body.filter.invoice_display_name]).toEqual([200, '1.5']);
  });

  it.each([
    [5, 5],
    ['6', 6],
    [7.5, 7.5],
    [1e-7, 1e-7],
    ['', 1e-7],
    [null, 1e-7],
  ])('of a fixed charge: %j units', async (units, shown) => {
    const { status, body } = await app.rest('PUT', DESK, { fixed_charge: { units } });
    expect([status, body.fixed_charge.units]).toEqual([200, shown]);
  });

  it('of a preview: every scalar that clients send in another type', async () => {
    const { status, body } = await app.rest('POST', '/invoices/preview', {
      ...{ plan_code: 'fuzzed', billing_time: '', subscription_at: '', billing_entity_code: '' },
      customer: { name: 12, zipcode: 75001, currency: '', country: '', timezone: '', shipping_address: { zipcode: 1 } },
      coupons: [
        { code: 1, name: 2, coupon_type: '', amount_cents: '100', amount_currency: 'EUR', frequency_duration: '3' },
        { coupon_type: 'percentage', percentage_rate: 10, frequency: '', frequency_duration: '' },
      ],
    });
    expect(status).toBe(200);
    expect(body.invoice.customer).toMatchObject({ name: '12', zipcode: '75001', currency: null, country: null });
    expect(body.invoice.customer.shipping_address.zipcode).toBe('1');
    expect(body.invoice.credits[0]).toMatchObject({ amount_cents: 100, item: { code: '1', name: '2' } });
  });

  it('true and false are not guessed', async () => {
    const { body } = await app.rest('PUT', CHARGE, { charge: { cascade_updates: 'false', invoiceable: 1 } });
    expect(body.error_details).toEqual({ cascade_updates: ['value_is_invalid'], invoiceable: ['value_is_invalid'] });
  });
});
