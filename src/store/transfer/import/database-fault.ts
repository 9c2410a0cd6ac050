import { isHeldByOthers } from '../../database/unavailable.ts';
import type { Draft } from '../document/draft.ts';
import { ImportError } from '../document/fault.ts';

const CODES: readonly [RegExp, string][] = [
  [/23505|unique constraint/i, 'value_already_exist'],
  [/23503|foreign key constraint/i, 'relation_must_exist'],
  [/22003|out of range|overflow/i, 'value_is_out_of_range'],
];

/** What the database refused although the checks had passed, as a fault of the batch that was being written. */
export function refuse(error: unknown, batch: readonly Draft[]): never {
  if (isHeldByOthers(error)) throw error; // its text names processes by numbers like those below
  const text =
    error instanceof Error ? `${error.message} ${JSON.stringify((error as { meta?: unknown }).meta ?? '')}` : '';
  const code = CODES.find(([pattern]) => pattern.test(text))?.[1];
  const [first] = batch;
  const last = batch.at(-1);
  if (!code || !first || !last) throw error;
  throw new ImportError([{ place: first === last ? first.place : `${first.place} to ${last.place}`, codes: [code] }]);
}
