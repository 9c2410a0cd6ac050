import { Writable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { exportTo } from '../../src/store/transfer/export/export.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { parseJson } from '../../src/store/transfer/value/json.ts';
import { description, generated, type Hints } from '../rest/described.ts';
import { createTestApp, openTestDatabase, type TestApp } from '../support.ts';

// Whatever the API makes, changes and deletes is exported, and comes back as the same bytes from another database. Requests are drawn
// from the description.

const clock = { now: new Date('2026-06-15T12:00:00Z') };
let app: TestApp;
let other: Database;
beforeAll(async () => {
  app = await createTestApp({ now: () => clock.now });
  other = await openTestDatabase();
});
afterAll(async () => {
  await app?.close();
  await other?.close();
});

async function exported(db: Database): Promise<string> {
  const parts: string[] = [];
  const stream = new Writable({
    write: (part, _encoding, done) => {
      parts.push(String(part));
      done();
    },
  });
  await exportTo(db, stream);
  return parts.join('');
}

const CODES = ['a', 'b', 'c'];
const some = (codes: readonly string[]) => [codes.slice(0, 1), codes.slice(1), [], null];
/** Names of what may be there; prices are of a standard model, whose properties fit. */
const HINTS: Hints = {
  ...{ code: CODES, name: ['Calls', '雪 ❄ "quoted"', 'a\nb'], external_id: CODES, external_customer_id: CODES },
  ...{ coupon_code: CODES, billable_metric_code: CODES, add_on_code: CODES, tax_codes: some(CODES) },
  ...{ billable_metric_id: [null], add_on_id: [null], plan_codes: some(CODES), billable_metric_codes: some(CODES) },
  ...{ invoice_custom_section_codes: some(CODES), billing_entity_code: [null], timezone: ['Europe/Paris', null] },
  ...{ country: ['FR', 'de', null], currency: ['EUR', 'JPY', null], amount_currency: ['EUR', 'JPY'], email: [null] },
  ...{ charge_model: ['standard'], properties: [{ amount: '0.10' }, null], filters: [[], null], charges: [[], null] },
  ...{ aggregation_type: ['count_agg', 'sum_agg', 'unique_count_agg'], field_name: ['n'], expression: [null, '1 + 1'] },
  ...{ recurring: [false], weighted_interval: [null], integration_customers: [[], null], payment_provider: [null] },
  ...{
    amount_cents: [1, 250, 9_007_199_254_740_993n, null],
    percentage_rate: ['12.50', '0.1'],
    trial_period: [0, 7.5],
  },
  ...{ expiration_at: ['2099-01-01T00:00:00.250Z', null], net_payment_term: [0, 30, null], rate: ['19.60', 0] },
  ...{ url: [null, 'https://example.com'], logo_url: [null], document_locale: ['fr', null], frequency_duration: [2] },
  ...{ shipping_address: [{ city: 'Brest', country: 'FR' }], usage_thresholds: [[{ amount_cents: 500 }], []] },
  ...{ invoice_grace_period: [0, 3, null], metadata: [{ team: 'a"b', owner: null }] },
};
/** Where a name means something else. */
const OWN: Readonly<Record<string, Hints>> = {
  createCustomer: { metadata: [[{ key: 'tier', value: 'gold', display_in_invoice: true }], []] },
  createBillableMetric: { filters: [[{ key: 'region', values: ['eu', 'us'] }], []] },
  updateBillableMetric: { filters: [[{ key: 'region', values: ['us', 'ap'] }], []] },
  createPlan: {
    charges: [[{ billable_metric_code: 'a', charge_model: 'standard', properties: { amount: '0.10' } }], []],
    fixed_charges: [[{ add_on_code: 'a', charge_model: 'standard', units: '2.50', properties: { amount: '1' } }], []],
    minimum_commitment: [{ amount_cents: 100, tax_codes: ['a'] }, null],
  },
};

interface Asked {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const WRITES =
  /^((create|update|destroy)(Tax|AddOn|BillableMetric|Plan|Coupon|Feature)|createCustomer|destroyCustomer|applyCoupon)$/;

type Methods = Record<string, { readonly operationId: string; readonly requestBody?: { readonly $ref?: string } }>;

const bodyOf = ({ $ref = '' }: { readonly $ref?: string }) => {
  const found = description.components.requestBodies?.[$ref.split('/').at(-1) ?? ''];
  return found?.content['application/json'].schema;
};

const operations = Object.entries<Methods>(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId: name, requestBody }]) => {
    if (!WRITES.test(name)) return [];
    // biome-ignore lint/suspicious/noExplicitAny: a part of a description
    const inline = (requestBody as any)?.content?.['application/json'].schema;
    return [{ name, method: method.toUpperCase(), path, shape: requestBody && (inline ?? bodyOf(requestBody)) }];
  }),
);

const asked: fc.Arbitrary<Asked> = fc.oneof(
  ...operations.map(({ name, method, path, shape }) => {
    const isCreated = method === 'POST';
    const body = shape
      ? generated(shape, { ...HINTS, ...OWN[name] }, [...Object.keys(HINTS), ...Object.keys(OWN[name] ?? {})])
      : fc.constant(undefined);
    const address = fc.constantFrom(...CODES).map((code) => path.replace(/\{\w+\}/g, code));
    return {
      weight: isCreated ? 4 : method === 'PUT' ? 2 : 1,
      arbitrary: fc.record({ name: fc.constant(name), method: fc.constant(method), path: address, body }),
    };
  }),
);

const raw = (body: unknown) => JSON.stringify(body, (_name, value) => (typeof value === 'bigint' ? `${value}` : value));

const GRAPH = [
  'createPricingUnit(input: { code: "a", name: "Credits", shortName: "¤", description: "x" })',
  'updatePricingUnit(code: "a", input: { name: "Gold", description: null })',
  'createInvoiceCustomSection(input: { code: "a", name: "Terms", details: "x\\ny", appliedToOrganization: true })',
  'createInvoiceCustomSection(input: { code: "b", name: "Notes", displayName: "N" })',
  'destroyInvoiceCustomSection(code: "b")',
];

it('what the API makes comes back as the same bytes from another database', async () => {
  const done: Record<string, number> = {};
  const requests = fc.sample(asked, { numRuns: 500, seed: 20261129 });
  for (const [at, { name, method, path, body }] of requests.entries()) {
    clock.now = new Date(clock.now.getTime() + 1001);
    if (at % 100 === 0) for (const write of GRAPH) await app.graphql(`mutation { ${write} { code } }`);
    const { status } = await app.rest(method, path, undefined, { raw: body === undefined ? '' : raw(body) });
    expect(status, `${name} ${raw(body)}`).toBeLessThan(500);
    if (status === 200) done[name] = (done[name] ?? 0) + 1;
  }
  console.info(JSON.stringify(done));
  for (const { name } of operations) expect(done[name], name).toBeGreaterThan(0);
  const first = await exported(app.db);
  // Every moment but those of the organization is one of a request: nothing is stamped by another clock.
  const late = first
    .split('\n')
    .slice(2)
    .filter((line) => {
      const moments = line.matchAll(/"(?:created|updated|deleted|terminated)_at":"([^"]+)"/g);
      return [...moments].some(([, text = '']) => text > clock.now.toISOString());
    });
  expect(late).toEqual([]);
  await importDocument(other, parseJson(first), { now: new Date('2027-01-01T00:00:00Z') });
  expect(await exported(other)).toBe(first);
  const again = await importDocument(other, parseJson(first), { now: new Date('2028-01-01T00:00:00Z') });
  expect({ created: again.created, updated: again.updated }).toEqual({ created: {}, updated: {} });
});
