import { expect, it } from 'vitest';
import { comparePart } from './demo-preview.ts';

it('a preview at the end of a period is the invoice of that period: first part of Quintavel', {
  timeout: 300_000,
}, async () => {
  expect(await comparePart('Quintavel', 0)).toEqual({ same: 302, yearly: 13 });
});
