import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { exportTo } from '../../src/store/transfer/export/export.ts';
import { ImportError, importDocument, importFile } from '../../src/store/transfer/import/import.ts';
import { importSchema } from '../../src/store/transfer/import/json-schema.ts';
import { parseJson } from '../../src/store/transfer/value/json.ts';
import { openTestDatabase } from '../support.ts';

const now = new Date('2026-05-01T10:00:00Z');
const fixture = new URL('../fixture/import.json', import.meta.url).pathname;
const sparse = new URL('../fixture/sparse.json', import.meta.url).pathname;
const NONE = '00000000-0000-4000-8000-000000000000';

async function exported(db: Database, options: Parameters<typeof exportTo>[2] = {}): Promise<string> {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  await exportTo(db, stream, options);
  return Buffer.concat(chunks).toString('utf8');
}

async function faultsOf(db: Database, document: unknown, organization = 'Faulty'): Promise<Record<string, string[]>> {
  const error = await importDocument(db, document, { organization, now }).catch((caught: unknown) => caught);
  if (!(error instanceof ImportError)) throw new Error(`no fault was found: ${String(error)}`);
  return Object.fromEntries(error.faults.map(({ place, codes }) => [place, codes]));
}

let db: Database;
let other: Database;
let folder: string;

beforeAll(async () => {
  db = await openTestDatabase();
  other = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'import-'));
});
afterAll(async () => {
  await db.close();
  await other.close();
});

/** Every table with the versions of its rows, which change with every update. */
async function versions(): Promise<unknown> {
  const tables = await db.prisma.$queryRawUnsafe<{ name: string }[]>(
    `SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const sums = [];
  for (const { name } of tables) {
    const [row] = await db.prisma.$queryRawUnsafe<{ rows: string }[]>(
      `SELECT coalesce(string_agg(ctid::text || xmin::text, ',' ORDER BY ctid), '') AS rows FROM "${name}"`,
    );
    sums.push([name, row?.rows]);
  }
  return sums;
}

describe('a document of every section', () => {
  test('comes back as the same bytes from an empty database, as a document and as lines', async () => {
    await importFile(db, fixture, { now });
    const first = await exported(db, { organization: 'Brightwater' });
    const path = join(folder, 'first.json');
    await writeFile(path, first);
    await importFile(other, path, { now: new Date('2027-01-01T00:00:00Z') });
    expect(await exported(other)).toBe(first);
    const lines = join(folder, 'first.ndjson');
    await writeFile(lines, await exported(other, { format: 'ndjson' }));
    await other.prisma.$executeRawUnsafe('TRUNCATE organizations CASCADE');
    await importFile(other, lines, { now });
    expect(await exported(other)).toBe(first);
  });

  test('changes nothing when it is imported again, with and without identifiers', async () => {
    await importFile(db, sparse, { now });
    const before = await versions();
    const later = new Date('2026-06-01T00:00:00Z');
    const again = [await importFile(db, fixture, { now: later }), await importFile(db, sparse, { now: later })];
    for (const { created, updated, unchanged } of again) {
      expect({ created, updated }).toEqual({ created: {}, updated: {} });
      expect(unchanged).toBeGreaterThan(20);
    }
    expect(await versions()).toEqual(before);
  });

  test('fits the JSON Schema, as do its export and the sparse document; a wrong one does not', async () => {
    const text = `${JSON.stringify(importSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../prisma/import.schema.json');
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(text));
    for (const document of [await readFile(fixture, 'utf8'), await readFile(sparse, 'utf8'), await exported(db)]) {
      expect(validate(JSON.parse(document)), JSON.stringify(validate.errors)).toBe(true);
    }
    expect(validate({ customers: [{ external_id: 'a', currency: 'euro' }] })).toBe(false);
    expect(validate({ custommers: [] })).toBe(false);
    expect(validate({ taxes: [{ name: 'no code' }] })).toBe(false);
  });
});

describe('faults', () => {
  test('are all reported with their places, and nothing is stored', async () => {
    const faults = await faultsOf(db, {
      customers: [
        { external_id: 'ok' },
        { external_id: 'a', currency: 'EURO', country: 'XX', timezone: 'Mars/Base', email: 'a\0b' },
        { external_id: 'a', name: 'half \ud800' },
        { name: 'nobody' },
        { external_id: 'ok' },
        7,
      ],
      taxes: [
        { code: 't', rate: '1e40' },
        { code: 'u', rate: `0.${'0'.repeat(30)}1` },
      ],
      plans: [
        { code: 'p', interval: 'daily', amount_cents: 1.5 },
        { code: 'q', interval: 'monthly', charges: [{ billable_metric_code: 'none' }], tax_codes: ['none'] },
      ],
      subscriptions: [
        { external_id: 's', external_customer_id: 'ghost', plan_code: 'p', subscription_at: '2026-02-30T00:00:00Z' },
      ],
      invoices: [{ external_customer_id: 'ok', issuing_date: '2026-02-30', total_amount_cents: '9223372036854775808' }],
      events: [{ external_subscription_id: 's', code: 'c', svc_id: 'no-uuid' }],
      billing_entities: [
        {
          code: 'e',
          payment_iban: 'DE89370400440532013001',
          payment_bic: 'X',
          payment_url: 'http://pay.example/{number}',
        },
        { code: 'f', payment_iban: 7, payment_bic: {}, payment_url: 'https://pay.example/{name}' },
      ],
      sections: [],
    });
    expect(faults).toEqual({
      'customers[1].currency': ['value_is_invalid'],
      'customers[1].country': ['not_a_valid_country_code'],
      'customers[1].timezone': ['invalid_timezone'],
      'customers[1].email': ['value_is_invalid'],
      'customers[2].name': ['value_is_invalid'],
      'customers[3].external_id': ['value_is_mandatory'],
      'customers[4].external_id': ['value_already_exist'],
      'customers[5]': ['value_is_invalid'],
      'taxes[0].rate': ['value_is_out_of_range'],
      'taxes[1].rate': ['value_is_out_of_range'],
      'plans[0].interval': ['value_is_invalid'],
      'plans[0].amount_cents': ['value_is_invalid'],
      'plans[1].charges[0].billable_metric_code': ['relation_must_exist'],
      'plans[1].tax_codes[0]': ['relation_must_exist'],
      'subscriptions[0].external_customer_id': ['relation_must_exist'],
      'subscriptions[0].subscription_at': ['value_is_invalid'],
      'invoices[0].issuing_date': ['value_is_invalid'],
      'invoices[0].total_amount_cents': ['value_is_out_of_range'],
      'events[0].svc_id': ['value_is_invalid'],
      'billing_entities[0].payment_iban': ['value_is_invalid'],
      'billing_entities[0].payment_bic': ['value_is_invalid'],
      'billing_entities[0].payment_url': ['value_is_invalid'],
      'billing_entities[1].payment_iban': ['value_is_invalid'],
      'billing_entities[1].payment_bic': ['value_is_invalid'],
      'billing_entities[1].payment_url': ['value_is_invalid'],
      sections: ['value_is_invalid'],
    });
    expect(await db.prisma.organization.findMany({ where: { name: 'Faulty' } })).toEqual([]);
  });

  test('the message has a line a fault, and a hundred are enough', async () => {
    const customers = Array.from({ length: 300 }, () => ({ currency: 'x', external_id: 'c' }));
    const error = await importDocument(db, { customers }, { organization: 'Faulty', now }).catch((caught) => caught);
    expect(error.message.split('\n')).toHaveLength(100);
    expect(error.message.split('\n')[3]).toBe('customers[3].currency: value_is_invalid');
  });

  test('a file that is not JSON, a broken line and an unknown resource are named', async () => {
    const path = join(folder, 'broken.json');
    await writeFile(path, '{"customers": [}');
    await expect(importFile(db, path, { now })).rejects.toThrow(/^document: is not JSON/);
    const lines = join(folder, 'broken.ndjson');
    await writeFile(lines, '{"customer": {"external_id": "a"}}\n{"customer": {"external_id":\n\n{"thing": {}}\n');
    await expect(importFile(db, lines, { now, organization: 'Faulty' })).rejects.toThrow(
      'line 4: value_is_invalid\nline 2: value_is_invalid',
    );
  });

  test('two filters with equal values and two charges with one code are refused', async () => {
    const filter = (...region: string[]) => ({ values: { region } });
    const faults = await faultsOf(db, {
      billable_metrics: [{ code: 'm' }],
      plans: [
        {
          code: 'p',
          interval: 'monthly',
          charges: [
            { billable_metric_code: 'm', filters: [filter('a', 'b'), filter('b', 'a', 'a'), { values: {} }] },
            { billable_metric_code: 'm', code: 'x' },
            { billable_metric_code: 'm', code: 'x' },
          ],
        },
      ],
    });
    expect(faults).toEqual({
      'plans[0].charges[0].filters[1].values': ['value_already_exist'],
      'plans[0].charges[0].filters[2].values': ['value_is_invalid'],
      'plans[0].charges[2].code': ['value_already_exist'],
    });
  });
});

describe('what the rules refuse is refused with its place:', () => {
  const plan = (charge: object) => ({
    billable_metrics: [{ code: 'm' }],
    plans: [{ code: 'p', interval: 'monthly', charges: [{ billable_metric_code: 'm', ...charge }] }],
  });
  const sold = { ...plan({}), customers: [{ external_id: 'c' }] };
  const subscription = { external_id: 's', external_customer_id: 'c', plan_code: 'p' };

  test.each<[string, object, Record<string, string[]>]>([
    [
      'prices of a charge',
      plan({ properties: { amount: 'x' } }),
      { 'plans[0].charges[0].properties': ['invalid_amount'] },
    ],
    [
      'prices of a filter',
      plan({ charge_model: 'percentage', filters: [{ values: { a: ['b'] }, properties: { rate: '-1' } }] }),
      { 'plans[0].charges[0].filters[0].properties': ['invalid_rate'] },
    ],
    [
      'wallet metadata',
      {
        ...sold,
        wallets: [{ external_customer_id: 'c', metadata: { ['k'.repeat(101)]: 'v', n: 7, long: 'x'.repeat(256) } }],
      },
      {
        [`wallets[0].metadata.${'k'.repeat(100)}`]: ['key_is_too_long'],
        'wallets[0].metadata.n': ['value_is_invalid'],
        'wallets[0].metadata.long': ['value_is_too_long'],
      },
    ],
    [
      'metrics that read no property',
      {
        billable_metrics: [
          { code: 'counted' },
          { code: 'summed', aggregation_type: 'sum_agg' },
          { code: 'distinct', aggregation_type: 'unique_count_agg', field_name: ' ' },
        ],
      },
      {
        'billable_metrics[1].field_name': ['value_is_mandatory'],
        'billable_metrics[2].field_name': ['value_is_mandatory'],
      },
    ],
    ['a coupon of nothing', { coupons: [{ code: 'c' }] }, { 'coupons[0].amount_cents': ['value_is_mandatory'] }],
    [
      'a language',
      { billing_entities: [{ code: 'b', document_locale: 'English' }] },
      { 'billing_entities[0].document_locale': ['not_a_valid_language_code'] },
    ],
    [
      'two active subscriptions of one external id',
      { ...sold, subscriptions: [subscription, { ...subscription, status: 'terminated' }, subscription] },
      { 'subscriptions[2].status': ['value_already_exist'] },
    ],
    [
      'an external id that subscriptions of two customers have, one of which waits',
      {
        ...sold,
        customers: [{ external_id: 'c' }, { external_id: 'd' }],
        subscriptions: [
          subscription,
          { ...subscription, external_customer_id: 'd', status: 'pending' },
          { ...subscription, external_customer_id: 'd', external_id: 't', status: 'terminated' },
          { ...subscription, external_id: 't', status: 'pending' },
        ],
      },
      { 'subscriptions[1].external_id': ['value_already_exist'] },
    ],
    [
      'one that waits for the payment of another without following it',
      {
        ...sold,
        subscriptions: [
          { ...subscription, status: 'incomplete' },
          { ...subscription, status: 'pending' },
        ],
      },
      { 'subscriptions[1].external_id': ['value_already_exist'] },
    ],
    [
      'two invoices of one rank',
      { ...sold, invoices: ['a', 'b'].map((number) => ({ external_customer_id: 'c', number, sequential_id: 1 })) },
      { 'invoices[1].sequential_id': ['value_already_exist'] },
    ],
    [
      'a later reference that leads nowhere',
      { ...sold, subscriptions: [{ ...subscription, svc_previous_subscription_id: NONE }] },
      { 'subscriptions[0].svc_previous_subscription_id': ['relation_must_exist'] },
    ],
    [
      'an amount that is too large in minor units',
      { fees: [{ amount_cents: 1, precise_amount: '9'.repeat(35) }] },
      { 'fees[0].precise_amount_cents': ['value_is_out_of_range'] },
    ],
    [
      'a fault inside an override',
      {
        ...sold,
        subscriptions: [{ ...subscription, plan_overrides: { charges: [{ code: 'm', properties: { amount: '' } }] } }],
      },
      { 'subscriptions[0].plan_overrides.charges[0].properties': ['invalid_amount'] },
    ],
  ])('%s', async (_name, document, faults) => {
    expect(await faultsOf(db, document)).toEqual(faults);
  });
});

describe('organizations', () => {
  test('are kept apart: codes may repeat, identifiers are never taken from another one', async () => {
    const tax = { code: 'same', rate: 5 };
    await importDocument(
      db,
      {
        organizations: [
          { name: 'North', taxes: [tax] },
          { name: 'South', taxes: [tax] },
        ],
      },
      { now },
    );
    const rows = await db.prisma.tax.findMany({ where: { code: 'same' }, include: { organization: true } });
    expect(rows.map(({ organization }) => organization.name).sort()).toEqual(['North', 'South']);
    const [north] = rows.filter(({ organization }) => organization.name === 'North');
    const id = north?.id;
    expect(await faultsOf(db, { taxes: [{ svc_id: id, code: 'other', rate: 1 }] }, 'South')).toEqual({
      'taxes[0].svc_id': ['value_already_exist'],
    });
    const references = {
      add_ons: [{ code: 'a', tax_codes: [id] }],
      subscriptions: [{ external_id: 's', svc_customer_id: id, svc_plan_id: id }],
    };
    expect(await faultsOf(db, references, 'South')).toEqual({
      'add_ons[0].tax_codes[0]': ['relation_must_exist'],
      'subscriptions[0].svc_customer_id': ['relation_must_exist'],
      'subscriptions[0].svc_plan_id': ['relation_must_exist'],
    });
  });

  test('the name comes from the option, then from the document, then from the only one there is', async () => {
    await other.prisma.$executeRawUnsafe('TRUNCATE organizations CASCADE');
    const name = async (document: unknown, organization?: string) =>
      (await importDocument(other, document, { now, ...(organization ? { organization } : {}) })).organization;
    expect(await name({})).toBe('default');
    expect(await name({ taxes: [] })).toBe('default');
    expect(await name({ organization: { name: 'Quillo' } })).toBe('Quillo');
    expect(await name({ organization: { name: 'Quillo' } }, 'Brackenfell')).toBe('Brackenfell');
    expect(await other.prisma.billingEntity.count({ where: { isDefault: true } })).toBe(3);
  });
});

describe('what is stored', () => {
  const organization = 'Stored';
  const base = {
    billable_metrics: [{ code: 'calls' }],
    add_ons: [{ code: 'seat' }],
    taxes: [{ code: 'vat', rate: 20 }],
    plans: [
      {
        code: 'p',
        interval: 'monthly',
        amount_currency: 'EUR',
        amount_cents: 1000,
        charges: [
          { billable_metric_code: 'calls', properties: { amount: '1' }, filters: [{ values: { a: ['b'] } }] },
          { billable_metric_code: 'calls', charge_model: 'package' },
        ],
        fixed_charges: [{ add_on_code: 'seat', units: '2.50' }],
      },
    ],
    customers: [{ external_id: 'c', currency: 'JPY' }],
  };

  test('charges take the code of their metric, made unique; defaults are those of the schema', async () => {
    await importDocument(db, base, { organization, now });
    const plan = await db.prisma.plan.findFirstOrThrow({
      where: { organization: { name: organization } },
      include: { charges: { orderBy: { id: 'asc' } }, fixedCharges: true },
    });
    expect(plan.charges.map(({ code }) => code)).toEqual(['calls', 'calls_2']);
    expect(plan.charges[1]?.properties).toEqual({ package_size: 1, amount: '0', free_units: 0 });
    expect(plan.fixedCharges[0]).toMatchObject({ code: 'seat', chargeModel: 'standard' });
    expect(plan.fixedCharges[0]?.units.toFixed()).toBe('2.5');
    const customer = await db.prisma.customer.findFirstOrThrow({ where: { organizationId: plan.organizationId } });
    expect(customer.slug).toMatch(/^STO-[0-9A-F]{4}-001$/);
    expect(customer.createdAt).toEqual(now);
  });

  test('integers beyond 2^53 and decimals keep every digit', async () => {
    const path = join(folder, 'digits.json');
    await writeFile(
      path,
      `{"fees": [{"svc_id": "${NONE}", "amount_cents": 9223372036854775807, "amount_currency": "EUR", "precise_amount": "92233720368547758.07123456789012345678",
        "units": 0.000000000000000000000000000001, "item": {"name": "Huge"}, "amount_details": {"to_value": 12345678901234567890}}]}`,
    );
    await importFile(db, path, { organization, now });
    const fee = await db.prisma.fee.findUniqueOrThrow({ where: { id: NONE } });
    expect(fee.amountCents).toBe(9223372036854775807n);
    expect(fee.preciseAmountCents.toFixed()).toBe('9223372036854775807.123456789012345678');
    expect(fee.units.toFixed()).toBe('0.000000000000000000000000000001');
    const text = await exported(db, { organization });
    expect(text).toContain('"amount_cents":9223372036854775807');
    expect(text).toContain('"to_value":12345678901234567890');
  });

  test('an absent member leaves the value, null clears it, a list replaces the references', async () => {
    const customer = (members: object) =>
      importDocument(db, { customers: [{ external_id: 'd', ...members }] }, { organization, now });
    await customer({ name: 'Dora', email: 'd@example.com', tax_codes: ['vat'] });
    const changed = await customer({ name: 'Dorothea', email: null });
    expect(changed.updated).toEqual({ customers: 1 });
    const find = () =>
      db.prisma.customer.findFirstOrThrow({
        where: { externalId: 'd', organization: { name: organization } },
        include: { taxes: true },
      });
    expect(await find()).toMatchObject({ name: 'Dorothea', email: null, taxes: [{ code: 'vat' }] });
    await customer({ taxes: [] });
    expect(await find()).toMatchObject({ name: 'Dorothea', taxes: [] });
  });

  test('a subscription that ends and the one that follows it may come in one document, new or known', async () => {
    const organization = 'Followers';
    const names = { external_id: 's', external_customer_id: 'c', plan_code: 'p' };
    const row = (rank: number, status: string) => ({
      svc_id: `0196f000-0000-7000-8000-00000000000${rank}`,
      ...names,
      status,
      ...(rank > 1 ? { svc_previous_subscription_id: `0196f000-0000-7000-8000-00000000000${rank - 1}` } : {}),
    });
    const store = async (...subscriptions: ReturnType<typeof row>[]) => {
      const plans = [{ code: 'p', interval: 'monthly' }];
      await importDocument(db, { plans, customers: [{ external_id: 'c' }], subscriptions }, { organization, now });
      const where = { organization: { name: organization } };
      const stored = await db.prisma.subscription.findMany({ where, orderBy: { id: 'asc' } });
      return stored.map(({ status }) => status);
    };
    expect(await store(row(1, 'active'))).toEqual(['active']);
    expect(await store(row(1, 'terminated'), row(2, 'active'))).toEqual(['terminated', 'active']);
    await store(row(3, 'pending'));
    expect(await store(row(3, 'active'), row(2, 'terminated'))).toEqual(['terminated', 'terminated', 'active']);
    await expect(store(row(1, 'active'))).rejects.toThrow('subscriptions[0].status: value_already_exist');
  });

  test('a subscription that waits beside the one that runs under its external id follows it', async () => {
    const account = {
      organization: { name: 'Waiting' },
      plans: ['gold', 'tin'].map((code) => ({ code, interval: 'monthly' })),
      customers: [{ external_id: 'c' }],
      subscriptions: ['tin', 'gold'].map((plan_code) => ({
        ...{ external_id: 's', external_customer_id: 'c', plan_code, subscription_at: '2026-01-01' },
        status: plan_code === 'tin' ? 'pending' : 'active',
      })),
    };
    await importDocument(db, account, { now });
    const [running, waiting] = await db.prisma.subscription.findMany({
      where: { organization: { name: 'Waiting' } },
      orderBy: { status: 'desc' },
    });
    expect(running?.status).toBe('active');
    expect(waiting).toMatchObject({ status: 'pending', previousSubscriptionId: running?.id });
    const before = await versions();
    await importDocument(db, account, { now });
    expect(await versions()).toEqual(before);
  });

  test('of many entries the one that the database refuses is named, with the member', async () => {
    const customer = { external_id: 'c' };
    const invoice = (rank: number) => ({ external_customer_id: 'c', number: `n${rank}`, sequential_id: rank });
    const store = (...invoices: object[]) =>
      importDocument(db, { customers: [customer], invoices }, { organization: 'Ranked', now });
    await store(invoice(4));
    const others = [1, 2, 3, 5, 6, 7].map(invoice);
    const clash = { ...invoice(4), number: 'other' };
    await expect(store(...others.slice(0, 5), clash, ...others.slice(5))).rejects.toThrow(
      /^invoices\[5\]\.sequential_id: value_already_exist$/,
    );
    await store(...others);
    expect(await db.prisma.invoice.count({ where: { organization: { name: 'Ranked' } } })).toBe(7);
  });

  test('an override is a plan of its own, with copies of the charges', async () => {
    const overrides = { amount_cents: 700, charges: [{ code: 'calls', properties: { amount: '0.5' } }] };
    const subscriptions = [{ external_id: 's', external_customer_id: 'c', plan_code: 'p', plan_overrides: overrides }];
    await importDocument(db, { subscriptions }, { organization, now });
    const find = () =>
      db.prisma.subscription.findFirstOrThrow({
        where: { externalId: 's', organization: { name: organization } },
        include: {
          plan: {
            include: {
              parent: true,
              charges: { include: { parent: true, filters: true }, orderBy: { code: 'asc' } },
              fixedCharges: true,
            },
          },
        },
      });
    const { plan } = await find();
    expect(plan).toMatchObject({ code: 'p', amountCents: 700n, parent: { code: 'p', amountCents: 1000n } });
    expect(plan.charges).toMatchObject([
      {
        code: 'calls',
        properties: { amount: '0.5' },
        parent: { code: 'calls', properties: { amount: '1' } },
        filters: [{ values: { a: ['b'] } }],
      },
      { code: 'calls_2', parent: { code: 'calls_2' } },
    ]);
    expect(plan.fixedCharges).toHaveLength(1);
    const again = await importDocument(db, { subscriptions }, { organization, now });
    expect(again).toMatchObject({ created: {}, updated: {} });
    const [{ plan_overrides: _, ...without } = {}] = subscriptions;
    await importDocument(db, { subscriptions: [without] }, { organization, now });
    expect((await find()).planId).toBe(plan.id);
  });

  test('a fee takes its names from what was sold and its customer from its subscription', async () => {
    const fees = [
      {
        svc_id: NONE.replace('4', '5'),
        external_subscription_id: 's',
        charge_code: 'calls',
        amount_cents: 10,
        precise_amount: '10.4',
        item: { type: 'charge' },
      },
    ];
    await importDocument(db, { fees }, { organization, now });
    const fee = await db.prisma.fee.findUniqueOrThrow({
      where: { id: NONE.replace('4', '5') },
      include: { customer: true },
    });
    expect(fee).toMatchObject({
      itemCode: 'calls',
      itemType: 'BillableMetric',
      amountCurrency: 'EUR',
      customer: { externalId: 'c' },
    });
    expect(fee.preciseAmountCents.toFixed()).toBe('1040');
  });

  test('the first entity is the default one, and a flag moves the mark', async () => {
    const entities = (...billing_entities: object[]) =>
      importDocument(db, { billing_entities }, { organization: 'Entities', now });
    const marked = async () =>
      (await db.prisma.billingEntity.findMany({ where: { isDefault: true, organization: { name: 'Entities' } } })).map(
        ({ code }) => code,
      );
    await entities({ code: 'one' }, { code: 'two' });
    expect(await marked()).toEqual(['one']);
    await entities({ code: 'two', is_default: true });
    expect(await marked()).toEqual(['two']);
    await expect(entities({ code: 'a', is_default: true }, { code: 'b', is_default: true })).rejects.toThrow(
      'billing_entities[1].is_default: value_already_exist',
    );
  });
});

test('progress is told, in rows of the document', async () => {
  const seen: [number, number | undefined][] = [];
  await importFile(db, sparse, { now, onProgress: (done, total) => seen.push([done, total]) });
  expect(seen.at(-1)).toEqual([19, 19]);
});

test('an export of an organization that is not there is refused', async () => {
  await expect(exported(db, { organization: 'Nowhere' })).rejects.toThrow('there is no organization Nowhere');
});

test('an export of several organizations is one document, which is imported again', async () => {
  const text = await exported(db);
  await other.prisma.$executeRawUnsafe('TRUNCATE organizations CASCADE');
  await importDocument(other, parseJson(text), { now });
  expect(await exported(other)).toBe(text);
});
