import { getNamedType, isObjectType, isScalarType } from 'graphql';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import type { InputError } from '../../../src/http/wire/input-message.ts';
import { createFullApp } from '../../robust/full-app.ts';
import type { TestApp } from '../../support.ts';
import { type Make, rowMaker } from '../rows.ts';
import { argumentWith, documentsFor, waysOf, wrapped } from './input-way.ts';

/** What none of the rules would take, by the scalar; a database that others wrote to may hold it. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  CountryCode: ['Atlantis', 'de', 'DEU', ' '],
  TimeZone: ['Mars/Olympus', '+25:00', '12', 'Europe/Nowhere'],
  Locale: ['klingon', 'pt_BR', '-', ''],
  URL: ['not a url', 'javascript:alert(1)', 'http://', ''],
  EmailAddress: ['nobody', '@', 'a b@c', ''],
  DateOrDateTime: ['soon', '2026-02-30', '2026-01-01T25:00:00Z', '12026-01-01'],
};

const isText = (type: unknown) => isScalarType(type) && type.extensions.isText === true;
const texts = Object.values(schema.getTypeMap()).filter(isText);

/** Every field of such a scalar of an object, by its type: `Customer` with `country: CountryCode`, ... */
const shown = Object.values(schema.getTypeMap()).flatMap((type) => {
  if (!isObjectType(type)) return [];
  const fields = Object.values(type.getFields()).filter((field) => isText(getNamedType(field.type)));
  const scalars = fields.map((field): [string, string] => [field.name, getNamedType(field.type).name]);
  return scalars.length > 0 ? [[type.name, Object.fromEntries(scalars)] as const] : [];
});
const scalarsOf = Object.fromEntries(shown);

// What the service makes itself when it is asked for.
const MADE = ['applicableTimezone', 'explanationUrl', 'fileUrl', 'recipient'];

let app: TestApp;
let make: Make;
/** What the default entity has of itself. */
let known: object;
beforeAll(async () => {
  app = await createFullApp();
  make = rowMaker(app.db, app.organizationId);
  await make('BillingEntity', { code: '1' }); // whose changes are refused below
  const where = { organizationId: app.organizationId, isDefault: true };
  const select = { country: true, email: true, timezone: true, documentLocale: true };
  known = await app.db.prisma.billingEntity.findFirstOrThrow({ where, select });
});
afterEach(() => inDefaultEntity(known));
afterAll(() => app?.close());

const badOf = (type: string, turn: number) =>
  Object.fromEntries(
    Object.entries(scalarsOf[type] ?? {})
      .filter(([name]) => !MADE.includes(name))
      .map(([name, scalar]) => [name, BAD[scalar]?.[turn]]),
  );

const namesOf = (type: string) => Object.keys(scalarsOf[type] ?? {}).join(' ');
const node = (type: string, id: string, selection: string) =>
  `{ node(id: "${Buffer.from(`${type}:${id}`).toString('base64')}") { ... on ${type} { ${selection} } } }`;

type Shown = (turn: number) => Promise<readonly [query: string, expected: object]>;

const columnOf = (name: string, value: unknown, prefix: string) => [
  `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  value,
];

const row =
  (type: string): Shown =>
  async (turn) => {
    const bad = badOf(type, turn);
    const { id } = await make(type, bad);
    return [node(type, id, namesOf(type)), bad];
  };

const customer = async (turn: number, data: object) =>
  make('Customer', { slug: `T-${turn}-${Math.random()}`, externalId: `text_${turn}_${Math.random()}`, ...data });

/** Stores values in the default entity, whose members the organization shows. */
const inDefaultEntity = (data: object) =>
  app.db.prisma.billingEntity.updateMany({
    where: { organizationId: app.organizationId, isDefault: true },
    data,
  });

/** For each type with such fields: rows that hold bad values, the query that shows them, and what it must answer. */
const SHOWN: Readonly<Record<string, Shown>> = {
  BillingEntity: row('BillingEntity'),
  Customer: async (turn) => {
    const bad = badOf('Customer', turn);
    const { id } = await customer(turn, bad);
    return [node('Customer', id, namesOf('Customer')), { ...bad, applicableTimezone: bad.timezone }];
  },
  BillingConfiguration: async (turn) => {
    const billingConfiguration = badOf('BillingConfiguration', turn);
    const { id } = await customer(turn, billingConfiguration);
    const selection = `billingConfiguration { ${namesOf('BillingConfiguration')} }`;
    return [node('Customer', id, selection), { billingConfiguration }];
  },
  ShippingAddress: async (turn) => {
    const shippingAddress = badOf('ShippingAddress', turn);
    const columns = Object.entries(shippingAddress).map(([name, value]) => columnOf(name, value, 'shipping'));
    const { id } = await customer(turn, Object.fromEntries(columns));
    return [node('Customer', id, `shippingAddress { ${namesOf('ShippingAddress')} }`), { shippingAddress }];
  },
  IntegrationCustomer: row('IntegrationCustomer'),
  PaymentRequest: async (turn) => {
    const bad = badOf('PaymentRequest', turn);
    const { id } = await make('PaymentRequest', bad);
    return [node('PaymentRequest', id, namesOf('PaymentRequest')), { ...bad, recipient: bad.email }];
  },
  Organization: async (turn) => {
    const { webhookUrl, webhookUrls, ...bad } = badOf('Organization', turn);
    await inDefaultEntity(bad);
    await app.db.prisma.organization.update({
      where: { id: app.organizationId },
      data: { webhookUrl: webhookUrl ?? '' },
    });
    const shownNow = { ...bad, webhookUrl, webhookUrls: [webhookUrl] };
    return [`{ node: organization { ${namesOf('Organization')} } }`, shownNow];
  },
  OrganizationBillingConfiguration: async (turn) => {
    const billingConfiguration = badOf('OrganizationBillingConfiguration', turn);
    await inDefaultEntity(billingConfiguration);
    const selection = `billingConfiguration { ${namesOf('OrganizationBillingConfiguration')} }`;
    return [`{ node: organization { ${selection} } }`, { billingConfiguration }];
  },
  Invoice: row('Invoice'),
  CreditNote: row('CreditNote'),
};

// Of nobody, while what they lead to is missing.
const NOT_MADE = ['CustomerCheckout', 'CustomerPortal', 'InvoicePaymentPage'];
const PREVIEWED = ['CustomerPreview', 'IntegrationCustomerPreview', 'InvoicePreview'];

it('the fields below are all there are', () => {
  expect(texts.map(({ name }) => name).sort()).toEqual(Object.keys(BAD).sort());
  expect(shown.map(([type]) => type).sort()).toEqual([...Object.keys(SHOWN), ...PREVIEWED, ...NOT_MADE].sort());
});

it.each(Object.keys(SHOWN))('%s: what is stored is shown, whatever it is, executed and compiled', async (type) => {
  for (const turn of [0, 1, 2, 3]) {
    const [query, expected] = (await SHOWN[type]?.(turn)) ?? [''];
    for (const way of ['executed', 'compiled', 'compiled']) {
      const { data, errors } = await app.graphql(query);
      expect(errors, way).toBeUndefined();
      expect(data.node, way).toMatchObject(expected ?? {});
    }
  }
});

it('a preview for a stored customer with such values shows them too, where its time zone is known', async () => {
  for (const turn of [0, 1, 2, 3]) {
    const bad = badOf('Customer', turn);
    const system = badOf('IntegrationCustomer', turn);
    const { id: customerId, externalId } = await customer(turn, { ...bad, timezone: 'Asia/Tokyo' });
    await make('IntegrationCustomer', { customerId, type: 'hubspot', ...system });
    const own = `${namesOf('CustomerPreview')} integrationCustomers { ${namesOf('IntegrationCustomerPreview')} }`;
    const query = `query ($i: InvoicePreviewInput!) { invoicePreview(input: $i) { fileUrl customer { ${own} } } }`;
    const variables = { i: { planCode: 'fuzzed', customer: { externalId } } };
    for (const way of ['executed', 'compiled', 'compiled']) {
      const { data, errors } = await app.graphql(query, variables);
      expect(errors, way).toBeUndefined();
      const shown = { ...bad, timezone: 'Asia/Tokyo', integrationCustomers: [system] };
      expect(data.invoicePreview, way).toMatchObject({ fileUrl: null, customer: shown });
    }
    // What would be billed when is not guessed.
    await app.db.prisma.customer.update({ where: { id: customerId }, data: { timezone: bad.timezone ?? '' } });
    const { errors } = await app.graphql(query, variables);
    expect(errors).toMatchObject([{ extensions: { errorDetails: { timezone: ['invalid_timezone'] } } }]);
  }
});

it('days of a customer in a time zone that nobody knows are those of UTC', async () => {
  const [plan, { id: customerId }] = [
    await make('Plan', { trialPeriod: '3' }),
    await customer(0, badOf('Customer', 0)),
  ];
  const startedAt = new Date('2026-06-01T22:00:00Z');
  const started = { startedAt, subscriptionAt: startedAt, status: 'active', billingTime: 'calendar' };
  const { id } = await make('Subscription', { customerId, planId: plan.id, ...started });
  const moments = 'trialEndedAt currentBillingPeriodStartedAt currentBillingPeriodEndingAt';
  const { data, errors } = await app.graphql(node('BillingSubscription', id, moments));
  expect(errors).toBeUndefined();
  expect(data.node.currentBillingPeriodEndingAt).toMatch(/T23:59:59Z$/);
  expect(data.node.trialEndedAt).toMatch(/^2026-06-0/);
  const invoice = await make('Invoice', { customerId, status: 'finalized', number: 'MARS-1' });
  const note = await make('CreditNote', { customerId, invoiceId: invoice.id, status: 'finalized' });
  for (const [type, of] of [
    ['Invoice', invoice.id],
    ['CreditNote', note.id],
  ] as const) {
    const { fileUrl } = (await app.graphql(node(type, of, 'fileUrl'))).data.node;
    const file = await app.app.fetch(new Request(fileUrl));
    expect([file.status, file.headers.get('Content-Type')], type).toEqual([200, 'application/pdf']);
  }
});

const inputs = [...waysOf('query'), ...waysOf('mutation')].filter(({ input }) => isText(getNamedType(input.type)));

// The rules read a moment of the end once they know which one subscription ends.
const previewWith = ({ subscriptions, ...given }: { subscriptions?: object }) =>
  subscriptions
    ? { customer: { externalId: 'cust_ada' }, subscriptions: { ...subscriptions, externalIds: ['sub_fuzzed'] } }
    : { planCode: 'fuzzed', ...given };

it.each(inputs.map((way) => [way.place, way] as const))('%s: what means nothing is refused by name', async (_, way) => {
  const values = BAD[getNamedType(way.input.type).name]?.filter((value) => value.trim() !== '') ?? [];
  expect(values.length).toBeGreaterThan(2);
  // A country is kept in capitals, however it was written.
  const isTaken = (value: string) => way.operation === 'mutation' && way.keys.at(-1) === 'country' && value === 'de';
  for (const value of values.filter((one) => !isTaken(one))) {
    const argument = argumentWith(way, wrapped(way.input.type, value));
    const whole = way.field === 'invoicePreview' ? previewWith(argument as object) : argument;
    const { errors = [] } = await app.graphql(documentsFor(way, whole).byVariable, { v: whole });
    const bound = errors.flatMap(({ extensions }) => (extensions?.errors ?? []) as InputError[]);
    const found = bound.find(
      ({ path }) => path.filter((key) => typeof key === 'string').join('.') === way.keys.join('.'),
    );
    expect(found, `${value}: ${JSON.stringify(errors)}`).toMatchObject({ message: expect.stringContaining(value) });
    expect(found?.message).toMatch(/given: .*; allowed: /);
  }
});
