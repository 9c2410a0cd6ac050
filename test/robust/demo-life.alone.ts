import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createKey } from '../../src/store/access/api-key.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 120_000 });

// biome-ignore lint/suspicious/noExplicitAny: rows of a document and of answers
type Row = Record<string, any>;
type Section = Record<string, Row[]> & { readonly organization: Row };

/** Up to here the demo is billed. */
const END = Date.parse('2026-11-26T00:00:00Z');
const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
const CATALOGUE = [
  'invoice_custom_sections',
  'taxes',
  'billing_entities',
  'billable_metrics',
  'add_ons',
  'pricing_units',
  'coupons',
  'plans',
];

let gateway: TestApp;
let demo: Section;
beforeAll(async () => {
  gateway = await createTestApp();
  const document = JSON.parse(await readFile(new URL('../../prisma/demo.json', import.meta.url), 'utf8'));
  [demo] = document.organizations;
});
afterAll(() => gateway?.close());

/** Rows of another organization: whatever identifies them in the demo is left out. */
function unnamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unnamed);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([name]) => name !== 'svc_id' && name !== 'svc_parent_id');
  return Object.fromEntries(members.map(([name, inner]) => [name, unnamed(inner)]));
}

const ownOf = (section: string, customer: string) =>
  (demo[section] ?? []).filter(({ external_customer_id: id }) => id === customer);

/** An organization with a test clock that has the catalogue and one customer, and requests with its key. */
async function organizationOf(customer: Row, since: number) {
  const { db } = gateway;
  const name = `Live ${customer.external_id}`;
  const clock = { name, testClockAt: new Date(since) };
  const { id: organizationId } = await db.prisma.organization.create({ data: clock });
  const catalogue = Object.fromEntries(CATALOGUE.map((section) => [section, unnamed(demo[section])]));
  const wallets = ownOf('wallets', customer.external_id).map((wallet) => ({ ...wallet, wallet_transactions: [] }));
  const { integration_customers: _, ...own } = customer;
  await importDocument(
    db,
    { ...catalogue, customers: [unnamed(own)], wallets: unnamed(wallets) },
    { organization: name, now: new Date(since) },
  );
  const { key } = await createKey(db.prisma, { organizationId, kind: 'secret' });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  // Not held against the contract: it does not know every currency of the demo.
  return async (method: string, path: string, body?: object) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await gateway.app.fetch(new Request(`http://gateway.test/api/v1${path}`, sent));
    const text = await answer.text();
    expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return JSON.parse(text);
  };
}

type Send = Awaited<ReturnType<typeof organizationOf>>;

/** One thing that an application does. At one moment a lower rank is first. */
interface Deed {
  readonly at: number;
  readonly rank: number;
  readonly run: (send: Send) => Promise<unknown>;
}

const deed = (at: string, rank: number, method: string, path: string, body?: object): Deed => ({
  ...{ at: Date.parse(at), rank },
  run: (send) => send(method, path, body),
});

/** Own prices of a subscription as a body says them: the charges are named by those of the plan. */
async function overridesOf(send: Send, { plan_code: code, plan_overrides: own }: Row) {
  if (!own) return {};
  const { plan } = await send('GET', `/plans/${code}`);
  const charges = own.charges
    .filter((charge: Row) => charge.invoice_display_name === 'Negotiated')
    .map((charge: Row) => ({
      id: plan.charges.find((one: Row) => one.code === charge.code).svc_id,
      invoice_display_name: charge.invoice_display_name,
    }));
  return { plan_overrides: { name: own.name, amount_cents: own.amount_cents, charges } };
}

function deedsOfSubscription(row: Row, all: readonly Row[]): Deed[] {
  const path = `/subscriptions/${row.external_id}`;
  const { external_id, external_customer_id, plan_code, billing_time, subscription_at } = row;
  const isChange = all.some(({ svc_id }) => svc_id === row.svc_previous_subscription_id);
  const isReplaced = all.some(({ svc_previous_subscription_id: id }) => id === row.svc_id);
  const begin: Deed = {
    ...{ at: Date.parse(row.created_at), rank: 1 },
    run: async (send) => {
      const first = isChange ? {} : { subscription_at, ...(await overridesOf(send, row)) };
      const names = { external_id, external_customer_id, plan_code, billing_time };
      return send('POST', '/subscriptions', { subscription: { ...names, ...first } });
    },
  };
  const units = (row.fixed_charge_units_events ?? [])
    .filter(({ created_at }: Row) => created_at > row.created_at)
    .map((change: Row) =>
      deed(change.created_at, 1, 'PUT', `${path}/fixed_charges/${change.fixed_charge_code}`, {
        fixed_charge: { units: change.units, apply_units_immediately: true },
      }),
    );
  const query = row.on_termination_credit_note ? `?on_termination_credit_note=${row.on_termination_credit_note}` : '';
  const ends = row.terminated_at && !isReplaced ? [deed(row.terminated_at, 1, 'DELETE', `${path}${query}`)] : [];
  return [begin, ...units, ...ends];
}

/** Whether events of a plan are billed when they come: the moment of each counts. */
function isBilledAtOnce(code: string): boolean {
  const plan = (demo.plans ?? []).find((one) => one.code === code);
  return plan?.usage_thresholds?.length > 0 || plan?.charges.some((charge: Row) => charge.pay_in_advance);
}

/** Events in the order of their times, together as long as nothing happens between them. */
function together(events: readonly Row[], marks: readonly number[]): Row[][] {
  const before = (seconds: number) => marks.filter((at) => at <= seconds * 1000).length;
  const batches: Row[][] = [];
  for (const event of events) {
    const batch = batches.at(-1);
    const [first] = batch ?? [];
    const isSame = first && before(first.timestamp) === before(event.timestamp) && (batch?.length ?? 0) < 100;
    if (batch && isSame) batch.push(event);
    else batches.push([event]);
  }
  return batches;
}

const eventsDeed = (events: readonly Row[]): Deed => ({
  ...{ at: (events.at(-1)?.timestamp ?? 0) * 1000, rank: 2 },
  run: (send) => send('POST', '/events/batch', { events }),
});

function deedsOf(customer: string): Deed[] {
  const subscriptions = ownOf('subscriptions', customer).filter(({ started_at }) => started_at);
  const ids = new Set(subscriptions.map(({ external_id }) => external_id));
  const coupons = ownOf('applied_coupons', customer).map(({ created_at, coupon_code }) =>
    deed(created_at, 0, 'POST', '/applied_coupons', {
      applied_coupon: { external_customer_id: customer, coupon_code },
    }),
  );
  const isAtOnce = subscriptions.some(({ plan_code }) => isBilledAtOnce(plan_code));
  const events = (demo.events ?? [])
    .filter(({ external_subscription_id: id }) => ids.has(id))
    .map(({ created_at: _, timestamp, ...event }) => ({ ...event, timestamp: Date.parse(timestamp) / 1000 }));
  const all = [...coupons, ...subscriptions.flatMap((row) => deedsOfSubscription(row, subscriptions))];
  // A biller comes some minutes after midnight; no zone is apart from another by less than half an hour here.
  const marks = [
    ...all.map(({ at }) => at),
    ...ownOf('invoices', customer).map(
      ({ created_at }) => Math.floor(Date.parse(created_at) / HALF_HOUR_MS) * HALF_HOUR_MS,
    ),
  ];
  const sent = isAtOnce ? events.map((event) => [event]) : together(events, marks);
  const deeds = [...all, ...sent.map(eventsDeed)];
  return deeds.filter(({ at }) => at < END).sort((one, other) => one.at - other.at || one.rank - other.rank);
}

/** What a customer does in the demo, done through the API while a clock is moved on. */
async function lived(customer: Row): Promise<Row[]> {
  const deeds = deedsOf(customer.external_id);
  const since = (deeds[0]?.at ?? END) - DAY_MS;
  const send = await organizationOf(customer, since);
  let now = since;
  const advance = async (to: number) => {
    if (to > now) await send('POST', '/test_clock/advance', { to: new Date(to).toISOString() });
    now = to;
  };
  for (const { at, run } of deeds) {
    await advance(at);
    await run(send);
  }
  await advance(END);
  const { fees, meta } = await send('GET', '/fees?per_page=1000');
  expect(meta.total_pages).toBeLessThanOrEqual(1);
  return fees;
}

// The demo's biller comes some minutes after midnight, and what waits begins then; a clock does both at midnight.
const hour = (moment: string | null | undefined) => moment?.slice(0, 13);

const sorted = (members: Row | null | undefined) =>
  Object.entries(members ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));

/** A fee as both sides have it. */
const lineOf = ({ item, ...fee }: Row): string =>
  JSON.stringify([
    ...[item.type, item.code, sorted(item.filters), sorted(item.grouped_by), hour(fee.from_date), hour(fee.to_date)],
    ...[Number(fee.units), fee.events_count ?? null, Number(fee.precise_unit_amount)],
    ...[fee.amount_cents, fee.taxes_amount_cents, fee.pay_in_advance, fee.event_transaction_id ?? null],
  ]);

const SOLD = ['add_on', 'credit'];
const linesOf = (fees: readonly Row[]) =>
  fees
    .filter(({ item }) => !SOLD.includes(item.type))
    .map(lineOf)
    .sort();

/** One of each plan and of each change; DEMO_LIVES=all lives all, or those that it names: cus_drava,cus_pallas. */
const SOME = 'drava pallas ostrava kantara jaspe abilene hudson laramie wye akita hawalli araras umbria xanthi'.split(
  ' ',
);
const { DEMO_LIVES: lives = SOME.map((name) => `cus_${name}`).join() } = process.env;

it('each customer of the demo that lives through the API gets the fees of the timeline, one by one', async () => {
  const customers = (demo.customers ?? []).filter(
    ({ external_id: id }) => lives === 'all' || lives.split(',').includes(id),
  );
  expect(customers.length).toBeGreaterThan(0);
  for (const customer of customers) {
    const invoices = ownOf('invoices', customer.external_id);
    const loose = (demo.fees ?? []).filter(({ external_customer_id: id }) => id === customer.external_id);
    const wanted = linesOf([...invoices.flatMap((invoice) => invoice.fees as Row[]), ...loose]);
    const made = linesOf(await lived(customer));
    const missing = wanted.filter((line) => !made.includes(line));
    const added = made.filter((line) => !wanted.includes(line));
    expect.soft({ missing, added }, customer.external_id).toEqual({ missing: [], added: [] });
    expect.soft(made.length, customer.external_id).toBe(wanted.length);
  }
});
