import { type ExecutionArgs, type FieldNode, type GraphQLError, isEnumType, Kind } from 'graphql';
import type { BillingError } from '../../billing/errors.ts';
import { camelCase, snakeCase } from '../../billing/name-case.ts';
import { type InputError, type InputPath, messageOf, shownValue } from '../wire/input-message.ts';
import { refusalOf } from '../wire/wire-error.ts';
import { type InputMember, inputMembers, memberWith, placeOfLiteral, placeOfVariable } from './input-place.ts';

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
  const own = [`${name}Code`, `${name}Codes`, `${name}Id`, `external${named}Id`, `${name}ExternalId`];
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
  // A list has no members: what is said of one of its objects begins with its own name.
  const isSaid = Array.isArray(whole?.value) && place[0] === whole.name;
  return whole && !isSaid ? [...whole.path, ...place] : place;
}

/** What was given at a place; undefined where nothing was. */
function valueAt(members: readonly InputMember[], path: InputPath): unknown {
  const above = members.filter((member) => startsWith(path, member.path) && member.path.length <= path.length);
  const nearest = above.reduce<InputMember | undefined>(
    (near, one) => (near && near.path.length >= one.path.length ? near : one),
    undefined,
  );
  return path.slice(nearest?.path.length ?? 0).reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
  }, nearest?.value);
}

function ofCode(members: readonly InputMember[], refusal: BillingError, field: string, index: number): InputError {
  const { at = [], name, below, limit, reason } = refusal.hintOf(field, index);
  const code = refusal.details?.[field]?.[index] ?? '';
  const [head = '', ...rest] = name === undefined ? field.split('.') : [name];
  // What names the object is beside its input: of two that are called the same, what was given in there is meant.
  const isWithin = ({ path: [first, ...below], value }: InputMember) =>
    first === 'input' && below.length > 0 && value !== undefined;
  const member = memberOf(members.filter(isWithin), namesOf(head), at) ?? memberOf(members, namesOf(head), at);
  const path = [...(member ? member.path : placeOf(members, at)), ...(below ?? rest)];
  const last = path.findLast((key) => typeof key === 'string');
  const named = { name: member || below ? String(last ?? field) : field, value: valueAt(members, path) };
  return { path, code, message: messageOf(code, named, { limit, reason }) };
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What was looked up by nothing is missing, not unknown. */
const missing = ({ path, name, value }: InputMember): InputError => {
  const code = 'value_is_mandatory';
  return { path, code, message: messageOf(code, { name, value }) };
};

function ofRefusal(members: readonly InputMember[], refusal: BillingError): InputError[] {
  const { code, message, details } = refusal;
  if (details) {
    return Object.entries(details).flatMap(([field, codes]) =>
      codes.map((_code, index) => ofCode(members, refusal, field, index)),
    );
  }
  if (code !== 'object_not_found') return [];
  const names = referencesTo(message.replace(/ not found$/, ''));
  const { unknown } = refusal;
  const member =
    (unknown === undefined ? undefined : memberWith(members, names, unknown)) ?? memberOf(members, names, []);
  if (!member) return [{ path: [], code, message }];
  // Several are called so, and nobody said which.
  if (member.path.at(-1) !== member.name && member.value === undefined) return [{ path: member.path, code, message }];
  if (isNothing(member.value)) return [missing(member)];
  return [{ path: member.path, code, message: `${message}: ${shownValue(member.value)}` }];
}

const IN_VARIABLE = /^Variable "\$(?<name>\w+)"(?: got invalid value .*? at "\k<name>(?<below>[^"]*)")?/s;
const IS_MISSING = /was not provided|non-null|found null/;

// Of an object: what it lacks, and what its type does not know.
const LACKS =
  /(?:Field "(?:\w+\.)?|argument ")(\w+)" of (?:required )?type "[^"]*" (?:is required, but it )?was not provided\.$/;
const UNKNOWN = /; Field "(\w+)" is not defined by type "\w+"\.(?: Did you mean [^?]*\?)?$/;

const MOST_TOLD = 10;

/** An operation, as far as places in its input are told by it. */
type Operation = Pick<ExecutionArgs, 'schema' | 'document' | 'variableValues'>;

/** The values of the enum that a message speaks of, which it does not tell itself. */
function valuesOf({ schema }: Operation, message: string): string {
  const type = schema.getType(/(?<=Enum )"\w+"|"\w+"(?= enum)/.exec(message)?.[0].slice(1, -1) ?? '');
  if (!isEnumType(type)) return '';
  const names = type.getValues().map(({ name }) => name);
  const more = names.length > MOST_TOLD ? [`${names.length - MOST_TOLD} more`] : [];
  return `; allowed: ${[...names.slice(0, MOST_TOLD), ...more].join(', ')}`;
}

/** What graphql-js says of a value, which it takes for missing or for wrong. */
function asSaid(path: InputPath, message: string, operation: Operation): InputError {
  const code = IS_MISSING.test(message) ? 'value_is_mandatory' : 'value_is_invalid';
  return { path, code, message: `${shortened(message)}${valuesOf(operation, message)}` };
}

/** What graphql-js says of a variable, whose place it writes into the text: `at "i.usage[0].units"`. */
function ofVariable({ message }: GraphQLError, operation: Operation): InputError[] {
  const { name, below = '' } = IN_VARIABLE.exec(message)?.groups ?? {};
  if (name === undefined) return [];
  const keys = below.split(/[.[\]]+/).filter((key) => key !== '');
  const place = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const [, member] = LACKS.exec(message) ?? UNKNOWN.exec(message) ?? [];
  const path = [...placeOfVariable(operation.document, name), ...place, ...(member === undefined ? [] : [member])];
  return [asSaid(path, message, operation)];
}

/** What validation says of a literal, or of what a field or an object lacks. */
function ofLiteral({ message, nodes }: GraphQLError, operation: Operation): InputError[] {
  const [node] = nodes ?? [];
  const [, member] = LACKS.exec(message) ?? [];
  const lacking = member === undefined ? [] : [member];
  const place = node?.kind === Kind.FIELD ? lacking : node && placeOfLiteral(operation.document, node);
  if (!place || place.length === 0) return [];
  return [asSaid(node?.kind === Kind.OBJECT ? [...place, ...lacking] : place, message, operation)];
}

/** What an error of an execution says of members of its field's input. */
function inputErrors(error: GraphQLError, args: Operation): InputError[] {
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
export function bindToInput(error: GraphQLError, args: Operation): GraphQLError {
  if (error.extensions.errors) return error;
  const errors = inputErrors(error, args);
  error.message = shortened(error.message);
  if (errors.length > 0) Object.assign(error.extensions, { errors });
  const [first] = errors;
  if (error.extensions.code === 'object_not_found' && first?.code === 'value_is_mandatory') {
    const field = snakeCase(String(first.path.at(-1)));
    error.message = 'Validation failed';
    Object.assign(error.extensions, { code: 'validation_errors', errorDetails: { [field]: [first.code] } });
  }
  return error;
}

/** Gives an error of validation the place of the literal that it is about, as `extensions.errors`. */
export function bindToLiteral(error: GraphQLError, operation: Operation): GraphQLError {
  const errors = error.extensions.errors ? [] : ofLiteral(error, operation);
  error.message = shortened(error.message);
  if (errors.length > 0) Object.assign(error.extensions, { errors });
  return error;
}
