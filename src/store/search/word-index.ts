import { tablesOf } from '../database/model.ts';
import { originOf, type TenantClient } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Rows that are searched: those of a list, or others that they name. */
interface Searched {
  readonly table: string;
  /** The list's column that holds their identifiers. */
  readonly column: string;
}

/** Identifiers of rows; undefined for too many, which are found sooner by reading the list. */
type Found = readonly string[] | undefined;

/** Of several kinds of rows, the same question. */
type Answer = readonly Found[];

// A page of words that are in more rows than this is full before long.
const MOST_FOUND = 500;
// One that few rows have is among the first, or the others narrow nothing either.
const MOST_ASKED = 6;

/** What is searched for a list of a model: its own rows, where the relation is empty, and those of relations. */
function searchedOf(db: TenantClient, model: string, relations: readonly string[]): Searched[] {
  const { prisma } = originOf(db) ?? {};
  const tables = prisma && tablesOf(prisma);
  return relations.map((name) => {
    const relation = tables?.get(model)?.fields.get(name);
    const table = tables?.get(relation?.kind === 'relation' ? relation.model : model);
    if (!table) throw new Error(`${model} is not searched`);
    return { table: table.sql, column: name ? `${name}Id` : 'id' };
  });
}

// As `search_lexemes` writes them. Words have no signs that mean something in a query.
const lexemes = (organizationId: string, words: readonly string[]) =>
  words.map((word) => `'${organizationId.slice(-8)}${word}':*`).join(' & ');

// The organization is in the words, and is looked at again after the limit: before it, PostgreSQL would take the index of the
// organization's rows and read them one by one where it believes that they are few.
function statement(organizationId: string, searched: readonly Searched[], questions: readonly (readonly string[])[]) {
  const parts = questions.flatMap((words, question) =>
    searched.map(({ table }, kind) => {
      const query = lexemes(organizationId, words);
      return Prisma.sql`SELECT ${question}::int AS question, ${kind}::int AS kind, count(*)::int AS found,
          (json_agg(id) FILTER (WHERE organization_id = ${organizationId}::uuid))::text AS ids
        FROM (SELECT id, organization_id FROM ${Prisma.raw(table)}
          WHERE search_lexemes(organization_id, words) @@ ${query}::text::tsquery LIMIT ${MOST_FOUND + 1}) found`;
    }),
  );
  return Prisma.join(parts, ' UNION ALL ');
}

interface AnswerRow {
  readonly question: number;
  readonly kind: number;
  readonly found: number;
  readonly ids: string | null;
}

/** Asks the index which rows have all words of a question, for several questions by one statement. */
async function ask(db: TenantClient, searched: readonly Searched[], questions: readonly (readonly string[])[]) {
  const organizationId = originOf(db)?.organizationId ?? '';
  const rows = await db.$queryRaw<AnswerRow[]>(statement(organizationId, searched, questions));
  const answers: Found[][] = questions.map(() => []);
  for (const { question, kind, found, ids } of rows) {
    const answer = answers[question];
    if (answer) answer[kind] = found > MOST_FOUND ? undefined : (JSON.parse(ids ?? '[]') as string[]);
  }
  return answers;
}

const sizeOf = (answer: Answer) => answer.reduce((size, found) => size + (found?.length ?? 0), 0);
const isWhole = (answer: Answer, kinds: number) =>
  Array.from({ length: kinds }, (_, kind) => answer[kind]).every(Boolean);

const among = (searched: readonly Searched[], answer: Answer): object => ({
  OR: searched.map(({ column }, kind) => ({ [column]: { in: [...(answer[kind] ?? [])] } })),
});

/** Where no word is in few rows: those that have all of them in rows of the one kind that has many, or one in the others. */
function together(searched: readonly Searched[], all: Answer, each: readonly Answer[]): object {
  const [great, ...others] = searched.map((_, kind) => kind).filter((kind) => each.some((answer) => !answer[kind]));
  if (great === undefined || others.length > 0 || !all[great]) return {};
  const answer = searched.map((_, kind) =>
    kind === great ? all[kind] : [...new Set(each.flatMap((one) => one[kind] ?? []))],
  );
  return among(searched, answer);
}

/**
 * A condition by which the database finds a list's rows that have all of these words, in themselves or in what they name: by
 * identifiers that the index of words gives. It may leave in rows that have not all, and is none where every word is in many
 * rows. A statement by itself, as PostgreSQL does not know beforehand how many rows a word finds.
 */
export async function narrowing(
  db: TenantClient,
  model: string,
  relations: readonly string[],
  words: readonly string[],
): Promise<object> {
  const searched = searchedOf(db, model, relations);
  const isPlain = searched.length === 1 || words.length === 1;
  const asked = isPlain ? words : words.slice(0, MOST_ASKED);
  const questions = isPlain ? [asked] : [asked, ...asked.map((word) => [word])];
  const [all = [], ...each] = await ask(db, searched, questions);
  const whole = (isPlain ? [all] : each).filter((answer) => isWhole(answer, searched.length));
  const [least] = whole.sort((one, other) => sizeOf(one) - sizeOf(other));
  if (least) return among(searched, least);
  return isPlain ? {} : together(searched, all, each);
}
