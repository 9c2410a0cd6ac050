import type { OtherNames } from './invoice-document.ts';

type CanPrint = (text: string) => boolean;

/** The first of the names that the fonts have every letter of; the first one where there is none. */
export function printableName(names: OtherNames, canPrint: CanPrint): string {
  const given = names.filter((name): name is string => Boolean(name));
  return given.find(canPrint) ?? given[0] ?? '';
}

/** Things that are named, each by a name that can be printed where it has one. */
export const printable = <Named extends { readonly name: string; readonly otherNames?: OtherNames }>(
  things: readonly Named[],
  canPrint: CanPrint,
): Named[] =>
  things.map((thing) => ({ ...thing, name: printableName([thing.name, ...(thing.otherNames ?? [])], canPrint) }));
