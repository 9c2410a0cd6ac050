export type Tag = 'Document' | 'H1' | 'H2' | 'P' | 'Span' | 'Link' | 'Figure' | 'Table' | 'TR' | 'TH' | 'TD';
type Options = {
  alt?: string;
  actual?: string;
  lang?: string;
  bbox?: number[];
  scope?: 'Column' | 'Row';
  across?: number;
};

/** An element of what a document consists of, as reading aloud follows it. */
export type Part = PDFKit.PDFStructureElement;

/** The tree of the parts of one document. What is drawn belongs to the part that is open; outside of all it is ornament. */
export class Structure {
  private open: Part | null;
  private readonly root: Part;
  private readonly document: PDFKit.PDFDocument;

  constructor(document: PDFKit.PDFDocument) {
    this.document = document;
    this.root = document.struct('Document');
    document.addStructure(this.root);
    this.open = this.root;
  }

  /** A part of the open one, to be filled by `into`, also in turns with others. */
  part(tag: Tag, { across, ...options }: Options = {}): Part {
    const part = this.document.struct(tag, options);
    if (across) Object.assign(dataOf(part), { A: { O: 'Table', ColSpan: across, Scope: 'Row' } });
    (this.open ?? this.root).add(part);
    return part;
  }

  /** A row of the open table: its cells. */
  row(...cells: [tag: 'TH' | 'TD', options?: Options][]): Part[] {
    if (!this.open) return [];
    const row = this.part('TR');
    const { open } = this;
    this.open = row;
    const parts = cells.map(([tag, options]) => this.part(tag, options));
    this.open = open;
    return parts;
  }

  into(part: Part | undefined, draw: () => void): void {
    const { open } = this;
    this.open = part ?? open;
    draw();
    this.open = open;
  }

  within(tag: Tag, draw: () => void, options?: Options): void {
    this.into(this.open ? this.part(tag, options) : undefined, draw);
  }

  /** What only decorates, or stands on every page: not read aloud. */
  ornament(draw: () => void): void {
    const { open } = this;
    if (!open) {
      draw();
      return;
    }
    this.open = null;
    this.document.markContent('Artifact', { type: 'Layout' });
    draw();
    this.document.endMarkedContent();
    this.open = open;
  }

  /**
   * Content of the open part. `actual` is what it says, where that does not follow from the order of its glyphs, and `lang`
   * its language, where that is not the document's.
   */
  content(draw: () => void, said: Pick<Options, 'actual' | 'lang'> = {}): void {
    if (!this.open) draw();
    else if (Object.keys(said).length > 0) this.part('Span', said).add(draw);
    else if (this.open === this.root) this.part('P').add(draw);
    else this.open.add(draw);
  }

  /** What leads somewhere belongs to the open part, as `structParent` of its annotation. */
  annotate(draw: (owner: { structParent?: Part }) => void): void {
    draw(this.open ? { structParent: this.open } : {});
  }

  end(): void {
    this.root.end();
  }
}

// The library offers no spans of columns.
const dataOf = (part: Part): object => (part as Part & { dictionary: { data: object } }).dictionary.data;
