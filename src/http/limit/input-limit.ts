import {
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputFieldMap,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isInputObjectType,
  Kind,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { ErrorDetails } from '../../billing/errors.ts';
import { type InputError, type InputPath, messageOf } from '../wire/input-message.ts';

interface InputLimit {
  readonly longest?: number;
  readonly mostItems?: number;
}

type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'extensions'>;

/** A variable, and an input that it is given to. */
interface Use {
  readonly variable: string;
  readonly input: Input;
  readonly path: InputPath;
}

/** What is too long: by the names of the members, and each with its place. */
export interface LengthFaults {
  readonly details: ErrorDetails;
  readonly errors: readonly InputError[];
}

/** What a document gives to inputs: by itself, and by its variables. */
interface Given {
  readonly faults: LengthFaults;
  readonly uses: readonly Use[];
  readonly defaults: Readonly<Record<string, unknown>>;
}

const limitOf = ({ extensions }: Pick<Input, 'extensions'>): InputLimit =>
  (extensions.limit as InputLimit | undefined) ?? {};

const MOST_FAULTS = 100;

// Where an input has no length of its own: no scalar takes more, but graphql-js repeats what it refuses.
const ANY: Required<InputLimit> = { longest: 1000, mostItems: 1000 };
// graphql-js tells each of them with the whole object.
const MOST_UNKNOWN = 20;

/** Looks for texts and lists that are longer than their inputs take. */
class Lengths {
  readonly details: ErrorDetails = {};
  readonly errors: InputError[] = [];

  constructor(private readonly nameOf: (name: string) => string) {}

  check(value: unknown, input: Input, path: InputPath): void {
    const { longest, mostItems } = { ...ANY, ...limitOf(input) };
    if (typeof value === 'string') {
      // Code points, not UTF-16 units. Far too long texts are not taken apart.
      if (value.length > longest && (value.length > 2 * longest || [...value].length > longest)) {
        this.fault('value_is_too_long', input, path, value, `${longest} characters`);
      }
      return;
    }
    if (typeof value !== 'object' || value === null || this.errors.length > MOST_FAULTS) return;
    const named = getNamedType(input.type as GraphQLInputType);
    if (Array.isArray(value)) {
      if (value.length > mostItems) {
        this.fault('value_is_out_of_range', input, path, value, `${mostItems} values`);
      } else {
        for (const [index, item] of value.entries()) this.check(item, input, [...path, index]);
      }
    } else if (isInputObjectType(named)) {
      this.checkMembers(value as Record<string, unknown>, input, named.getFields(), path);
    } else {
      this.checkJson(value as Record<string, unknown>, input, path, { longest, mostItems });
    }
  }

  private checkMembers(value: Record<string, unknown>, input: Input, fields: GraphQLInputFieldMap, path: InputPath) {
    const names = Object.keys(value);
    const unknown = names.filter((name) => !Object.hasOwn(fields, name));
    const long = unknown.find((name) => name.length > ANY.longest);
    if (unknown.length > MOST_UNKNOWN) {
      this.fault('value_is_out_of_range', input, path, unknown, `${MOST_UNKNOWN} that are not known`);
    } else if (long !== undefined) {
      this.fault('value_is_too_long', input, path, long, `${ANY.longest} characters`);
    } else {
      for (const name of names) {
        this.check(value[name], fields[name] ?? { name, type: GraphQLString, extensions: {} }, [...path, name]);
      }
    }
  }

  private checkJson(value: Record<string, unknown>, input: Input, path: InputPath, limit: Required<InputLimit>): void {
    const { longest, mostItems } = limit;
    const entries = Object.entries(value);
    const long = entries.find(([key]) => key.length > 2 * longest)?.[0];
    if (entries.length > mostItems) {
      this.fault('value_is_out_of_range', input, path, Object.keys(value), `${mostItems} values`);
    } else if (long !== undefined) {
      this.fault('value_is_too_long', input, path, long, `${longest} characters`);
    } else {
      for (const [key, member] of entries) this.check(member, input, [...path, key]);
    }
  }

  private fault(code: string, input: Input, path: InputPath, value: unknown, most: string): void {
    const shown = this.nameOf(input.name);
    this.details[shown] = [...new Set([...(this.details[shown] ?? []), code])];
    this.errors.push({
      path,
      code,
      message: messageOf(code, { name: input.name, value }, { limit: `at most ${most}` }),
    });
  }
}

function usesIn(node: ValueNode, input: Input, path: InputPath, uses: Use[]): void {
  if (node.kind === Kind.VARIABLE) uses.push({ variable: node.name.value, input, path });
  if (node.kind === Kind.LIST) {
    for (const [index, item] of node.values.entries()) usesIn(item, input, [...path, index], uses);
  }
  if (node.kind !== Kind.OBJECT) return;
  const named = getNamedType(input.type as GraphQLInputType);
  const fields = isInputObjectType(named) ? named.getFields() : undefined;
  for (const { name, value } of node.fields) usesIn(value, fields?.[name.value] ?? input, [...path, name.value], uses);
}

function read(schema: GraphQLSchema, document: DocumentNode): Given {
  const uses: Use[] = [];
  const defaults: Record<string, unknown> = Object.create(null);
  const lengths = new Lengths((name) => name);
  const info = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(info, {
    VariableDefinition({ variable, defaultValue }) {
      if (defaultValue) defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
    },
    Argument({ value }) {
      const argument = info.getArgument();
      if (!argument) return;
      usesIn(value, argument, [argument.name], uses);
      lengths.check(valueFromASTUntyped(value), argument, [argument.name]);
    },
  });
  visit(document, visitor);
  const known = new Set<string>();
  const isNew = ({ variable, input }: Use) => {
    const key = `${variable} ${String(input.type)} ${input.name} ${JSON.stringify(limitOf(input))}`;
    return !known.has(key) && known.add(key);
  };
  return { faults: lengths, uses: uses.filter(isNew), defaults };
}

const documents = new WeakMap<DocumentNode, Given>();

/** The members that are too long in an operation: of its literals, and of the values of its variables. Undefined where none is. */
export function lengthFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string = (name) => name,
): LengthFaults | undefined {
  const given = documents.get(document) ?? read(schema, document);
  documents.set(document, given);
  const lengths = new Lengths(nameOf);
  for (const { variable, input, path } of given.uses) {
    lengths.check(variables[variable] ?? given.defaults[variable], input, path);
  }
  const errors = [...given.faults.errors, ...lengths.errors];
  return errors.length > 0 ? { details: { ...given.faults.details, ...lengths.details }, errors } : undefined;
}
