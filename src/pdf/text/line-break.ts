import LineBreaker from 'linebreak';

/** After a space or a dash, and between signs that are written without spaces; "<b>x</b>" and "a/b" stay whole. */
const MAY_END_LINE = /[\s\p{Pd}\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]$/u;
const MAY_START_LINE = /^[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/** The places, counted in code units, where a line of `text` may end. */
export function breakPositions(text: string): Set<number> {
  const breaker = new LineBreaker(text);
  const positions = new Set<number>();
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const { position } = next;
    const before = text.slice(Math.max(0, position - 2), position);
    if (MAY_END_LINE.test(before) || MAY_START_LINE.test(text.slice(position, position + 2))) positions.add(position);
  }
  return positions;
}
