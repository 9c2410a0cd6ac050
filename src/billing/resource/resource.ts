import { type BillingError, type ErrorDetails, invalid, joined } from '../errors.ts';
import type { Field, Fields, Sent, Values } from './field.ts';
import { memberRefusals, normalMembers } from './member.ts';

/** What is wrong with an object beyond each of its members alone; undefined where nothing is. */
type Check<F extends Fields> = (values: Values<F>) => BillingError | undefined;

/** A kind of objects that an application keeps: all that its writes, its inputs and its imports know of its members. */
export interface Resource<F extends Fields = Fields, Name extends string = string> {
  /** As errors, the log and REST call one: `add_on`. */
  readonly name: Name;
  readonly fields: F;
  readonly check: Check<F>;
  /** An object as it is stored, where a member follows from others. */
  readonly settled: (values: Values<F>) => Values<F>;
}

/** A resource, so that its members keep their types. */
export const resource = <Name extends string, F extends Fields>(
  name: Name,
  fields: F,
  check: Check<F> = () => undefined,
  settled: (values: Values<F>) => Values<F> = (values) => values,
): Resource<F, Name> => ({ name, fields, check, settled });

type Members = Readonly<Record<string, unknown>>;

/** All that is wrong with an object: each member alone, then what goes together. */
function refusalOf<F extends Fields>(
  { name, fields, check }: Resource<F>,
  values: Values<F>,
): BillingError | undefined {
  const together = check(values);
  const all = [...memberRefusals(name, Object.entries<Field>(fields), values), ...(together ? [together] : [])];
  return all.length > 0 ? joined(...all) : undefined;
}

const isGiven = (field: Field, value: unknown) =>
  value !== undefined && (value !== null || field.initial === undefined);

/** What is wrong with the members that were sent, each alone; undefined where nothing is. */
export function refusalOfSent<F extends Fields>(
  { name, fields }: Resource<F>,
  sent: Sent<F>,
): BillingError | undefined {
  const named = Object.entries<Field>(fields).filter(([member, field]) => isGiven(field, sent[member]));
  const refusals = memberRefusals(name, named, sent);
  return refusals.length > 0 ? joined(...refusals) : undefined;
}

/** An object as it stands, with what was sent in place of what there is. */
function merged<F extends Fields>({ fields }: Resource<F>, stored: Members, sent: Sent<F>): Values<F> {
  const members = Object.entries<Field>(fields).map(([name, field]) => {
    const value: unknown = sent[name];
    return [name, isGiven(field, value) ? value : stored[name]];
  });
  return Object.fromEntries(members) as Values<F>;
}

const initialOf = (fields: Fields): Members =>
  Object.fromEntries(Object.entries(fields).map(([name, { initial = null }]) => [name, initial]));

/** As it is stored. */
const stored = <F extends Fields>({ fields, settled }: Resource<F>, values: Values<F>) =>
  settled(normalMembers(fields, values) as Values<F>);

/** What is wrong with what was sent for a new object; undefined where nothing is. */
export const refusalOfNew = <F extends Fields>(of: Resource<F>, sent: Sent<F>) =>
  refusalOf(of, merged(of, initialOf(of.fields), sent));

/** A new object. Throws one validation error that names all that is wrong. */
export function newValues<F extends Fields>(of: Resource<F>, sent: Sent<F>): Values<F> {
  const refusal = refusalOfNew(of, sent);
  if (refusal) throw refusal;
  return stored(of, merged(of, initialOf(of.fields), sent));
}

/** Codes that a change brought in: what was stored before a rule came does not stand in the way of other changes. */
function introduced(before: BillingError | undefined, after: BillingError | undefined): BillingError | undefined {
  const known: ErrorDetails = before?.details ?? {};
  const all = Object.entries(after?.details ?? {}).flatMap(([field, codes]) =>
    codes.map((code, index) => ({ field, code, hint: after?.hintOf(field, index) ?? {} })),
  );
  const fresh = all.filter(({ field, code }) => !known[field]?.includes(code));
  return fresh.length > 0
    ? joined(...fresh.map(({ field, code, hint }) => invalid({ [field]: [code] }, { [field]: hint })))
    : undefined;
}

/** A changed object. What is sent is set. Throws one validation error that names all that the change makes wrong. */
export function changedValues<F extends Fields>(of: Resource<F>, before: Values<F>, sent: Sent<F>): Values<F> {
  const values = merged(of, before, sent);
  const refusal = introduced(refusalOf(of, before), refusalOf(of, values));
  if (refusal) throw refusal;
  return stored(of, values);
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? `${one}` : one));

/** The members that differ between two states of an object, as they are in the second. */
export function differences(before: Members, after: Members): Members {
  const names = Object.keys(after).filter((name) => textOf(before[name]) !== textOf(after[name]));
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}
