import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nb } from './nb.ts';
import { ptBR } from './pt-br.ts';
import { sv } from './sv.ts';
import type { Labels } from './word.ts';
import { zhTW } from './zh-tw.ts';

const LABELS = { en, fr, de, es, it, nb, sv, 'pt-BR': ptBR, 'zh-TW': zhTW } as const satisfies Record<string, Labels>;

export type DocumentLocale = keyof typeof LABELS;

const isLocale = (code: string): code is DocumentLocale => Object.hasOwn(LABELS, code);

// Of Chinese only the script is not the same everywhere.
const TRADITIONAL = /^zh-(Hant|HK|MO)/;

function nearest(code: string): DocumentLocale | undefined {
  if (isLocale(code)) return code;
  const [language = ''] = code.split('-');
  if (language === 'pt') return 'pt-BR';
  if (TRADITIONAL.test(code)) return 'zh-TW';
  return isLocale(language) ? language : undefined;
}

/** The first of the wanted languages that there are texts of, in whichever country, else English: `chooseLocale(null, 'de-AT')` is "de". */
export function chooseLocale(...wanted: (string | null | undefined)[]): DocumentLocale {
  for (const code of wanted) {
    const found = code && nearest(code);
    if (found) return found;
  }
  return 'en';
}

export const labelsOf = (locale: DocumentLocale): Labels => LABELS[locale];
