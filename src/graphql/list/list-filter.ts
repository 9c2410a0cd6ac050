import type { ArgumentRef, InputFieldMap, InputRef, InputShapeFromFields } from '@pothos/core';
import { invalid } from '../../billing/errors.ts';
import { snakeCase } from '../../billing/name-case.ts';
import { builder, type Model, type Types } from '../base/builder.ts';
import { columnOf, isSoftDeleted } from '../base/column.ts';
import { replacedBy } from '../base/deprecation.ts';
import { allOf } from '../base/prose.ts';
import type { Context, Resource } from '../context.ts';
import { type Condition, narrowed, requireRead } from './condition.ts';
import { NEWEST_FIRST, type Order } from './order.ts';
import { type Orders, orderArgument } from './order-argument.ts';

interface Ordering {
  readonly field: string;
  readonly direction?: Order['direction'] | null;
}

/** Arguments that every filtered list has. A member that is null or absent is no condition. */
export interface ListArgs {
  readonly filter?: Readonly<Record<string, unknown>> | null;
  readonly orderBy?: Ordering | null;
}

interface FilterArgs {
  filter?: ArgumentRef<Types, ListArgs['filter']>;
  orderBy?: ArgumentRef<Types, ListArgs['orderBy']>;
}

type NoArgs = Record<never, never>;

/** What one list has beyond the filter of its model. */
export interface Beyond<Args extends InputFieldMap = NoArgs> {
  /** Arguments beside those of paging, filter and order. */
  readonly args?: Args;
  // Methods, which may be called as if there were no more arguments than all lists have: of the spread of a type parameter
  // Pothos' types cannot tell the shape.
  /** What is listed; it serves rows and total alike. */
  where?(args: ListArgs & InputShapeFromFields<Args>, context: Context): object;
  /** What the arguments must satisfy beyond their types; throws. */
  check?(args: ListArgs & InputShapeFromFields<Args>, context: Context): Promise<void>;
}

/** How lists of one model are narrowed and ordered; the same at the root and under a parent. */
export interface ListFilter {
  readonly args: FilterArgs;
  /** The condition that the arguments mean, with what is never listed left out. Serves rows and total alike. */
  where(args: ListArgs, context: Context): object;
  /** A condition to be added at the root, where a list is long: by it an index finds the rows. */
  narrow(args: ListArgs, context: Context): Promise<object>;
  order(args: ListArgs): Order;
}

interface FilterOptions extends Orders {
  /** Begins the names of the input types; the model's name unless that is taken. */
  readonly name?: string;
  /** What conditions were called before, with the names that they have now. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** What lists show at all; by default what is not deleted. */
  readonly visible?: object;
  readonly conditions: Readonly<Record<string, Condition>>;
  /** Of orders that tell something of another resource: which one a key must be able to read. */
  readonly orderNeeds?: Readonly<Record<string, Resource>>;
}

function filterArgument(
  name: string,
  model: Model,
  conditions: FilterOptions['conditions'],
): InputRef<NonNullable<ListArgs['filter']>> {
  return builder.inputType(`${name}Filter`, {
    description: `What lists of ${allOf(model)} are narrowed to: those that meet every condition given. Null is no condition; an empty list finds nothing.`,
    fields: (t) => {
      const fields = Object.entries(conditions).map(([key, { type, ...told }]) => [
        key,
        t.field({ type: type as 'String', description: told.description, deprecationReason: told.deprecationReason }),
      ]);
      return Object.fromEntries(fields) as Record<string, ReturnType<typeof t.string>>;
    },
  });
}

/** The conditions, also under the names that they had before. */
function withFormer({ conditions, renamed = {} }: FilterOptions): FilterOptions['conditions'] {
  const former = Object.entries(renamed).map(([name, now]): [string, Condition] => {
    const condition = conditions[now];
    if (!condition) throw new Error(`no condition ${now}`);
    return [name, { ...condition, deprecationReason: replacedBy(now) }];
  });
  return { ...conditions, ...Object.fromEntries(former) };
}

const MOST_VALUES = 1000;

function meaning(conditions: FilterOptions['conditions'], args: ListArgs, context: Context): object[] {
  return Object.entries(args.filter ?? {}).flatMap(([key, value]) => {
    const condition = conditions[key];
    if (value === null || value === undefined || !condition) return [];
    if (Array.isArray(value) && value.length > MOST_VALUES) {
      const field = snakeCase(key);
      throw invalid({ [field]: ['value_is_out_of_range'] }, { [field]: { limit: `at most ${MOST_VALUES} values` } });
    }
    return [condition.where(value, context)];
  });
}

const ONE_CURRENCY = { 'filter.currency': { limit: 'exactly one currency, where the order is by money' } };

// Amounts of different currencies, whose minor units differ too, have no order.
function requireOneCurrency({ filter }: ListArgs): void {
  const currencies = filter?.currency as readonly string[] | null | undefined;
  if (!currencies) throw invalid({ 'filter.currency': ['value_is_mandatory'] }, ONE_CURRENCY);
  if (new Set(currencies).size !== 1) throw invalid({ 'filter.currency': ['value_is_out_of_range'] }, ONE_CURRENCY);
}

function orderOf(model: Model, args: ListArgs, { moneyOrders, ties }: FilterOptions): Order {
  const { orderBy } = args;
  if (!orderBy) return { ...NEWEST_FIRST, of: model };
  if (moneyOrders?.includes(orderBy.field)) requireOneCurrency(args);
  const { type, isRequired } = columnOf(model, orderBy.field);
  const { field: column, direction } = orderBy;
  return { column, type, isNullable: !isRequired, direction: direction ?? 'asc', tie: ties?.[column], of: model };
}

const visibleBy = (model: Model) => (isSoftDeleted(model) ? { deletedAt: null } : {});

/** Lists of a model that are not narrowed: all that is not deleted, newest first. */
const unfiltered = (model: Model): ListFilter => ({
  args: {},
  where: () => visibleBy(model),
  narrow: async () => ({}),
  order: () => ({ ...NEWEST_FIRST, of: model }),
});

const FILTERS = new Map<Model, ListFilter>();

/** A node says once how lists of its rows are narrowed; lists ask for it when the schema is built, whatever was loaded first. */
export function registerFilter(model: Model, filter: ListFilter): void {
  FILTERS.set(model, filter);
}

/** How lists of a model are narrowed and ordered; those whose node names no filter are only listed, newest first. */
export const filterOf = (model: Model): ListFilter => FILTERS.get(model) ?? unfiltered(model);

/** Makes the `filter` and `orderBy` arguments of a model's lists, and what they mean. */
export function listFilter(model: Model, options: FilterOptions): ListFilter {
  const { name = model, orderNeeds = {} } = options;
  const conditions = withFormer(options);
  const visible = options.visible ?? visibleBy(model);
  const filter = filterArgument(name, model, conditions);
  const order = orderArgument(name, model, options);
  return {
    args: builder.args((t) => ({
      filter: t.field({ type: filter, description: 'What the list is narrowed to; everything without it.' }),
      orderBy: t.field({ type: order, description: 'What the list is ordered by; newest first without it.' }),
    })),
    where: (args, context) => {
      const needed = args.orderBy && orderNeeds[args.orderBy.field];
      if (needed) requireRead(needed, context);
      return { AND: [visible, ...meaning(conditions, args, context)] };
    },
    narrow: ({ filter: given }, context) => narrowed(conditions, given, context, model),
    order: (args) => orderOf(model, args, options),
  };
}
