import {
  type DocumentNode,
  execute,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../src/command/examples.ts';
import { CompiledQueries } from '../../../src/graphql/compiled/compiled.ts';
import type { Context } from '../../../src/graphql/context.ts';
import { computePreview } from '../../../src/graphql/preview/compute.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { writeGraphJson, writeJson } from '../../../src/http/wire/json.ts';
import { routes } from '../../../src/rest/index.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { forOrganization, rowsOf } from '../../../src/store/database/tenant.ts';
import { Changes } from '../../../src/store/insight/changes.ts';
import { dice, openDemoDatabase, type Roll, statementsOf } from '../../support.ts';

let db: Database;
let organizations: string[];
const now = new Date('2026-11-27T12:00:00Z');

beforeAll(async () => {
  ({ db, organizations } = await openDemoDatabase());
}, 120_000);
afterAll(() => db?.close());

const contextOf = (
  organizationId = organizations[0] ?? '',
  permits = (_permission: string) => true,
  checksTypes = true,
): Context => ({
  caller: { organizationId, keyId: 'key', keyKind: 'secret', permits },
  db: forOrganization(db.prisma, organizationId),
  requestId: 'request',
  now,
  checksTypes,
  changes: new Changes(db),
  signal: () => new AbortController().signal,
  preview: async (task) => computePreview(task),
  fileUrl: async (kind, id) => `https://files.example/${kind}/${id}`,
});

interface Asked {
  readonly document: DocumentNode;
  readonly variables?: Record<string, unknown>;
  readonly context?: () => Context;
}

/** What the executor answers, and what the compiled document does, as texts; the latter is undefined where it leaves the work to the executor. */
async function both({ document, variables = {}, context = contextOf }: Asked) {
  const ask = () => ({ schema, document, variableValues: variables, contextValue: context() });
  const queries = new CompiledQueries();
  expect(await queries.execute(ask())).toBeUndefined(); // the first time it is only noted
  const [compiled, again] = [await queries.execute(ask()), await queries.execute(ask())];
  const executed = await execute(ask());
  const write = context().checksTypes ? writeGraphJson : writeJson;
  const text = (value: unknown) => (value === undefined ? undefined : write(value));
  return { executed: write(executed), compiled: text(compiled), again: text(again) };
}

/** Expects the same bytes; the errors of both have a form of their own. */
async function expectSame(asked: Asked): Promise<boolean> {
  const { executed, compiled, again } = await both(asked);
  if (compiled === undefined) return false;
  expect(compiled).toBe(executed);
  expect(again).toBe(executed);
  return true;
}

const isRequired = (field: GraphQLField<unknown, unknown>) =>
  field.args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);

const pick = <T>(values: readonly T[], most: number, roll: Roll): T[] =>
  values.filter(() => roll(values.length) < most);

/** Some fields of a type, some of them twice under another name, a part of them in a fragment. */
function selection(type: GraphQLObjectType, depth: number, roll: Roll): string {
  const fields = Object.values(type.getFields()).filter((field) => !isRequired(field));
  const leaves = pick(
    fields.filter(({ type: shown }) => isLeafType(getNamedType(shown))),
    5,
    roll,
  ).map(({ name }) => (roll(6) === 0 ? `a${roll(100)}: ${name}` : name));
  const objects = fields.filter(({ type: shown }) => isObjectType(getNamedType(shown)));
  const nested = (depth > 0 ? pick(objects, 2, roll) : []).map((field) => {
    const shown = getNamedType(field.type) as GraphQLObjectType;
    const args = field.args.some(({ name }) => name === 'first') ? `(first: ${1 + roll(3)})` : '';
    const twice = roll(8) === 0 ? `b${roll(100)}: ` : '';
    return `${twice}${field.name}${args} { ${selection(shown, depth - 1, roll)} }`;
  });
  const all = ['__typename', ...leaves, ...nested];
  return roll(4) === 0 ? `... on ${type.name} { ${all.join(' ')} }` : all.join(' ');
}

const LISTS = ['invoices', 'fees', 'customers', 'subscriptions', 'plans', 'wallets', 'paymentRequests', 'coupons'];

function listDocument(seed: number): DocumentNode {
  const roll = dice(seed);
  const name = LISTS[roll(LISTS.length)] ?? '';
  const field = schema.getQueryType()?.getFields()[name];
  const list = getNamedType(field?.type ?? null) as GraphQLObjectType;
  const nodes = list.getFields().nodes?.type;
  const node = isNonNullType(nodes) && isListType(nodes.ofType) ? getNamedType(nodes.ofType) : undefined;
  const shown = selection(node as GraphQLObjectType, 3, roll);
  const inner = roll(2) ? `nodes { ${shown} }` : `edges { cursor node { ${shown} } } pageInfo { hasNextPage }`;
  return parse(`{ ${name}(first: ${1 + roll(4)}) { ${roll(3) ? '' : 'totalCount'} ${inner} } }`);
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  String: ['EUR', 'USD', 'main', 'a', 'nothing has this name'],
  Boolean: [true, false],
  DateRange: [{ from: '2026-02-01' }, { to: '2026-07-31' }, { from: '2026-01-31', to: '2026-10-01' }, {}],
  DateTimeRange: [{ from: '2026-02-01T00:00:00Z' }, { to: '2026-07-31T12:30:00.5+02:00' }, {}],
  AmountRange: [{ from: '1' }, { to: '5000' }, { from: 100, to: '9007199254740993' }],
  CountryCode: ['DE', 'FR'],
  CustomerMetadataCondition: [{ key: 'tier' }, { key: 'tier', value: 'gold' }],
  InvoiceMetadataCondition: [{ key: 'tier' }, { key: 'tier', value: 'gold' }],
};

/** A value of an input type, as it stands in a variable. */
function inputValue(type: GraphQLInputType, known: readonly string[], roll: Roll): unknown {
  const given = getNullableType(type);
  if (isListType(given)) {
    return Array.from({ length: roll(8) === 0 ? 0 : 1 + roll(3) }, () => inputValue(given.ofType, known, roll));
  }
  if (isEnumType(given)) return given.getValues()[roll(given.getValues().length)]?.name;
  const values = [...(VALUES[getNamedType(given).name] ?? []), ...(getNamedType(given).name === 'String' ? known : [])];
  return values[roll(values.length)];
}

/** A list that is narrowed, ordered and cut in some way, with its total. */
async function narrowedAsked(seed: number, { db: rows }: Context): Promise<Asked> {
  const roll = dice(5000 + seed);
  const name = LISTS[seed % LISTS.length] ?? '';
  const field = schema.getQueryType()?.getFields()[name];
  const inputOf = (arg: string) => getNamedType(field?.args.find((one) => one.name === arg)?.type ?? null);
  const known = (await rows.customer.findMany({ take: 3, orderBy: { id: 'asc' } })).flatMap((one) => [
    ...[one.externalId, one.name ?? '', one.id],
  ]);
  const [filter, orderBy] = [inputOf('filter'), inputOf('orderBy')];
  const members = isInputObjectType(filter) ? pick(Object.values(filter.getFields()), 1, roll) : [];
  const order = isInputObjectType(orderBy)
    ? inputValue(orderBy.getFields().field?.type as GraphQLInputType, [], roll)
    : undefined;
  const conditions = Object.fromEntries(members.map((one) => [one.name, inputValue(one.type, known, roll) ?? null]));
  const currency = isInputObjectType(filter) && filter.getFields().currency && roll(2) ? { currency: ['EUR'] } : {};
  const variables = {
    filter: { ...conditions, ...currency },
    orderBy: order && roll(2) ? { field: order, direction: roll(2) ? 'asc' : 'desc' } : undefined,
  };
  const cut = ['first: 3', 'last: 2', 'page: 2, perPage: 2', 'first: 0', ''][roll(5)];
  const shown = `nodes { svcId } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;
  const query = `query Q($filter: ${filter}, $orderBy: ${orderBy}) {
    ${name}(filter: $filter, orderBy: $orderBy${cut ? `, ${cut}` : ''}) { ${shown} } }`;
  return { document: parse(query), variables };
}

const LOOKUPS = [
  ['invoice', 'Invoice', 'svcId', 'id'],
  ['fee', 'Fee', 'svcId', 'id'],
  ['creditNote', 'CreditNote', 'svcId', 'id'],
  ['wallet', 'Wallet', 'svcId', 'id'],
  ['paymentRequest', 'PaymentRequest', 'svcId', 'id'],
  ['customer', 'Customer', 'externalId', 'externalId'],
  ['plan', 'Plan', 'code', 'code'],
  ['subscription', 'Subscription', 'externalId', 'externalId'],
  ['coupon', 'Coupon', 'code', 'code'],
] as const;

/** One object by its key, in some shape; some lists in it are as long as a variable says. */
async function lookupAsked(seed: number, { db: rows }: Context): Promise<Asked> {
  const roll = dice(1000 + seed);
  const [name, model, key, column] = LOOKUPS[seed % LOOKUPS.length] ?? LOOKUPS[0];
  const type = getNamedType(schema.getQueryType()?.getFields()[name]?.type ?? null) as GraphQLObjectType;
  const shown = selection(type, 3, roll);
  const text = roll(2) ? shown : shown.replaceAll(/\(first: [23]\)/g, '(first: $n)');
  const named = `$key: ${key === 'svcId' ? 'UUID' : 'String'}!`;
  const query = `query Q(${named}${text.includes('$n') ? ', $n: Int' : ''}) { ${name}(${key}: $key) { ${text} } }`;
  const found: { findMany(args: object): Promise<Readonly<Record<string, unknown>>[]> } = rowsOf(rows, model);
  const where = name === 'subscription' ? { status: 'active' } : name === 'plan' ? { parentId: null } : {};
  const [row] = await found.findMany({ where, orderBy: { id: 'asc' }, skip: roll(9), take: 1 });
  return { document: parse(query), variables: { key: row?.[column] ?? '', n: 1 + roll(3) } };
}

/** Requests of two organizations, of GraphQL and of the REST API, whose answers show some values in other forms. */
const someContext = (seed: number) => () => contextOf(organizations[seed % 2], undefined, seed % 3 > 0);

/** A key of random permissions, all, most or some of them, of one of two organizations. */
function randomKey(roll: Roll): () => Context {
  const organizationId = organizations[roll(2)];
  const refused = [0, 12, 3][roll(3)] ?? 0; // one permission of so many
  const drawn = new Map<string, boolean>();
  const permits = (permission: string) => {
    const isPermitted = drawn.get(permission) ?? (refused === 0 || roll(refused) > 0);
    drawn.set(permission, isPermitted);
    return isPermitted;
  };
  const checksTypes = roll(4) > 0;
  return () => contextOf(organizationId, permits, checksTypes);
}

/** Whether PostgreSQL writes the text of an answer. */
const isWritten = (sql: string) => /^SELECT json_build_array\([^()]*\)::text, concat\('\{"/.test(sql);

describe('a compiled document answers what the executor answers', () => {
  it('for many documents of many shapes', { timeout: 120_000 }, async () => {
    let compiled = 0;
    const documents = Array.from({ length: 120 }, (_, seed) => listDocument(seed + 1));
    const valid = documents.filter((document) => validate(schema, document).length === 0);
    const seen = await statementsOf(db, async () => {
      for (const [seed, document] of valid.entries()) {
        compiled += (await expectSame({ document, context: someContext(seed) })) ? 1 : 0;
      }
    });
    expect(valid.length).toBeGreaterThan(80);
    expect(compiled).toBeGreaterThan(valid.length - 6); // a list may be asked for twice in different lengths
    expect(seen.filter(isWritten).length).toBeGreaterThan(80); // two of each document
  });

  it('for keys of many permissions of two organizations, by what any of them had compiled', {
    timeout: 240_000,
  }, async () => {
    let [compiled, refused, others] = [0, 0, 0];
    for (let seed = 0; seed < 60; seed += 1) {
      const document = listDocument(9000 + seed);
      if (validate(schema, document).length > 0) continue;
      const roll = dice(100 + seed);
      const queries = new CompiledQueries();
      const texts = new Map<string, string>();
      for (let key = 0; key < 6; key += 1) {
        const contextOfKey = randomKey(roll);
        const context = contextOfKey();
        const ask = () => ({ schema, document, contextValue: contextOfKey() });
        const answered = await queries.execute(ask());
        const executed = await execute(ask());
        const write = context.checksTypes ? writeGraphJson : writeJson;
        refused += executed.errors ? 1 : 0;
        if (!answered) continue;
        compiled += 1;
        expect(write(answered)).toBe(write(executed));
        others += texts.size > 0 && !texts.has(context.caller.organizationId) ? 1 : 0;
        texts.set(context.caller.organizationId, write(answered));
      }
    }
    expect(compiled).toBeGreaterThan(80);
    expect(refused).toBeGreaterThan(40);
    expect(others).toBeGreaterThan(15); // compiled for one organization, and asked by the other
  });

  it('for lookups of many shapes, which are read without Prisma when they are asked again', {
    timeout: 120_000,
  }, async () => {
    const seen = await statementsOf(db, async () => {
      let compiled = 0;
      for (let seed = 0; seed < 120; seed += 1) {
        const context = someContext(seed);
        compiled += (await expectSame({ ...(await lookupAsked(seed, context())), context })) ? 1 : 0;
      }
      expect(compiled).toBeGreaterThan(115);
    });
    expect(seen.filter((sql) => sql.startsWith('SELECT json_build_array')).length).toBeGreaterThan(110);
    expect(seen.filter(isWritten).length).toBeGreaterThan(50);
  });

  it('for lists that are narrowed, ordered and cut in many ways', { timeout: 240_000 }, async () => {
    let found = 0;
    const seen = await statementsOf(db, async () => {
      for (let seed = 0; seed < 160; seed += 1) {
        const context = someContext(seed);
        const asked = await narrowedAsked(seed, context());
        expect(validate(schema, asked.document)).toEqual([]);
        expect(await expectSame({ ...asked, context })).toBe(true);
        found += (await both({ ...asked, context })).executed.includes('"svcId"') ? 1 : 0;
      }
    });
    expect(found).toBeGreaterThan(30);
    // Most are read without Prisma, rows and total.
    expect(seen.filter((sql) => /^SELECT json_build_array.* LIMIT /.test(sql)).length).toBeGreaterThan(300);
    expect(seen.filter((sql) => sql.startsWith('SELECT count(*)::text')).length).toBeGreaterThan(300);
  });

  it('page after page, in both directions', async () => {
    const query = `query Q($after: String, $before: String, $first: Int, $last: Int, $orderBy: InvoiceOrder) {
      invoices(after: $after, before: $before, first: $first, last: $last, orderBy: $orderBy) {
        nodes { number } pageInfo { startCursor endCursor } } }`;
    for (const orderBy of [undefined, { field: 'payment_due_date', direction: 'desc' }, { field: 'number' }]) {
      for (const [size, place, end] of [
        ['first', 'after', 'endCursor'],
        ['last', 'before', 'startCursor'],
      ] as const) {
        let cursor: string | null = null;
        for (let page = 0; page < 6; page += 1) {
          const asked: Asked = { document: parse(query), variables: { [size]: 7, [place]: cursor, orderBy } };
          expect(await expectSame(asked)).toBe(true);
          cursor = JSON.parse((await both(asked)).executed).data.invoices.pageInfo[end];
        }
        expect(cursor).toBeTruthy();
      }
    }
  });

  it('for the examples of GraphiQL', async () => {
    const queries = EXAMPLES.map((text) => parse(text)).filter((one) => validate(schema, one).length === 0);
    for (const document of queries) await expectSame({ document });
    expect(queries.length).toBeGreaterThan(2);
  });

  it.each([
    'fees(first: 2, orderBy: { field: from_date }) { totalCount nodes { amountCents item { code } } }',
    'allFees { amountCents } feesBySubscription { count totalAmountCents subscription { externalId } fees { amountCents appliedTaxes { taxCode } } }',
    'lines: feesBySubscription { currencyDetails { exponent } taxesAmountCents subscription { plan { code } } }',
  ])("for an invoice's lines: %s", async (lines) => {
    expect(await expectSame({ document: parse(`{ invoices(first: 40) { nodes { svcId ${lines} } } }`) })).toBe(true);
  });

  it('for fragments that are spread twice on each of many levels, in no time', async () => {
    const levels = 40;
    const spread = (n: number) => `fragment F${n} on Invoice { ...F${n + 1} customer { ...G } ...F${n + 1} }`;
    const fragments = Array.from({ length: levels }, (_, n) => spread(n)).join(' ');
    const bomb = `{ invoices(first: 2) { nodes { ...F0 ...F0 } } } ${fragments}
      fragment F${levels} on Invoice { svcId } fragment G on Customer { name ...H ...H } fragment H on Customer { externalId }`;
    const before = performance.now();
    expect(await expectSame({ document: parse(bomb) })).toBe(true);
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it('for documents of the REST API', async () => {
    const fee = await db.prisma.fee.findFirstOrThrow({
      where: { trueUpParentFeeId: { not: null }, organizationId: organizations[0] ?? '' },
    });
    const { document } = routes.find(({ operation }) => operation === 'getFee') ?? {};
    if (!document) throw new Error('no document');
    expect(await expectSame({ document, variables: { svcId: fee.id } })).toBe(true);
    const missing = await both({ document, variables: { svcId: '00000000-0000-7000-8000-00000000abcd' } });
    expect(missing.compiled).toEqual(missing.executed);
    expect(JSON.parse(missing.compiled ?? '').errors[0].path).toEqual(['fee']);
  });
});

describe('a text that PostgreSQL writes', () => {
  it('holds what several rows refer to, once in the statement and in every place of the answer', async () => {
    const { document, variables } = routes.find(({ operation }) => operation === 'listCustomerPaymentRequests') ?? {};
    if (!document || !variables) throw new Error('no document');
    const organizationId = organizations[0] ?? '';
    const [asked] = await db.prisma.paymentRequest.groupBy({
      ...{ by: ['customerId'], where: { organizationId, customer: { deletedAt: null } } },
      ...{ _count: { _all: true }, orderBy: { _count: { customerId: 'desc' } }, take: 1 },
    });
    const customer = await db.prisma.customer.findUniqueOrThrow({ where: { id: asked?.customerId ?? '' } });
    expect(asked?._count._all).toBeGreaterThan(1);
    const context = () => contextOf(organizationId, undefined, false);
    const given = { externalId: customer.externalId, page: 1, perPage: 100 };
    const seen = await statementsOf(db, async () => {
      expect(await expectSame({ document, variables: given, context })).toBe(true);
    });
    expect(seen.filter((sql) => isWritten(sql) && sql.includes('row_number() OVER')).length).toBe(2);
    const everybody = `{ paymentRequests(first: 100) { edges { cursor node { id recipient customer {
      id name externalId city country zipcode timezone applicableTimezone email phone currency createdAt updatedAt
      billingEntity { id code name createdAt updatedAt timezone } metadata { key value } currencyDetails { code exponent }
    } } } nodes { svcId customer { name } } } }`;
    for (const checksTypes of [true, false])
      expect(
        await expectSame({ document: parse(everybody), context: () => contextOf(undefined, undefined, checksTypes) }),
      ).toBe(true);
  });

  it('is opened where a value of it fails', async () => {
    const bad = (await invoiceIds()).find((id) => /[4-7]$/.test(id));
    const context = (): Context => ({
      ...contextOf(),
      fileUrl: (kind, id) => {
        if (/[0-3]$/.test(id)) return Promise.reject(new Error('no address'));
        if (/[4-7]$/.test(id)) throw new Error('no address at all');
        return `https://files.example/${kind}/${id}`;
      },
    });
    const selected = 'svcId number fileUrl taxesRate customer { id name } appliedTaxes { taxRate amountCents }';
    for (const text of [
      `{ invoices(first: 100) { nodes { ${selected} } } }`,
      `{ paymentRequests(first: 100) { edges { node { amountCents invoices { ${selected} } } } } }`,
      `{ invoice(svcId: "${bad}") { ${selected} } }`,
    ]) {
      const { executed, compiled = '' } = await both({ document: parse(text), context });
      const [expected, shown] = [JSON.parse(executed), JSON.parse(compiled)];
      // The executor tells first what fails at once.
      const sorted = (errors: readonly object[]) => errors.map((error) => JSON.stringify(error)).toSorted();
      expect(expected.errors.length).toBeGreaterThan(0);
      expect(sorted(shown.errors)).toEqual(sorted(expected.errors));
      expect(JSON.stringify(shown.data)).toBe(JSON.stringify(expected.data));
    }
  });

  const selections = {
    Fee: `id item { name itemType filters } description units again: units taxesRate amountCents taxesAmountCents preciseAmount
      preciseUnitAmount fromDate toDate createdAt payInAdvance amountDetails amountCurrency currencyDetails { exponent }
      appliedTaxes { taxName taxRate } invoice { id number issuingDate metadata { key value } fileUrl } customer { id }`,
    Customer:
      'id name billingConfiguration { sync providerPaymentMethods } integrationCustomers { type externalCustomerId }',
  };
  const same = async (name: string, args: string, shown: string) => {
    for (const checksTypes of [true, false]) {
      const context = () => contextOf(undefined, undefined, checksTypes);
      const seen = await statementsOf(db, async () => {
        expect(await expectSame({ document: parse(`{ ${name}(${args}) { ${shown} } }`), context })).toBe(true);
      });
      expect(seen.filter(isWritten).length).toBe(2);
    }
  };

  it('keeps values that are easily lost', async () => {
    const owner = organizations[0] ?? '';
    const text = `"quoted" \\ back\nline\ttab\b\f\r 'single' {,} \u2028 \u0001 \u0002 \u001f \u007f \u0085 漢字 🧾`;
    const amountDetails = { [text]: [[1.5, 1e-7, null, { '': '', 2: 1, 1: 2 }]], big: 9007199254740991, rate: '0.10' };
    const { id: invoiceId, customerId } = await db.prisma.invoice.findFirstOrThrow({
      where: { organizationId: owner, status: 'finalized' },
    });
    const data = {
      ...{ organizationId: owner, invoiceId, customerId, feeType: 'charge' as const, itemCode: text, itemName: text },
      ...{ itemType: text, amountCurrency: 'JPY', amountDetails, filters: { [text]: [text] }, description: text },
      ...{ amountCents: -9_007_199_254_740_993n, taxesAmountCents: 9_223_372_036_854_775_807n },
      ...{ preciseAmountCents: '-12345678901234567890.123456789012345', units: '0.000000000000001' },
      ...{
        preciseUnitAmount: '1000000000000000000000000.1000',
        fromDate: new Date(-1),
        toDate: new Date('0001-01-01'),
      },
    };
    const rates = ['0.0000001', '19.6000', '-0.5', '100', '12345678901234567890.5', '0', '1e21', '33.3333333'];
    const { id } = await db.prisma.fee.create({ data });
    const tax = { organizationId: owner, feeId: id, taxName: text, amountCents: 1n, amountCurrency: 'EUR' };
    await db.prisma.feeAppliedTax.createMany({
      data: rates.map((taxRate, at) => ({ ...tax, taxCode: `${at}`, taxRate })),
    });
    for (const taxesRate of rates) {
      await db.prisma.fee.update({ where: { id }, data: { taxesRate } });
      await same('fee', `svcId: "${id}"`, selections.Fee);
    }
    await db.prisma.feeAppliedTax.deleteMany({ where: { feeId: id } });
    await db.prisma.fee.delete({ where: { id } });
  });

  it('keeps every digit of numbers in JSON that others have stored', async () => {
    const [owner = ''] = organizations;
    const [event] = await db.prisma.event.findMany({ where: { organizationId: owner }, take: 1 });
    const { id = '', properties = {} } = event ?? {};
    const long =
      '{"whole":12345678901234567890,"part":0.12345678901234567891,"short":1.5,"text":"12345678901234567890"}';
    await db.prisma.$executeRaw`UPDATE events SET properties = ${long}::jsonb WHERE id = ${id}::uuid`;
    const filter = `filter: { transactionId: ["${event?.transactionId}"] }`;
    const documents = [
      `{ events(${filter}) { nodes { svcId properties } } }`,
      `{ events(last: 3, ${filter}) { totalCount nodes { svcId __typename } nodes { properties } } }`,
      `{ event(transactionId: "${event?.transactionId}") { properties } }`,
    ];
    for (const text of documents) {
      const { compiled, again, executed } = await both({ document: parse(text) });
      expect(executed).toContain('"whole":"12345678901234567890"');
      expect([compiled, again]).toEqual([executed, executed]);
    }
    await db.prisma.event.update({ where: { id }, data: { properties: properties ?? {} } });
  });

  it('shows a list that is null in SQL as empty, and what an enumeration does not know as other', async () => {
    const customer = await db.prisma.customer.findFirstOrThrow({
      where: { organizationId: organizations[0] ?? '', deletedAt: null },
    });
    const { id, organizationId, externalId, providerPaymentMethods } = customer;
    const types = ['xero', 'sage "50"', null];
    await db.prisma.integrationCustomer.createMany({
      data: types.map((type) => ({ organizationId, customerId: id, type })),
    });
    await db.prisma.$executeRaw`UPDATE customers SET provider_payment_methods = NULL WHERE id = ${id}::uuid`;
    await same('customer', `externalId: ${JSON.stringify(externalId)}`, selections.Customer);
    await db.prisma.customer.update({
      where: { id },
      data: { providerPaymentMethods: ['', 'NULL', 'a,b', '{}', '"', '\\'] },
    });
    await same('customer', `externalId: ${JSON.stringify(externalId)}`, selections.Customer);
    await db.prisma.customer.update({ where: { id }, data: { providerPaymentMethods } });
    await db.prisma.integrationCustomer.deleteMany({
      where: { customerId: id, OR: [{ type: { in: ['xero', 'sage "50"'] } }, { type: null }] },
    });
  });
});

const document = parse(
  'query Q($id: UUID!) { invoice(svcId: $id) { svcId customer { name wallets { nodes { code } } } } }',
);
const invoiceIds = async (organizationId = organizations[0] ?? '', take = 40) =>
  (
    await db.prisma.invoice.findMany({ where: { organizationId, status: 'finalized' }, take, orderBy: { id: 'asc' } })
  ).map(({ id }) => id);

describe('what is not compiled', () => {
  it('a field that the key may not see is refused by the executor', async () => {
    const [id] = await invoiceIds();
    const context = () => contextOf(undefined, (permission) => permission !== 'wallet:read');
    const { compiled, executed } = await both({ document, variables: { id }, context });
    expect(compiled).toBeUndefined();
    expect(JSON.parse(executed).errors[0].path).toEqual(['invoice', 'customer', 'wallets']);
  });

  it.each([
    '{ organization { name @include(if: true) } }',
    '{ __schema { queryType { name } } }',
    'mutation { terminateWallet(input: { svcId: "x" }) { __typename } }',
  ])('%s', async (text) => {
    const { compiled } = await both({ document: parse(text) });
    expect(compiled).toBeUndefined();
  });

  it('a list that is asked for twice in different lengths, of which Pothos loads one with its row', async () => {
    const text =
      '{ customers(first: 3) { nodes { a: invoices(first: 1) { nodes { svcId } } b: invoices(first: 2) { nodes { svcId } } } } }';
    const { compiled, executed } = await both({ document: parse(text) });
    expect(JSON.parse(executed).errors).toBeUndefined();
    expect(compiled).toBeUndefined();
  });

  it('variables that do not fit', async () => {
    const { compiled } = await both({ document, variables: {} });
    expect(compiled).toBeUndefined();
  });
});

describe('lookups of one moment', () => {
  const lookUp = async (ids: readonly string[], context: () => Context) => {
    const queries = new CompiledQueries();
    const ask = (id: string) => queries.execute({ schema, document, variableValues: { id }, contextValue: context() });
    await ask(ids[0] ?? '');
    return async () => Promise.all(ids.map(ask));
  };

  it('share a statement, and each gets its own', async () => {
    const known = await invoiceIds();
    const ids = [...known, (known[0] ?? '').toUpperCase(), '00000000-0000-7000-8000-00000000abcd', known[1] ?? ''];
    const run = await lookUp(ids, contextOf);
    await run();
    let answers: Awaited<ReturnType<typeof run>> = [];
    const seen = await statementsOf(db, async () => {
      answers = await run();
    });
    expect(seen.length).toBeLessThanOrEqual(2);
    const found = answers.map((one) => (one?.data?.invoice as { svcId: string } | null)?.svcId);
    expect(found).toEqual([...known, known[0], undefined, known[1]]);
  });

  it('never with those of another organization', async () => {
    const [own = '', other = ''] = organizations;
    const ids = [...(await invoiceIds(own, 5)), ...(await invoiceIds(other, 5))];
    const runs = [await lookUp(ids, () => contextOf(own)), await lookUp(ids, () => contextOf(other))];
    const [ofOwn = [], ofOther = []] = await Promise.all(runs.map((run) => run()));
    const isFound = (answers: typeof ofOwn) => answers.map((one) => one?.data?.invoice !== null);
    expect(isFound(ofOwn)).toEqual(ids.map((_, index) => index < 5));
    expect(isFound(ofOther)).toEqual(ids.map((_, index) => index >= 5));
  });
});
