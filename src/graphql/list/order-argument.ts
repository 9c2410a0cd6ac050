import { snakeCase } from '../../billing/name-case.ts';
import { builder, type Model } from '../base/builder.ts';
import { columnOf } from '../base/column.ts';
import { allOf } from '../base/prose.ts';

/** What lists of a model can be ordered by. */
export interface Orders {
  /** Columns that lists can be ordered by, beside the moment of creation. */
  readonly orders?: readonly string[];
  /** By which column of text rows are ordered that are equal in one of them; by their identifiers after it. */
  readonly ties?: Readonly<Record<string, string>>;
  /** Columns of money among them, of lists that have a condition `currency`: amounts compare only within one. */
  readonly moneyOrders?: readonly string[];
}

const Direction = builder.enumType('OrderDirection', {
  description: 'Direction of an order.',
  values: {
    asc: { description: 'The least or oldest first. What has no value comes last.' },
    desc: { description: 'The greatest or newest first. What has no value comes first.' },
  },
});

/** Makes the `orderBy` argument of a model's lists. */
export function orderArgument(name: string, model: Model, { orders = [], moneyOrders = [], ties = {} }: Orders) {
  const memberOf = (column: string, needs = ''): [string, { value: string; description: string }] => {
    const { documentation = column } = columnOf(model, column);
    const tie = ties[column]
      ? ` Rows that are equal in it are ordered by \`${snakeCase(ties[column])}\`, then by their identifiers.`
      : '';
    return [snakeCase(column), { value: column, description: `${documentation}${tie}${needs}` }];
  };
  const values = [
    ...['createdAt', ...orders].map((column) => memberOf(column)),
    ...moneyOrders.map((column) => memberOf(column, ' Needs `filter.currency` with exactly one currency.')),
  ];
  const field = builder.enumType(`${name}OrderField`, {
    description: `What lists of ${allOf(model)} can be ordered by.`,
    values: Object.fromEntries(values),
  });
  return builder.inputType(`${name}Order`, {
    description: `An order of lists of ${allOf(model)}. Rows that are equal in it are ordered by their identifiers.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'What to order by.' }),
      direction: t.field({
        type: Direction,
        defaultValue: 'asc',
        description: 'In which direction; rising by default.',
      }),
    }),
  });
}
