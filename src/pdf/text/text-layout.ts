import { inPageOrder, levelsOf, mirrored, RIGHT_TO_LEFT } from './direction.ts';
import type { Cjk, Face, FontBook, Weight } from './font-book.ts';
import { breakPositions } from './line-break.ts';

/**
 * A piece of a line in one font and one direction, in reading order; the runs of a line are in the order of the page, and
 * `place` is that in which they are read. `said` is what a sign stands for that is drawn for want of the right ones.
 */
export type Run = { text: string; face: Face; rtl: boolean; width: number; place: number; said?: string };
/** `text` is the line in the order of reading. */
export type Line = { runs: readonly Run[]; width: number; text: string };
export const EMPTY_LINE: Line = { runs: [], width: 0, text: '' };
export type TextStyle = { size: number; weight: Weight; color: string; leading: number };

/** Width in points. Given by the PDF library, which keeps what it has measured. */
export type Measure = (text: string, face: Face, size: number, rtl: boolean) => number;

type Cluster = { text: string; face: Face; level: number; break: boolean; said?: string };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const SIMPLE = /^[\x20-\x7e]*$/;
/** Direction marks and isolates: read by the bidi algorithm, never drawn. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c\u2066-\u2069]/g;
/** Controls, overrides of direction, soft hyphens, byte order marks, variation selectors, halves of a pair. */
const UNPRINTABLE =
  /(?!\n)\p{Cc}|\p{Cs}|\p{Variation_Selector}|[\u00ad\u200b\u202a-\u202e\u2060\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const NO_BREAK_SPACES = /[\u00a0\u202f\u2007]/g;

/** Text as it can be set: composed characters, line ends as \n, nothing that cannot be seen. Markup stays text. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(UNPRINTABLE, '');
}

/** A text of unknown direction inside another: it cannot turn the words around it. Balanced by construction. */
export const isolated = (text: string) =>
  RIGHT_TO_LEFT.test(text) ? `\u2068${text.replace(DIRECTION_MARKS, '')}\u2069` : text;

/** No line of a page has room for so many characters: what comes after need not be measured to know that it is too long. */
const LONGEST_WORD = 512;

const EMPTY_SQUARE = '\u25a1';
/** A glyph's text may have 512 bytes. */
const LONGEST_SAID = 100;

/** Sets texts in lines: font fallback, right-to-left order, line breaks. */
export class TextLayout {
  /** The letters and signs that no font has. */
  readonly missing = new Set<string>();
  private readonly book: FontBook;
  private readonly measure: Measure;

  constructor(book: FontBook, measure: Measure) {
    this.book = book;
    this.measure = measure;
  }

  /** The lines of `text`, none wider than `width` points; a word that is too long is cut between characters. */
  lines(text: string, style: TextStyle, width: number): Line[] {
    return cleanText(text)
      .split('\n')
      .flatMap((paragraph) => this.paragraph(paragraph, style, width));
  }

  /** A text that stays on one line, such as a number. */
  line(text: string, style: TextStyle): Line {
    const [line] = this.lines(text.replaceAll('\n', ' '), style, Number.POSITIVE_INFINITY);
    return line ?? EMPTY_LINE;
  }

  private paragraph(text: string, style: TextStyle, width: number): Line[] {
    const clusters = this.clusters(text, style.weight);
    const lines: Line[] = [];
    let start = 0;
    while (start < clusters.length) {
      const end = this.lineEnd(clusters, start, style, width);
      lines.push(this.setLine(clusters.slice(start, end), style));
      start = end;
      while (clusters[start]?.text === ' ') start += 1;
    }
    return lines.length > 0 ? lines : [EMPTY_LINE];
  }

  /** The end (not included) of the line that begins at `start`: the last break that fits, else the last character. */
  private lineEnd(clusters: readonly Cluster[], start: number, style: TextStyle, width: number): number {
    if (width === Number.POSITIVE_INFINITY) return clusters.length;
    let end = start;
    let used = 0;
    while (end < clusters.length) {
      let next = end + 1;
      while (next < clusters.length && !clusters[next - 1]?.break && next - end < LONGEST_WORD) next += 1;
      const word = clusters.slice(end, next);
      const needed = this.setLine(trimEnd(word), style).width;
      if (used + needed > width) break;
      used += word.length > trimEnd(word).length ? this.setLine(word, style, false).width : needed;
      end = next;
    }
    return end > start ? end : this.cutWord(clusters, start, style, width);
  }

  private cutWord(clusters: readonly Cluster[], start: number, style: TextStyle, width: number): number {
    let end = start + 1;
    let used = this.setLine(clusters.slice(start, end), style).width;
    while (end < clusters.length) {
      used += this.setLine(clusters.slice(end, end + 1), style, false).width;
      if (used > width) break;
      end += 1;
    }
    return end;
  }

  private setLine(clusters: readonly Cluster[], style: TextStyle, trim = true): Line {
    const runs: (Run & { level: number })[] = [];
    const set = trim ? trimEnd(clusters) : clusters;
    for (const { text, face, level, said } of set) {
      const last = runs.at(-1);
      if (last && last.face === face && last.level === level && !last.said && !said) last.text += text;
      else runs.push({ text, face, level, rtl: level % 2 === 1, width: 0, place: runs.length, ...(said && { said }) });
    }
    for (const run of runs) {
      if (run.rtl) run.text = mirrored(run.text);
      run.width = this.measure(run.text, run.face, style.size, run.rtl);
    }
    const text = set.map((cluster) => cluster.said ?? cluster.text).join('');
    return { runs: inPageOrder(runs), width: runs.reduce((sum, run) => sum + run.width, 0), text };
  }

  private clusters(text: string, weight: Weight): Cluster[] {
    const latin = this.book.face('latin', weight);
    const levels = levelsOf(text);
    const breaks = breakPositions(text);
    if (SIMPLE.test(text)) {
      return Array.from(text, (sign, at) => ({ text: sign, face: latin, level: 0, break: breaks.has(at + 1) }));
    }
    const cjk = this.book.cjkFor(text);
    const clusters: Cluster[] = [];
    for (const { segment, index } of graphemes.segment(text)) {
      const previous = clusters.at(-1);
      const [sign, face, said] = this.choose(segment, weight, cjk, previous?.face ?? latin, latin);
      const after = breaks.has(index + segment.length);
      const level = levels?.[index] ?? 0;
      if (said && previous?.said && !previous.break && previous.said.length < LONGEST_SAID) {
        previous.said += said;
        previous.break = after;
      } else if (sign) clusters.push({ text: sign, face, level, break: after, ...(said && { said }) });
      else if (previous && after) previous.break = true;
    }
    return clusters;
  }

  /** What is drawn for one grapheme, and with which face; a word of signs that no font has is one empty square that says it. */
  private choose(
    segment: string,
    weight: Weight,
    cjk: readonly Cjk[],
    previous: Face,
    latin: Face,
  ): [text: string, face: Face, said?: string] {
    const text = segment.replace(DIRECTION_MARKS, '').replace(NO_BREAK_SPACES, ' ');
    if (text === '') return ['', latin];
    if (/^[\s\p{P}]$/u.test(text) && hasGlyph(previous, text)) return [text, previous];
    const whole = this.book.faceFor(text, weight, cjk);
    if (whole) return [text, whole];
    const base = String.fromCodePoint(text.codePointAt(0) ?? 0x3f);
    const face = this.book.faceFor(base, weight, cjk);
    if (!face) {
      if (/^[\p{M}\p{Cf}\p{Z}]/u.test(base)) return ['', latin];
      this.missing.add(text);
      return [EMPTY_SQUARE, this.book.face('wide', weight), text];
    }
    return [[...text].filter((sign) => hasGlyph(face, sign)).join(''), face];
  }
}

const hasGlyph = (face: Face, sign: string) => face.font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);

function trimEnd(clusters: readonly Cluster[]): readonly Cluster[] {
  let end = clusters.length;
  while (end > 0 && clusters[end - 1]?.text === ' ') end -= 1;
  return clusters.slice(0, end);
}
