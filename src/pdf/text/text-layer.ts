import type { Font, Glyph, GlyphPosition } from 'fontkit';
import { mirroredSign, RIGHT_TO_LEFT } from './direction.ts';
import type { Run } from './text-layout.ts';

/** What the PDF library keeps of a font that it embeds; its types do not show it. */
type Embedded = {
  font: Font;
  scale: number;
  subset: { glyphs: number[]; includeGlyph(id: number): number };
  unicode: number[][];
  widths: number[];
  layout(text: string, features?: readonly string[]): { glyphs: readonly Glyph[]; positions: readonly Placed[] };
  encode(text: string, features?: readonly string[]): [string[], GlyphPosition[]];
};
type Placed = GlyphPosition & { advanceWidth: number };

/** A glyph that stands for no text of its own, and its place from the start of the run, in thousandths of the size. */
export type Ornament = { glyph: Glyph; x: number; y: number; scale: number };

/**
 * What copying, searching and reading aloud find of the texts in one font. A glyph that stands for two texts is embedded
 * twice, since a code has one text for the whole document; a letter that the font builds of several glyphs is the text of
 * one of them, and the others are handed to the caller, who paints them as shapes.
 */
export class TextLayer {
  private readonly codes = new Map<string, number>();
  private readonly embedded: Embedded;
  private run: Run | null = null;
  private ornaments: Ornament[] = [];

  /** Of the font that the document has just been set to. */
  constructor(document: PDFKit.PDFDocument) {
    const { _font } = document as unknown as { _font: Embedded };
    this.embedded = _font;
    keepNoText(_font.font);
    _font.encode = (text, features) => this.encode(text, features);
  }

  /** `write` writes the text of a run; answered is what it leaves to be painted. */
  ornamentsOf(run: Run, write: () => void): readonly Ornament[] {
    this.run = run;
    this.ornaments = [];
    write();
    return this.ornaments;
  }

  private encode(text: string, features?: readonly string[]): [string[], GlyphPosition[]] {
    const { glyphs, positions } = this.embedded.layout(text, features);
    const texts = this.textsOf(glyphs);
    const codes: string[] = [];
    const places: Placed[] = [];
    let x = 0;
    // The way past a glyph that is painted, when no written one stands before it.
    let skipped = 0;
    glyphs.forEach((glyph, at) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0, ...place } = positions[at] ?? ({} as Placed);
      const last = places.at(-1);
      if (texts[at]) {
        codes.push(this.codeOf(glyph, texts[at]).toString(16).padStart(4, '0'));
        places.push({ ...place, xAdvance: xAdvance + skipped, xOffset: xOffset + skipped, yOffset });
        skipped = 0;
      } else {
        this.ornaments.push({ glyph, x: x + xOffset, y: yOffset, scale: this.embedded.scale });
        if (last) last.xAdvance += xAdvance;
        else skipped += xAdvance;
      }
      x += xAdvance;
    });
    return [codes, places];
  }

  private textsOf(glyphs: readonly Glyph[]): string[] {
    const { said, text = '', rtl = false } = this.run ?? {};
    if (said) return glyphs.map((_glyph, at) => (at === 0 ? said : ''));
    // In the order of reading, as the text is.
    const inOrder = rtl && RIGHT_TO_LEFT.test(text) ? [...glyphs].reverse() : glyphs;
    const texts = textsInOrder(inOrder, text, rtl);
    if (!rtl) return texts;
    // Readers take what runs from right to left as glyphs from left to right, and turn them sign by sign.
    const turned = texts.map((one) => Array.from(one, mirroredSign).reverse().join(''));
    return inOrder === glyphs ? turned : turned.reverse();
  }

  private codeOf(glyph: Glyph, text: string): number {
    const key = `${glyph.id} ${text}`;
    const known = this.codes.get(key);
    if (known !== undefined) return known;
    const { subset, unicode, widths, scale } = this.embedded;
    let code = subset.includeGlyph(glyph.id);
    if (unicode[code]) code = subset.glyphs.push(glyph.id) - 1;
    unicode[code] = Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
    widths[code] = glyph.advanceWidth * scale;
    this.codes.set(key, code);
    return code;
  }
}

const sorted = (text: string) => [...text].sort().join('');

/**
 * The text of each glyph. Where a font puts signs in another order, or builds one of several glyphs, those stand together for
 * their text: the widest bear a sign each, and the others none. From right to left a mark belongs to its letter's text, since
 * it would be read before it.
 */
function textsInOrder(glyphs: readonly Glyph[], text: string, rtl: boolean): string[] {
  const own = glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints));
  const isPlain = !own.includes('') && !(rtl && glyphs.some(({ advanceWidth }) => advanceWidth === 0));
  if (isPlain && own.join('') === text) return own;
  const texts = own.map(() => '');
  let done = 0;
  for (let from = 0; from < glyphs.length; ) {
    let to = from + 1;
    let part = own[from] ?? '';
    const isWhole = () => sorted(part) === sorted(text.slice(done, done + part.length));
    const goesOn = () => !isWhole() || !own[to] || (rtl && glyphs[to]?.advanceWidth === 0);
    while (to < glyphs.length && goesOn()) {
      part += own[to] ?? '';
      to += 1;
    }
    const signs = Array.from(isWhole() ? text.slice(done, done + part.length) : part);
    const bearers = bearersOf(glyphs.slice(from, to), signs.length, rtl);
    const first = signs.length - bearers.length + 1;
    bearers.forEach((at, nth) => {
      texts[from + at] = nth === 0 ? signs.slice(0, first).join('') : (signs[first + nth - 1] ?? '');
    });
    done += part.length;
    from = to;
  }
  return texts;
}

/** The places of the widest glyphs, at most `most` of them and at least one. */
function bearersOf(glyphs: readonly Glyph[], most: number, onlyWide: boolean): number[] {
  const width = (at: number) => glyphs[at]?.advanceWidth ?? 0;
  const widest = [...glyphs.keys()].sort((a, b) => width(b) - width(a) || a - b);
  return widest.filter((at, nth) => nth === 0 || (nth < most && !(onlyWide && width(at) === 0))).sort((a, b) => a - b);
}

const told = new WeakSet<Font>();

/** The font engine keeps with a glyph the text that it first stood for; here each has that of its place. */
function keepNoText(font: Font): void {
  if (told.has(font)) return;
  told.add(font);
  const glyphOf = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => Object.create(glyphOf(id), { codePoints: { value: codePoints } });
}
