import { expect, it } from 'vitest';
import { defaultNumberPrefix } from '../../../src/billing/invoice/numbering.ts';

it('numbers begin with three letters of the name and four characters of the id, in capitals', () => {
  expect(defaultNumberPrefix({ name: 'Acme Corp', id: '5e0c-77f81a2b' })).toBe('ACM-1A2B');
  expect(defaultNumberPrefix({ name: 'Io', id: 'abcd' })).toBe('IO-ABCD');
});
