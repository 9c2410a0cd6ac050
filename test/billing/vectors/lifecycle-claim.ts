import type { LifecycleEngine, Made, PriceKind, View } from './lifecycle-type.ts';
import { agrees } from './scenario-compare.ts';
import type { Json } from './vector-type.ts';

/** What the claims of a step came to. */
export interface Judgement {
  readonly failed: readonly { readonly claim: string; readonly expected: unknown; readonly actual: unknown }[];
  /** Claims about things that the engine does not keep. */
  readonly unread: readonly string[];
  /** Whether the step could not be done at all. */
  readonly isBroken?: true;
}

type Names = Map<string, string>;
type Match = (expected: Json, actual: Json) => boolean;
type Reader = (value: unknown, context: Context) => Judgement | Promise<Judgement>;

interface Context {
  readonly engine: LifecycleEngine;
  readonly made: Made;
  readonly names: Names;
}

const NO_FILTER: Json = { svc_charge_filter_id: null };
const DATE = /^\d{4}-\d\d-\d\d$/;
const AGREED: Judgement = { failed: [], unread: [] };
const NAMING: readonly string[] = ['as', 'ref'];
const SETS: readonly string[] = [
  ...['fees', 'billing_periods', 'applied_taxes', 'taxes', 'items', 'list', 'activation_rules', 'crossed_thresholds'],
];
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
  hidden_invoices: hidden,
  hidden_invoices_count: (count, context) => counted({ kind: 'hidden_invoices', count }, context),
  fees: (value, context) => readAgain('fees', value, context),
  subscriptions: (value, context) => readAgain('subscriptions', value, context),
  credit_notes: (value, context) => readAgain('credit_notes', value, context),
  customers: (value, context) => readAgain('customers', value, context),
  applied_coupons: (value, context) => readAgain('applied_coupons', value, context),
  alerts: (value, context) => readAgain('alerts', value, context),
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
  for (const [claim, value] of Object.entries(claims)) judgements.push(await judgeClaim(claim, value, context));
  return all(judgements);
}

/** What cannot be judged, as for want of a name that an earlier claim was to give, differs. */
async function judgeClaim(claim: string, value: unknown, context: Context): Promise<Judgement> {
  try {
    return (await READERS[claim]?.(value, context)) ?? { failed: [], unread: [claim] };
  } catch (error) {
    return judged(claim, value, String(error), false);
  }
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

function judged(claim: string, expected: unknown, actual: unknown, agree: boolean, untold?: Untold): Judgement {
  return { failed: agree ? [] : [{ claim, expected, actual }], unread: untold?.members ?? [] };
}

function madeExactly(claim: string, value: unknown, made: readonly View[], context: Context): Judgement {
  const expected = value as Json[];
  return made.length === expected.length
    ? madeAtLeast(claim, value, made, context)
    : judged(claim, expected, made, false);
}

function madeAtLeast(claim: string, value: unknown, made: readonly View[], { engine, names }: Context): Judgement {
  const expected = value as Json[];
  const untold = new Untold(claim, engine);
  const match = matcher(names, untold);
  const pairs = pair(expected, made, match);
  for (const [at, view] of (pairs ?? []).entries()) name(expected[at] ?? {}, view, names, match);
  return judged(claim, expected, made, pairs !== null, untold);
}

/** Names what a claim matched, and the fees that it lists. */
function name(expected: Json, actual: Json, names: Names, match: Match): void {
  if (typeof expected.as === 'string') names.set(expected.as, String(actual.id));
  for (const list of ['fees', 'fees_include']) {
    const listed = (expected[list] ?? []) as Json[];
    const pairs = pair(listed, (actual.fees ?? []) as Json[], match) ?? [];
    for (const [at, fee] of pairs.entries()) name(listed[at] ?? {}, fee, names, match);
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
    const untold = new Untold(list, engine);
    const match = matcher(names, untold);
    name(claim, view, names, match);
    return judged(list, claim, view, match(claim, view), untold);
  });
}

/** Invoices that no list has: new ones, which are named, and ones that are. */
async function hidden(value: unknown, context: Context): Promise<Judgement> {
  const claims = value as Json[];
  const read = await readAgain(
    'hidden_invoices',
    claims.filter(({ ref }) => ref !== undefined),
    context,
  );
  const fresh = claims.filter(({ ref }) => ref === undefined);
  const known = new Set(context.names.values());
  const made = (await context.engine.all('hidden_invoices', null))?.filter(({ id }) => !known.has(id));
  if (made === undefined) return { failed: [], unread: ['hidden_invoices'] };
  return all([read, madeAtLeast('hidden_invoices', fresh, made, context)]);
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
  // Of a price the filters are all of them.
  const { filters, ...others } = claim;
  const match = matcher(names);
  const listed = (price.filters ?? []) as Json[];
  const areAll =
    filters === undefined ||
    ((filters as Json[]).length === listed.length && pair(filters as Json[], listed, match) !== null);
  return judged(kind, claim, price, areAll && match(others, price));
}

function answered(claim: Json, { made, names }: Context): Judgement {
  if (made.answer === undefined) return { failed: [], unread: ['response'] };
  return judged('response', claim, made.answer.body, matcher(names)(claim, made.answer.body));
}

function refused({ body_includes: part, error_details: details = {}, ...claim }: Json, { made }: Context): Judgement {
  if (made.answer === undefined) return { failed: [], unread: ['error'] };
  const { status, body } = made.answer;
  const found: Json = { ...body, status };
  const agree =
    status >= 400 &&
    agrees(claim, found) &&
    contains(details, found.error_details ?? {}) &&
    (part === undefined || JSON.stringify(body).includes(String(part)));
  return judged('error', { ...claim, part, details }, found, agree);
}

/** Whether details of an error have at least those that are claimed: further members, and further codes of one. */
function contains(expected: unknown, found: unknown): boolean {
  if (Array.isArray(expected)) {
    return Array.isArray(found) && expected.every((one) => found.some((other) => contains(one, other)));
  }
  if (typeof expected !== 'object' || expected === null) return agrees(expected, found);
  const members = typeof found === 'object' && found !== null ? (found as Json) : {};
  return Object.entries(expected).every(([name, value]) => name in members && contains(value, members[name]));
}

function at(thing: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((value, member) => (value as Json | undefined)?.[member], thing);
}

/** Members of things that an engine does not tell at all: they are listed, and neither agree nor differ. */
class Untold {
  private readonly found = new Set<string>();

  constructor(
    private readonly claim: string,
    private readonly engine: LifecycleEngine,
  ) {}

  get members(): string[] {
    return [...this.found].map((member) => `${this.claim}.${member}`);
  }

  /** Things have an identifier; in what else is a member it is a value. */
  has(member: string, actual: Json): boolean {
    if (member in actual || !('id' in actual) || this.engine.tells(member)) return false;
    this.found.add(member);
    return true;
  }
}

function matcher(names: Names, untold?: Untold): Match {
  const matchAll: Match = (expected, actual) =>
    Object.entries(expected).every(([member, value]) => matchMember(member, value, actual));
  const matchMember = (member: string, value: unknown, actual: Json): boolean => {
    if (member === 'as') return true;
    if (NAMING.includes(member)) return resolve(value, names) === actual.id;
    if (member === 'fees_include') return pair(value as Json[], (actual.fees ?? []) as Json[], matchAll) !== null;
    if (member === 'number_ends_with') return String(actual.number).endsWith(String(value));
    if (member === 'number_excludes') return !String(actual.number).includes(String(value));
    if (untold?.has(member, actual)) return true;
    if (member === 'charge_filter') return matchFilter(value, actual[member] as Json | null);
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
  /** A filter is named as in `on`, by a reference, or told by its members; without one its identifier is null. */
  const matchFilter = (expected: unknown, filter: Json | null): boolean => {
    if (typeof expected !== 'string') return matchValue(expected, filter ?? (expected && NO_FILTER));
    return filter?.svc_charge_filter_id === resolve(expected, names) || filter?.invoice_display_name === expected;
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
