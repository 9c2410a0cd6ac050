import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { wordsIn } from '../../../src/store/search/word.ts';
import { openTestDatabase } from '../../support.ts';

let db: Database;

beforeAll(async () => {
  db = await openTestDatabase();
});

afterAll(() => db?.close());

/** Words as the database reads them in texts. */
async function stored(texts: readonly string[]): Promise<string[][]> {
  const rows = await db.prisma.$queryRaw<{ words: string }[]>`
    SELECT search_text(text) AS words FROM json_array_elements_text(${JSON.stringify(texts)}::text::json)
      WITH ORDINALITY AS given (text, place) ORDER BY place`;
  return rows.map(({ words }) => [...new Set(words.split(' ').filter(Boolean))]);
}

// What normalization changes, by Node's own tables: letters of any script, and marks.
const isChanged = (letter: string) => letter.normalize('NFKD') !== letter || /\p{M}/u.test(letter);
const isLetter = (letter: string) => letter !== '\0' && !/\p{Surrogate}|\p{Unassigned}/u.test(letter);

describe('words of a text', () => {
  it('are the same for what is stored and for what is searched for, of every letter that has more than one form', async () => {
    const letters = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code + 1))
      .filter((letter, code) => code < 0x3000 || isChanged(letter))
      .filter(isLetter);
    expect(letters.length).toBeGreaterThan(25_000);
    const texts = letters.map((letter) => `a${letter}b ${letter}`);
    expect(texts.map(wordsIn)).toEqual(await stored(texts));
  });

  it('and of any text', { timeout: 60_000 }, async () => {
    const letter = fc.oneof(
      fc.constantFrom(...' -_.@ßæİıςΣÅé\t\u0301\u3000株ｶﾞ가'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(isLetter),
    );
    const texts = fc.sample(fc.string({ unit: letter, maxLength: 60 }), { numRuns: 2000, seed: 7 });
    expect(texts.map(wordsIn)).toEqual(await stored(texts));
  });

  it('however long it is, the words are stored and indexed', async () => {
    const lengths = await db.prisma.$queryRaw<{ length: number }[]>`
      SELECT length(search_lexemes(gen_random_uuid(), search_words(text)))::int AS length FROM
        (VALUES (repeat('株', 9000)), (repeat('a-', 9000)), (repeat('x', 9000)), (repeat('😀-', 9000)), (repeat('é ', 9000))) AS given (text)`;
    for (const { length } of lengths) expect(length).toBeGreaterThan(0);
  });
});
