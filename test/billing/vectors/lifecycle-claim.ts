import type { LifecycleEngine, Made, View } from './lifecycle-type.ts';
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
type Reader = (value: unknown, context: Context) => Judgement;

interface Context {
  readonly engine: LifecycleEngine;
  readonly made: Made;
  readonly names: Names;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const AGREED: Judgement = { failed: [], unread: [] };
const NAMING: readonly string[] = ['as', 'ref'];
const SETS: readonly string[] = ['fees', 'billing_periods', 'applied_taxes', 'items', 'list'];
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
  fees: (value, context) => readAgain('fees', value, context),
  subscriptions: (value, context) => readAgain('subscriptions', value, context),
  credit_notes: (value, context) => readAgain('credit_notes', value, context),
  counts: (value, context) => all((value as Json[]).map((claim) => counted(claim, context))),
  current_usage: (value, context) => usages(value, (id, query) => context.engine.currentUsage(id, query), context),
  lifetime_usage: (value, context) => usages(value, (id) => context.engine.lifetimeUsage(id), context),
  derived: () => AGREED,
};

/** Judges the claims of one step; names that they give are kept for later steps. */
export function judgeClaims(claims: Json, context: Context): Judgement {
  return all(
    Object.entries(claims).map(([claim, value]) => READERS[claim]?.(value, context) ?? { failed: [], unread: [claim] }),
  );
}

/** The id behind `$name`, `$name.svc_id`; anything else is itself. */
export function resolve(value: unknown, names: Names): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value;
  const name = value.slice(1).replace(/\.svc_id$/, '');
  const id = names.get(name);
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

function readAgain(list: string, value: unknown, { engine, names }: Context): Judgement {
  return all(
    (value as Json[]).map((claim) => {
      const view = engine.read(list, String(resolve(claim.ref, names)));
      if (view === undefined) return { failed: [], unread: [list] };
      name(claim, view, names);
      return judged(list, claim, view, matcher(names)(claim, view));
    }),
  );
}

function usages(value: unknown, read: (id: string, query: Json) => Json, { names }: Context): Judgement {
  return all(
    (value as Json[]).map(({ subscription, query = {}, ...claim }) => {
      const view = read(String(resolve(subscription, names)), query as Json);
      return judged('usage', claim, view, matcher(names)(claim, view));
    }),
  );
}

function counted(claim: Json, { engine, names }: Context): Judgement {
  const things = engine.all(String(claim.kind), claim.of === undefined ? null : String(resolve(claim.of, names)));
  if (things === undefined) return { failed: [], unread: [`counts of ${String(claim.kind)}`] };
  const where = Object.entries((claim.where ?? {}) as Json);
  const match = matcher(names);
  const count = things.filter((thing) =>
    where.every(([path, expected]) => match({ value: expected }, { value: at(thing, path) })),
  ).length;
  return judged('counts', claim, count, count === claim.count);
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
