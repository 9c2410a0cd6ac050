import { isHeldByOthers } from '../../database/unavailable.ts';
import type { Draft } from '../document/draft.ts';
import { ImportError } from '../document/fault.ts';
import type { Shape } from '../document/shape.ts';
import type { Sql } from '../value/sql.ts';

const CODES: readonly [RegExp, string][] = [
  [/23505|unique constraint/i, 'value_already_exist'],
  [/23503|foreign key constraint/i, 'relation_must_exist'],
  [/22003|out of range|overflow/i, 'value_is_out_of_range'],
];

/** What the database and its driver say of a refusal. */
const textOf = (error: unknown) =>
  error instanceof Error ? `${error.message} ${JSON.stringify((error as { meta?: unknown }).meta ?? '')}` : '';

function codeOf(error: unknown): string | undefined {
  if (isHeldByOthers(error)) return undefined; // its text names processes by numbers like those above
  const text = textOf(error);
  return CODES.find(([pattern]) => pattern.test(text))?.[1];
}

/** The member that tells the rows of a unique index apart: the last one whose column the index is named after. */
function memberOf(shape: Shape, error: unknown): string | undefined {
  const [, index = ''] = /constraint \\?"(\w+)/i.exec(textOf(error)) ?? [];
  return shape.fields.findLast(({ column }) => index.includes(`_${column}_`))?.member;
}

/** What the database says to some rows, which it then forgets; undefined where it takes them. */
async function refusal(sql: Sql, attempt: () => Promise<void>): Promise<unknown> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await sql.run('ROLLBACK TO SAVEPOINT batch');
  }
}

/**
 * Stores a batch. What the database refuses although the checks had passed is a fault of the first entry without which
 * it would have taken what stands before: halves are tried until that one is found.
 */
export async function explained(
  shape: Shape,
  batch: readonly Draft[],
  sql: Sql,
  store: (drafts: readonly Draft[]) => Promise<void>,
): Promise<void> {
  await sql.run('SAVEPOINT batch');
  try {
    await store(batch);
    await sql.run('RELEASE SAVEPOINT batch');
  } catch (first) {
    let error: unknown = first;
    const code = codeOf(error);
    if (!code) throw error;
    await sql.run('ROLLBACK TO SAVEPOINT batch');
    let taken = 0;
    let refused = batch.length;
    while (refused - taken > 1) {
      const middle = Math.floor((taken + refused) / 2);
      const said = await refusal(sql, () => store(batch.slice(0, middle)));
      if (codeOf(said) === code) [refused, error] = [middle, said];
      else taken = middle;
    }
    const place = batch[refused - 1]?.place;
    if (place === undefined) throw first;
    const member = memberOf(shape, error);
    throw new ImportError([{ place: member ? `${place}.${member}` : place, codes: [code] }]);
  }
}
