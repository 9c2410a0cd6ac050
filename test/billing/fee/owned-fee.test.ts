import { describe, expect, it } from 'vitest';
import { ALL_FILTER_VALUES } from '../../../src/billing/catalogue/filter.ts';
import type { PlanChargeInput, PlanFixedChargeInput } from '../../../src/billing/catalogue/plan.ts';
import { chargeInvoiceFee, type FeeOwner, fixedChargeInvoiceFee } from '../../../src/billing/fee/owned-fee.ts';
import {
  chargeInput,
  entityInput,
  feeInput,
  fixedChargeInput,
  planInput,
  subscriptionInput,
} from '../vectors/scenario-input.ts';

const plan = planInput({ code: 'p', amount_cents: 0 }, []);
const owner: FeeOwner = {
  subscription: subscriptionInput({ id: 's', plan: 'p', subscription_at: '2024-01-01T00:00:00Z' }, plan),
  customer: { taxes: [] },
  billingEntity: entityInput(undefined, []),
};
const draft = (filter?: string) => feeInput({ type: 'charge', amount_cents: 100, filter }, 0, []);

describe('what a usage fee remembers of its charge', () => {
  const charge = chargeInput(
    {
      ...{ code: 'c', metric: 'calls', aggregation: 'count', properties: { amount: '1' } },
      filters: [
        { values: { region: ['eu', 'us'] }, properties: { amount: '2' } },
        { values: { region: [ALL_FILTER_VALUES], tier: ['gold', 'silver'] }, properties: { amount: '3' } },
        { values: { region: ['uk'] }, properties: { amount: '4' }, invoice_display_name: 'Britain' },
      ],
    },
    [],
  );
  const metric = { ...charge.metric, id: 'm', name: 'Calls', description: 'Calls of the API' };
  const item = (filter?: string, more: Partial<PlanChargeInput> = {}) =>
    chargeInvoiceFee(draft(filter), { ...charge, metric, ...more }, owner).item;

  it('is its metric, and the name that the charge shows instead', () => {
    expect(item()).toEqual({
      ...{ type: 'charge', itemType: 'BillableMetric', itemId: 'm', code: 'calls', name: 'Calls' },
      ...{ description: 'Calls of the API', invoiceDisplayName: 'Calls' },
      ...{ filterInvoiceDisplayName: null, filters: null },
    });
    expect(item(undefined, { invoiceDisplayName: 'Requests' })).toMatchObject({
      name: 'Calls',
      invoiceDisplayName: 'Requests',
    });
    expect(item(undefined, { metric: charge.metric }).description).toBe(null);
  });

  it.each([
    ['c-0', 'eu, us', ['eu', 'us']],
    ['c-1', 'region, gold, silver', [ALL_FILTER_VALUES]],
    ['c-2', 'Britain', ['uk']],
  ])('is the filter %s, shown as %s', (id, filterInvoiceDisplayName, region) => {
    expect(item(id)).toMatchObject({ filterInvoiceDisplayName, filters: { region } });
  });
});

it('a fee of a fixed charge remembers its add-on, and shows the first name there is', () => {
  const charge = fixedChargeInput({ code: 'f', units: 1, properties: { amount: '1' } }, []);
  const addOn = { id: 'a', code: 'setup', name: 'Setup', description: 'Once' };
  const item = (more: Partial<PlanFixedChargeInput>) =>
    fixedChargeInvoiceFee(draft(), { ...charge, addOn, ...more }, owner).item;
  expect(item({})).toEqual({
    ...{ type: 'fixed_charge', itemType: 'AddOn', itemId: 'a', code: 'setup', name: 'Setup', description: 'Once' },
    ...{ invoiceDisplayName: 'Setup', filterInvoiceDisplayName: null, filters: null },
  });
  const shown = { addOn: { ...addOn, invoiceDisplayName: 'Start' } };
  expect(item(shown).invoiceDisplayName).toBe('Start');
  expect(item({ ...shown, invoiceDisplayName: 'Begin' }).invoiceDisplayName).toBe('Begin');
});
