import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createFullApp } from '../robust/full-app.ts';
import type { TestApp } from '../support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
  const customers = [
    { external_id: 'l-1', name: 'Alder Mill', country: 'FR', state: 'Bretagne', zipcode: '29200', currency: 'EUR' },
    {
      external_id: 'l-2',
      customer_type: 'company',
      tax_identification_number: 'T-1',
      metadata: [{ key: 'tier', value: 'gold' }],
    },
    {
      external_id: 'l-3',
      account_type: 'partner',
      billing_entity_code: 'acme_de',
      metadata: [{ key: 'tier', value: 'tin' }],
    },
  ];
  for (const customer of customers) await app.rest('POST', '/customers', { customer });
});
afterAll(() => app?.close());

const list = (query: string) => app.rest('GET', `/customers?${query}`);
const found = async (query: string) =>
  (await list(query)).body.customers
    .map(({ external_id }: { external_id: string }) => external_id)
    .filter((one: string) => one.startsWith('l-'))
    .sort();

it.each([
  ['external_id=l-2&search_term=nothing', ['l-2']],
  ['search_term=ald', ['l-1']],
  ['countries[]=FR&states[]=Bretagne&zipcodes[]=29200&currencies[]=EUR', ['l-1']],
  ['countries[]=DE', []],
  ['customer_type=company', ['l-2']],
  ['has_customer_type=true', ['l-2']],
  ['has_customer_type=false', ['l-1', 'l-3']],
  ['has_tax_identification_number=true', ['l-2']],
  ['account_type[]=partner', ['l-3']],
  ['billing_entity_codes[]=acme_de&billing_entity_codes[]=acme_de', ['l-3']],
  ['metadata[tier]=gold', ['l-2']],
  ['metadata[tier]=', ['l-1']],
  ['metadata[tier]=gold&metadata[none]=', ['l-2']],
  ['metadata[tier]=gold&metadata[none]=x', []],
  ['search_term=&has_customer_type=&countries=x', ['l-1', 'l-2', 'l-3']],
])('%s finds %j', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

it.each([
  ['countries[]=ZZ', 'countries'],
  ['currencies[]=EURO', 'currencies'],
  ['account_type[]=x', 'account_type'],
  ['customer_type=x', 'customer_type'],
  ['has_customer_type=maybe', 'has_customer_type'],
  ['has_customer_type=false&customer_type=company', 'has_customer_type'],
  ['metadata=x', 'metadata'],
])('%s is refused', async (query, field) => {
  const { status, body } = await list(query);
  expect([status, Object.keys(body.error_details)]).toEqual([422, [field]]);
});

it('an unknown billing entity is not found', async () => {
  expect((await list('billing_entity_codes[]=none')).body).toEqual(NOT_FOUND);
});
