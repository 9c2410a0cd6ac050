import { expect, test } from 'vitest';

test('every amount of cents and every number of days has the range of its kind', async () => {
  const { rangeCodes } = await import('../../../src/billing/catalogue/number-range.ts');
  const WRONG = ['value_is_out_of_range'];
  expect(rangeCodes('invoice', 'total_paid_amount_cents', -1n)).toEqual(WRONG);
  expect(rangeCodes('invoice', 'fees_amount_cents', 0n)).toEqual([]);
  expect(rangeCodes('wallet', 'paid_top_up_min_amount_cents', 0n)).toEqual(WRONG);
  expect(rangeCodes('wallet', 'ongoing_balance_cents', -1n)).toEqual([]);
  expect(rangeCodes('customer', 'net_payment_term', 3650)).toEqual([]);
  expect(rangeCodes('billing_entity', 'invoice_grace_period', 3651)).toEqual(WRONG);
});
