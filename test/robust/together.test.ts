import {
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { schema } from '../../src/graphql/schema.ts';
import { lengthFaults } from '../../src/http/limit/input-limit.ts';
import { fitVariables } from '../../src/http/rest/coerce.ts';
import { documentBody } from '../../src/http/rest/document-body.ts';
import { routes } from '../../src/rest/index.ts';
import type { Route } from '../../src/rest/route.ts';
import { createKey } from '../../src/store/access/api-key.ts';
import { alternatives, description, placesOf, replaced } from '../rest/described.ts';
import { dice, openDemoDatabase } from '../support.ts';
import { exampleAddress, exampleOf } from './fuzz-targets.ts';
import { makeAgain } from './make-again.ts';

// All that is wrong with a body is told at once: of every route that takes one, faults that are told alone are told together.

// biome-ignore lint/suspicious/noExplicitAny: descriptions and bodies are looked into at any place
type Any = any;
type Path = readonly (string | number)[];

/** Something that is wrong with a body by itself. */
interface Fault {
  readonly path: Path;
  readonly bad: unknown;
  readonly told: readonly string[];
  /** Whether the body alone shows it, or what is stored has to be asked. */
  readonly isOfForm: boolean;
}

/** What goes by what is beside it or by what is stored: it may be another where more is wrong. */
const DEPENDS: readonly RegExp[] = [
  /: value_already_exist$/,
  /^base: alert_already_exists$/,
  // Who is in the EU, whose sections, which kind of alert: two members say it together.
  /_must_be_in_eu$|: skip_sections_and_selected_ids_sent_together$|: value_must_be_blank$/,
  // What a coupon needs goes by its kind, a metric's by its aggregation, a currency by whose it is.
  /^(amount_cents|amount_currency|percentage_rate|frequency_duration): value_is_mandatory$/,
  /^weighted_interval: |^currency: (currencies_does_not_match|value_is_mandatory)$/,
  // An event is tried by a good expression, options belong to a selection.
  /^event: invalid_event$|^privilege\.config: /,
  // Of a price nothing is asked while nobody knows its model or what it prices.
  /^(properties|values|billable_metric|add_on|billable_metric_filter|charge_model)\b/,
];

/** Of these what is wrong with an event is told after whose it is and when. */
const IN_TURN: ReadonlySet<string> = new Set(['previewInvoice', 'eventEstimateInstantFees']);

const FREE = /name|description|city|state|zipcode|address|phone|legal|number|footer|reference/;

/** Values that a member of a schema may not take, most of them. */
const badOf = (name: string, shape: Any): unknown[] =>
  alternatives(shape).flatMap((one): unknown[] => {
    const isFree = FREE.test(name) && !one.enum;
    // Under another code it would not be found again.
    if (name === 'code') return ['x'.repeat(5000), true, ''];
    if (one.type === 'string') return ['x'.repeat(5000), true, ...(isFree ? ['x'.repeat(700)] : ['nope', ''])];
    if (one.type === 'array') return ['nope', [{}], ['nope']];
    if (one.type === 'object') return ['nope', { x: {} }];
    return one.type === 'boolean' ? ['nope'] : ['nope', -1];
  });

let app: App;
let key: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const { db } = await openDemoDatabase();
  const { id: organizationId } = await db.prisma.organization.findFirstOrThrow({ where: { name: 'Quintavel' } });
  ({ key } = await createKey(db.prisma, { organizationId, kind: 'secret' }));
  app = createApp({ db, now: () => new Date('2026-11-27T12:00:00Z'), logger: pino({ level: 'silent' }) });
  close = async () => {
    await app.close();
    await db.close();
  };
  await makeAgain(app, key);
}, 120_000);
afterAll(() => close?.());

const codesIn = (details: Any): string[] =>
  Object.entries<Any>(details ?? {}).flatMap(([field, codes]) =>
    Array.isArray(codes) ? codes.map((code) => `${field}: ${code}`) : codesIn(codes).map((code) => `${field}.${code}`),
  );

async function send(route: Route, body: unknown) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const address = `http://gateway.test/api/v1${exampleAddress(route)}`;
  const response = await app.fetch(new Request(address, { method: route.method, headers, body: JSON.stringify(body) }));
  const text = await response.text();
  return { status: response.status, told: text ? codesIn(JSON.parse(text).error_details) : [] };
}

const operationOf = ({ document }: Route) =>
  document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;

/** Whether a body is refused before anything is executed. */
function isOfForm(route: Route, body: Any): boolean {
  const { params = {} } = exampleOf(route);
  try {
    const read = {
      params: params as Record<string, string>,
      query: {},
      body: documentBody(route, route.root ? body[route.root] : body),
    };
    return (
      lengthFaults(schema, route.document, fitVariables(schema, operationOf(route), route.variables(read), route)) !==
      undefined
    );
  } catch {
    return true;
  }
}

/** Whether the rules of what a route takes are its input's own, so that they are asked of a body that does not fit, too. */
const hasRules = (route: Route) =>
  (operationOf(route).variableDefinitions ?? []).some(({ type }) => {
    const named = getNamedType(typeFromAST(schema, type) as GraphQLInputType);
    return isInputObjectType(named) && named.extensions.refusal !== undefined;
  });

/** Every place of a body that its description knows, with what may not stand there. */
function placesIn(route: Route, request: unknown) {
  const content = description.paths[route.path][route.method.toLowerCase()].requestBody.content;
  const places = new Map<string, { readonly path: Path; readonly bad: readonly unknown[] }>();
  const note = (path: Path, shape: Any, isRequired: boolean) => {
    const name = String(path.findLast((step) => typeof step === 'string'));
    places.set(JSON.stringify(path), {
      path,
      bad: [...(isRequired ? [undefined] : []), ...new Set(badOf(name, shape))],
    });
  };
  for (const { path, shape } of placesOf(content['application/json'].schema, request)) {
    if (typeof path.at(-1) === 'number') note(path, shape, false);
    const here = path.reduce((value: Any, step) => value?.[step], request);
    if (typeof here !== 'object' || here === null || Array.isArray(here)) continue;
    for (const { properties = {}, required = [] } of alternatives(shape)) {
      for (const [name, inner] of Object.entries(properties)) note([...path, name], inner, required.includes(name));
    }
  }
  return [...places.values()].filter(({ path }) => path.length > (route.root ? 1 : 0));
}

const goesByMore = (code: string) => DEPENDS.some((pattern) => pattern.test(code.replace(/^\d+\./, '')));

const MOST_OF_A_PLACE = 3;

async function faultsOf(route: Route, request: unknown): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { path, bad: all } of placesIn(route, request)) {
    const seen = new Set<string>();
    for (const bad of all) {
      const body = replaced(request, path, bad);
      const { status, told } = await send(route, body);
      expect(status, `${route.operation} ${path}`).toBeLessThan(500);
      if (status !== 422 || seen.has(String(told)) || seen.size === MOST_OF_A_PLACE) continue;
      seen.add(String(told));
      if (told.every(goesByMore)) continue;
      faults.push({ path, bad, told, isOfForm: isOfForm(route, body) });
    }
  }
  return faults;
}

const isBelow = (path: Path, other: Path) => path.every((step, index) => other[index] === step);

/** So many as can stand in one body, in an order of chance. */
function someOf(faults: readonly Fault[], roll: (sides: number) => number): Fault[] {
  const chosen: Fault[] = [];
  const order = faults.map((fault) => ({ fault, at: roll(1_000_000) })).sort((one, other) => one.at - other.at);
  for (const { fault } of order) {
    const isFree = chosen.every(({ path }) => !isBelow(path, fault.path) && !isBelow(fault.path, path));
    if (isFree) chosen.push(fault);
  }
  return chosen;
}

const ROUNDS = 3;
const MOST_TRIES = 12;

async function lostOf(route: Route, request: unknown, faults: readonly Fault[]): Promise<string[]> {
  const lost = new Set<string>();
  const roll = dice(7);
  let told = 0;
  for (let count = 0; count < MOST_TRIES && told < ROUNDS; count += 1) {
    const chosen = someOf(faults, roll);
    const body = chosen.reduce((whole: unknown, { path, bad }) => replaced(whole, path, bad), request);
    const answer = await send(route, body);
    // Together two of them may name what is not there, which is told before all else.
    if (answer.status === 404) continue;
    told += 1;
    const known = new Set(answer.told);
    for (const one of chosen) {
      const codes = one.told.filter((code) => !known.has(code) && !goesByMore(code));
      if (codes.length > 0) lost.add(`${one.path.join('.')}: ${codes}`);
    }
  }
  if (faults.length > 0) expect(told, route.operation).toBeGreaterThan(0);
  return [...lost];
}

const taking = routes.filter((route) => {
  const described = description.paths[route.path][route.method.toLowerCase()].requestBody;
  return described !== undefined && route.method !== 'DELETE' && exampleOf(route).request !== undefined;
});

it.each(taking.map((route) => [route.operation, route] as const))(
  '%s tells all that is wrong with a body at once',
  async (_operation, route) => {
    const { request } = exampleOf(route);
    const faults = await faultsOf(route, request);
    expect(faults.length).toBeGreaterThan(0);
    const ofForm = faults.filter((fault) => fault.isOfForm);
    const others = faults.filter((fault) => !fault.isOfForm);
    const alone = [ofForm, ...(IN_TURN.has(route.operation) ? [] : [others])];
    for (const some of hasRules(route) ? [...alone, faults] : alone) {
      expect(await lostOf(route, request, some)).toEqual([]);
    }
  },
  120_000,
);
