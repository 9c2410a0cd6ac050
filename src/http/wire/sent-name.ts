import { Kind, type OperationDefinitionNode, type ValueNode, visit } from 'graphql';
import { snakeCase } from '../../billing/name-case.ts';

/** By the name of an argument or a member, the parameter that is all of it, where that is called otherwise: `country` of `country: $countries`. */
export type SentNames = ReadonlyMap<string, string>;

/** What the parameters of a query are called in what it asks of the graph. A name that several have, or that one has by itself, is none. */
export function sentNames({ operation, variableDefinitions = [], selectionSet }: OperationDefinitionNode): SentNames {
  const names = new Map<string, string>();
  if (operation !== 'query') return names;
  const own = new Set(variableDefinitions.map(({ variable }) => snakeCase(variable.name.value)));
  const given = new Map<string, Set<string>>();
  const add = (name: string, value: ValueNode) => {
    if (value.kind !== Kind.VARIABLE) return;
    const member = snakeCase(name);
    given.set(member, new Set([...(given.get(member) ?? []), snakeCase(value.name.value)]));
  };
  visit(selectionSet, {
    Argument: ({ name, value }) => add(name.value, value),
    ObjectField: ({ name, value }) => add(name.value, value),
  });
  for (const [member, [sent = '', ...others]] of given) {
    if (others.length === 0 && !own.has(member)) names.set(member, sent);
  }
  return names;
}

/** Error details by the names that were sent. */
export const bySentNames = <T>(names: SentNames, details: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(details).map(([field, codes]) => [names.get(field) ?? field, codes]));
