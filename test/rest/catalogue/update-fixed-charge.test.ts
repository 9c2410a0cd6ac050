import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPricedApp } from '../priced.ts';

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app.close());

const put = (fixed_charge: unknown, plan = 'orchid', code = 'desk') =>
  app.rest('PUT', `/plans/${plan}/fixed_charges/${code}`, { fixed_charge });

const rows = async () => ({
  charges: await app.db.prisma.fixedCharge.findMany({
    where: { organizationId: app.organizationId },
    include: { taxes: true, unitsEvents: { orderBy: { id: 'asc' } } },
    orderBy: { id: 'asc' },
  }),
  invoices: await app.db.prisma.invoice.count(),
  fees: await app.db.prisma.fee.count(),
});

async function unchangedBy(run: () => Promise<unknown>) {
  const before = await rows();
  await run();
  expect(await rows()).toEqual(before);
}

const history = async (externalId: string, code = 'desk') =>
  (
    await app.db.prisma.fixedChargeUnitsEvent.findMany({
      where: { organizationId: app.organizationId, subscription: { externalId }, fixedCharge: { code } },
      orderBy: { id: 'asc' },
    })
  ).map(({ units, effectiveAt }) => [units.toFixed(), effectiveAt.toISOString()]);

describe('200', () => {
  test('absent members keep their values; the structure changes while nobody has subscribed', async () => {
    const first = await put({ units: '20.50', invoice_display_name: 'Desks' });
    expect([first.status, first.body.fixed_charge]).toMatchObject([
      200,
      { units: 20.5, properties: { amount: '10' }, invoice_display_name: 'Desks', charge_model: 'standard', taxes: [] },
    ]);
    expect(first.text).toContain('"units":20.5,');
    const second = await put({ units: null, properties: null, code: ' ', invoice_display_name: null, tax_codes: null });
    expect(second.body.fixed_charge).toEqual({ ...first.body.fixed_charge, invoice_display_name: null });
    const third = await put({
      charge_model: 'volume',
      code: 'seat',
      pay_in_advance: true,
      prorated: true,
      add_on_code: 'nope',
      add_on_id: app.organizationId,
    });
    expect(third.body.fixed_charge).toMatchObject({
      charge_model: 'volume',
      code: 'seat',
      pay_in_advance: false,
      prorated: false,
      add_on_code: 'desk',
      properties: {
        volume_ranges: [{ from_value: 0, to_value: null, flat_amount: '0', per_unit_amount: '0' }],
      },
    });
    const back = await put({ charge_model: 'standard', code: 'desk', properties: { amount: '10' } }, 'orchid', 'seat');
    expect(back.body.fixed_charge).toMatchObject({ code: 'desk', properties: { amount: '10' } });
    expect(await history('sub_used')).toEqual([]);
  });

  test('a yearly plan in use: from the next period, at once, taxes, and refusals that change nothing', async () => {
    const later = await put({ units: '5', properties: { amount: '10' }, apply_units_immediately: false }, 'cedar');
    expect([later.status, later.body.fixed_charge.units, later.body.fixed_charge.taxes]).toEqual([200, 5, []]);
    const now = await put({ units: '6', properties: { amount: '10' }, apply_units_immediately: true }, 'cedar');
    expect([now.status, now.body.fixed_charge.units]).toEqual([200, 6]);
    expect(await history('sub_cedar')).toEqual([
      ['3', '2026-01-01T00:00:00.000Z'],
      ['5', '2027-01-01T00:00:00.000Z'],
      ['6', '2026-06-15T12:00:00.000Z'],
    ]);
    const taxed = await put({ units: '6', properties: { amount: '10' }, tax_codes: ['vat20'] }, 'cedar');
    expect([taxed.status, taxed.body.fixed_charge.taxes]).toMatchObject([200, [{ code: 'vat20' }]]);
    await unchangedBy(async () => {
      const negative = await put({ units: '-1', properties: { amount: '10' } }, 'cedar');
      expect([negative.status, negative.body.error_details]).toEqual([422, { units: ['value_is_out_of_range'] }]);
      const ghost = await put({ units: '7', tax_codes: ['vat20', 'ghost'] }, 'cedar');
      expect([ghost.status, ghost.body.code]).toEqual([404, 'object_not_found']);
    });
    const ignored = await put({ code: 'other', charge_model: 'graduated' }, 'cedar');
    expect(ignored.body.fixed_charge).toMatchObject({ code: 'desk', charge_model: 'standard', units: 6 });
    expect(await app.db.prisma.invoice.count()).toBe(0);
  });

  test('is recorded', async () => {
    const { body } = await put({ units: '6.25', tax_codes: ['city'] }, 'cedar');
    const entries = await app.db.prisma.auditLog.findMany({
      where: { objectId: body.fixed_charge.svc_id },
      orderBy: { id: 'desc' },
      take: 1,
    });
    expect(entries).toMatchObject([
      {
        action: 'fixed_charge.updated',
        before: { units: '6.0', taxCodes: ['vat20'] },
        after: { units: '6.25', taxCodes: ['city'] },
      },
    ]);
  });
});

describe('units paid in advance that change at once', () => {
  const invoices = () =>
    app.db.prisma.invoice.findMany({
      where: { organizationId: app.organizationId },
      include: { fees: { include: { appliedTaxes: true } }, appliedTaxes: true, billingPeriods: true, credits: true },
      orderBy: { id: 'asc' },
    });
  beforeEach(async () => {
    const own = { organizationId: app.organizationId };
    await app.db.prisma.walletTransaction.deleteMany({ where: own });
    await app.db.prisma.feeAppliedTax.deleteMany({ where: own });
    await app.db.prisma.fee.deleteMany({ where: own });
    await app.db.prisma.invoice.deleteMany({ where: own });
    await app.db.prisma.invoiceCounter.deleteMany({ where: own });
  });

  test('the increase over what was paid in the period, then nothing for a decrease, under numbers in a row', async () => {
    await put({ tax_codes: ['vat20'] }, 'ahead');
    await put({ units: '4', apply_units_immediately: true }, 'ahead');
    await put({ units: '6.5', apply_units_immediately: true }, 'ahead');
    await put({ units: '2', apply_units_immediately: true }, 'ahead');
    const [first, second, third, ...others] = await invoices();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      number: 'MAI-001-001',
      sequentialId: 1,
      status: 'finalized',
      invoiceType: 'subscription',
      paymentStatus: 'pending',
      currency: 'EUR',
      feesAmountCents: 4000n,
      taxesAmountCents: 800n,
      totalAmountCents: 4800n,
      appliedTaxes: [{ taxCode: 'vat20', amountCents: 800n, feesAmountCents: 4000n }],
      billingPeriods: [{ invoicingReason: 'in_advance_charge' }],
      fees: [
        {
          feeType: 'fixed_charge',
          itemType: 'AddOn',
          itemCode: 'desk',
          amountCents: 4000n,
          taxesAmountCents: 800n,
          payInAdvance: true,
          appliedTaxes: [{ taxCode: 'vat20', amountCents: 800n }],
          fromDate: new Date('2026-06-01T00:00:00Z'),
          toDate: new Date('2026-06-30T23:59:59.999Z'),
        },
      ],
    });
    expect([second?.number, second?.feesAmountCents, second?.fees[0]?.units.toFixed()]).toEqual([
      'MAI-001-002',
      2500n,
      '2.5',
    ]);
    expect([third?.number, third?.totalAmountCents, third?.fees[0]?.units.toFixed()]).toEqual(['MAI-001-003', 0n, '0']);
    const shown = await app.rest('POST', `/invoices/${first?.id}/download`);
    expect([shown.status, shown.body.invoice.fees[0].amount_cents]).toEqual([200, 4000]);
  });

  test('prorated for the rest of the period', async () => {
    await put({ units: '30', apply_units_immediately: true }, 'ahead', 'part');
    // 30 units at 10 for the 16 days from 15 to 30 June.
    expect((await invoices()).map(({ feesAmountCents }) => feesAmountCents)).toEqual([16000n]);
  });

  test('later, unchanged or in arrears: no invoice', async () => {
    await put({ units: '31' }, 'ahead', 'part');
    await put({ units: '31', apply_units_immediately: true }, 'ahead', 'part');
    await put({ units: '9', apply_units_immediately: true }, 'used');
    expect(await invoices()).toEqual([]);
  });

  test('coupons, then the wallet, pay for it', async () => {
    const customer = await app.db.prisma.customer.findFirstOrThrow({
      where: { organizationId: app.organizationId, externalId: 'cust_ada' },
    });
    const own = { organizationId: app.organizationId };
    const coupon = await app.db.prisma.coupon.create({
      data: {
        ...own,
        code: 'ten',
        name: 'Ten',
        couponType: 'fixed_amount',
        amountCents: 1000n,
        amountCurrency: 'EUR',
        frequency: 'once',
      },
    });
    const applied = await app.db.prisma.appliedCoupon.create({
      data: {
        ...own,
        couponId: coupon.id,
        customerId: customer.id,
        amountCents: 1000n,
        amountCurrency: 'EUR',
        frequency: 'once',
      },
    });
    const wallet = await app.db.prisma.wallet.create({
      data: {
        ...own,
        customerId: customer.id,
        currency: 'EUR',
        rateAmount: '1',
        balanceCents: 500n,
        creditsBalance: '5',
      },
    });
    await put({ units: '100', apply_units_immediately: true, tax_codes: [] }, 'ahead');
    expect(await invoices()).toMatchObject([
      {
        feesAmountCents: 100000n,
        couponsAmountCents: 1000n,
        prepaidCreditAmountCents: 500n,
        totalAmountCents: 98500n,
        credits: [{ itemType: 'coupon', itemCode: 'ten', amountCents: 1000n, beforeTaxes: true }],
      },
    ]);
    expect(await app.db.prisma.appliedCoupon.findUnique({ where: { id: applied.id } })).toMatchObject({
      status: 'terminated',
    });
    const after = await app.db.prisma.wallet.findUniqueOrThrow({
      where: { id: wallet.id },
      include: { transactions: true },
    });
    expect(after).toMatchObject({
      balanceCents: 0n,
      transactions: [{ transactionType: 'outbound', transactionStatus: 'invoiced' }],
    });
    expect([after.creditsBalance.toFixed(), after.consumedCredits.toFixed()]).toEqual(['0', '5']);
  });

  test('an amount past 64 bits is refused, and nothing is left behind', async () => {
    await unchangedBy(async () => {
      const { status, body } = await put(
        { units: '999999999999999', properties: { amount: '99999999999' }, apply_units_immediately: true },
        'ahead',
      );
      expect([status, body.error_details]).toEqual([422, { units: ['value_is_out_of_range'] }]);
    });
  });
});

describe('400', () => {
  test.each(['{"fixed_charge":', '[]', '{}', '{"fixed_charge":{}}', '{"fixed_charge":"x"}'])('%s', async (raw) => {
    expect((await app.rest('PUT', '/plans/orchid/fixed_charges/desk', undefined, { raw })).status).toBe(400);
  });
});

test('401 without a key', async () => {
  expect((await app.rest('PUT', '/plans/orchid/fixed_charges/desk', {}, { key: null })).status).toBe(401);
});

describe('403', () => {
  test('a publishable key, and one that may only read', async () => {
    const publishable = await app.makeKey({ kind: 'publishable' });
    const first = await app.rest('PUT', '/plans/x/fixed_charges/y', {}, { key: publishable });
    expect([first.status, first.body.code]).toEqual([403, 'publishable_key_not_allowed']);
    const reader = await app.makeKey({ permissions: { plan: ['read'] } } as never);
    const second = await app.rest('PUT', '/plans/x/fixed_charges/y', {}, { key: reader });
    expect([second.status, second.body.code]).toEqual([403, 'write_action_not_allowed_for_plan']);
  });
});

describe('404', () => {
  test.each([
    ['nope', 'desk'],
    ['orchid', 'nope'],
  ])('plan %s, fixed charge %s, whatever the body', async (plan, code) => {
    for (const body of [{ units: '1' }, {}, { units: 'x' }, { units: '-1' }]) {
      const answer = await put(body, plan, code);
      expect([answer.status, answer.body.code]).toEqual([404, 'object_not_found']);
    }
  });
});

describe('422 and nothing is changed', () => {
  test.each<[string, unknown, object]>([
    ['units that are text', { units: 'many' }, { units: ['value_is_invalid'] }],
    ['units past what is stored', { units: '1000000000000000' }, { units: ['value_is_out_of_range'] }],
    ['a number for an amount', { properties: { amount: 0.1 } }, { properties: ['invalid_amount'] }],
    ['empty properties', { properties: {} }, { properties: ['value_is_mandatory'] }],
    ['a list of properties', { properties: [] }, { properties: ['value_is_invalid'] }],
    ['an unknown model', { charge_model: 'package' }, { charge_model: ['value_is_invalid'] }],
    ['a taken code', { code: 'lamp' }, { code: ['value_already_exist'] }],
    ['a long code', { code: 'x'.repeat(5000) }, { code: ['value_is_too_long'] }],
    [
      'flags that are texts',
      { cascade_updates: 'false', apply_units_immediately: 'false' },
      { cascade_updates: ['value_is_invalid'], apply_units_immediately: ['value_is_invalid'] },
    ],
    [
      'several at once',
      { units: '-1', properties: { amount: '-1' } },
      { units: ['value_is_out_of_range'], properties: ['invalid_amount'] },
    ],
  ])('%s', async (_name, body, details) => {
    await unchangedBy(async () => {
      const answer = await put(body);
      expect([answer.status, answer.body.error_details]).toEqual([422, details]);
    });
  });
});

test('two organizations with the same codes: each changes its own', async () => {
  await unchangedBy(async () => {
    const { status } = await app.rest(
      'PUT',
      '/plans/cedar/fixed_charges/desk',
      { fixed_charge: { properties: { amount: '1' } } },
      { key: app.other },
    );
    expect(status).toBe(200);
  });
});
