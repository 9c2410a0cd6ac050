import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';
import type { Context, Permission } from '../context.ts';
import { Uncompiled } from './compiled-type.ts';

/** What is compiled. */
export interface Source {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** What a key must permit for every field; gathered on the way. */
  readonly permissions: Set<Permission>;
}

const matches = (type: GraphQLObjectType, name: string | undefined, { schema }: Source) => {
  const condition = name === undefined ? type : schema.getType(name);
  return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
};

/**
 * The fields of a type by the keys of the answer, with every node that asks for them. A named fragment counts once, however often
 * it is spread: spread twice on each of 15 levels it would otherwise be followed 32,768 times.
 */
export function collectFields(
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  source: Source,
  found = new Map<string, FieldNode[]>(),
  followed = new Set<string>(),
): Map<string, FieldNode[]> {
  for (const node of selections) {
    if (node.directives?.length) throw new Uncompiled('a directive');
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      if (key === '__proto__') throw new Uncompiled(key);
      const known = found.get(key);
      if (known) known.push(node);
      else found.set(key, [node]);
      continue;
    }
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      if (followed.has(node.name.value)) continue;
      followed.add(node.name.value);
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? source.fragments[node.name.value] : node;
    if (!fragment) throw new Uncompiled('an unknown fragment');
    if (!matches(type, fragment.typeCondition?.name.value, source)) continue;
    collectFields(type, fragment.selectionSet.selections, source, found, followed);
  }
  return found;
}

/** Whether anything in the nodes is named by a variable. */
export function usesVariables(nodes: readonly (FieldNode | FragmentDefinitionNode)[], source: Source): boolean {
  let found = false;
  const followed = new Set<string>();
  const look = (node: FieldNode | FragmentDefinitionNode) =>
    visit(node, {
      Variable: () => {
        found = true;
      },
      FragmentSpread: ({ name }) => {
        const fragment = source.fragments[name.value];
        if (!fragment || followed.has(name.value)) return;
        followed.add(name.value);
        look(fragment);
      },
    });
  for (const node of nodes) look(node);
  return found;
}

/** What a resolver is told of its field. */
export function infoOf(
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, Context>,
  fieldNodes: FieldNode[],
  key: string,
  { schema, fragments, operation }: Source,
): GraphQLResolveInfo {
  const path = { prev: undefined, key, typename: parentType.name };
  const { name: fieldName, type: returnType } = field;
  const what = { fieldName, fieldNodes, returnType, parentType, path };
  return { ...what, schema, fragments, operation, rootValue: undefined, variableValues: {} };
}
