import type { ObjectRef } from '@pothos/core';
import { builder, type Model, type Types, typeName } from '../base/builder.ts';
import { columnOf } from '../base/column.ts';
import { currencyFields } from '../base/currency.ts';
import { derivesFrom } from '../base/guard.ts';
import { allOf } from '../base/prose.ts';
import type { Resource } from '../context.ts';
import { type Sum, type Sums, sumsOf } from './sum.ts';

/** What is told of a whole list; each is read when it is asked for. */
export interface Aggregated {
  total(): Promise<number>;
  sums(): Promise<Sum[]>;
}

// What a list adds up is read by one statement, which looks at every row of it.
const PRICE = 50;

const COUNT = 'Number of objects in the whole list.';

const CountAggregates = builder.objectRef<Aggregated>('CountAggregates').implement({
  description: 'What the objects of a whole list, not only of its page, come to.',
  fields: (t) => ({ count: t.int({ description: COUNT, resolve: (list) => list.total() }) }),
});

function sumsType(model: Model, { columns }: Sums) {
  const shown = typeName(model);
  return builder.objectRef<Sum>(`${shown}Sums`).implement({
    description: `What the ${allOf(model)} of a list in one currency add up to. Each is an exact sum, which may have more digits than 64 bits hold.`,
    fields: (t) => {
      const added = columns.map((name) => {
        const { type, documentation } = columnOf(model, name);
        const description = `Sum over the list. ${documentation ?? name}`;
        const resolve = ({ values }: Sum) => values[name] ?? 0n;
        return [
          name,
          type === 'Decimal'
            ? t.field({ type: 'Decimal', description, resolve: (sum) => String(resolve(sum)) })
            : t.field({ type: 'BigInt', description, resolve: (sum) => BigInt(String(resolve(sum))) }),
        ];
      });
      return {
        ...currencyFields(t, 'Currency of the amounts.'),
        count: t.exposeInt('count', { description: 'Number of objects in the currency.' }),
        ...Object.fromEntries(added),
      };
    },
  });
}

/** `XAggregates` of a model's lists; lists without money share one. */
function aggregatesType(model: Model, resource: Resource): ObjectRef<Types, Aggregated> {
  const sums = sumsOf(model);
  if (!sums) return CountAggregates;
  const type = sumsType(model, sums);
  return builder.objectRef<Aggregated>(`${typeName(model)}Aggregates`).implement({
    description: `What the ${allOf(model)} of a whole list, not only of its page, come to.`,
    extensions: { resource },
    fields: (t) => ({
      count: t.int({ description: COUNT, resolve: (list) => list.total() }),
      sums: t.field({
        type: [type],
        description:
          'The sums by currency, in the order of their codes; empty where nothing of the list has a currency.',
        ...(sums.currencyOf ? derivesFrom(sums.currencyOf.resource) : {}),
        resolve: (list) => list.sums(),
      }),
    }),
  });
}

/** The field of a connection that tells what its whole list comes to. */
export function aggregatesField(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Aggregated>,
  model: Model,
  resource: Resource,
) {
  return t.field({
    type: aggregatesType(model, resource),
    description: 'What the whole list comes to, of the same objects that `totalCount` counts.',
    extensions: { price: PRICE },
    resolve: (list) => list,
  });
}
