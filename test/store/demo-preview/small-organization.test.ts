import { expect, it } from 'vitest';
import { demoSections } from './demo-past.ts';
import { billingsOf, comparePart, isPeriodic, PARTS } from './demo-preview.ts';

it.each([
  [0, 12],
  [1, 9],
  [2, 6],
])('a preview at the end of a period is the invoice of that period: part %i of Ostrelle', async (part, same) => {
  expect(await comparePart('Ostrelle', part)).toEqual({ same });
});

it('the parts are all periodic invoices of the demo, each once', () => {
  const parts = Array.from({ length: PARTS }, (_, part) => part);
  const previewed = demoSections().flatMap((section) =>
    parts.flatMap((part) => billingsOf(section, part).map(({ row }) => row.svc_id)),
  );
  const periodic = demoSections().flatMap(({ invoices }) => invoices.filter(isPeriodic).map(({ svc_id: id }) => id));
  expect(previewed.sort()).toEqual(periodic.sort());
  expect(periodic.length).toBe(947);
});
