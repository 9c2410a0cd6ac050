import {
  type DocumentNode,
  execute,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
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

const contextOf = (organizationId = organizations[0] ?? '', permits = (_permission: string) => true): Context => ({
  caller: { organizationId, keyId: 'key', keyKind: 'secret', permits },
  db: forOrganization(db.prisma, organizationId),
  requestId: 'request',
  now,
  checksTypes: true,
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

/** What the executor answers, and what the compiled document does; the latter is undefined where it leaves the work to the executor. */
async function both({ document, variables = {}, context = contextOf }: Asked) {
  const ask = () => ({ schema, document, variableValues: variables, contextValue: context() });
  const queries = new CompiledQueries();
  expect(await queries.execute(ask())).toBeUndefined(); // the first time it is only noted
  const [compiled, again] = [await queries.execute(ask()), await queries.execute(ask())];
  const executed = await execute(ask());
  const plain = (value: unknown) =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)));
  return { executed: plain(executed), compiled: plain(compiled), again: plain(again) };
}

async function expectSame(asked: Asked): Promise<boolean> {
  const { executed, compiled, again } = await both(asked);
  if (compiled === undefined) return false;
  expect(compiled).toEqual(executed);
  expect(again).toEqual(executed);
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
async function lookupAsked(seed: number): Promise<Asked> {
  const roll = dice(1000 + seed);
  const [name, model, key, column] = LOOKUPS[seed % LOOKUPS.length] ?? LOOKUPS[0];
  const type = getNamedType(schema.getQueryType()?.getFields()[name]?.type ?? null) as GraphQLObjectType;
  const shown = selection(type, 3, roll);
  const text = roll(2) ? shown : shown.replaceAll(/\(first: [23]\)/g, '(first: $n)');
  const named = `$key: ${key === 'svcId' ? 'UUID' : 'String'}!`;
  const query = `query Q(${named}${text.includes('$n') ? ', $n: Int' : ''}) { ${name}(${key}: $key) { ${text} } }`;
  const rows: { findMany(args: object): Promise<Readonly<Record<string, unknown>>[]> } = rowsOf(contextOf().db, model);
  const where = name === 'subscription' ? { status: 'active' } : name === 'plan' ? { parentId: null } : {};
  const [row] = await rows.findMany({ where, orderBy: { id: 'asc' }, skip: roll(9), take: 1 });
  return { document: parse(query), variables: { key: row?.[column] ?? '', n: 1 + roll(3) } };
}

describe('a compiled document answers what the executor answers', () => {
  it('for many documents of many shapes', { timeout: 120_000 }, async () => {
    let compiled = 0;
    const documents = Array.from({ length: 120 }, (_, seed) => listDocument(seed + 1));
    const valid = documents.filter((document) => validate(schema, document).length === 0);
    for (const document of valid) compiled += (await expectSame({ document })) ? 1 : 0;
    expect(valid.length).toBeGreaterThan(80);
    expect(compiled).toBe(valid.length);
  });

  it('for lookups of many shapes, which are read without Prisma when they are asked again', {
    timeout: 120_000,
  }, async () => {
    const seen = await statementsOf(db, async () => {
      let compiled = 0;
      for (let seed = 0; seed < 120; seed += 1) compiled += (await expectSame(await lookupAsked(seed))) ? 1 : 0;
      expect(compiled).toBeGreaterThan(115); // a list may be asked for twice in different lengths
    });
    expect(seen.filter((sql) => sql.startsWith('SELECT json_build_array')).length).toBeGreaterThan(110);
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
    expect(missing.compiled.errors[0].path).toEqual(['fee']);
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
    expect(executed.errors[0].path).toEqual(['invoice', 'customer', 'wallets']);
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
    expect(executed.errors).toBeUndefined();
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
