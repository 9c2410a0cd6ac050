import DataLoader from 'dataloader';
import { usageWindow } from '../../billing/aggregate/bucket.ts';
import type { AdvanceUsage, UsageAsked, UsageGroup } from '../../billing/aggregate/metric-usage.ts';
import { isAddedUp } from '../../billing/aggregate/usage-total.ts';
import { filterOrder } from '../../billing/catalogue/filter.ts';
import { inTurn } from '../database/attempt.ts';
import { groupBy } from '../database/row-group.ts';
import { sharedSenderOf } from '../database/sender.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { appendEvents } from './append-events.ts';
import { type KeptMetric, splitOf } from './event-sql.ts';
import type { EventStore, UsageReader, UsageReading } from './event-store.ts';
import { keepLater } from './hours/keep-usage.ts';
import { groupsIn, readAdvance, readGroups, readOf } from './read-usage.ts';
import { type TotalsRow, totalsRow } from './stored-group.ts';
import { type TotalsAsked, totalsSql } from './total-sql.ts';

const { sql } = Prisma;

/** What is asked about the usage of a metric by the subscriptions of one external id. */
type Question = readonly [metric: KeptMetric, asked: UsageAsked];

/** A text that is equal for questions of one organization that differ in the external id alone. */
function shapeOf([{ code }, { charge, period, until, levelFrom, withAdvance }]: Question): string {
  const { id, model, metric, payInAdvance, prorated, properties, filters } = charge;
  const priced = [id, model, metric, payInAdvance, prorated, properties, filters];
  return JSON.stringify([code, period, until, levelFrom, withAdvance, priced]);
}

// So many external ids are read by one statement.
const MOST_ALIKE = 100;

// Of so many events in one answer it is seen whether what they come to may be kept.
const MANY = 20_000;

const EACH = sql`given.external_id`;

/** What a charge's usage adds up to for each of many external ids: one row a group, with the place of its id. */
function totalsOfEach(totals: TotalsAsked, externalIds: readonly string[], most: number): Prisma.Sql {
  const metric = { ...totals.read.metric, externalSubscriptionId: EACH };
  const each = totalsSql({ ...totals, read: { ...totals.read, metric } }, most);
  return sql`SELECT place::int - 1 AS place, row FROM unnest(${[...externalIds]}::text[]) WITH ORDINALITY AS given(external_id, place)
    CROSS JOIN LATERAL (${each}) totals`;
}

/** What the database adds up of questions of one shape, by one statement; null where one is better asked alone. */
async function addUpAlike(
  reader: UsageReader,
  questions: readonly Question[],
): Promise<readonly (readonly UsageGroup[] | null)[]> {
  const none = questions.map(() => null);
  const [first] = questions;
  if (!first || questions.length === 1 || Number.isFinite(reader.mostAtOnce)) return none;
  const [metric, asked] = first;
  const order = filterOrder(asked.charge.filters, asked.charge.metric.filters);
  if (!isAddedUp(asked) || order === null) return none;
  const totals = { asked, read: readOf(metric, asked, usageWindow(asked)), split: splitOf(asked, order) };
  const ids = questions.map(([{ externalSubscriptionId }]) => externalSubscriptionId);
  const statement = totalsOfEach(totals, ids, reader.mostGroups);
  const rowsOf = questions.map((): TotalsRow[] => []);
  for (const { place, row } of await reader.tx.$queryRaw<{ place: number; row: string }[]>`${statement}`) {
    rowsOf[place]?.push(totalsRow(row));
  }
  const answers: (readonly UsageGroup[] | null)[] = [];
  for (const [place, [own, ownAsked]] of questions.entries()) {
    const rows = rowsOf[place] ?? [];
    if (rows.some(({ totals: { count } }) => count > MANY)) keepLater(reader.prisma, own);
    const ownTotals = { ...totals, asked: ownAsked, read: { ...totals.read, metric: own } };
    // Of too many groups it is told where the question stands alone.
    answers.push(rows.length > reader.mostGroups ? null : await groupsIn(reader, ownTotals, rows));
  }
  return answers;
}

/** Whether a question is of usage that others may be asked for by the same statement: nothing is supposed, and no sums are kept of it. */
const isShared = async (reader: UsageReader, [metric, { supposed = [] }]: Question): Promise<boolean> =>
  supposed.length === 0 && !(await reader.hasKept(metric));

/** Usage as `readGroups` has it, of many questions: those of one shape by one statement for a hundred. An error stands in the place of its question alone. */
async function readAll(
  reader: UsageReader,
  questions: readonly Question[],
): Promise<(readonly UsageGroup[] | Error)[]> {
  const answers = new Map<Question, readonly UsageGroup[] | null>();
  const shared: Question[] = [];
  for (const question of questions) if (await isShared(reader, question)) shared.push(question);
  for (const alike of groupBy(shared, shapeOf)) {
    for (let from = 0; from < alike.length; from += MOST_ALIKE) {
      const some = alike.slice(from, from + MOST_ALIKE);
      const found = await addUpAlike(reader, some);
      for (const [at, question] of some.entries()) answers.set(question, found[at] ?? null);
    }
  }
  const all: (readonly UsageGroup[] | Error)[] = [];
  for (const question of questions) {
    const known = answers.get(question);
    all.push(known ?? (await readGroups(reader, ...question).catch(asError)));
  }
  return all;
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

// What is asked for at one time is read together, and all else waits: a transaction reads through one cursor.
function readingOf(reader: UsageReader, organizationId: string): UsageReading {
  const turn = inTurn();
  const of = ([externalSubscriptionId, code]: readonly [string, string]) => ({
    ...{ organizationId, externalSubscriptionId, code },
  });
  const groups = new DataLoader<Question, readonly UsageGroup[]>(
    (questions) => turn(() => readAll(reader, questions)),
    { cache: false },
  );
  return {
    groups: (metric, asked) => groups.load([of(metric), asked]),
    advance: (metric, asked): Promise<AdvanceUsage> => turn(() => readAdvance(reader, of(metric), asked)),
  };
}

/** Events as rows of PostgreSQL: what is committed counts at once. */
export const databaseEvents = (prisma: PrismaClient): EventStore => ({
  append: (parts) => appendEvents(sharedSenderOf(prisma), parts),
  reading: readingOf,
  completeUntil: async () => new Date(),
  ready: async () => undefined,
});
