import { readFileSync } from 'node:fs';
import { type FieldNode, isObjectType, Kind, type OperationDefinitionNode, print } from 'graphql';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { RESOURCES } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/schema.ts';
import { fitVariables } from '../../src/http/rest/coerce.ts';
import { documentBody } from '../../src/http/rest/document-body.ts';
import { routes } from '../../src/rest/index.ts';
import type { Example } from '../../src/rest/openapi/openapi.ts';
import type { Route } from '../../src/rest/route.ts';
import { createKey, type PermissionMap } from '../../src/store/access/api-key.ts';
import type { Database } from '../../src/store/database/database.ts';
import { REFUSED } from '../rest/refused.ts';
import { type GraphWrite, graphWrites } from '../rest/sample.ts';
import { openDemoDatabase } from '../support.ts';

// Every route and every mutation, by its own document and an example that works: for another organization it finds nothing
// and changes nothing, and it needs the permission that it names, no more and no less.

const examples: Record<string, Example> = JSON.parse(
  readFileSync(new URL('../../src/rest/openapi/examples.json', import.meta.url), 'utf8'),
);

let db: Database;
let app: App;
let [own, other] = ['', ''];
beforeAll(async () => {
  const demo = await openDemoDatabase();
  db = demo.db;
  app = createApp({
    ...{ db, now: () => new Date('2026-11-27T12:00:00Z'), logger: pino({ level: 'silent' }) },
    protection: { limits: { cost: 10_000_000, depth: 100, aliases: 10_000 } },
  });
  const id = String(examples.terminateWallet?.params?.svc_id);
  own = (await db.prisma.wallet.findUniqueOrThrow({ where: { id } })).organizationId;
  other = (await db.prisma.organization.create({ data: { name: 'Alder' } })).id;
  // What examples make is there, so that others could find it.
  const made = routes.filter(({ operation }) => /^create/.test(operation));
  const key = await keyOf(own);
  for (const write of graphWrites.filter(({ verb }) => verb === 'create')) {
    expect((await written(write, key)).data[write.name].code).toBe('sample');
  }
  for (const route of made) expect([route.operation, (await rest(route, key)).status]).toEqual([route.operation, 200]);
});
afterAll(async () => {
  await app?.close();
  await db?.close();
});

const keyOf = async (organizationId: string, permissions?: PermissionMap) =>
  (await createKey(db.prisma, { organizationId, kind: 'secret', ...(permissions && { permissions }) })).key;

async function send(path: string, method: string, key: string, body: unknown) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  const text = body === undefined ? null : JSON.stringify(body);
  const response = await app.fetch(new Request(`http://gateway.test${path}`, { method, headers, body: text }));
  const answer = await response.text();
  return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer) };
}

const textsOf = (values: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

function rest({ operation, method, path }: Route, key: string) {
  const { params = {}, query = {}, request } = examples[operation] ?? {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const asked = new URLSearchParams(textsOf(query));
  return send(`/api/v1${filled}${asked.size > 0 ? `?${asked}` : ''}`, method, key, request);
}

const definitionOf = ({ document }: Route) =>
  document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode;

/** The route's own document, as a client of GraphQL would send it. */
function graph(route: Route, key: string) {
  const { params = {}, query = {}, request } = examples[route.operation] ?? {};
  const body = route.root ? (request as Record<string, unknown>)[route.root] : request;
  const read = route.variables({ params: textsOf(params), query: textsOf(query), body: documentBody(route, body) });
  const variables = fitVariables(schema, definitionOf(route), read);
  return send('/graphql', 'POST', key, { query: print(route.document), variables });
}

/** A write of the graph alone; it names what is there from before all. */
const written = async ({ query, variables }: GraphWrite, key: string, code = 'sample') =>
  (await send('/graphql', 'POST', key, { query, variables: variables(code) })).body;

const fieldsOf = (route: Route) =>
  definitionOf(route).selectionSet.selections.filter((node): node is FieldNode => node.kind === Kind.FIELD);

const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
// None has a sample: fees are changed by hand on a draft, and a job is made by none; their tests are those of the engine and of jobs.
const OF_THE_GRAPH: readonly string[] = ['createAdjustedFee', 'destroyAdjustedFee', 'regenerateInvoice', 'retryJob'];
const writes = routes.filter((route) => definitionOf(route).operation === 'mutation');

it('every mutation is the document of a route, or is written with a sample of a resource that only the graph has', () => {
  const documents = writes.flatMap((route) => [route, ...(route.batch ? [{ ...route, ...route.batch }] : [])]);
  const called = new Set(documents.flatMap((route) => fieldsOf(route).map(({ name }) => name.value)));
  const ofGraph = [...OF_THE_GRAPH, ...graphWrites.map(({ name }) => name)].sort();
  expect(mutations.filter((name) => !called.has(name)).sort()).toEqual(ofGraph);
  expect(isObjectType(schema.getMutationType())).toBe(true);
});

/** All rows of an organization but for the last use of its keys, as sums. */
async function rowsOf(organizationId: string): Promise<Record<string, string>> {
  const tables = await db.prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'organization_id' AND table_name <> 'api_keys' ORDER BY 1`;
  expect(tables.length).toBeGreaterThan(30);
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.prisma.$queryRawUnsafe<{ sum: string }[]>(
      `SELECT count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) AS sum FROM "${name}" WHERE organization_id = '${organizationId}'`,
    );
    sums[name] = row?.sum ?? '';
  }
  return sums;
}

// The reference answers nothing, instead of refusing, where nobody of that name is.
const EMPTY: Readonly<Record<string, object>> = { findAllCustomerPastUsage: { usage_periods: [] } };

// What names nothing that is stored, or makes what is the caller's own.
const naming = routes.filter(({ path }) => path.includes('{'));

describe('another organization', () => {
  it('finds nothing by any path, through either door, and changes nothing', async () => {
    const before = await rowsOf(own);
    const key = await keyOf(other);
    expect(naming.length).toBeGreaterThan(15);
    for (const route of naming) {
      const nothing = EMPTY[route.operation] ?? { status: 404, error: 'Not Found', code: 'object_not_found' };
      const { meta, ...answer } = (await rest(route, key)).body;
      expect([route.operation, answer, meta?.total_count ?? 0]).toEqual([route.operation, nothing, 0]);
      const { body } = await graph(route, key);
      const codes = body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
      const isList = /^(list|findAll)/.test(route.operation);
      if (!isList) expect([route.operation, codes]).toEqual([route.operation, ['object_not_found']]);
    }
    for (const write of graphWrites.filter(({ verb }) => verb !== 'create')) {
      const { data, errors } = await written(write, key);
      expect([data, errors[0].extensions.code]).toEqual([{ [write.name]: null }, 'object_not_found']);
    }
    expect(await rowsOf(own)).toEqual(before);
  });

  it('sees nothing in any list, and what it makes is its own', async () => {
    const before = await rowsOf(own);
    const key = await keyOf(other);
    const lists = routes.filter(({ path, operation }) => /^(findAll|list)/.test(operation) && !path.includes('{'));
    for (const route of lists) {
      const { status, body } = await rest(route, key);
      const total = body.meta?.total_count ?? Object.values<unknown[]>(body).flat().length;
      expect([route.operation, status, total]).toEqual([route.operation, 200, 0]);
    }
    for (const route of writes.filter(({ path }) => !path.includes('{'))) {
      // What its body names is another's.
      const namesOthers = ['createPlan', 'applyCoupon', 'createSubscription', 'createInvoice'].includes(
        route.operation,
      );
      // An organization of real time has no clock.
      const status = route.operation === 'advanceTestClock' ? 405 : namesOthers ? 404 : 200;
      expect([route.operation, (await rest(route, key)).status]).toEqual([route.operation, status]);
    }
    for (const write of graphWrites.filter(({ verb }) => verb === 'create')) {
      expect((await written(write, key)).data[write.name].code).toBe('sample');
    }
    expect(await rowsOf(own)).toEqual(before);
  });
});

const all = Object.fromEntries(RESOURCES.map((resource) => [resource, ['read', 'write']]));

describe('a key', () => {
  it.each(routes)('$operation needs $permission', async (route) => {
    const [resource = '', mode = ''] = route.permission.split(':');
    const refused = { status: 403, error: 'Forbidden', code: `${mode}_action_not_allowed_for_${resource}` };
    const less = all[resource]?.filter((one) => one !== mode) ?? [];
    const without = await keyOf(own, { ...all, [resource]: less });
    expect((await rest(route, without)).body).toEqual(refused);
    if (writes.includes(route)) {
      const { body } = await graph(route, without);
      expect(body.errors[0].extensions).toMatchObject({ code: 'forbidden', reason: refused.code });
    }
    const just = await keyOf(own, { [resource]: [mode] });
    const answer = await rest(route, just);
    if (REFUSED[route.operation]) expect(answer.body).toEqual(REFUSED[route.operation]);
    else expect(answer.status).not.toBe(403);
  });

  it.each(graphWrites)('$name needs $permission', async (write) => {
    const [resource = ''] = write.permission.split(':');
    const before = await rowsOf(own);
    const { errors } = await written(write, await keyOf(own, { ...all, [resource]: ['read'] }), 'tried');
    const reason = `write_action_not_allowed_for_${resource}`;
    expect(errors[0].extensions).toMatchObject({ code: 'forbidden', reason });
    expect(await rowsOf(own)).toEqual(before);
    const { errors: others = [] } = await written(write, await keyOf(own, { [resource]: ['write'] }), 'tried');
    for (const { extensions } of others) expect(extensions.code).not.toBe('forbidden');
  });
});
