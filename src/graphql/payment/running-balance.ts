import type { FieldRef } from '@pothos/core';
import DataLoader from 'dataloader';
import { type RunningBalance, runningBalances } from '../../store/insight/running-balance.ts';
import type { Types } from '../base/builder.ts';
import { type Selecting, selectedField } from '../base/column.ts';
import { derivesFrom } from '../base/guard.ts';
import type { Context } from '../context.ts';

const loaders = new WeakMap<Context, DataLoader<string, RunningBalance | null>>();

/** The balance after a transaction, read by one statement for all transactions that an operation shows. */
function balanceAfter(context: Context, id: string): Promise<RunningBalance | null> {
  const { db, caller } = context;
  const load = async (transactionIds: readonly string[]) => {
    const rows = await runningBalances(db, { organizationId: caller.organizationId, transactionIds });
    const found = new Map(rows.map((row) => [row.transactionId, row]));
    return transactionIds.map((one) => found.get(one) ?? null);
  };
  const loader = loaders.get(context) ?? new DataLoader(load);
  loaders.set(context, loader);
  return loader.load(id);
}

const WHAT =
  'after this transaction, of those that are settled, in the order in which they were (`orderBy: {field: settled_at}`); the ' +
  "last one is the wallet's balance now. The same in every list, however it is narrowed. Null unless the transaction is settled.";

/** What the wallet held after a transaction, in both its units. */
export const runningBalanceFields = (t: Selecting): Record<string, FieldRef<Types>> => ({
  runningBalanceCents: selectedField(t, {
    type: 'BigInt',
    nullable: true,
    description: `What the wallet held, in minor units, ${WHAT}`,
    ...derivesFrom('wallet'),
    select: { id: true },
    resolve: async ({ id }, _args, context) => {
      const balance = await balanceAfter(context, id as string);
      return balance && BigInt(balance.balanceCents);
    },
  }),
  runningCreditsBalance: selectedField(t, {
    type: 'Decimal',
    nullable: true,
    description: `What the wallet held, in credits, ${WHAT}`,
    ...derivesFrom('wallet'),
    select: { id: true },
    resolve: async ({ id }, _args, context) => (await balanceAfter(context, id as string))?.creditsBalance,
  }),
});
