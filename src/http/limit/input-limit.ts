import {
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
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

interface InputLimit {
  readonly longest?: number;
  readonly mostItems?: number;
}

type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'extensions'>;

/** A variable, and an input that it is given to. */
interface Use {
  readonly variable: string;
  readonly input: Input;
}

/** What a document gives to inputs: by itself, and by its variables. */
interface Given {
  readonly faults: ErrorDetails;
  readonly uses: readonly Use[];
  readonly defaults: Readonly<Record<string, unknown>>;
}

const limitOf = ({ extensions }: Pick<Input, 'extensions'>): InputLimit =>
  (extensions.limit as InputLimit | undefined) ?? {};

const MOST_FAULTS = 100;

/** Looks for texts and lists that are longer than their inputs take. */
class Lengths {
  readonly faults: ErrorDetails = {};
  private count = 0;

  constructor(private readonly nameOf: (name: string) => string) {}

  check(value: unknown, input: Input): void {
    const { longest = Number.POSITIVE_INFINITY, mostItems = Number.POSITIVE_INFINITY } = limitOf(input);
    if (typeof value === 'string') {
      // Code points, not UTF-16 units. Far too long texts are not taken apart.
      if (value.length > longest && (value.length > 2 * longest || [...value].length > longest)) {
        this.fault(input.name, 'value_is_too_long');
      }
      return;
    }
    if (typeof value !== 'object' || value === null || this.count > MOST_FAULTS) return;
    const named = getNamedType(input.type as GraphQLInputType);
    if (Array.isArray(value)) {
      if (value.length > mostItems) this.fault(input.name, 'value_is_out_of_range');
      else for (const item of value) this.check(item, input);
    } else if (isInputObjectType(named)) {
      this.checkMembers(value as Record<string, unknown>, Object.values(named.getFields()));
    } else {
      this.checkJson(value as Record<string, unknown>, input, longest, mostItems);
    }
  }

  private checkMembers(value: Record<string, unknown>, fields: readonly GraphQLInputField[]): void {
    for (const field of fields) if (Object.hasOwn(value, field.name)) this.check(value[field.name], field);
  }

  private checkJson(value: Record<string, unknown>, input: Input, longest: number, mostItems: number): void {
    const entries = Object.entries(value);
    if (entries.length > mostItems) this.fault(input.name, 'value_is_out_of_range');
    else if (entries.some(([key]) => key.length > 2 * longest)) this.fault(input.name, 'value_is_too_long');
    else for (const [, member] of entries) this.check(member, input);
  }

  private fault(name: string, code: string): void {
    this.count += 1;
    const shown = this.nameOf(name);
    this.faults[shown] = [...new Set([...(this.faults[shown] ?? []), code])];
  }
}

function usesIn(node: ValueNode, input: Input, uses: Use[]): void {
  if (node.kind === Kind.VARIABLE) uses.push({ variable: node.name.value, input });
  if (node.kind === Kind.LIST) for (const item of node.values) usesIn(item, input, uses);
  if (node.kind !== Kind.OBJECT) return;
  const named = getNamedType(input.type as GraphQLInputType);
  const fields = isInputObjectType(named) ? named.getFields() : undefined;
  for (const { name, value } of node.fields) usesIn(value, fields?.[name.value] ?? input, uses);
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
      usesIn(value, argument, uses);
      lengths.check(valueFromASTUntyped(value), argument);
    },
  });
  visit(document, visitor);
  const known = new Set<string>();
  const isNew = ({ variable, input }: Use) => {
    const key = `${variable} ${String(input.type)} ${input.name} ${JSON.stringify(limitOf(input))}`;
    return !known.has(key) && known.add(key);
  };
  return { faults: lengths.faults, uses: uses.filter(isNew), defaults };
}

const documents = new WeakMap<DocumentNode, Given>();

/** The members that are too long in an operation: of its literals, and of the values of its variables. Undefined where none is. */
export function lengthFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string = (name) => name,
): ErrorDetails | undefined {
  const given = documents.get(document) ?? read(schema, document);
  documents.set(document, given);
  const lengths = new Lengths(nameOf);
  for (const { variable, input } of given.uses) lengths.check(variables[variable] ?? given.defaults[variable], input);
  const faults = { ...given.faults, ...lengths.faults };
  return Object.keys(faults).length > 0 ? faults : undefined;
}
