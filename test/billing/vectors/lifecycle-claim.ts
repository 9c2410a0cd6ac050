import type { LifecycleEngine, Made, PriceKind, View } from './lifecycle-type.ts';
import { agrees } from './scenario-compare.ts';
import type { Json } from './vector-type.ts';

/** What the claims of a step came to. */
export interface Judgement {
  readonly failed: readonly { readonly claim: string; readonly expected: unknown; readonly actual: unknown }[];
  /** Claims about things that the engine does not keep. */
  readonly unread: readonly string[];
}

type Names = Map<string, string>;
type Match = (expected: Json, actual: Json) => boolean;
type Reader = (value: unknown, context: Context) => Judgement | Promise<Judgement>;

interface Context {
  readonly engine: LifecycleEngine;
  readonly made: Made;
  readonly names: Names;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const AGREED: Judgement = { failed: [], unread: [] };
const NAMING: readonly string[] = ['as', 'ref'];
const SETS: readonly string[] = ['fees', 'billing_periods', 'applied_taxes', 'taxes', 'items', 'list'];
const INCLUDED: readonly string[] = ['charges_usage', 'filters', 'grouped_usage'];

/** The claims that are read; what has no reader here is reported, not judged. */
const READERS: Readonly<Record<string, Reader>> = {
  new_invoices: (value, context) => madeExactly('new_invoices', value, context.made.invoices, context),
  new_invoices_include: (value, context) => madeAtLeast('new_invoices_include', value, context.made.invoices, context),
  new_invoice_numbers: (value, { made }) => {
    const numbers = made.invoices.map(({ number }) => String(number));
    return judged('new_invoice_numbers', value, numbers, agrees([...(value as string[])].sort(), [...numbers].sort()));
  },
  new_fees: (value, context) => madeExactly('new_fees', value, context.made.fees, context),
  new_credit_notes: (value, context) => madeExactly('new_credit_notes', value, context.made.creditNotes, context),
  invoices: (value, context) => readAgain('invoices', value, context),
  hidden_invoices: (value, context) => each(value, (claim) => hidden(claim, context)),
  hidden_invoices_count: (count, context) => counted({ kind: 'hidden_invoices', count }, context),
  fees: (value, context) => readAgain('fees', value, context),
  subscriptions: (value, context) => readAgain('subscriptions', value, context),
  credit_notes: (value, context) => readAgain('credit_notes', value, context),
  customers: (value, context) => readAgain('customers', value, context),
  applied_coupons: (value, context) => readAgain('applied_coupons', value, context),
  counts: (value, context) => each(value, (claim) => counted(claim, context)),
  charges: (value, context) => each(value, (claim) => priced('charges', claim, context)),
  fixed_charges: (value, context) => each(value, (claim) => priced('fixed_charges', claim, context)),
  response: (value, context) => answered(value as Json, context),
  error: (value, context) => refused(value as Json, context),
  current_usage: (value, context) => usages(value, (id, query) => context.engine.currentUsage(id, query), context),
  lifetime_usage: (value, context) => usages(value, (id) => context.engine.lifetimeUsage(id), context),
  daily_usages: (value, context) => each(value, (claim) => recorded(claim, context)),
  derived: () => AGREED,
};

/** Judges the claims of one step; names that they give are kept for later steps. */
export async function judgeClaims(claims: Json, context: Context): Promise<Judgement> {
  const judgements: Judgement[] = [];
  for (const [claim, value] of Object.entries(claims)) {
    judgements.push((await READERS[claim]?.(value, context)) ?? { failed: [], unread: [claim] });
  }
  return all(judgements);
}

/** The id behind `$name`, `$name.svc_id`; anything else is itself. */
export function resolve(value: unknown, names: Names): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value;
  const name = value.slice(1);
  const id = names.get(name) ?? names.get(name.replace(/\.svc_id$/, ''));
  if (id === undefined) throw new Error(`nothing is named ${name}`);
  return id;
}

function all(judgements: readonly Judgement[]): Judgement {
  return { failed: judgements.flatMap(({ failed }) => failed), unread: judgements.flatMap(({ unread }) => unread) };
}

function judged(claim: string, expected: unknown, actual: unknown, agree: boolean): Judgement {
  return agree ? AGREED : { failed: [{ claim, expected, actual }], unread: [] };
}

function madeExactly(claim: string, value: unknown, made: readonly View[], context: Context): Judgement {
  const expected = value as Json[];
  return made.length === expected.length
    ? madeAtLeast(claim, value, made, context)
    : judged(claim, expected, made, false);
}

function madeAtLeast(claim: string, value: unknown, made: readonly View[], { names }: Context): Judgement {
  const expected = value as Json[];
  const pairs = pair(expected, made, matcher(names));
  for (const [at, view] of (pairs ?? []).entries()) name(expected[at] ?? {}, view, names);
  return judged(claim, expected, made, pairs !== null);
}

/** Names what a claim matched, and the fees that it lists. */
function name(expected: Json, actual: Json, names: Names): void {
  if (typeof expected.as === 'string') names.set(expected.as, String(actual.id));
  for (const list of ['fees', 'fees_include']) {
    const listed = (expected[list] ?? []) as Json[];
    const pairs = pair(listed, (actual.fees ?? []) as Json[], matcher(names)) ?? [];
    for (const [at, fee] of pairs.entries()) name(listed[at] ?? {}, fee, names);
  }
}

/** Judges each claim of a list, one after the other. */
async function each(value: unknown, judgeOne: (claim: Json) => Promise<Judgement>): Promise<Judgement> {
  const judgements: Judgement[] = [];
  for (const claim of value as Json[]) judgements.push(await judgeOne(claim));
  return all(judgements);
}

function readAgain(list: string, value: unknown, { engine, names }: Context): Promise<Judgement> {
  return each(value, async (claim) => {
    const view = await engine.read(list, String(resolve(claim.ref, names)));
    if (view === undefined) return { failed: [], unread: [list] };
    name(claim, view, names);
    return judged(list, claim, view, matcher(names)(claim, view));
  });
}

/** An invoice that no list has: the new one, which is named, or one that is. */
async function hidden(claim: Json, context: Context): Promise<Judgement> {
  if (claim.ref !== undefined) return readAgain('hidden_invoices', [claim], context);
  const known = new Set(context.names.values());
  const made = (await context.engine.all('hidden_invoices', null))?.filter(({ id }) => !known.has(id));
  if (made === undefined) return { failed: [], unread: ['hidden_invoices'] };
  return madeAtLeast('hidden_invoices', [claim], made, context);
}

function usages(
  value: unknown,
  read: (id: string, query: Json) => Promise<Json>,
  { names }: Context,
): Promise<Judgement> {
  return each(value, async ({ subscription, query = {}, ...claim }) => {
    const view = await read(String(resolve(subscription, names)), query as Json);
    return judged('usage', claim, view, matcher(names)(claim, view));
  });
}

async function recorded({ subscription, ...claim }: Json, { engine, names }: Context): Promise<Judgement> {
  const list = await engine.dailyUsages(String(resolve(subscription, names)));
  if (list === undefined) return { failed: [], unread: ['daily_usages'] };
  const view = { count: list.length, list };
  return judged('daily_usages', claim, view, matcher(names)(claim, view));
}

async function counted(claim: Json, { engine, names }: Context): Promise<Judgement> {
  const of = claim.of === undefined ? null : String(resolve(claim.of, names));
  const things = await engine.all(String(claim.kind), of);
  if (things === undefined) return { failed: [], unread: [`counts of ${String(claim.kind)}`] };
  const where = Object.entries((claim.where ?? {}) as Json);
  const match = matcher(names);
  const count = things.filter((thing) =>
    where.every(([path, expected]) => match({ value: expected }, { value: at(thing, path) })),
  ).length;
  return judged('counts', claim, count, count === claim.count);
}

async function priced(kind: PriceKind, { of, ...claim }: Json, { engine, names }: Context): Promise<Judgement> {
  const price = await engine.price(kind, String(resolve(of, names)), String(claim.code));
  if (price === undefined) return { failed: [], unread: [kind] };
  return judged(kind, claim, price, matcher(names)(claim, price));
}

function answered(claim: Json, { made, names }: Context): Judgement {
  if (made.answer === undefined) return { failed: [], unread: ['response'] };
  return judged('response', claim, made.answer.body, matcher(names)(claim, made.answer.body));
}

function refused({ body_includes: part, error_details: details = {}, ...claim }: Json, { made }: Context): Judgement {
  if (made.answer === undefined) return { failed: [], unread: ['error'] };
  const { status, body } = made.answer;
  const found = { ...body, status };
  const agree =
    agrees({ ...claim, ...(Object.keys(details as Json).length > 0 && { error_details: details }) }, found) &&
    (part === undefined || JSON.stringify(body).includes(String(part)));
  return judged('error', { ...claim, part, details }, found, agree);
}

function at(thing: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((value, member) => (value as Json | undefined)?.[member], thing);
}

function matcher(names: Names): Match {
  const matchAll: Match = (expected, actual) =>
    Object.entries(expected).every(([member, value]) => matchMember(member, value, actual));
  const matchMember = (member: string, value: unknown, actual: Json): boolean => {
    if (member === 'as') return true;
    if (NAMING.includes(member)) return resolve(value, names) === actual.id;
    if (member === 'fees_include') return pair(value as Json[], (actual.fees ?? []) as Json[], matchAll) !== null;
    if (member === 'number_ends_with') return String(actual.number).endsWith(String(value));
    if (member === 'number_excludes') return !String(actual.number).includes(String(value));
    const found = actual[member];
    if (member === 'value_keys') return agrees(sorted(value), sorted(found));
    if (SETS.includes(member) && Array.isArray(found)) {
      return found.length === (value as Json[]).length && pair(value as Json[], found as Json[], matchAll) !== null;
    }
    if (INCLUDED.includes(member) && Array.isArray(found)) {
      return pair(value as Json[], found as Json[], matchAll) !== null;
    }
    return matchValue(value, found);
  };
  const matchValue = (expected: unknown, actual: unknown): boolean => {
    if (expected !== null && typeof expected === 'object' && !Array.isArray(expected)) {
      return actual !== null && typeof actual === 'object' && matchAll(expected as Json, actual as Json);
    }
    const value = resolve(expected, names);
    if (typeof value === 'string' && DATE.test(value)) return String(actual).slice(0, 10) === value;
    return agrees(value, actual);
  };
  return matchAll;
}

const sorted = (texts: unknown) => (Array.isArray(texts) ? [...texts].sort() : texts);

/** A partner for each expected one, each used once; null when some have none. */
function pair(expected: readonly Json[], actual: readonly Json[], match: Match): Json[] | null {
  const [first, ...others] = expected;
  if (first === undefined) return [];
  for (const [index, candidate] of actual.entries()) {
    if (!match(first, candidate)) continue;
    const rest = pair(others, [...actual.slice(0, index), ...actual.slice(index + 1)], match);
    if (rest) return [candidate, ...rest];
  }
  return null;
}
