import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.ts';

export const isList = (type: GraphQLInputType) => isListType(isNonNullType(type) ? type.ofType : type);

/** An input of a root field, and how it is reached. */
export interface Way {
  readonly place: string;
  readonly operation: 'query' | 'mutation';
  readonly field: string;
  /** From the argument on; a list has one item. */
  readonly keys: readonly string[];
  /** Whether REST has it in another form. */
  readonly isGraphOnly: boolean;
  readonly input: { readonly name: string; readonly type: GraphQLInputType; readonly extensions: object };
}

/** Every input that a root field takes, and how it is reached. */
export function waysOf(operation: Way['operation']): Way[] {
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const below = (way: Way, above: readonly unknown[]): Way[] => {
    const type = getNamedType(way.input.type);
    if (!isInputObjectType(type) || above.includes(type)) return [way];
    const members = Object.values(type.getFields());
    return [
      way,
      ...members.flatMap((input) =>
        below(
          {
            ...way,
            place: `${way.place}.${input.name}`,
            keys: [...way.keys, input.name],
            isGraphOnly: way.isGraphOnly || input.extensions.isGraphOnly === true,
            input,
          },
          [...above, type],
        ),
      ),
    ];
  };
  return Object.values(root?.getFields() ?? {}).flatMap((field) =>
    field.args.flatMap((input) =>
      below(
        {
          ...{ place: `${field.name}.${input.name}`, operation, field: field.name, keys: [input.name] },
          ...{ isGraphOnly: false, input },
        },
        [],
      ),
    ),
  );
}

export const wrapped = (type: GraphQLInputType, value: unknown): unknown => (isList(type) ? [value] : value);

/** The argument with the value in its place, and nothing else in it. */
export function argumentWith({ operation, field, keys }: Way, value: unknown): unknown {
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const arg = root?.getFields()[field]?.args.find(({ name }) => name === keys[0]);
  const build = (type: GraphQLInputType, rest: readonly string[]): unknown => {
    const [key, ...others] = rest;
    const named = getNamedType(type);
    if (key === undefined || !isInputObjectType(named)) return value;
    const member = named.getFields()[key];
    const needed = Object.values(named.getFields()).filter(({ type: own }) => isNonNullType(own));
    const siblings = Object.fromEntries(needed.map(({ name, type: own }) => [name, isList(own) ? [] : leastLeaf(own)]));
    return wrapped(type, { ...siblings, [key]: member && build(member.type, others) });
  };
  return arg && build(arg.type, keys.slice(1));
}

function leastLeaf(type: GraphQLInputType): string | boolean {
  const named = getNamedType(type);
  if (named.name === 'Boolean') return false;
  if (named.name === 'DateTime') return '2026-01-01T00:00:00Z';
  return isEnumType(named) ? (named.getValues()[0]?.name ?? '') : '1';
}

/** A value as a document writes it: names of an enumeration stand bare, all other texts in quotes. */
const literal = (value: unknown, type?: GraphQLInputType): string => {
  const named = type && getNamedType(type);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, named)).join(', ')}]`;
  if (isEnumType(named) && typeof value === 'string' && named.getValue(value)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = isInputObjectType(named) ? named.getFields() : {};
  return `{${Object.entries(value).map(([name, member]) => `${name}: ${literal(member, fields[name]?.type)}`)}}`;
};

/** The least that an input takes, as far as its form goes. */
function least(type: GraphQLInputType): string {
  const named = getNamedType(type);
  if (isList(type)) return '[]';
  if (isEnumType(named)) return named.getValues()[0]?.name ?? '';
  if (!isInputObjectType(named)) return JSON.stringify(leastLeaf(type));
  const needed = Object.values(named.getFields()).filter(({ type: own }) => isNonNullType(own));
  return `{${needed.map((member) => `${member.name}: ${least(member.type)}`)}}`;
}

export function documentsFor({ operation, field, keys, input }: Way, argument: unknown) {
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const found = root?.getFields()[field];
  const arg = found?.args.find(({ name }) => name === keys[0]);
  const selection = found && isLeafType(getNamedType(found.type)) ? '' : '{ __typename }';
  const others = (found?.args ?? [])
    .filter(({ type, name }) => isNonNullType(type) && name !== keys[0])
    .map(({ name, type }) => `, ${name}: ${least(type)}`)
    .join('');
  const byVariable = `${operation} ($v: ${arg?.type}) { ${field}(${keys[0]}: $v${others}) ${selection} }`;
  return {
    byVariable,
    byLiteral: `${operation} { ${field}(${keys[0]}: ${literal(argument, arg?.type)}${others}) ${selection} }`,
    input,
  };
}
