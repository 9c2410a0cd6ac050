import { describe, expect, it } from 'vitest';
import { INVOICE_DEVIATIONS } from './invoice-deviations.ts';
import { evaluate } from './invoice-scenarios.ts';
import type { Json } from './vector-type.ts';

const LIMITED = 'a preview uses limited coupons as the invoice does';
const ENTITY = 'taxes follow the entity that is billed';

const plan = (code: string, amount_cents: number, metric: string, tax_codes: string[] = []) => ({
  code,
  amount_cents,
  amount_currency: 'EUR',
  tax_codes,
  charges: [{ code: metric, metric, aggregation: 'count', properties: { amount: '0.333' } }],
});
const subscription = (id: string, code: string) => ({
  id,
  external_id: id,
  plan: code,
  status: 'active',
  subscription_at: '2024-01-01T00:00:00Z',
  started_at: '2024-01-01T00:00:00Z',
});
const event = (at: string, metric: string, day: number) => ({
  subscription: at,
  metric,
  timestamp: `2024-03-0${day}T00:00:00Z`,
  properties: {},
});
const coupon = (members: object) => ({
  code: 'c',
  coupon_type: 'fixed_amount',
  amount_cents: 50,
  amount_currency: 'EUR',
  frequency: 'forever',
  ...members,
});

/** Two subscriptions of two plans with usage, previewed together. */
function preview(members: object, params: object = {}, expected: object = {}): Json {
  const setup = {
    timezone: 'UTC',
    billing_entity: { code: 'be', tax_codes: ['vat'] },
    customer: { external_id: 'customer', currency: 'EUR' },
    taxes: [
      { code: 'vat', rate: 20 },
      { code: 'low', rate: '5.5' },
    ],
    plans: [plan('small', 1000, 'calls'), plan('large', 2333, 'hours', ['low'])],
    subscriptions: [subscription('a', 'small'), subscription('b', 'large')],
    events: [event('a', 'calls', 1), event('a', 'calls', 2), event('b', 'hours', 3), event('b', 'hours', 4)],
    ...members,
  };
  const action = {
    type: 'preview',
    now: '2024-03-15T00:00:00Z',
    params: { subscriptions: { external_ids: ['a', 'b'] }, ...params },
  };
  return { id: 'X', setup, action, expected };
}

/** The rules that explain why an answer is another one than expected. */
const explained = (vectorCase: Json, actual: object, expected = vectorCase.expected) =>
  INVOICE_DEVIATIONS.filter(({ applies }) => applies({ vectorCase, difference: { path: [], expected, actual } })).map(
    ({ name }) => name,
  );

const AMOUNTS = [
  'fees_amount_cents',
  'coupons_amount_cents',
  'sub_total_excluding_taxes_amount_cents',
  'taxes_amount_cents',
  'sub_total_including_taxes_amount_cents',
  'credit_notes_amount_cents',
  'prepaid_credit_amount_cents',
  'total_amount_cents',
];

/** What the rules answer is explained; a cent more or less in any amount, or another rate or share, is not. */
function explainsOnly(name: string, vectorCase: Json): Record<string, unknown> {
  const ours = evaluate(vectorCase).actual as Record<string, unknown> & { fees: Json[] };
  expect(explained(vectorCase, ours)).toContain(name);
  for (const amount of AMOUNTS) {
    for (const cents of [-1n, 1n]) {
      const wrong = { ...ours, [amount]: (BigInt(String(ours[amount])) + cents).toString() };
      expect([amount, cents, explained(vectorCase, wrong).includes(name)]).toEqual([amount, cents, false]);
    }
  }
  expect(explained(vectorCase, { ...ours, taxes_rate: '1' })).not.toContain(name);
  const fees = ours.fees.map((fee) => ({ ...fee, precise_coupons_amount_cents: '0.00001' }));
  expect(explained(vectorCase, { ...ours, fees })).not.toContain(name);
  expect(explained(vectorCase, { error: { code: 'internal' } })).toEqual([]);
  return ours;
}

describe('limited coupons of a preview', () => {
  it.each([
    ['a metric, less than the fee', { limited_billable_metrics: ['calls'] }, '50'],
    ['a metric, more than the fee', { limited_billable_metrics: ['calls'], amount_cents: 90 }, '67'],
    ['a metric without fees', { limited_billable_metrics: ['others'] }, '0'],
    [
      'a plan that is not the first',
      { limited_plans: ['large'], coupon_type: 'percentage', percentage_rate: 10 },
      '240',
    ],
    [
      'a share of one plan that ends in a half cent',
      { limited_plans: ['small'], coupon_type: 'percentage', percentage_rate: '12.5' },
      '133',
    ],
    ['what is left of a coupon', { limited_plans: ['small'], frequency: 'once', already_credited_cents: 20 }, '30'],
    ['another currency', { limited_plans: ['small'], amount_currency: 'USD' }, '0'],
  ])('%s: the one right value', (_, members, cents) => {
    const vectorCase = preview({ coupons: [coupon(members)] });
    expect(explainsOnly(LIMITED, vectorCase).coupons_amount_cents).toBe(cents);
  });

  it('several in their order, with a note and a wallet behind them', () => {
    const coupons = [
      coupon({ code: 'all', coupon_type: 'percentage', percentage_rate: '33.3' }),
      coupon({ code: 'plan', limited_plans: ['large'], amount_cents: 100 }),
      coupon({ code: 'metric', limited_billable_metrics: ['hours'], coupon_type: 'percentage', percentage_rate: 50 }),
    ];
    const credit_notes = [{ code: 'n', currency: 'EUR', balance_amount_cents: 500, status: 'finalized' }];
    const wallets = [{ code: 'w', currency: 'EUR', balance_cents: 700 }];
    const ours = explainsOnly(LIMITED, preview({ coupons, credit_notes, wallets }));
    expect([ours.credit_notes_amount_cents, ours.prepaid_credit_amount_cents]).toEqual(['500', '700']);
  });

  it('never another fee, date or currency', () => {
    const expected = { fees_amount_cents: 3467, issuing_date: '2024-04-01', currency: 'EUR' };
    const vectorCase = preview({ coupons: [coupon({ limited_plans: ['large'] })] }, {}, expected);
    const ours = evaluate(vectorCase).actual as Record<string, unknown> & { fees: Json[] };
    expect(explained(vectorCase, ours)).toEqual([LIMITED]);
    expect(explained(vectorCase, ours, { ...expected, issuing_date: '2024-04-02' })).toEqual([]);
    expect(explained(vectorCase, ours, { ...expected, currency: 'USD' })).toEqual([]);
    expect(explained(vectorCase, ours, { ...expected, fees_amount_cents: 3468 })).toEqual([]);
    const wrong = ours.fees.map((fee, at) => (at === 0 ? { ...fee, units: '2' } : fee));
    expect(explained(vectorCase, ours, { ...expected, fees: wrong })).toEqual([]);
    expect(explained(vectorCase, ours, { error: { status: 404 } })).toEqual([]);
  });

  it('on fees that are given as such', () => {
    const fee = (code: string, amount_cents: number) => ({
      type: 'subscription',
      subscription: code,
      plan: code,
      amount_cents,
    });
    const setup = {
      taxes: [],
      fees: [fee('x', 100), fee('y', 200)],
      coupons: [coupon({ limited_plans: ['y'], amount_cents: 250 })],
    };
    const action = { type: 'compute', what: 'apply_coupons', mode: 'preview' };
    const vectorCase = { id: 'X', setup, action, expected: { coupons_amount_cents: 0, credits_count: 0 } };
    const ours = evaluate(vectorCase).actual as Json;
    expect(ours).toMatchObject({ coupons_amount_cents: '200', credits_count: 1 });
    expect(explained(vectorCase, ours)).toEqual([LIMITED]);
    expect(explained(vectorCase, { ...ours, coupons_amount_cents: '250' })).toEqual([]);
    expect(explained(vectorCase, { ...ours, credits_count: 2 })).toEqual([]);
  });
});

describe('another entity in a preview', () => {
  const other = (tax_codes: string[]) => ({ other_billing_entity: { code: 'other', tax_codes } });

  it.each([
    ['taxes of its own', ['low'], '191'],
    ['several taxes', ['low', 'vat'], '404'],
    ['no taxes', [], '132'],
  ])('%s: the one right value', (_, codes, cents) => {
    const vectorCase = preview(other(codes), { billing_entity_code: 'other' });
    expect(explainsOnly(ENTITY, vectorCase).taxes_amount_cents).toBe(cents);
  });

  it('never other coupons', () => {
    const vectorCase = preview({ ...other(['low']), coupons: [coupon({})] }, { billing_entity_code: 'other' });
    const ours = evaluate(vectorCase).actual as Json;
    expect(explained(vectorCase, ours, { coupons_amount_cents: 50, taxes_amount_cents: 1 })).toEqual([ENTITY]);
    expect(explained(vectorCase, ours, { coupons_amount_cents: 51, taxes_amount_cents: 1 })).toEqual([]);
  });
});

it('a night when clocks go forward may move dates by a day, and nothing else', () => {
  const dates = { issuing_date: '2024-03-31', payment_due_date: '2024-03-31', total_amount_cents: 100 };
  const late = { ...dates, issuing_date: '2024-04-01', payment_due_date: '2024-04-01' };
  const inParis = preview({ timezone: 'Europe/Paris' });
  expect(explained(inParis, dates, late)).toHaveLength(1);
  expect(explained(inParis, dates, { ...late, total_amount_cents: 101 })).toEqual([]);
  expect(explained(inParis, dates, { ...late, payment_due_date: '2024-03-31' })).toEqual([]);
  expect(explained(preview({ timezone: 'Asia/Tokyo' }), dates, late)).toEqual([]);
});

it('wallets may take a cent more or less, which the total shows, and nothing else', () => {
  const vectorCase = preview({ wallets: [{ code: 'w', balance_cents: 50 }] });
  const amounts = { sub_total_including_taxes_amount_cents: 100, credit_notes_amount_cents: 0 };
  const expected = { ...amounts, prepaid_credit_amount_cents: 49, total_amount_cents: 50 };
  const ours = { ...amounts, prepaid_credit_amount_cents: 50, total_amount_cents: 50 };
  expect(explained(vectorCase, ours, expected)).toHaveLength(1);
  expect(explained(vectorCase, { ...ours, total_amount_cents: 51 }, expected)).toEqual([]);
  expect(explained(vectorCase, { ...ours, sub_total_including_taxes_amount_cents: 101 }, expected)).toEqual([]);
});
