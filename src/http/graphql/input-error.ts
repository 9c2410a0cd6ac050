import { type ExecutionArgs, type FieldNode, type GraphQLError, Kind } from 'graphql';
import type { BillingError, ErrorHint } from '../../billing/errors.ts';
import { camelCase } from '../../billing/name-case.ts';
import { type InputError, type InputPath, messageOf, shownValue } from '../wire/input-message.ts';
import { refusalOf } from '../wire/wire-error.ts';
import { type InputMember, inputMembers, placeOfVariable } from './input-place.ts';

const startsWith = (path: InputPath, start: InputPath) => start.every((key, index) => path[index] === key);

/** Names that a field of error details may have as a member. */
function namesOf(field: string): string[] {
  const name = camelCase(field);
  return [name, `${name}Id`, `${name}Code`, `${name}Codes`];
}

// What was not found is named by one of these.
function referencesTo(what: string): string[] {
  const name = camelCase(what);
  const named = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const own = [`${name}Code`, `${name}Codes`, `external${named}Id`, `${name}ExternalId`];
  return [...own, 'externalIds', 'externalId', 'code', 'svcId', 'number', 'integrationCode'];
}

function commonPath(paths: readonly InputPath[]): InputPath {
  const [first = [], ...others] = paths;
  const end = first.findIndex((key, index) => others.some((path) => path[index] !== key));
  return end < 0 ? first : first.slice(0, end);
}

/** The member of one of the names: in the place that is said, given rather than left out, near the top. */
function memberOf(members: readonly InputMember[], names: readonly string[], at: InputPath): InputMember | undefined {
  const place = at.map((key) => (typeof key === 'string' ? camelCase(key) : key));
  const inPlace = members.filter(({ path }) => startsWith(path, place) || startsWith(path.slice(1), place));
  for (const name of names) {
    const named = inPlace.filter((member) => member.name === name);
    const given = named.filter(({ value }) => value !== undefined);
    const found = given.length > 0 ? given : named;
    const depth = Math.min(...found.map(({ path }) => path.length));
    const nearest = found.filter(({ path }) => path.length === depth);
    const [first, second] = nearest;
    if (first) return second ? { name, path: commonPath(nearest.map(({ path }) => path)), value: undefined } : first;
  }
  return undefined;
}

/** An input as a whole: the one argument that is an object, with the place in it that is known. */
function placeOf(members: readonly InputMember[], at: InputPath): InputPath {
  const whole = members.find(({ path, value }) => path.length === 1 && typeof value === 'object' && value !== null);
  const place = at.map((key) => (typeof key === 'string' ? camelCase(key) : key));
  return whole ? [...whole.path, ...place] : place;
}

function ofField(members: readonly InputMember[], field: string, codes: readonly string[], hint: ErrorHint = {}) {
  const { at = [], limit } = hint;
  const [head = '', ...rest] = field.split('.');
  const member = memberOf(members, namesOf(head), at);
  const path = member ? [...member.path, ...rest] : placeOf(members, at);
  const named = { name: rest.at(-1) ?? member?.name ?? field, value: rest.length > 0 ? undefined : member?.value };
  return codes.map((code): InputError => ({ path, code, message: messageOf(code, named, limit) }));
}

function ofRefusal(members: readonly InputMember[], { code, message, details, hints }: BillingError): InputError[] {
  if (details) {
    return Object.entries(details).flatMap(([field, codes]) => ofField(members, field, codes, hints?.[field]));
  }
  if (code !== 'object_not_found') return [];
  const member = memberOf(members, referencesTo(message.replace(/ not found$/, '')), []);
  const given = member?.value === undefined ? '' : `: given: ${shownValue(member.value)}`;
  return [{ path: member?.path ?? [], code, message: `${message}${given}` }];
}

const IN_VARIABLE = /^Variable "\$(?<name>\w+)"(?: got invalid value .*? at "\k<name>(?<below>[^"]*)")?/s;
const IS_MISSING = /was not provided|non-null/;

/** What graphql-js says of a variable, whose place it writes into the text: `at "i.usage[0].units"`. */
function ofVariable({ message }: GraphQLError, { document }: ExecutionArgs): InputError[] {
  const { name, below = '' } = IN_VARIABLE.exec(message)?.groups ?? {};
  if (name === undefined) return [];
  const keys = below.split(/[.[\]]+/).filter((key) => key !== '');
  const path = [...placeOfVariable(document, name), ...keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key))];
  const code = IS_MISSING.test(message) ? 'value_is_mandatory' : 'value_is_invalid';
  return [{ path, code, message: shortened(message) }];
}

/** What an error of an execution says of members of its field's input. */
function inputErrors(error: GraphQLError, args: ExecutionArgs): InputError[] {
  const refusal = refusalOf(error);
  const [node] = error.nodes ?? [];
  if (node?.kind === Kind.VARIABLE_DEFINITION) return ofVariable(error, args);
  if (!refusal || node?.kind !== Kind.FIELD) return [];
  const members = inputMembers(args.schema, args.document, node as FieldNode, args.variableValues ?? {});
  return ofRefusal(members, refusal);
}

const LONGEST_MESSAGE = 1000;

// graphql-js repeats what it refuses, whatever its length.
const shortened = (message: string) =>
  message.length > LONGEST_MESSAGE ? `${message.slice(0, 300)} … ${message.slice(-300)}` : message;

/** Gives an error of an execution the members of the input that it is about, as `extensions.errors`. */
export function bindToInput(error: GraphQLError, args: ExecutionArgs): GraphQLError {
  if (error.extensions.errors) return error;
  const errors = inputErrors(error, args);
  error.message = shortened(error.message);
  if (errors.length > 0) Object.assign(error.extensions, { errors });
  return error;
}
