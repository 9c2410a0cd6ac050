import {
  coerceInputValue,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { BillingError, type ErrorDetails, invalid, placedName } from '../../billing/errors.ts';
import { snakeCase } from '../../billing/name-case.ts';
import type { Route } from '../../rest/route.ts';
import { cast } from './cast.ts';

// So many members that do not fit are read; a body may hold a hundred thousand of them.
const MOST_FAULTS = 100;

interface Fault {
  (field: string, codes: readonly string[]): undefined;
  /** How the object at a place of a list tells what is wrong in it; absent where places are not told. */
  readonly at?: (place: number, list: string) => Fault;
}

type Telling = Pick<Route, 'tellsPlaces' | 'formFaults'>;

/** What does not fit, by the names of members; where places are told, of objects in a list as `<place>.<member>`. */
function collecting(details: ErrorDetails, { tellsPlaces, formFaults = {} }: Telling): Fault {
  let count = 0;
  const add = (name: string, field: string, codes: readonly string[]): undefined => {
    count += 1;
    if (count > MOST_FAULTS) throw invalid(details);
    const own = codes.map((code) => (code === 'value_is_invalid' ? (formFaults[field] ?? code) : code));
    details[name] = [...new Set([...(details[name] ?? []), ...own])];
  };
  const fault: Fault = (field, codes) => add(field, field, codes);
  const at = (place: number, list: string): Fault => {
    return (field, codes) => add(placedName(place, field === list ? 'base' : field), field, codes);
  };
  return tellsPlaces ? Object.assign(fault, { at }) : fault;
}

function leaf(type: GraphQLLeafType, value: unknown, field: string, fault: Fault): unknown {
  // Its own refusal looks for names that are like the wrong one.
  if (isEnumType(type))
    return typeof value === 'string' && type.getValue(value) ? value : fault(field, ['value_is_invalid']);
  try {
    type.parseValue(value);
    return value;
  } catch (error) {
    const details = error instanceof BillingError ? Object.values(error.details ?? {}).flat() : [];
    return fault(field, details.length > 0 ? details : ['value_is_invalid']);
  }
}

function members(type: GraphQLInputObjectType, value: unknown, field: string, fault: Fault): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fault(field, ['value_is_invalid']);
  const input: Record<string, unknown> = {};
  for (const member of Object.values(type.getFields())) {
    if (member.extensions.isGraphOnly) continue;
    const name = snakeCase(member.name);
    const sent = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const told = (member.extensions.faultName as string | undefined) ?? name;
    if (isRequiredInputField(member) && (sent === undefined || sent === null)) {
      fault(told, [(member.extensions.missing as string | undefined) ?? 'value_is_mandatory']);
    } else if (sent !== undefined) {
      input[member.name] = conform(member.type, sent, told, fault);
    }
  }
  return input;
}

function conform(type: GraphQLInputType, sent: unknown, field: string, fault: Fault): unknown {
  const value = cast(isNonNullType(type) ? type.ofType : type, sent);
  if (isNonNullType(type)) {
    return value === null || value === undefined
      ? fault(field, ['value_is_mandatory'])
      : conform(type.ofType, value, field, fault);
  }
  if (value === null || value === undefined) return value;
  if (isListType(type)) {
    // GraphQL takes a single value for a list of one; the API does not.
    if (!Array.isArray(value)) return fault(field, ['value_is_invalid']);
    return value.map((item, place) => conform(type.ofType, item, field, fault.at?.(place, field) ?? fault));
  }
  return isInputObjectType(type) ? members(type, value, field, fault) : leaf(type, value, field, fault);
}

type Refusal = (sent: unknown) => BillingError | undefined;

/** What the rules of an input say of its members that fit, so that all that is wrong with a body is told at once. */
function addRefusal(type: GraphQLInputType, fitted: unknown, details: ErrorDetails): void {
  const named = isNonNullType(type) ? type.ofType : type;
  const refusal = isInputObjectType(named) ? (named.extensions.refusal as Refusal | undefined) : undefined;
  if (!refusal || fitted === undefined) return;
  const found = refusal(coerceInputValue(fitted, named, () => undefined))?.details ?? {};
  for (const [name, codes] of Object.entries(found)) details[name] ??= codes;
}

/**
 * Gives the variables of a document the shape its types ask for: members of input objects are taken by their snake_case
 * names, unknown ones are dropped. Throws one validation error that names the members that do not fit, with their places if asked.
 */
export function fitVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Record<string, unknown>,
  telling: Telling = {},
): Record<string, unknown> {
  const details: ErrorDetails = {};
  const fault = collecting(details, telling);
  const fitted: Record<string, unknown> = {};
  const read: [GraphQLInputType, string][] = [];
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node) as GraphQLInputType | undefined;
    if (!type || (values[name] === undefined && (defaultValue || !isNonNullType(type)))) continue;
    fitted[name] = conform(type, values[name], snakeCase(name), fault);
    read.push([type, name]);
  }
  if (Object.keys(details).length > 0) {
    for (const [type, name] of read) addRefusal(type, fitted[name], details);
    throw invalid(details);
  }
  return fitted;
}
