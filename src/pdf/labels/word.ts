import type { en } from './en.ts';

/** The fixed words of a document; every language has every word. */
export type Labels = Readonly<Record<keyof typeof en, string>>;
