import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { rowsOf } from '../../store/database/tenant.ts';
import type { Model } from '../base/builder.ts';
import { isSoftDeleted } from '../base/column.ts';
import { planOf } from '../compiled/plan.ts';
import type { Context } from '../context.ts';
import type { Row } from './connection.ts';

type Loader = DataLoader<string, Row | null>;
const loaders = new WeakMap<Context, WeakMap<object, Loader>>();

/**
 * A row that a field below another row shows, by an identifier that is no relation of the database; null where there is none. By one
 * statement for all rows of the operation that show the same field.
 */
export function findTogether(
  context: Context,
  info: GraphQLResolveInfo,
  model: Model,
  id: string,
): Promise<Row | null> {
  // Each is planned, since the plan also says of this row what has been read; all have the same query.
  const { query } = planOf(context, info);
  const ofContext = loaders.get(context) ?? new WeakMap<object, Loader>();
  loaders.set(context, ofContext);
  const [field = info.fieldNodes] = info.fieldNodes;
  const living = isSoftDeleted(model) ? { deletedAt: null } : {};
  const load = async (ids: readonly string[]) => {
    const found = await rowsOf(context.db, model).findMany({
      ...query,
      where: { id: { in: [...ids] }, ...living },
    });
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.map((one) => byId.get(one) ?? null);
  };
  const loader = ofContext.get(field) ?? new DataLoader(load);
  ofContext.set(field, loader);
  return loader.load(id);
}
