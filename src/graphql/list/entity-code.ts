import DataLoader from 'dataloader';
import { notFound } from '../../billing/errors.ts';
import type { Context } from '../context.ts';
import type { ListArgs } from './list-filter.ts';

const loaders = new WeakMap<Context, DataLoader<string, boolean>>();

function codeLoader(context: Context): DataLoader<string, boolean> {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<string, boolean>(async (codes) => {
    const rows = await context.db.billingEntity.findMany({
      where: { code: { in: [...codes] }, deletedAt: null },
      select: { code: true },
    });
    const found = new Set(rows.map((row) => row.code));
    return codes.map((code) => found.has(code));
  });
  loaders.set(context, loader);
  return loader;
}

/** REST refuses a list by a code that no billing entity has, looked up once a request. Throws `object_not_found`. */
export async function checkEntityCodes(codes: readonly string[] | null | undefined, context: Context): Promise<void> {
  if (context.checksTypes || !codes?.length) return;
  const known = await codeLoader(context).loadMany([...new Set(codes)]);
  if (known.includes(false)) throw notFound('billing_entity');
}

/** The same of the filter of a list. */
export const checkFilteredEntities = ({ filter }: ListArgs, context: Context): Promise<void> =>
  checkEntityCodes(filter?.billingEntityCode as readonly string[] | null | undefined, context);
