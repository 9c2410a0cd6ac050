import { snakeCase } from '../../billing/name-case.ts';
import type { Model } from './builder.ts';

// What descriptions call rows of a model, where its name would not do.
const WORDS: Partial<Record<Model, string>> = { AddOn: 'add-on', AuditLog: 'entry of the log' };
const PLURALS: Partial<Record<Model, string>> = { AuditLog: 'entries of the log' };

const plural = (word: string) =>
  /[^aeiou]y$/.test(word) ? word.replace(/y$/, 'ies') : `${word}${/[sx]$/.test(word) ? 'es' : 's'}`;

const wordsOf = (model: Model) => WORDS[model] ?? snakeCase(model).replaceAll('_', ' ');

/** A row of a model in a sentence: `a plan`, `an add-on`. */
export function oneOf(model: Model): string {
  const words = wordsOf(model);
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** Rows of a model in a sentence: `plans`, `billing entities`. */
export const allOf = (model: Model): string => PLURALS[model] ?? plural(wordsOf(model));
