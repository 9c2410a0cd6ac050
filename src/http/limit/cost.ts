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
import { fromArguments, type Price, priceFor, productOf, reckonedOnce, sumOf, type Variables } from './price.ts';

/** How many objects a page holds that does not say it, and how many it can hold. */
export interface PageSizes {
  readonly first: number;
  readonly mostFirst: number;
  readonly perPage: number;
  readonly mostPerPage: number;
}

export interface PricingOptions {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
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

class Pricing {
  private readonly fragments = new Map<string, Map<Price | undefined, Price>>();
  private readonly pageSizes = new Map<FieldNode, Price>();

  constructor(
    private readonly options: PricingOptions,
    private readonly operation: OperationDefinitionNode,
  ) {}

  /** `listSize` is the size of the page that the selections are of; lists elsewhere have no size that is known. */
  of(selections: SelectionSetNode | undefined, type: GraphQLNamedType | undefined, listSize?: Price): Price {
    return sumOf((selections?.selections ?? []).map((one) => this.ofSelection(one, type, listSize)));
  }

  private ofSelection(selection: SelectionNode, type: GraphQLNamedType | undefined, listSize?: Price): Price {
    if (selection.kind === Kind.FIELD) return this.ofField(selection, type, listSize);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.ofFragment(selection.name.value, listSize);
    const { typeCondition, selectionSet } = selection;
    return this.of(
      selectionSet,
      typeCondition ? this.options.schema.getType(typeCondition.name.value) : type,
      listSize,
    );
  }

  private ofFragment(name: string, listSize?: Price): Price {
    const prices = this.fragments.get(name) ?? new Map<Price | undefined, Price>();
    this.fragments.set(name, prices);
    const known = prices.get(listSize);
    if (known !== undefined) return known;
    prices.set(listSize, 0);
    const isNamed = (node: { kind: Kind; name?: { value: string } | undefined }) =>
      node.kind === Kind.FRAGMENT_DEFINITION && node.name?.value === name;
    const fragment = this.options.document.definitions.find(isNamed);
    if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) return 0;
    const type = this.options.schema.getType(fragment.typeCondition.name.value);
    // Fragments of fragments: each is gone through once, and reckoned once.
    const price = reckonedOnce(this.of(fragment.selectionSet, type, listSize));
    prices.set(listSize, price);
    return price;
  }

  private ofField(node: FieldNode, parent: GraphQLNamedType | undefined, listSize?: Price): Price {
    if (node.name.value.startsWith('__')) return node.selectionSet ? INTROSPECTION : 0;
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    const field = hasFields ? parent.getFields()[node.name.value] : undefined;
    const type = field && getNamedType(field.type);
    const price = Number(field?.extensions.price ?? type?.extensions.price ?? 0);
    if (!field || !isCompositeType(type)) return price;
    if (isConnection(type, field)) {
      // The same size each time: what is below it is known by it.
      const size = this.pageSizes.get(node) ?? this.pageSize(node);
      this.pageSizes.set(node, size);
      return sumOf([1 + price, this.of(node.selectionSet, type, size)]);
    }
    const each = sumOf([1 + price, this.of(node.selectionSet, type)]);
    const shown = isListType(getNullableType(field.type)) ? (listSize ?? this.listSize(node)) : 1;
    return sumOf([this.supposed(node), productOf(shown, each)]);
  }

  private pageSize(node: FieldNode): Price {
    const { first, mostFirst, perPage, mostPerPage } = this.options.pageSizes;
    return fromArguments(node, (variables) => {
      const given = (name: string) => this.argument(node, name, variables);
      if (given('page') != null || given('perPage') != null) return whole(given('perPage'), mostPerPage) || perPage;
      return whole(given('first'), mostFirst) ?? whole(given('last'), mostFirst) ?? first;
    });
  }

  /** Who names the objects of a list gets as many. */
  private listSize(node: FieldNode): Price {
    return fromArguments(node, (variables) => {
      const lengths = (node.arguments ?? []).map(({ value }) => this.value(value, variables)).filter(Array.isArray);
      return Math.max(LIST_SIZE, ...lengths.map(({ length }) => length));
    });
  }

  private supposed(node: FieldNode): Price {
    return fromArguments(
      node,
      (variables) =>
        OBJECT * (node.arguments ?? []).reduce((sum, { value }) => sum + this.objectsIn(value, variables), 0),
    );
  }

  /** Objects within lists of an argument, at any depth: what a field is to compute with, such as the events of a preview. */
  private objectsIn(node: ValueNode, variables: Variables): number {
    const sum = (nodes: readonly ValueNode[]) =>
      nodes.reduce((total, one) => total + this.objectsIn(one, variables), 0);
    if (node.kind === Kind.OBJECT) return sum(node.fields.map(({ value }) => value));
    if (node.kind === Kind.LIST)
      return sum(node.values) + node.values.filter(({ kind }) => kind === Kind.OBJECT).length;
    if (node.kind !== Kind.VARIABLE) return 0;
    const name = node.name.value;
    const sent = variables[name];
    if (sent !== undefined) return objectsOf(sent);
    const fallback = this.fallbackOf(name);
    return fallback ? this.objectsIn(fallback, variables) : 0;
  }

  private argument({ arguments: given }: FieldNode, name: string, variables: Variables): unknown {
    const argument = given?.find((one: ArgumentNode) => one.name.value === name);
    return argument && this.value(argument.value, variables);
  }

  private value(node: ValueNode, variables: Variables): unknown {
    if (node.kind === Kind.INT) return Number(node.value);
    if (node.kind === Kind.LIST) return node.values;
    if (node.kind !== Kind.VARIABLE) return undefined;
    const name = node.name.value;
    const sent = variables[name];
    if (sent !== undefined) return sent;
    const fallback = this.fallbackOf(name);
    return fallback && this.value(fallback, variables);
  }

  private fallbackOf(name: string): ValueNode | undefined {
    return this.operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
  }
}

/**
 * How many objects an operation may have to load: one an object, ten a list, a page as many as were asked for, each with
 * what is below it; five an object that a list of an argument holds; nothing for a scalar. Introspection has a price of its own,
 * and so has a field or a type that says it (`extensions.price`): what reads more rows than it shows, or none.
 * It is told of the variables as they were sent.
 */
export function operationCost(
  operation: OperationDefinitionNode,
  options: PricingOptions,
): (variables: Variables) => number {
  const root = options.schema.getRootType(operation.operation);
  const price = new Pricing(options, operation).of(operation.selectionSet, root ?? undefined);
  return (variables) => priceFor(price, variables);
}
