import {
  type DocumentNode,
  type FieldNode,
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
import type { InputPath } from '../wire/input-message.ts';

/** A member of an input, whether it was given or not. */
export interface InputMember {
  readonly name: string;
  /** From the argument of its field on. */
  readonly path: InputPath;
  /** As it was sent; undefined where it was not. */
  readonly value: unknown;
}

type Input = GraphQLArgument | GraphQLInputField;

function collect(input: Input, value: unknown, path: InputPath, members: InputMember[]): void {
  members.push({ name: input.name, path, value });
  collectBelow(input.type, value, path, members);
}

function collectBelow(type: GraphQLInputType, value: unknown, path: InputPath, members: InputMember[]): void {
  const named = getNamedType(type);
  if (typeof value !== 'object' || value === null || !isInputObjectType(named)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectBelow(type, item, [...path, index], members);
    return;
  }
  for (const field of Object.values(named.getFields())) {
    collect(field, (value as Record<string, unknown>)[field.name], [...path, field.name], members);
  }
}

/** All members of the arguments of a field as they were sent, and those that were left out beside them. */
export function inputMembers(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): InputMember[] {
  const info = new TypeInfo(schema);
  const members: InputMember[] = [];
  const read = () => {
    for (const input of info.getFieldDef()?.args ?? []) {
      const given = node.arguments?.find(({ name }) => name.value === input.name);
      collect(input, given && valueFromASTUntyped(given.value, variables), [input.name], members);
    }
  };
  visit(document, visitWithTypeInfo(info, { Field: (field) => (field === node ? read() : undefined) }));
  return members;
}

function below(node: ValueNode, variable: string, path: InputPath): InputPath | undefined {
  if (node.kind === Kind.VARIABLE) return node.name.value === variable ? path : undefined;
  if (node.kind === Kind.LIST) return firstOf(node.values, (one, index) => below(one, variable, [...path, index]));
  if (node.kind !== Kind.OBJECT) return undefined;
  return firstOf(node.fields, ({ name, value }) => below(value, variable, [...path, name.value]));
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => InputPath | undefined) {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found) return found;
  }
  return undefined;
}

/** Where a variable is given to the first time: `["input"]` of `updateCharge(input: $i)`. */
export function placeOfVariable(document: DocumentNode, variable: string): InputPath {
  let found: InputPath | undefined;
  visit(document, {
    Argument({ name, value }) {
      found ??= below(value, variable, [name.value]);
    },
  });
  return found ?? [variable];
}
