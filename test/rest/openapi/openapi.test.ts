import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import { errorBodies } from '../../../src/http/wire/rest-error.ts';
import { routes } from '../../../src/rest/index.ts';
import { type Example, openApi } from '../../../src/rest/openapi/openapi.ts';
import { contract, validate } from '../../contract/check.mjs';
import { answerFaults, operationOf as operationKnown } from '../../contract/operations.ts';
import { proseFaults } from '../../prose.ts';
import { REFUSED } from '../refused.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents and schemas are looked into at any place
type Any = any;

const root = new URL('../../../', import.meta.url);
const readJson = (path: string): Any => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

const examples = readJson('src/rest/openapi/examples.json') as Record<string, Example>;
const made = openApi({ schema, routes, server: '/api/v1', errors: errorBodies, examples });
const document: Any = JSON.parse(JSON.stringify(made));
const known: Any = contract;
const operations = Object.keys(contract.operations);

/** Served beside the twelve. */
const OTHERS = routes.map(({ operation }) => operation).filter((name) => !operations.includes(name));

const operationOf = (name: string): Any => {
  const { method, path } = known.operations[name];
  return document.paths[path]?.[method.toLowerCase()];
};
const answerOf = (name: string): Any => operationOf(name).responses[200].content['application/json'].schema;
const bodyOf = (name: string): Any => operationOf(name).requestBody?.content['application/json'].schema;

/** The same schema with every object closed, so that a property that is not described is a fault. */
function closed(value: Any): Any {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  return copy.properties && copy.type !== undefined && !copy.additionalProperties
    ? { ...copy, additionalProperties: false }
    : copy;
}

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
ajv.addVocabulary(['example', 'components']);
ajv.addSchema({ $id: 'api', components: closed({ schemas: document.components.schemas }) });

function checkerOf(shape: Any): ValidateFunction {
  const text = JSON.stringify(closed(shape)).replaceAll('"#/components', '"api#/components');
  return ajv.compile(JSON.parse(text));
}

const faultsOf = (check: ValidateFunction, value: unknown) =>
  check(value)
    ? []
    : (check.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }));

/** A schema with references and alternatives resolved: the types it takes, and what is inside of it. */
function plain(shape: Any, from: Any): Any {
  if (shape === true) return {};
  if (shape.$ref) {
    const target = shape.$ref
      .split('/')
      .slice(1)
      .reduce((value: Any, step: string) => value[step], from);
    return plain(target, from);
  }
  if (shape.anyOf) {
    const parts = shape.anyOf.map((part: Any) => plain(part, from));
    const types = [...new Set(parts.flatMap((part: Any) => part.types))];
    return { ...parts.find((part: Any) => part.types[0] !== 'null'), types };
  }
  const parts = (shape.allOf ?? []).map((part: Any) => plain(part, from));
  const properties = Object.assign({}, ...parts.map((part: Any) => part.properties));
  for (const [name, inner] of Object.entries(shape.properties ?? {})) {
    if (inner !== true && !(name in properties && Object.keys(inner as object).length === 1)) properties[name] = inner;
  }
  const types = [shape.type ?? parts.map((part: Any) => part.types)].flat(2);
  return { ...Object.assign({}, ...parts), ...shape, properties, types };
}

// What the gateway answers beyond the samples: see the extensions of the contract.
const EXTENSIONS = /^\/charge\S* (charge_model|svc_id|charge_code)$/;

/** A preview without a customer is one for a customer that does not exist. */
const ALLOWED = ['previewInvoice request /customer'];

/** The faults that are about more than null: the description says of less that it can be null than the contract does. */
const beyondNull = (faults: ReturnType<typeof faultsOf>, value: unknown) =>
  faults.filter(({ instancePath, params }) => {
    if (EXTENSIONS.test(`${instancePath} ${params.missingProperty}`)) return false;
    const steps = instancePath.split('/').slice(1);
    return steps.reduce<Any>((inner, step) => inner?.[step], value) !== null;
  });

/** Where the description is wider than the contract, and why. */
const WIDER: Readonly<Record<string, string>> = {
  '.wallet.terminated_at may be null': 'it is set by the operation itself',
  '.fee.pricing_unit_details.svc_pricing_unit_id may be null': 'the fee outlives its pricing unit',
  '.invoice.fees[].pricing_unit_details.svc_pricing_unit_id may be null': 'the fee outlives its pricing unit',
  '.payment_requests[].invoices[].customer is missing': 'the contract allows it, and does not ask for it',
};

/** Where the description says less than the contract, or something else. */
function differences(wanted: Any, given: Any, place: string): string[] {
  const one = plain(wanted, known);
  const other = plain(given, document);
  const found = other.types
    .filter((type: string) => !one.types.includes(type))
    .map((type: string) => `${place} may be ${type}`);
  if (one.format && one.format !== other.format) found.push(`${place} is not a ${one.format}`);
  for (const [name, inner] of Object.entries(one.properties)) {
    if (!(name in other.properties)) found.push(`${place}.${name} is missing`);
    else found.push(...differences(inner, other.properties[name], `${place}.${name}`));
  }
  for (const name of Object.keys(other.properties)) {
    if (!(name in one.properties) && one.additionalProperties === false)
      found.push(`${place}.${name} is not in the contract`);
  }
  for (const name of one.required ?? []) {
    if (!(other.required ?? []).includes(name)) found.push(`${place}.${name} may be absent`);
  }
  if (one.items) found.push(...differences(one.items, other.items ?? {}, `${place}[]`));
  return found;
}

/** Every description in the document, by its place. Examples are data, whose members may be called so. */
function* proseOf(value: Any, place = ''): Generator<[string, string]> {
  for (const [name, inner] of Object.entries(value)) {
    const isText = name === 'description' && typeof inner === 'string';
    if (isText) yield [place, inner];
    else if (inner && typeof inner === 'object' && name !== 'example') yield* proseOf(inner, `${place}/${name}`);
  }
}

describe('the description', () => {
  it('is prose, in the words of REST', () => {
    const described = [...proseOf(document)].filter(([place]) => place !== '/info');
    expect(described.length).toBeGreaterThan(400);
    expect(proseFaults(described)).toEqual([]);
    const foreign = described.filter(([, text]) => /GraphQL|REST|`[a-z]+[A-Z]/.test(text));
    expect(foreign).toEqual([]);
  });

  it('is clean to a linter of descriptions', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(made));
    const config = new URL('test/rest/redocly.yaml', root).pathname;
    const args = ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--config', config, '--format', 'json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env }).finally(() =>
      rm(folder, { recursive: true }),
    );
    const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
    expect(report.problems).toEqual([]);
  });

  it('names every operation of the contract once, and beside them those of the interface that are served', () => {
    const named = Object.values(document.paths).flatMap((methods: Any) =>
      Object.values(methods).map((operation: Any) => operation.operationId),
    );
    expect(named.sort()).toEqual([...operations, ...OTHERS].sort());
  });

  it('refers only to what there is, and describes nothing that nobody refers to', () => {
    const used = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    for (const [, kind = '', name = ''] of used) expect(document.components[kind][name], name).toBeDefined();
    const names = new Set(used.filter(([, kind]) => kind === 'schemas').map(([, , name]) => name));
    expect(Object.keys(document.components.schemas).filter((name) => !names.has(name))).toEqual([]);
  });

  it('says where it is and what lets in', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([{ url: '/api/v1' }]);
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('refuses a route whose JSON nobody has described', () => {
    const route = {
      method: 'GET',
      path: '/wallet_transactions',
      permission: 'wallet_transaction:read',
      operation: 'listWalletTransactions',
      document: parse('query listWalletTransactions { walletTransactions(first: 1) { nodes { metadata } } }'),
      variables: () => ({}),
    } as const;
    expect(() => openApi({ schema, routes: [route], server: '/', errors: errorBodies })).toThrow(
      /WalletTransaction\.metadata/,
    );
  });
});

describe.each(operations)('%s', (name) => {
  const wanted = known.operations[name];

  it('takes the parameters of the contract', () => {
    const parameters = operationOf(name).parameters.filter((one: Any) => one.in);
    const named = (place: string) =>
      Object.fromEntries(parameters.filter((one: Any) => one.in === place).map((one: Any) => [one.name, one.schema]));
    const compared = (shape: Any) => ({
      type: shape.type,
      format: shape.format,
      items: shape.items,
      enum: shape.enum && [...shape.enum].sort(),
    });
    const all = (shapes: Any) =>
      Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, compared(shape)]));
    expect(all(named('path'))).toEqual(all(wanted.params));
    for (const [key, shape] of Object.entries<Any>(all(named('query')))) {
      const { enum: values, ...rest } = all(wanted.query)[key] as Any;
      expect(shape).toMatchObject(rest);
      if (values) expect(shape.enum).toEqual(expect.arrayContaining(values));
    }
    expect(Object.keys(named('query'))).toEqual(Object.keys(wanted.query));
  });

  it('answers every property of the contract, and nothing else', () => {
    const found = differences(wanted.response, answerOf(name), '');
    expect(found.filter((difference) => !(difference in WIDER))).toEqual([]);
  });

  it('states the errors of the contract with their bodies', () => {
    for (const status of Object.keys(wanted.errors)) {
      const { $ref } = operationOf(name).responses[status];
      const response = document.components.responses[$ref.split('/').at(-1)].content['application/json'];
      expect(faultsOf(checkerOf(response.schema), response.example)).toEqual([]);
      expect(validate(name, status, response.example)).toEqual([]);
    }
  });

  it('fits the samples of the contract, and finds what is wrong in the broken ones', () => {
    const sample = readJson(`test/contract/samples/${name}.json`);
    const checks: Any = { response: checkerOf(answerOf(name)), request: bodyOf(name) && checkerOf(bodyOf(name)) };
    expect(beyondNull(faultsOf(checks.response, sample.response), sample.response)).toEqual([]);
    if (sample.request) expect(faultsOf(checks.request, sample.request)).toEqual([]);
    for (const { of, drop = [], set = {} } of sample.invalid ?? []) {
      if (ALLOWED.includes(`${name} ${of} ${drop}`)) continue;
      const value = structuredClone(sample[of]);
      for (const [pointer, replaced] of [...drop.map((one: string) => [one, undefined]), ...Object.entries(set)]) {
        const steps = pointer.split('/').slice(1);
        const last = steps.pop();
        const parent = steps.reduce((inner: Any, step: string) => inner[step], value);
        if (replaced === undefined) delete parent[last];
        else parent[last] = replaced;
      }
      expect(faultsOf(checks[of], value), JSON.stringify({ of, drop, set })).not.toEqual([]);
    }
  });

  it('has an example that the gateway answered: it fits the contract and the description', () => {
    const example = examples[name];
    expect(validate(name, 200, example?.response)).toEqual([]);
    expect(faultsOf(checkerOf(answerOf(name)), example?.response)).toEqual([]);
    if (wanted.request === null) return;
    expect(validate(name, 'request', example?.request)).toEqual([]);
    expect(faultsOf(checkerOf(bodyOf(name)), example?.request)).toEqual([]);
  });
});

/** What the interface lists and nothing can cause: the request has no body that could be wrong. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  destroySubscriptionEntitlementPrivilege: ['400'],
};

describe.each(OTHERS)('%s, beside the twelve', (name) => {
  const route = routes.find(({ operation }) => operation === name);
  const described: Any = document.paths[route?.path ?? '']?.[route?.method.toLowerCase() ?? ''];
  const content = described.responses[200].content ?? null;
  const shape = content?.['application/json'].schema;
  const body = described.requestBody?.content['application/json'].schema;

  it('has the errors of the interface, with bodies that fit it', () => {
    const statuses = Object.keys(operationKnown(name)?.errors ?? {});
    expect(statuses.length).toBeGreaterThan(0);
    for (const status of statuses) {
      if (NEVER[name]?.includes(status)) {
        expect([described.requestBody, described.responses[status]]).toEqual([undefined, undefined]);
        continue;
      }
      const { $ref } = described.responses[status];
      const response = document.components.responses[$ref.split('/').at(-1)].content['application/json'];
      expect(faultsOf(checkerOf(response.schema), response.example)).toEqual([]);
      expect(answerFaults(name, Number(status), response.example)).toEqual([]);
    }
  });

  it('has an example that the gateway answered: it fits the interface and the description', () => {
    const example = examples[name];
    const refusal = REFUSED[name];
    if (refusal) {
      expect(example).toBeDefined();
      expect(example?.response).toBeUndefined();
      expect(described.responses[refusal.status]).toBeDefined();
    } else if (content === null) {
      expect(example?.response).toBeUndefined();
    } else {
      expect(answerFaults(name, 200, example?.response)).toEqual([]);
      expect(faultsOf(checkerOf(shape), example?.response)).toEqual([]);
    }
    expect(body === undefined).toBe(example?.request === undefined);
    if (body === undefined) return;
    // The interface's own description has a root in each event of this list, which the gateway takes too.
    if (name !== 'eventBatchEstimateInstantFees') expect(answerFaults(name, 'request', example?.request)).toEqual([]);
    expect(faultsOf(checkerOf(body), example?.request)).toEqual([]);
  });
});

it('times and filters of events are described as REST takes them', () => {
  const text = JSON.stringify(document);
  for (const graph of ['`filter`', 'no end but that of', 'no beginning']) expect(text).not.toContain(graph);
  expect(text.split('in Unix seconds').length - 1).toBe(2);
  const { parameters } = document.paths['/events'].get;
  const told = Object.fromEntries(
    parameters.map(({ name, description }: { name: string; description: string }) => [name, description]),
  );
  expect(told).toMatchObject({
    timestamp_from: 'Only events whose usage happened in this time. This is the first moment.',
    timestamp_to: 'Only events whose usage happened in this time. This is the last moment.',
  });
});

const LISTS_BY_ENTITY = routes.filter(({ query }) => query?.includes('billing_entity_codes[]')).length;

it('members that cannot change and unknown codes are described as REST treats them', () => {
  const text = JSON.stringify(document);
  for (const graph of ['value is refused', 'code is refused', 'refused where the charge'])
    expect(text).not.toContain(graph);
  for (const rest of [
    ['Ignored: it never changes.', 5],
    ['Ignored: a charge keeps its pricing unit', 1],
    ['ignored where the charge has no unit', 1],
    ['Unknown ones are an error.', 1],
    ['Unknown codes are an error.', LISTS_BY_ENTITY],
  ] as const) {
    expect(text.split(rest[0]).length - 1, rest[0]).toBe(rest[1]);
  }
});
