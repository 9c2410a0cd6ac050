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
import { BillingError, invalid, placed } from '../../billing/errors.ts';
import { snakeCase } from '../../billing/name-case.ts';
import type { LengthFaults } from '../limit/input-limit.ts';
import { cast } from './cast.ts';
import { Faults, type Place, type Telling } from './faults.ts';

/** Where a value stands, and the field by which it is told what is wrong with it. */
class Spot {
  constructor(
    private readonly faults: Faults,
    private readonly at: Place,
    private readonly field: string,
  ) {}

  within(key: string | number, field = this.field): Spot {
    return new Spot(this.faults, [...this.at, key], field);
  }

  refuse(codes: readonly string[]): undefined {
    return this.faults.addForm(this.at, this.field, codes);
  }
}

const WRONG = ['value_is_invalid'];

function leaf(type: GraphQLLeafType, value: unknown, spot: Spot): unknown {
  // Its own refusal looks for names that are like the wrong one.
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) ? value : spot.refuse(WRONG);
  try {
    type.parseValue(value);
    return value;
  } catch (error) {
    const details = error instanceof BillingError ? Object.values(error.details ?? {}).flat() : [];
    return spot.refuse(details.length > 0 ? details : WRONG);
  }
}

function members(type: GraphQLInputObjectType, value: unknown, spot: Spot): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return spot.refuse(WRONG);
  const input: Record<string, unknown> = {};
  for (const member of Object.values(type.getFields())) {
    const { isGraphOnly, faultName, missing } = member.extensions;
    if (isGraphOnly) continue;
    const name = snakeCase(member.name);
    const sent = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const own = spot.within(member.name, (faultName as string | undefined) ?? name);
    if (isRequiredInputField(member) && (sent === undefined || sent === null)) {
      own.refuse([(missing as string | undefined) ?? 'value_is_mandatory']);
    } else if (sent !== undefined) {
      input[member.name] = conform(member.type, sent, own);
    }
  }
  return input;
}

function conform(type: GraphQLInputType, sent: unknown, spot: Spot): unknown {
  const value = cast(isNonNullType(type) ? type.ofType : type, sent);
  if (isNonNullType(type)) {
    return value === null || value === undefined
      ? spot.refuse(['value_is_mandatory'])
      : conform(type.ofType, value, spot);
  }
  if (value === null || value === undefined) return value;
  if (isListType(type)) {
    // GraphQL takes a single value for a list of one; the API does not.
    if (!Array.isArray(value)) return spot.refuse(WRONG);
    return value.map((item, place) => conform(type.ofType, item, spot.within(place)));
  }
  return isInputObjectType(type) ? members(type, value, spot) : leaf(type, value, spot);
}

type Refusal = (sent: unknown) => BillingError | undefined;

/** What the rules of an input, and of the inputs in it, say of members that fit. */
function refusalsOf(type: GraphQLInputType, fitted: unknown, at: Place): BillingError[] {
  if (isNonNullType(type)) return refusalsOf(type.ofType, fitted, at);
  if (fitted === undefined || fitted === null) return [];
  if (isListType(type)) {
    const items = Array.isArray(fitted) ? fitted : [];
    return items.flatMap((item, place) => refusalsOf(type.ofType, item, [...at, place]));
  }
  if (!isInputObjectType(type)) return [];
  const members = Object.values(type.getFields());
  const below = members.flatMap((one) => refusalsOf(one.type, (fitted as Variables)[one.name], [...at, one.name]));
  const refusal = type.extensions.refusal as Refusal | undefined;
  const own = refusal?.(coerceInputValue(fitted, type, () => undefined));
  return own ? [placed(own, at), ...below] : below;
}

type Variables = Record<string, unknown>;

/** Takes what is at a place away. */
function forget(from: Variables, [key = '', ...below]: Place): void {
  const inner = from[key];
  if (below.length === 0) from[key] = undefined;
  else if (typeof inner === 'object' && inner !== null) forget(inner as Variables, below);
}

/**
 * Gives the variables of a document the shape its types ask for: members of input objects are taken by their snake_case
 * names, unknown ones are dropped. Throws one validation error that names the members that do not fit, with their places if asked, what is
 * too long besides, and what the rules of inputs say of the others.
 */
export function fitVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Variables,
  telling: Telling = {},
  lengthsOf: (fitted: Variables) => LengthFaults | undefined = () => undefined,
): Variables {
  const faults = new Faults(telling);
  const fitted: Variables = {};
  const read: [GraphQLInputType, string][] = [];
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node) as GraphQLInputType | undefined;
    if (!type || (values[name] === undefined && (defaultValue || !isNonNullType(type)))) continue;
    fitted[name] = conform(type, values[name], new Spot(faults, [name], snakeCase(name)));
    read.push([type, name]);
  }
  const lengths = lengthsOf(fitted);
  if (lengths) faults.addLengths(lengths);
  // Rules may take long of what is.
  for (const { path } of lengths?.errors ?? []) forget(fitted, path);
  if (Object.keys(faults.details).length === 0) return fitted;
  for (const [type, name] of read) {
    for (const refusal of refusalsOf(type, fitted[name], [])) faults.addRefusal(refusal);
  }
  throw invalid(faults.details);
}
