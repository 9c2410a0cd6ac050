import { snakeCase } from '../../billing/name-case.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { beginning, wordsIn } from '../../store/search/word.ts';
import { narrowing } from '../../store/search/word-index.ts';
import type { Model } from '../base/builder.ts';
import type { Context } from '../context.ts';
import { type Condition, mayRead } from './condition.ts';

const HOW =
  'Every word must be found, in any order and as the beginning of a word or of one of its parts, without regard to case, accents and signs. An identifier of the row assigned by the service is found as a whole. The list keeps its order. Blank words are no condition, signs alone find nothing.';

const NOTHING = { id: { in: [] } };

/**
 * Words in a row and in what it names by relations, each in one of them. What other objects say is searched for keys that may
 * read these. Which columns are searched is told to the database, by the last migration that has to do with words.
 */
export function search(where: string, relations: readonly string[] = []): Condition {
  const open = (context: Context) => [
    '',
    ...relations.filter((relation) => mayRead(`${snakeCase(relation)}:read`, context)),
  ];
  const found = (word: string, places: readonly string[]) => ({
    OR: places.map((relation) => (relation ? { [relation]: beginning(word) } : beginning(word))),
  });
  const orIdentifier = (term: string, condition: object) =>
    isUuid(term.trim()) ? { OR: [{ id: term.trim().toLowerCase() }, condition] } : condition;
  return {
    type: 'String',
    description: `${where} ${HOW}`,
    where: (term: string, context) => {
      if (term.trim() === '') return {};
      const words = wordsIn(term);
      if (words.length === 0) return NOTHING;
      return orIdentifier(term, { AND: words.map((word) => found(word, open(context))) });
    },
    narrow: async (term: string, context: Context, model: Model) => {
      const words = wordsIn(term);
      if (words.length === 0) return {};
      const rows = await narrowing(context.db, model, open(context), words);
      return Object.keys(rows).length === 0 ? rows : orIdentifier(term, rows);
    },
  };
}
