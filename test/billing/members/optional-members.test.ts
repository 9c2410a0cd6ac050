import { expect, it } from 'vitest';
import { files, givenOptionals, optionals, ownerOf, pathOf, reached } from './flow.ts';

/** Optional members and parameters that nothing above gives yet, and what they wait for. */
const WAITING: Readonly<Record<string, string>> = {
  'billing/fee/owned-fee.ts FeeOwner.taxProvider': 'an outside tax service',
  'billing/invoice/account.ts CustomerAccount.taxProvider': 'an outside tax service',
  'billing/timeline/make.ts pay.amountCents': 'payments',
  ...Object.fromEntries(
    (
      [
        ['amountCents', 'payments'],
        ['endingAt', 'stored subscriptions, whose rows say it before the step'],
        ['name', 'stored subscriptions, whose rows say it before the step'],
        ['onTerminationCreditNote', 'stored subscriptions, whose rows say it before the step'],
        ['subscriptionAt', 'stored subscriptions, whose rows say it before the step'],
      ] as const
    ).map(([member, why]) => [`billing/timeline/timeline-type.ts TimelineStep.${member}`, why]),
  ),
};

it('every rule is called by a layer above', { timeout: 120_000 }, () => {
  expect(files.filter((file) => !reached.has(file)).map(pathOf)).toEqual([]);
});

it('every optional member of the rules is given by a layer above, or waits for something', { timeout: 120_000 }, () => {
  const given = givenOptionals();
  const all = optionals();
  const missing = all.filter((one) => !given.has(one));
  const names = missing.map((one) => `${pathOf(one)} ${ownerOf(one)}.${one.name.getText()}`);
  expect([...new Set(names)].sort()).toEqual(Object.keys(WAITING));
  expect(all.length).toBeGreaterThan(100);
});
