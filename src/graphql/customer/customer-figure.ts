import type { FieldRef } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Customers, OfCustomer } from '../../store/insight/analytics.ts';
import { recurringRevenueOf } from '../../store/insight/analytics-recurring.ts';
import { creditOf, owedBy } from '../../store/insight/customer-figure.ts';
import type { Types } from '../base/builder.ts';
import { type Selecting, selectedField } from '../base/column.ts';
import { derivesFrom } from '../base/guard.ts';
import type { Context, Resource } from '../context.ts';
import { CurrencyAmountType, wholeCents } from '../insight/currency-amount.ts';

type Read<Row> = (db: Context['db'], customers: Customers) => Promise<Row[]>;

/** Rows of one customer, read by one statement for all customers that an operation shows. */
function rowsOfCustomers<Row extends OfCustomer>(read: Read<Row>) {
  const loaders = new WeakMap<Context, DataLoader<string, Row[]>>();
  return (context: Context, customerId: string): Promise<Row[]> => {
    const { db, now, caller } = context;
    const load = async (customerIds: readonly string[]) => {
      const rows = new Map(customerIds.map((id): [string, Row[]] => [id, []]));
      const found = await read(db, { organizationId: caller.organizationId, customerIds, now });
      for (const row of found) rows.get(row.customerId)?.push(row);
      return [...rows.values()];
    };
    const loader = loaders.get(context) ?? new DataLoader(load);
    loaders.set(context, loader);
    return loader.load(customerId);
  };
}

const owed = rowsOfCustomers(owedBy);
const credit = rowsOfCustomers(creditOf);
const recurring = rowsOfCustomers(recurringRevenueOf);

interface Figure<Row> {
  readonly description: string;
  readonly needs: readonly Resource[];
  rows(context: Context, customerId: string): Promise<Row[]>;
  /** What a row comes to; a currency in which it is nothing is not listed. */
  sum(row: Row): string;
}

/** Sums of a customer, one a currency, in the order of their codes. */
const figure = <Row extends OfCustomer>(t: Selecting, { description, needs, rows, sum }: Figure<Row>) =>
  selectedField(t, {
    type: [CurrencyAmountType],
    description,
    ...derivesFrom(...needs),
    select: { id: true },
    resolve: async ({ id }, _args, context) => {
      const found = await rows(context, id as string);
      return found
        .map((row) => ({ currency: row.currency, amountCents: wholeCents(sum(row)) }))
        .filter(({ amountCents }) => amountCents !== 0n);
    },
  });

/** What a customer owes, has left and brings, now. */
export const customerFigures = (t: Selecting): Record<string, FieldRef<Types>> => ({
  outstandingBalances: figure(t, {
    description:
      'What the customer owes, overdue or not, one amount a currency: what is due on invoices that are final, not self-billed and ' +
      'not lost in a dispute. Currencies in which nothing is owed are not listed.',
    needs: ['invoice'],
    rows: owed,
    sum: (row) => row.outstandingAmountCents,
  }),
  overdueBalances: figure(t, {
    description: 'What is overdue among the outstanding balances, one amount a currency.',
    needs: ['invoice'],
    rows: owed,
    sum: (row) => row.overdueAmountCents,
  }),
  creditNotesBalances: figure(t, {
    description: "What is left of the credit of the customer's final credit notes, one amount a currency.",
    needs: ['credit_note'],
    rows: credit,
    sum: (row) => row.amountCents,
  }),
  monthlyRecurringRevenues: figure(t, {
    description:
      "Recurring revenue per month (MRR) of the customer's subscriptions that are active and past their trial, one amount a currency of " +
      'their plans, by the rule of `analytics.monthlyRecurringRevenue`.',
    needs: ['subscription', 'plan'],
    rows: recurring,
    sum: (row) => row.amountCents,
  }),
});
