import fc from 'fast-check';
import { expect, it } from 'vitest';
import { camelCase, snakeCase } from '../../src/billing/name-case.ts';

it.each([
  ['minAmountCents', 'min_amount_cents'],
  ['BillingEntity', 'billing_entity'],
  ['addressLine1', 'address_line1'],
  ['Invoice', 'invoice'],
  ['units', 'units'],
  ['', ''],
])('%s is spelled %s', (name, spelled) => {
  expect(snakeCase(name)).toBe(spelled);
});

it('names of members come back as they were', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const names = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join('_'));
  fc.assert(fc.property(names, (name) => snakeCase(camelCase(name)) === name));
  expect(camelCase('min_amount_cents')).toBe('minAmountCents');
});
