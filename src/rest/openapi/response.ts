import {
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Route } from '../route.ts';
import type { JsonSchema } from './json.ts';
import { OpenApiError, type Shapes } from './shape.ts';

export interface Answer {
  readonly schema: JsonSchema;
  /** What the graph says of the field that answers. */
  readonly description: string | undefined;
}

/** The parts of a route's document. */
export function partsOf({ document, operation: name }: Route) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
    if (node.kind === Kind.OPERATION_DEFINITION) operation = node;
  }
  if (!operation) throw new OpenApiError(`${name} has no operation`);
  return { operation, fragments };
}

interface Selected {
  readonly parent: GraphQLObjectType;
  readonly type: GraphQLOutputType;
  readonly key: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly set: SelectionSetNode | undefined;
}

function fieldsOf(parent: GraphQLOutputType, set: SelectionSetNode): Selected[] {
  return set.selections.flatMap((node) => {
    const field = isObjectType(parent) && node.kind === Kind.FIELD ? parent.getFields()[node.name.value] : undefined;
    if (!field || !isObjectType(parent) || node.kind !== Kind.FIELD) return [];
    const key = (node.alias ?? node.name).value;
    const description = field.description ?? undefined;
    return [{ parent, type: field.type, key, name: field.name, description, set: node.selectionSet }];
  });
}

/** The properties of an object that is described, itself or as a component. */
function membersOf(schema: JsonSchema = {}, { components }: Shapes): Readonly<Record<string, JsonSchema>> {
  const named = typeof schema.$ref === 'string' ? components[schema.$ref.split('/').at(-1) ?? ''] : schema;
  return (named?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/**
 * The body of success. An object that it holds is never null although the graph says that a look-up may be: one that finds nothing
 * is a 404.
 */
export function answerOf(schema: GraphQLSchema, route: Route, shapes: Shapes): Answer {
  const { operation, fragments } = partsOf(route);
  const root = schema.getRootType(operation.operation);
  if (!root) throw new OpenApiError(`${route.operation}: there is no ${operation.operation}`);
  let fields = fieldsOf(root, operation.selectionSet);
  let description = fields[0]?.description;
  for (const step of route.answer ?? []) {
    const field = fields.find(({ key }) => key === step);
    const type = field && getNamedType(field.type);
    if (!field?.set || !isCompositeType(type)) throw new OpenApiError(`${route.operation} does not answer ${step}`);
    description = field.description;
    fields = fieldsOf(type, field.set);
    // All of one object, whose shape has a name.
    if (fields.length === 0) {
      const place = `${field.parent.name}.${field.name}`;
      return { schema: shapes.present(field.type, place, field.set, fragments), description };
    }
  }
  const [only, ...others] = fields;
  if (only && others.length === 0) description = only.set ? only.description : description;
  const members = fields.map((field) => {
    const place = `${field.parent.name}.${field.name}`;
    const { key, type, set } = field;
    return [
      key,
      set ? shapes.present(type, place, set, fragments) : shapes.output(type, place, set, fragments),
    ] as const;
  });
  const properties = Object.fromEntries(members);
  const all = route.bare ? { ...membersOf(Object.values(properties)[0], shapes), ...properties } : properties;
  return { schema: { type: 'object', properties: all, required: Object.keys(all) }, description };
}
