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

/** The first of the wanted languages that exists, else English: `chooseLocale(null, 'de')` is "de". */
export function chooseLocale(...wanted: (string | null | undefined)[]): DocumentLocale {
  for (const code of wanted) {
    if (code && isLocale(code)) return code;
  }
  return 'en';
}

export const labelsOf = (locale: DocumentLocale): Labels => LABELS[locale];
