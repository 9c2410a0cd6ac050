import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '../../src/rest/index.ts';
import { IDS } from '../rest/fixture.ts';
import { graphWrites, sampleBody, sampledRoutes, WHOLE_CUSTOMER } from '../rest/sample.ts';
import type { TestApp } from '../support.ts';
import { APPLIED, APPLIED_COUPON, CODES, createFullApp, WALLETS } from './full-app.ts';
import { graphqlShot, restShot, type Shot, type Target } from './requests.ts';

const COUNT = 5000;
const SEED = 20260615;
const METADATA = { region: 'iberia', cost_centre: null };
const PROPERTIES = { amount: '0.5', pricing_group_keys: ['cloud'] };
const FILTER = { invoice_display_name: 'F', properties: PROPERTIES, values: { region: ['eu', 'us'] } };
const CHARGE = {
  invoice_display_name: 'C',
  min_amount_cents: 100,
  properties: PROPERTIES,
  filters: [FILTER],
  tax_codes: ['vat20'],
  cascade_updates: true,
  applied_pricing_unit: { conversion_rate: '1.5' },
};
const RANGES = { graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '2' }] };
const FIXED = {
  invoice_display_name: 'D',
  units: '4',
  apply_units_immediately: true,
  properties: { amount: '10' },
  tax_codes: ['vat20'],
  cascade_updates: true,
};
const PLAN = {
  ...{ code: 'fuzzed-plan', name: 'Fuzzed', interval: 'yearly', amount_cents: 5, amount_currency: 'EUR' },
  ...{ pay_in_advance: true, trial_period: 2.5, metadata: METADATA, tax_codes: ['vat20'] },
  minimum_commitment: { amount_cents: 900, invoice_display_name: 'M', tax_codes: ['vat20'] },
  usage_thresholds: [{ amount_cents: 7000, threshold_display_name: 'T', recurring: true }],
  charges: [
    {
      ...{ billable_metric_code: 'api_calls', charge_model: 'standard', properties: PROPERTIES, filters: [FILTER] },
      ...{
        min_amount_cents: 40,
        tax_codes: ['vat20'],
        applied_pricing_unit: { code: 'credits', conversion_rate: '1.5' },
      },
    },
    { billable_metric_code: 'api_calls', charge_model: 'graduated', properties: RANGES },
  ],
  fixed_charges: [{ add_on_code: 'desk', charge_model: 'standard', units: '4', properties: { amount: '10' } }],
};
const PREVIEW = {
  customer: {
    name: 'Otterbank',
    currency: 'EUR',
    timezone: 'Europe/Dublin',
    shipping_address: { city: 'Cork', country: 'IE' },
    integration_customers: [{ integration_type: 'xero', integration_code: 'books' }],
  },
  plan_code: 'clover',
  subscription_at: '2026-06-15T00:00:00Z',
  billing_time: 'anniversary',
  coupons: [{ code: 'c', name: 'C', coupon_type: 'fixed_amount', amount_cents: 100, amount_currency: 'EUR' }],
  billing_entity_code: 'acme.fr',
};
const STORED = {
  customer: { external_id: 'cust_ada' },
  subscriptions: { external_ids: ['sub_fuzzed'], plan_code: 'aster', terminated_at: '2026-07-15T00:00:00Z' },
};

const APPLICATION = {
  ...{ external_customer_id: 'cust_kept', coupon_code: APPLIED, frequency: 'recurring', frequency_duration: 2 },
  ...{ amount_cents: 100, amount_currency: 'EUR', percentage_rate: null },
};

const TARGETS: readonly Target[] = [
  { method: 'POST', path: `/invoices/${IDS.invoices[0]}/download` },
  { method: 'POST', path: '/invoices/preview', body: PREVIEW },
  { method: 'POST', path: '/invoices/preview', body: STORED },
  ...WALLETS.slice(1).map((id) => ({ method: 'PATCH', path: `/wallets/${id}/metadata`, body: { metadata: METADATA } })),
  { method: 'DELETE', path: `/wallets/${WALLETS[0]}` },
  { method: 'POST', path: '/plans/fuzzed/charges/calls/filters', body: { filter: FILTER } },
  { method: 'GET', path: `/plans/orchid/charges/api_calls/filters/${IDS.filter}` },
  { method: 'PUT', path: '/plans/fuzzed/charges/calls', body: { charge: CHARGE } },
  { method: 'PUT', path: '/plans/orchid/charges/ranges', body: { charge: { properties: RANGES } } },
  { method: 'PUT', path: '/plans/fuzzed/fixed_charges/desk', body: { fixed_charge: FIXED } },
  { method: 'POST', path: '/plans', body: { plan: PLAN } },
  { method: 'GET', path: '/subscriptions/sub_ada/charges/api_calls' },
  { method: 'GET', path: `/fees/${IDS.fullFee}` },
  { method: 'GET', path: '/billing_entities/acme.fr' },
  { method: 'GET', path: '/customers/cust_ada/payment_requests' },
  { method: 'POST', path: '/customers', body: { customer: WHOLE_CUSTOMER } },
  {
    method: 'POST',
    path: '/customers',
    body: { customer: { external_id: 'cust_ada', metadata: [{ key: 'a', value: 'b' }] } },
  },
  { method: 'POST', path: '/applied_coupons', body: { applied_coupon: APPLICATION } },
  { method: 'DELETE', path: `/customers/cust_kept/applied_coupons/${APPLIED_COUPON}` },
  { method: 'GET', path: '/applied_coupons?status=active&coupon_code[]=applied&external_customer_id=cust_kept' },
  { method: 'GET', path: '/customers/sample' },
  { method: 'DELETE', path: '/customers/sample' },
  { method: 'GET', path: '/customers?metadata[tier]=gold&countries[]=FR&currencies[]=EUR&has_customer_type=true' },
  ...routes.filter(({ operation }) => /^findAll/.test(operation)).map(({ method, path }) => ({ method, path })),
  ...sampledRoutes.map((sample) => ({
    method: sample.route.method,
    path: sample.route.path.replace('{code}', CODES[sample.verb === 'create' ? 'update' : sample.verb]),
    body: sampleBody(sample, 'fuzzed'),
  })),
];

const camel = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  const name = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [name(key), camel(item)]));
};
const OPERATIONS = [
  {
    query: 'mutation ($id: UUID!, $metadata: JSON) { mergeWalletMetadata(svcId: $id, metadata: $metadata) { svcId } }',
    variables: { id: WALLETS[1], metadata: METADATA },
  },
  {
    query: `mutation ($input: CreateChargeFilterInput!) {
      createChargeFilter(planCode: "fuzzed", chargeCode: "calls", input: $input) { svcId }
    }`,
    variables: { input: camel(FILTER) },
  },
  {
    query: `mutation ($input: UpdateChargeInput!) {
      updateCharge(planCode: "fuzzed", chargeCode: "calls", input: $input) { svcId }
    }`,
    variables: { input: camel(CHARGE) },
  },
  {
    query: `mutation ($input: UpdateFixedChargeInput!) {
      updateFixedCharge(planCode: "fuzzed", fixedChargeCode: "desk", input: $input) { svcId }
    }`,
    variables: { input: camel(FIXED) },
  },
  {
    query: 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { svcId } }',
    variables: { input: camel(PLAN) },
  },
  {
    query: 'query ($input: InvoicePreviewInput!) { invoicePreview(input: $input) { totalAmountCents } }',
    variables: { input: camel(PREVIEW) },
  },
  {
    query: 'mutation ($input: UpsertCustomerInput!) { upsertCustomer(input: $input) { svcId } }',
    variables: { input: camel(WHOLE_CUSTOMER) },
  },
  {
    query: 'mutation ($input: ApplyCouponInput!) { applyCoupon(input: $input) { svcId } }',
    variables: { input: camel(APPLICATION) },
  },
  {
    query: 'mutation ($id: UUID!) { terminateAppliedCoupon(svcId: $id, externalCustomerId: "cust_kept") { svcId } }',
    variables: { id: APPLIED_COUPON },
  },
  {
    query: 'mutation ($externalId: String!) { destroyCustomer(externalId: $externalId) { svcId } }',
    variables: { externalId: 'sample' },
  },
  ...graphWrites.map(({ query, verb, variables }) => ({
    query,
    variables: variables(verb === 'create' ? 'fuzzed' : 'kept'),
  })),
  ...sampledRoutes
    .filter(({ verb }) => verb !== 'find')
    .map((sample) => {
      const { type, verb, root } = sample;
      const [code, input] = [verb !== 'create', verb !== 'destroy'];
      const declared = [
        code && '$code: String!',
        input && `$input: ${verb === 'create' ? 'Create' : 'Update'}${type}Input!`,
      ];
      const given = [code && 'code: $code', input && 'input: $input'];
      const list = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(', ');
      const body = sampleBody(sample, 'fuzzed-too') as Record<string, unknown> | undefined;
      return {
        query: `mutation (${list(declared)}) { ${verb}${type}(${list(given)}) { svcId } }`,
        variables: { ...(code && { code: CODES.update }), ...(input && { input: camel(body?.[root]) }) },
      };
    }),
];

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app.close());

// What a refused request may leave behind: that its key was used, what it was answered, and which events were refused.
const BOOKKEEPING = /^(api_keys|idempoten\w*|event_refusals|event_tallies|_prisma\w*)$/;

/** A text that differs when any row was added, removed or written. It costs next to nothing while nobody writes. */
async function createFingerprint(): Promise<() => Promise<string>> {
  const { prisma } = app.db;
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;
  const parts = tables
    .filter(({ name }) => !BOOKKEEPING.test(name))
    .map(({ name }) => `SELECT count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) AS part FROM "${name}"`);
  expect(parts.length).toBeGreaterThan(20);
  const full = `SELECT string_agg(part, ',') AS text FROM (${parts.join(' UNION ALL ')}) parts`;
  const place = 'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS text';
  const ask = async (sql: string) => (await prisma.$queryRawUnsafe<{ text: string }[]>(sql))[0]?.text ?? '';
  let known = { place: '', full: '' };
  return async () => {
    const now = await ask(place);
    if (now !== known.place) known = { place: now, full: await ask(full) };
    return known.full;
  };
}

const requestOf = ({ method, path, headers, body }: Shot): Request =>
  new Request(`http://gateway.test${path}`, {
    method,
    headers: { Authorization: `Bearer ${app.key}`, ...headers },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  });

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
type Body = any;

const isDetails = (details: unknown) =>
  typeof details === 'object' &&
  details !== null &&
  Object.keys(details).length > 0 &&
  Object.values(details).every((words) => JSON.stringify(words).length > 2);

/** What is wrong with an answer to a REST request; nothing when it is as the API says. */
function restFault(status: number, body: Body): string | undefined {
  if (status < 400) return undefined;
  if (body?.status !== status || typeof body?.error !== 'string') return 'no error of the API';
  return status === 422 && !isDetails(body.error_details) ? 'a 422 that names no field' : undefined;
}

function graphqlFault(status: number, body: Body): string | undefined {
  const errors = body?.errors;
  if (errors === undefined) return status === 200 && body?.data ? undefined : 'neither data nor errors';
  if (!Array.isArray(errors) || errors.length === 0) return 'errors are no list';
  const codes = errors.map((error: Body) => error?.extensions?.code);
  if (errors.some((error: Body) => typeof error?.message !== 'string')) return 'an error without a message';
  return codes.every((code) => typeof code === 'string' && !/internal|unavailable/.test(code))
    ? undefined
    : `codes ${codes}`;
}

interface Outcome {
  readonly status: number;
  readonly refused: boolean;
  readonly fault: string | undefined;
}

async function shoot(shot: Shot): Promise<Outcome> {
  const request = requestOf(shot);
  const response = await app.app.fetch(request);
  const text = await response.text();
  const { status } = response;
  if (status >= 500) return { status, refused: true, fault: `${status}: ${text.slice(0, 300)}` };
  // As the address reads when its dot segments are resolved.
  const { pathname } = new URL(request.url);
  const isGraphQL = pathname === '/graphql';
  // Beside both doors, and to those who want no body, only the status says something.
  const isBare = shot.method === 'HEAD' || shot.method === 'OPTIONS' || !(isGraphQL || pathname.startsWith('/api/v1'));
  const isPage = isGraphQL && status === 200 && response.headers.get('content-type')?.startsWith('text/html');
  if (isBare || isPage) return { status, refused: status >= 400, fault: undefined };
  if (/node_modules|prisma|\bat \w+ \(/i.test(text)) return { status, refused: true, fault: `internals: ${text}` };
  let body: Body;
  try {
    body = JSON.parse(text);
  } catch {
    return { status, refused: true, fault: `no JSON: ${text.slice(0, 300)}` };
  }
  const fault = isGraphQL ? graphqlFault(status, body) : restFault(status, body);
  const refused = status >= 400 || body.errors !== undefined;
  return { status, refused, fault: fault && `${fault}: ${status} ${text.slice(0, 300)}` };
}

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');
const heap = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed / 1024 ** 2;
};

it(`${COUNT} requests that no client should send: no 5xx, errors in the API's shape, no row changed, memory flat`, async () => {
  const rest = fc.constantFrom(...TARGETS).chain(restShot);
  const arbitrary = fc.oneof({ weight: 7, arbitrary: rest }, { weight: 3, arbitrary: graphqlShot(OPERATIONS) });
  const shots = fc.sample(arbitrary, { numRuns: COUNT, seed: SEED });
  expect(shots).toHaveLength(COUNT);
  // Pages are loaded when they are first asked for, and stay: that is no growth.
  await app.app.fetch(new Request('http://gateway.test/graphql', { headers: { Accept: 'text/html' } }));
  const fingerprint = await createFingerprint();
  const faults: string[] = [];
  const statuses: Record<number, number> = {};
  let before = await fingerprint();
  let start = 0;
  for (const [index, shot] of shots.entries()) {
    if (index === 1500) start = heap();
    const { status, refused, fault } = await shoot(shot);
    statuses[status] = (statuses[status] ?? 0) + 1;
    const after = await fingerprint();
    if (fault) faults.push(`${fault} <- ${JSON.stringify(shot).slice(0, 1500)}`);
    if (refused && after !== before) faults.push(`${status} changed rows <- ${JSON.stringify(shot).slice(0, 1500)}`);
    before = after;
  }
  const growth = heap() - start;
  console.info(JSON.stringify({ statuses, growth: Math.round(growth * 10) / 10 }));
  expect(faults).toEqual([]);
  // Each kind of answer came, or the generator misses what it is for.
  for (const status of [200, 400, 401, 404, 422]) expect(statuses[status], String(status)).toBeGreaterThan(20);
  expect(growth).toBeLessThan(30);
}, 300_000);
