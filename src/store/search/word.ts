// Letters that are decomposed: those of scripts in use, in ranges to which nothing with a decomposition was added since
// Unicode 13. Node's tables are newer than those of some servers, and older than those of others.
const KNOWN =
  /(?:[ -\u085b\u08d3-\u0c04\u0c3e-\u0ce3\u0d00-\u0ecd\u0edc-\u1714\u1732-\u180d\u1885-\u1ac0\u1b00-\u1df9\ua7f8-\uffff\u{1d400}-\u{1d7ff}\u{1ee00}-\u{2fa1f}]|[\u1dfb-\ua770])+/gu;
// Accents, vowel points, and what has no width.
const MARKS =
  /[\u0300-\u036f]|[\u0483-\u0487]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\u064b-\u065f]|\u0670|[\u20d0-\u20ff]|[\ufe00-\ufe0f]|[\u00ad\u2060\u200b-\u200c\ufeff]|\u200d/g;
const CAPITALS = /[A-Z\u00c0-\u052f\u0531-\u0556]/g;
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', ð: 'd', ς: 'σ' },
  ...{ ß: 'ss', ẞ: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
const SIGNS =
  /[\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u02b0-\u02ff\u055a-\u055f\u0589\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2010-\u2027\u202a-\u202e\u2030-\u205e\u2061-\u206f\u20a0-\u20cf\u2190-\u25ff\u27c0-\u2bff\u3001-\u3004\u3008-\u3020\u3030\u303b-\u303f\u30a0\u30fb\ufff0-\uffff]/g;
const ASCII_SIGNS = /[!-/:-@[-`{-~]+/g;
const GAPS = /[-\s\p{Cc}]*[\s\p{Cc}][-\s\p{Cc}]*/gu;

// As long as the database keeps a word, and as a search may be.
const LONGEST = 100;

/** The words of a text as `search_text` of the database reads them: without case, accents and signs, but "-" within a word. */
export function wordsIn(text: string): string[] {
  const plain = text.replace(KNOWN, (run) => run.normalize('NFKD').replace(MARKS, '').normalize('NFKC'));
  const small = plain.replace(CAPITALS, (capital) => capital.toLowerCase());
  const letters = small.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
  const parted = letters.replace(SIGNS, '-').replace(ASCII_SIGNS, '-').replace(GAPS, ' ');
  const words = parted
    .replace(/^[ -]+|[ -]+$/g, '')
    .replace(/--+/g, '-')
    .split(' ');
  return [...new Set(words.filter(Boolean).map((word) => [...word].slice(0, LONGEST).join('')))];
}

/** Rows in which a word begins so: of the column as the database keeps it, where each has a space before it. */
export const beginning = (word: string) => ({ words: { contains: ` ${word}` } });
