/** Letters that tell a language, and with what others it is written. */
const LANGUAGES: readonly [language: string, told: RegExp, written: RegExp][] = [
  ['ja', /[\p{scx=Hiragana}\p{scx=Katakana}]/u, /^[\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Han}]+$/u],
  ['ko', /\p{sc=Hangul}/u, /^[\p{sc=Hangul}\p{sc=Han}]+$/u],
  ['he', /\p{sc=Hebrew}/u, /^\p{sc=Hebrew}+$/u],
  // Letters that Persian and Urdu have and Arabic has not tell neither.
  [
    'ar',
    /\p{sc=Arabic}/u,
    /^(?:(?![\u067e\u0679\u0686\u0688\u0691\u0698\u06a9\u06af\u06ba\u06cc\u06d2])[\p{sc=Arabic}\u0640])+$/u,
  ],
  ['th', /\p{sc=Thai}/u, /^\p{sc=Thai}+$/u],
];

/** The language that the letters of a text tell; of Latin, Cyrillic or Han alone, or of several scripts, they tell none. */
export function languageOf(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.join('') ?? '';
  return LANGUAGES.find(([, told, written]) => told.test(letters) && written.test(letters))?.[0];
}
