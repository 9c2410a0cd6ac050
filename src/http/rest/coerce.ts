import {
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
import { BillingError, type ErrorDetails, invalid } from '../../billing/errors.ts';
import { snakeCase } from '../../billing/name-case.ts';
import { cast } from './cast.ts';

type Fault = (field: string, codes: readonly string[]) => undefined;

// So many members that do not fit are read; a body may hold a hundred thousand of them.
const MOST_FAULTS = 100;

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
    if (Object.hasOwn(value, name)) {
      input[member.name] = conform(member.type, (value as Record<string, unknown>)[name], name, fault);
    } else if (isRequiredInputField(member)) {
      fault(name, ['value_is_mandatory']);
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
    return value.map((item) => conform(type.ofType, item, field, fault));
  }
  return isInputObjectType(type) ? members(type, value, field, fault) : leaf(type, value, field, fault);
}

/**
 * Gives the variables of a document the shape its types ask for: members of input objects are taken by their snake_case
 * names, unknown ones are dropped. Throws one validation error that names the members that do not fit.
 */
export function fitVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const details: ErrorDetails = {};
  let faults = 0;
  const fault: Fault = (field, codes) => {
    faults += 1;
    if (faults > MOST_FAULTS) throw invalid(details);
    details[field] = [...new Set([...(details[field] ?? []), ...codes])];
  };
  const fitted: Record<string, unknown> = {};
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node) as GraphQLInputType | undefined;
    if (!type || (values[name] === undefined && (defaultValue || !isNonNullType(type)))) continue;
    fitted[name] = conform(type, values[name], snakeCase(name), fault);
  }
  if (Object.keys(details).length > 0) throw invalid(details);
  return fitted;
}
