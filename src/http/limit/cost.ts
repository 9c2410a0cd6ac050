import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** How many objects a page holds that does not say it, and how many it can hold. */
export interface PageSizes {
  readonly first: number;
  readonly mostFirst: number;
  readonly perPage: number;
  readonly mostPerPage: number;
}

export interface CostOptions {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** As they were sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly pageSizes: PageSizes;
}

const LIST_SIZE = 10;
const INTROSPECTION = 500;
// An object in a list of an argument may become an object of the answer, with computing before it.
const OBJECT = 5;

type Field = GraphQLField<unknown, unknown>;

const isConnection = (type: GraphQLNamedType, { args }: Field) =>
  type.name.endsWith('Connection') && args.some(({ name }) => name === 'first' || name === 'perPage');

const whole = (value: unknown, most: number): number | undefined => {
  const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
  return number >= 0 ? Math.min(number, most) : undefined;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function objectsOf(value: unknown): number {
  if (!isObject(value)) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? value.filter((one) => isObject(one) && !Array.isArray(one)).length : 0;
  return members.reduce<number>((sum, one) => sum + objectsOf(one), own);
}

/** What the objects in lists of variables cost, at any depth: five each. */
export const variablesCost = (variables: Readonly<Record<string, unknown>>): number => OBJECT * objectsOf(variables);

class Cost {
  private readonly fragments = new Map<string, number>();

  constructor(
    private readonly options: CostOptions,
    private readonly operation: OperationDefinitionNode,
  ) {}

  /** `listSize` is the size of the page that the selections are of; lists elsewhere have no size that is known. */
  of(selections: SelectionSetNode | undefined, type: GraphQLNamedType | undefined, listSize?: number): number {
    return (selections?.selections ?? []).reduce((sum, one) => sum + this.ofSelection(one, type, listSize), 0);
  }

  private ofSelection(selection: SelectionNode, type: GraphQLNamedType | undefined, listSize?: number): number {
    if (selection.kind === Kind.FIELD) return this.ofField(selection, type, listSize);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.ofFragment(selection.name.value, listSize);
    const { typeCondition, selectionSet } = selection;
    return this.of(
      selectionSet,
      typeCondition ? this.options.schema.getType(typeCondition.name.value) : type,
      listSize,
    );
  }

  private ofFragment(name: string, listSize?: number): number {
    const key = `${name} ${listSize}`;
    const known = this.fragments.get(key);
    if (known !== undefined) return known;
    this.fragments.set(key, 0);
    const isNamed = (node: { kind: Kind; name?: { value: string } | undefined }) =>
      node.kind === Kind.FRAGMENT_DEFINITION && node.name?.value === name;
    const fragment = this.options.document.definitions.find(isNamed);
    if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) return 0;
    const type = this.options.schema.getType(fragment.typeCondition.name.value);
    const cost = this.of(fragment.selectionSet, type, listSize);
    this.fragments.set(key, cost);
    return cost;
  }

  private ofField(node: FieldNode, parent: GraphQLNamedType | undefined, listSize?: number): number {
    if (node.name.value.startsWith('__')) return node.selectionSet ? INTROSPECTION : 0;
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    const field = hasFields ? parent.getFields()[node.name.value] : undefined;
    const type = field && getNamedType(field.type);
    const price = Number(field?.extensions.price ?? type?.extensions.price ?? 0);
    if (!field || !isCompositeType(type)) return price;
    if (isConnection(type, field)) return 1 + this.of(node.selectionSet, type, this.pageSize(node));
    const supposed = (node.arguments ?? []).reduce((sum, { value }) => sum + this.objectsIn(value), 0);
    const each = 1 + price + OBJECT * supposed + this.of(node.selectionSet, type);
    return isListType(getNullableType(field.type)) ? (listSize ?? this.listSize(node)) * each : each;
  }

  private pageSize(node: FieldNode): number {
    const { first, mostFirst, perPage, mostPerPage } = this.options.pageSizes;
    const given = (name: string) => this.argument(node, name);
    if (given('page') != null || given('perPage') != null) return whole(given('perPage'), mostPerPage) || perPage;
    return whole(given('first'), mostFirst) ?? whole(given('last'), mostFirst) ?? first;
  }

  /** Who names the objects of a list gets as many. */
  private listSize(node: FieldNode): number {
    const lengths = (node.arguments ?? []).map(({ value }) => this.value(value)).filter(Array.isArray);
    return Math.max(LIST_SIZE, ...lengths.map(({ length }) => length));
  }

  /** Objects within lists of an argument, at any depth: what a field is to compute with, such as the events of a preview. */
  private objectsIn(node: ValueNode): number {
    const sum = (nodes: readonly ValueNode[]) => nodes.reduce((total, one) => total + this.objectsIn(one), 0);
    if (node.kind === Kind.OBJECT) return sum(node.fields.map(({ value }) => value));
    if (node.kind === Kind.LIST)
      return sum(node.values) + node.values.filter(({ kind }) => kind === Kind.OBJECT).length;
    if (node.kind !== Kind.VARIABLE) return 0;
    const name = node.name.value;
    const sent = this.options.variables[name];
    if (sent !== undefined) return objectsOf(sent);
    const known = this.operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    return known?.defaultValue ? this.objectsIn(known.defaultValue) : 0;
  }

  private argument({ arguments: given }: FieldNode, name: string): unknown {
    const argument = given?.find((one: ArgumentNode) => one.name.value === name);
    return argument && this.value(argument.value);
  }

  private value(node: ValueNode): unknown {
    if (node.kind === Kind.INT) return Number(node.value);
    if (node.kind === Kind.LIST) return node.values;
    if (node.kind !== Kind.VARIABLE) return undefined;
    const name = node.name.value;
    const sent = this.options.variables[name];
    if (sent !== undefined) return sent;
    const known = this.operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    return known?.defaultValue && this.value(known.defaultValue);
  }
}

/**
 * How many objects an operation may have to load: one an object, ten a list, a page as many as were asked for, each with
 * what is below it; five an object that a list of an argument holds; nothing for a scalar. Introspection has a price of its own,
 * and so has a field or a type that says it (`extensions.price`): what reads more rows than it shows, or none.
 */
export function operationCost(operation: OperationDefinitionNode, options: CostOptions): number {
  const root = options.schema.getRootType(operation.operation);
  return new Cost(options, operation).of(operation.selectionSet, root ?? undefined);
}
