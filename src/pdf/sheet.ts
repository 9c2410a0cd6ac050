import PDFDocument from 'pdfkit';
import type { Logo } from './image/logo.ts';
import { PAGE, STYLES } from './page.ts';
import { Structure } from './structure.ts';
import type { Face, FontBook } from './text/font-book.ts';
import { languageOf } from './text/language.ts';
import { type Ornament, TextLayer } from './text/text-layer.ts';
import { EMPTY_LINE, type Line, type Run, TextLayout, type TextStyle } from './text/text-layout.ts';

type Box = { x: number; y: number; width: number; height: number };

export type DocumentInfo = { title: string; author: string; language: string; day: string };

/** One document in the making: where the pen is, and the few things that it draws. */
export class Sheet {
  y: number = PAGE.top;
  readonly layout: TextLayout;
  /** What is drawn belongs to one of its parts. */
  readonly structure: Structure;
  private readonly document: PDFKit.PDFDocument;
  private readonly layers = new Map<string, TextLayer>();
  private readonly chunks: Uint8Array[] = [];

  /** Everything that could differ between two renderings of the same invoice is fixed: dates, and the id made of them. */
  constructor(book: FontBook, { title, author, language, day }: DocumentInfo) {
    const date = new Date(`${day}T00:00:00Z`);
    this.document = new PDFDocument({
      size: [PAGE.width, PAGE.height],
      margin: 0,
      // None of the built-in fonts, which would be written into every file; the types have no word for it.
      font: null as unknown as string,
      bufferPages: true,
      lang: language,
      pdfVersion: '1.7',
      displayTitle: true,
      tagged: true,
      info: { Title: title, Author: author, CreationDate: date, ModDate: date },
    });
    this.document.on('data', (chunk: Uint8Array) => this.chunks.push(chunk));
    this.structure = new Structure(this.document);
    this.layout = new TextLayout(book, (text, face, size, rtl) =>
      this.use(face, size).widthOfString(text, rtl ? { features: [] } : {}),
    );
  }

  /** Draws a line with its upper edge at `y`; `at` is its left end, or its right end when aligned to the right. */
  draw(line: Line, style: TextStyle, at: number, y: number, align: 'left' | 'right' = 'left'): void {
    let x = align === 'left' ? at : at - line.width;
    const baseline = y + style.leading / 2 + style.size * 0.35;
    const placed = line.runs.map((run) => {
      x += run.width;
      return { run, x: x - run.width };
    });
    if (placed.length === 0) return;
    const lang = languageOf(line.text);
    const isTurned = line.runs.some(({ rtl }) => rtl);
    const said = { ...(isTurned && { actual: line.text }), ...(lang !== undefined && { lang }) };
    this.structure.content(() => this.write(placed, style, baseline), said);
  }

  private write(placed: { run: Run; x: number }[], style: TextStyle, baseline: number): void {
    // Written as they are read, since many readers copy in the order of writing.
    for (const { run, x: from } of placed.sort((a, b) => a.run.place - b.run.place)) {
      // With features the library shapes the run as a whole; without, word by word from left to right, but remembered.
      const options = { lineBreak: false, baseline: 'alphabetic', ...(run.rtl ? { features: [] } : {}) } as const;
      const document = this.use(run.face, style.size).fillColor(style.color);
      const write = () => document.text(run.text, from, baseline, options);
      const ornaments = this.layers.get(run.face.key)?.ornamentsOf(run, write) ?? [];
      for (const ornament of ornaments) this.paint(ornament, from, baseline, style.size);
    }
  }

  private paint({ glyph, x, y, scale }: Ornament, from: number, baseline: number, size: number): void {
    const unit = size / 1000;
    this.document.save().translate(from + x * unit, baseline - y * unit);
    this.document
      .scale(unit * scale, -unit * scale)
      .path(glyph.path.toSVG())
      .fill()
      .restore();
  }

  /** One line that must not be wider than `width`: a longer one is set smaller, never cut. */
  drawFitted(text: string, style: TextStyle, at: number, y: number, width: number, align: 'left' | 'right'): void {
    const natural = this.layout.line(text, style).width;
    const size = natural > width ? (style.size * width) / natural : style.size;
    const fitted = { ...style, size };
    this.draw(this.layout.line(text, fitted), fitted, at, y, align);
  }

  /** Lines from the pen downwards, over as many pages as they need. `below` points stay with the last of them. */
  flow(text: string, style: TextStyle, x: number, width: number, below = 0): void {
    const lines = this.layout.lines(text, style, width);
    this.structure.within(style === STYLES.heading ? 'H2' : 'P', () => {
      for (const line of lines) {
        this.ensure(style.leading + (line === lines.at(-1) ? below : 0));
        this.draw(line, style, x, this.y);
        this.y += style.leading;
      }
    });
  }

  rule(y: number, from: number = PAGE.left, color = '#e4e7ec', weight = 0.6): void {
    this.structure.ornament(() => {
      this.document.moveTo(from, y).lineTo(PAGE.right, y).lineWidth(weight).strokeColor(color).stroke();
    });
  }

  box(y: number, height: number): void {
    this.structure.ornament(() => {
      this.document.roundedRect(PAGE.left, y, PAGE.right - PAGE.left, height, 4).fill('#f5f6f8');
    });
  }

  /** Inside a box of `width` by `height`; `alt` is what it shows. An image that the library refuses is left out. */
  image(logo: Logo, alt: string, box: Box): void {
    const { x, y, width, height } = box;
    const draw = () => {
      try {
        this.document.image(logo.bytes, x, y, { fit: [width, height] });
      } catch {
        // The name of the issuer stands in its address block all the same.
      }
    };
    this.figure(draw, alt, box);
  }

  /** An SVG path in units of `size` to the side of the box, filled; `alt` is what it shows. */
  shape(path: string, size: number, alt: string, box: Box): void {
    const draw = () => {
      const at = this.document
        .save()
        .translate(box.x, box.y)
        .scale(box.width / size);
      at.path(path).fill('#000000').restore();
    };
    this.figure(draw, alt, box);
  }

  private figure(draw: () => void, alt: string, { x, y, width, height }: Box): void {
    this.structure.within('Figure', () => this.structure.content(draw), { alt, bbox: [x, y, x + width, y + height] });
  }

  /** Lines of the open part from `y` downwards that lead to an address. */
  drawLink(lines: readonly Line[], style: TextStyle, x: number, y: number, address: string): void {
    this.structure.within('Link', () => {
      lines.forEach((line, at) => {
        const top = y + at * style.leading;
        this.draw(line, style, x, top);
        this.structure.annotate((owner) => {
          // An object, since the library takes a bare string for a name.
          const said = { ...owner, Contents: Object(address) };
          this.document.link(x, top, line.width, style.leading, address, said);
        });
      });
    });
  }

  fits(height: number): boolean {
    return this.y + height <= PAGE.bottom;
  }

  /** A new page when `height` does not fit on this one; true when there is one. */
  ensure(height: number): boolean {
    if (this.fits(height) || this.y === PAGE.top) return false;
    this.document.addPage();
    this.y = PAGE.top;
    return true;
  }

  /** Writes "2/3" and `text` at the foot of every page and hands out the file. */
  async finish(text: string): Promise<Uint8Array> {
    const { start, count } = this.document.bufferedPageRange();
    const style = STYLES.label;
    const [name = EMPTY_LINE] = this.layout.lines(text, style, 420);
    for (let page = 0; page < count; page += 1) {
      this.document.switchToPage(start + page);
      this.rule(PAGE.bottom + 10);
      this.structure.ornament(() => {
        this.draw(name, style, PAGE.left, PAGE.bottom + 15);
        this.draw(this.layout.line(`${page + 1}/${count}`, style), style, PAGE.right, PAGE.bottom + 15, 'right');
      });
    }
    this.structure.end();
    const ended = new Promise((resolve, reject) => this.document.once('end', resolve).once('error', reject));
    this.document.end();
    await ended;
    return new Uint8Array(Buffer.concat(this.chunks));
  }

  private use(face: Face, size: number): PDFKit.PDFDocument {
    const known = this.layers.has(face.key);
    // The library takes an open font as well as its bytes, which its types do not say.
    if (!known) this.document.registerFont(face.key, face.font as unknown as Buffer);
    const document = this.document.font(face.key).fontSize(size);
    if (!known) this.layers.set(face.key, new TextLayer(document));
    return document;
  }
}
