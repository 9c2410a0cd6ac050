import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type ObjectFieldNode,
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

/** The member of one of the names that a name was given to, or the place in its list. */
export function memberWith(
  members: readonly InputMember[],
  names: readonly string[],
  given: string,
): InputMember | undefined {
  const named = members.filter(({ name }) => names.includes(name));
  const alone = named.find(({ value }) => value === given);
  if (alone) return alone;
  const [list] = named.filter(({ value }) => Array.isArray(value) && value.includes(given));
  return list && { ...list, path: [...list.path, (list.value as unknown[]).indexOf(given)], value: given };
}

type IsSought = (node: ValueNode | ObjectFieldNode) => boolean;

function below(node: ValueNode, isSought: IsSought, path: InputPath): InputPath | undefined {
  if (isSought(node)) return path;
  if (node.kind === Kind.LIST) return firstOf(node.values, (one, index) => below(one, isSought, [...path, index]));
  if (node.kind !== Kind.OBJECT) return undefined;
  return firstOf(node.fields, (field) => {
    const place = [...path, field.name.value];
    return isSought(field) ? place : below(field.value, isSought, place);
  });
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => InputPath | undefined) {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found) return found;
  }
  return undefined;
}

function inArguments(document: DocumentNode, isSought: IsSought): InputPath | undefined {
  let found: InputPath | undefined;
  visit(document, {
    Argument({ name, value }) {
      found ??= below(value, isSought, [name.value]);
    },
  });
  return found;
}

/** Where a variable is given to the first time: `["input"]` of `updateCharge(input: $i)`. */
export const placeOfVariable = (document: DocumentNode, variable: string): InputPath =>
  inArguments(document, (node) => node.kind === Kind.VARIABLE && node.name.value === variable) ?? [variable];

/** Where a literal stands, from its argument on; that of a variable's default, where the variable is given to. */
export function placeOfLiteral(document: DocumentNode, literal: ASTNode): InputPath | undefined {
  const isSought: IsSought = (node) => node === literal;
  let found = inArguments(document, isSought);
  visit(document, {
    VariableDefinition({ variable, defaultValue }) {
      found ??= defaultValue && below(defaultValue, isSought, placeOfVariable(document, variable.name.value));
    },
  });
  return found;
}
