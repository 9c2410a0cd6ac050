import { expect, it } from 'vitest';
import { INVOICE_DEVIATIONS } from './invoice-deviations.ts';

const action = { type: 'preview' };
const applied = (setup: object, expected: object, actual: object) =>
  INVOICE_DEVIATIONS.filter(({ applies }) =>
    applies({ vectorCase: { action, setup } as never, difference: { path: [], expected, actual } }),
  ).map(({ name }) => name);

const limited = { coupons: [{ limited_plans: ['basic'] }] };
const entity = { other_billing_entity: { code: 'other' } };

it('limited coupons may change the total, never the fees, a date or whether there is an answer', () => {
  const expected = { fees_amount_cents: 1000, issuing_date: '2026-02-01', total_amount_cents: 900 };
  expect(applied(limited, expected, { ...expected, total_amount_cents: 950 })).toHaveLength(1);
  expect(applied(limited, expected, { ...expected, fees_amount_cents: 1001 })).toEqual([]);
  expect(applied(limited, expected, { ...expected, issuing_date: '2026-02-03' })).toEqual([]);
  expect(applied(limited, expected, { error: { code: 'internal' } })).toEqual([]);
});

it('another entity may change the taxes, never what they are computed on', () => {
  const expected = { fees_amount_cents: 1000, coupons_amount_cents: 100, taxes_amount_cents: 180 };
  expect(applied(entity, expected, { ...expected, taxes_amount_cents: 90 })).toHaveLength(1);
  expect(applied(entity, expected, { ...expected, coupons_amount_cents: 0 })).toEqual([]);
});
