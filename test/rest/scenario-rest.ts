import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { minorUnits } from '../../src/billing/money/currency.ts';
import { dec } from '../../src/billing/money/decimal.ts';
import { createKey } from '../../src/store/access/api-key.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { judge } from '../billing/vectors/deviations.ts';
import type { FileReport, Judged } from '../billing/vectors/report.ts';
import { agrees } from '../billing/vectors/scenario-compare.ts';
import { agreeFees } from '../billing/vectors/scenario-timeline.ts';
import type { ScenarioJson } from '../billing/vectors/scenario-type.ts';
import type { Evaluation, Json } from '../billing/vectors/vector-type.ts';
import { embeddedTemplate } from '../template.ts';
import { organizationName, type ScenarioDocument, type ScenarioParams, scenarioDocument } from './scenario-document.ts';
import { type ScenarioRequest, scenarioRequest, untellable } from './scenario-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Answer = any;

const FILE = 'invoice-scenarios';
const PREVIEWS: readonly string[] = ['preview', 'preview_context'];
const logger = pino({ level: 'silent' });

/** The gateway over an embedded database for all scenarios, which takes the moment of each for now. */
interface ScenarioGateway {
  readonly db: Database;
  readonly app: App;
  now: Date;
}

async function inGateway<T>(run: (gateway: ScenarioGateway) => Promise<T>): Promise<T> {
  const template = new Blob([new Uint8Array(await readFile(await embeddedTemplate()))]);
  const embedded = await PGlite.create({ loadDataDir: template });
  const db = await openDatabase({ embedded });
  let gateway: ScenarioGateway | undefined;
  const app = createApp({ db, logger, now: () => gateway?.now ?? new Date() });
  gateway = { db, app, now: new Date() };
  try {
    return await run(gateway);
  } finally {
    await app.close();
    await db.close();
    await embedded.close();
  }
}

/** One preview through REST, in an organization of its own. */
async function evaluateThroughRest(gateway: ScenarioGateway, vectorCase: unknown): Promise<Evaluation> {
  const { db } = gateway;
  const scenario = vectorCase as ScenarioJson;
  const stored = scenarioDocument(scenario.setup, (scenario.action.params ?? {}) as ScenarioParams);
  const name = organizationName(scenario.id, scenario.setup);
  const request = scenarioRequest(scenario, stored);
  const { body, now } = request;
  gateway.now = now;
  const wanted = scenario.expected.error as Json | undefined;
  await importDocument(db, stored.document, { organization: name, now });
  const { id: organizationId } = await db.prisma.organization.findUniqueOrThrow({ where: { name } });
  const before = await after(db, organizationId, stored);
  const answer = await send(gateway, organizationId, body);
  const seen = answer.status === 200 ? answer.body.invoice : undefined;
  const actual = seen
    ? { ...view(seen, scenario, stored), ...(await after(db, organizationId, stored)), subscriptions_created: 0 }
    : { error: errorOf(answer) };
  const isSame = JSON.stringify(before) === JSON.stringify(await after(db, organizationId, stored));
  const blamed = answer.status !== 400 || (await isBlamed(gateway, organizationId, request, wanted?.error));
  const agree = isSame && blamed && isAgreed(scenario, actual);
  const difference = { path: [], expected: scenario.expected, actual };
  return judge(FILE, vectorCase as Json, actual, agree ? [] : [difference]);
}

async function send({ db, app }: ScenarioGateway, organizationId: string, body: unknown) {
  const { key } = await createKey(db.prisma, { organizationId, kind: 'secret' });
  const response = await app.fetch(
    new Request('http://gateway.test/api/v1/invoices/preview', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, body: (await response.json()) as Answer };
}

const errorOf = ({ status, body }: { status: number; body: Answer }) => ({ ...body, status });

/** A 400 does not say what is wrong with a request: without the member that the case blames, it is not one. */
async function isBlamed(gateway: ScenarioGateway, organizationId: string, { body }: ScenarioRequest, error: unknown) {
  const member = String(error).replace(/_must_be_.*/, '');
  const { [member]: blamed, ...rest } = body;
  return blamed !== undefined && (await send(gateway, organizationId, rest)).status !== 400;
}

/** What is stored after the request, in the names of the file. */
async function after(db: Database, organizationId: string, { subscriptions }: ScenarioDocument) {
  const rows = await db.prisma.subscription.findMany({ where: { organizationId }, orderBy: { createdAt: 'asc' } });
  const wallets = await db.prisma.wallet.findMany({ where: { organizationId }, orderBy: { createdAt: 'asc' } });
  return {
    stored_subscriptions_after: rows.flatMap(({ id, status, terminatedAt }) => {
      const json = subscriptions.find(({ svcId }) => svcId === id)?.json;
      return json ? [{ id: json.id, status, terminated_at: terminatedAt?.toISOString() ?? null }] : [];
    }),
    wallets_after: Object.fromEntries(wallets.map(({ code, balanceCents }) => [code, balanceCents.toString()])),
  };
}

function view(invoice: Answer, { setup }: ScenarioJson, stored: ScenarioDocument) {
  const ids = subscriptionIds(invoice, setup, stored);
  const own = setup.billing_entity?.code ?? 'be';
  const { customer } = invoice;
  return {
    ...invoice,
    credits: invoice.credits.map((line: Answer) => ({
      type: line.item.type,
      before_taxes: line.before_taxes,
      amount_cents: line.amount_cents,
      code: line.item.code,
    })),
    fees: invoice.fees.map((fee: Answer) => feeView(fee, ids)),
    subscriptions: invoice.subscriptions.map((one: Answer) => subscriptionView(one, ids, stored, own)),
    subscriptions_detail: invoice.subscriptions.map((one: Answer) => ({ ...one, plan: one.plan_code })),
    customer: {
      ...customer,
      persisted: stored.externalCustomerId !== undefined,
      billing_entity: customer.billing_entity_code,
      shipping_address_line1: customer.shipping_address?.address_line1,
    },
  };
}

/** Stored ones are known by their identifier; one that is made up by its plan. */
function subscriptionIds(invoice: Answer, setup: ScenarioJson['setup'], stored: ScenarioDocument): Map<string, string> {
  const given = setup.subscriptions ?? (setup.subscription ? [setup.subscription] : []);
  const known = new Map(stored.subscriptions.map(({ svcId, json }) => [svcId, json.id]));
  for (const { svc_id, plan_code } of invoice.subscriptions) {
    const made = given.find((json) => json.plan === plan_code && ![...known.values()].includes(json.id));
    if (!known.has(svc_id) && made) known.set(svc_id, made.id);
  }
  return known;
}

function subscriptionView(one: Answer, ids: Map<string, string>, stored: ScenarioDocument, own: string) {
  const row = stored.subscriptions.find(({ svcId }) => svcId === one.svc_id);
  return {
    ...one,
    id: ids.get(one.svc_id) ?? null,
    plan: one.plan_code,
    // One that waits is shown as begun, which is not how it is stored.
    persisted: row !== undefined && row.json.status !== 'pending',
    // The entity is the customer's unless the subscription has its own.
    billing_entity: one.billing_entity_code === own ? null : one.billing_entity_code,
  };
}

function feeView(fee: Answer, ids: Map<string, string>) {
  return {
    ...fee,
    type: fee.item.type,
    subscription: ids.get(fee.svc_subscription_id) ?? null,
    metric: fee.item.type === 'charge' ? fee.item.code : null,
    true_up: fee.svc_true_up_parent_fee_id != null,
    precise_amount_cents: dec(fee.precise_amount).times(minorUnits(fee.amount_currency)).toFixed(),
  };
}

function isAgreed({ expected }: ScenarioJson, actual: Answer): boolean {
  if (expected.error) return isDeepStrictEqual(actual.error, wireError(expected.error as Json));
  // The mode is no member of the answer.
  const { fees, fees_include_only_listed_types: types, mode: _, applied_coupons: coupons, ...rest } = expected;
  const sameFees =
    fees === undefined || agreeFees(fees as Json[], actual.fees ?? [], types as readonly string[] | undefined);
  return sameFees && areApplied(coupons, actual) && agrees(rest, shaped(actual, rest));
}

/** The whole body of an error: those of 400 and 404 are the same whatever is wrong or missing. */
function wireError({ status, code, error, ...details }: Json): Json {
  if (status === 400) return { status, error: 'Bad request' };
  if (status === 404) return { status, error: 'Not Found', code: 'object_not_found' };
  if (status !== 422) return { status, code, error };
  return { status, error: 'Unprocessable entity', code: 'validation_errors', error_details: details };
}

/** Coupons show as credits, in their order, until nothing is left to pay. */
function areApplied(expected: unknown, actual: Answer): boolean {
  if (expected === undefined) return true;
  const shown = (actual.credits ?? []).map(({ code }: Answer) => code);
  const due = expected as string[];
  const isPrefix = shown.every((code: string, index: number) => due[index] === code);
  return isPrefix && shown.length > 0 && (shown.length === due.length || actual.total_amount_cents === 0);
}

/** Whole invoices state how many subscriptions they bill, contexts list them; details are listed for some. */
function shaped(actual: Answer, expected: Json): unknown {
  if (actual.error) return actual;
  const listed = expected.subscriptions_detail as { plan: string }[] | undefined;
  const detail = actual.subscriptions_detail.filter(
    ({ plan }: Answer) => !listed || listed.some((one) => one.plan === plan),
  );
  const count = typeof expected.subscriptions === 'number' ? actual.subscriptions.length : actual.subscriptions;
  return { ...actual, subscriptions: count, subscriptions_detail: detail };
}

async function judged(gateway: ScenarioGateway, vectorCase: unknown): Promise<Judged> {
  const { id, expected } = vectorCase as ScenarioJson;
  try {
    return { id, ...(await evaluateThroughRest(gateway, vectorCase)) };
  } catch (error) {
    const actual =
      error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
    return { id, expected, actual, agree: false };
  }
}

/** Sends every preview of the invoice scenarios, each to an organization of its own; skipped are those that no request can tell. */
export async function reportOnRest(cases: readonly unknown[]): Promise<FileReport> {
  const previews = (cases as ScenarioJson[]).filter(({ action }) => PREVIEWS.includes(action.type));
  const told = previews.filter((scenario) => untellable(scenario) === null);
  const all = await inGateway(async (gateway) => {
    const all: Judged[] = [];
    for (const scenario of told) all.push(await judged(gateway, scenario));
    return all;
  });
  return {
    file: `${FILE} through REST`,
    skipped: previews.length - told.length,
    skippedBy: {},
    unread: {},
    agreeingInPart: 0,
    agreeing: all.filter((one) => one.agree && !one.deviation).length,
    deviating: all.filter((one) => one.agree && one.deviation),
    differing: all.filter((one) => !one.agree),
  };
}
