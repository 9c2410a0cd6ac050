import createBidi, { type Bidi } from 'bidi-js';

// The package is CommonJS whose types describe its other build: its default export is the function itself.
const bidi = (createBidi as unknown as () => Bidi)();

export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The level of each code unit, odd from right to left; null when all of it runs from left to right. */
export const levelsOf = (text: string): Uint8Array | null =>
  RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text).levels : null;

export const mirroredSign = (sign: string): string => bidi.getMirroredCharacter(sign) ?? sign;

/** Rule L4: brackets change sides. Letters are turned by the font engine; a run without letters is turned here. */
export function mirrored(text: string): string {
  const signs = Array.from(text, mirroredSign);
  return RIGHT_TO_LEFT.test(text) ? signs.join('') : signs.reverse().join('');
}

/** Rule L2: from the highest level down to the lowest odd one, every stretch at that level or above is reversed. */
export function inPageOrder<Run extends { level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...ordered.map((run) => run.level));
  for (let level = highest; level >= 1; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while ((ordered[to]?.level ?? -1) >= level) to += 1;
      if (to > from + 1) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return ordered;
}
