import { expect, it } from 'vitest';
import { files, givenOptionals, optionals, ownerOf, pathOf, reached } from './flow.ts';

/** Rules that no layer above calls yet, and what they wait for. */
const WAITING_FILES = {
  'billing/invoice/edited-fee.ts': 'adjusted fees',
  'billing/subscription/lifetime-usage.ts': 'progressive billing',
  'billing/timeline/': 'billing by the clock: days, drafts, thresholds, changes of plan and terminations',
};

/** Optional members and parameters that nothing above gives yet, and what they wait for. */
const WAITING = {
  'billing/catalogue/filter-write.ts FilterInput.chargeModel':
    'nothing: typed prices give it by a name that is known only at run time (graphql/catalogue/typed-input.ts)',
  'billing/fee/owned-fee.ts FeeOwner.taxProvider': 'an outside tax service',
  'billing/fee/tax-source.ts TaxSources.explicit': 'one-off invoices, which name their taxes',
  'billing/invoice/account.ts CustomerAccount.taxProvider': 'an outside tax service',
  'billing/subscription/invoice-request.ts InvoiceRequest.appliedThresholds': 'progressive billing',
  'billing/subscription/invoice-request.ts InvoiceRequest.type': 'progressive billing, and invoices over paid fees',
  'billing/subscription/termination.ts terminationCreditNote.mode':
    'terminations, which may say what becomes of unused days',
};

it('every rule is called by a layer above, or waits for something', { timeout: 120_000 }, () => {
  const waiting = files.filter((file) => !reached.has(file)).map(pathOf);
  const reasonOf = (path: string) => Object.keys(WAITING_FILES).find((start) => path.startsWith(start)) ?? path;
  expect([...new Set(waiting.map(reasonOf))].sort()).toEqual(Object.keys(WAITING_FILES));
});

it('every optional member of the rules is given by a layer above, or waits for something', { timeout: 120_000 }, () => {
  const given = givenOptionals();
  const all = optionals();
  const missing = all.filter((one) => !given.has(one));
  const names = missing.map((one) => `${pathOf(one)} ${ownerOf(one)}.${one.name.getText()}`);
  expect([...new Set(names)].sort()).toEqual(Object.keys(WAITING));
  expect(all.length).toBeGreaterThan(100);
});
