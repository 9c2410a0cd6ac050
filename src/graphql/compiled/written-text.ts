import { parseExactJson } from '../../store/database/exact-json.ts';
import type { Filling as HoleFilling } from '../../store/lookup/head.ts';
import { HOLE_BEGIN, HOLE_END, SHARED } from '../../store/lookup/hole.ts';
import {
  type CompiledField,
  type CompiledObject,
  Failure,
  failed,
  isPromise,
  later,
  type Run,
} from './compiled-type.ts';

/** What fills a hole: a completed value, or a failure. */
interface Filling {
  value: unknown;
}

type Piece = string | Filling;

/** A part of an answer that PostgreSQL has written as text. What it could not say is filled in. */
export class WrittenText {
  constructor(private readonly pieces: readonly Piece[]) {}

  /** The text, with what fills the holes written by the writer of the answer. */
  asText(write: (value: unknown) => string): string {
    let text = '';
    for (const piece of this.pieces) text += typeof piece === 'string' ? piece : write(piece.value);
    return text;
  }

  get hasFailed(): boolean {
    return this.pieces.some((piece) => typeof piece !== 'string' && piece.value instanceof Failure);
  }

  /** The values of the text, for what is to be changed in it. */
  opened(): unknown {
    const marked = this.pieces.map((piece, index) => (typeof piece === 'string' ? piece : `"\\u0001${index}"`));
    return JSON.parse(marked.join(''), (_, value) => {
      const filling = typeof value === 'string' && value.startsWith('\u0001') && this.pieces[Number(value.slice(1))];
      return typeof filling === 'object' ? filling.value : value;
    });
  }
}

/** Which field fills a hole of a text. */
export interface HoleField {
  readonly field: CompiledField;
  /** What rows it is computed from: equal for all fields that select the same. */
  readonly source: object;
}

function fillingOf({ field }: HoleField, row: unknown, run: Run): Filling {
  const filling: Filling = { value: null };
  try {
    filling.value = field.read(row, run);
  } catch (error) {
    filling.value = failed(run, error, field.nodes);
  }
  if (isPromise(filling.value)) {
    later(run, filling.value, field.nodes, (value) => {
      filling.value = value;
    });
  }
  return filling;
}

/** What the texts of a statement's rows have in common. */
interface Written extends HoleFilling {
  /** Which objects the texts are, in their order. */
  readonly objects: readonly CompiledObject[];
  readonly holes: readonly HoleField[];
}

/** Fills the holes of one text for one answer. */
class Filler {
  // What several fields are computed from is one row for them, as it is elsewhere.
  private readonly rows = new Map<object, Map<string, unknown>>();

  constructor(
    private readonly written: Written,
    private readonly run: Run,
  ) {}

  fill(text: string): Piece[] {
    const [head = '', ...parts] = text.split(HOLE_BEGIN);
    const pieces: Piece[] = [head];
    for (const part of parts) {
      const [colon, end] = [part.indexOf(':'), part.indexOf(HOLE_END)];
      const [name, content] = [part.slice(0, colon), part.slice(colon + 1, end)];
      if (name.startsWith(SHARED)) pieces.push(...this.sharedOf(Number(name.slice(SHARED.length)), content));
      else pieces.push(this.computed(Number(name), content));
      pieces.push(part.slice(end + 1));
    }
    return pieces;
  }

  private computed(number: number, json: string): Filling {
    const { holes, decoders } = this.written;
    const [hole, decode] = [holes[number], decoders.get(number)];
    if (!hole || !decode) throw new Error(`a hole ${number} that nothing fills`);
    const known = this.rows.get(hole.source) ?? new Map<string, unknown>();
    this.rows.set(hole.source, known);
    const row = known.get(json) ?? decode(parseExactJson(json));
    known.set(json, row);
    return fillingOf(hole, row, this.run);
  }

  private sharedOf(number: number, id: string): readonly Piece[] {
    const texts = this.written.shared[number];
    const text = texts?.get(id);
    if (!texts || text === undefined) throw new Error(`an object ${id} that was not written`);
    const ofRun = filled.get(texts) ?? new WeakMap<Run, Map<string, readonly Piece[]>>();
    filled.set(texts, ofRun);
    const known = ofRun.get(this.run) ?? new Map<string, readonly Piece[]>();
    ofRun.set(this.run, known);
    const pieces = known.get(id) ?? this.fill(text);
    known.set(id, pieces);
    return pieces;
  }
}

/** The pieces of shared objects, which are the same for all rows of an answer. */
const filled = new WeakMap<object, WeakMap<Run, Map<string, readonly Piece[]>>>();

/** The texts of a row, one for each object that was to be written. */
export class WrittenTexts {
  constructor(
    private readonly texts: readonly string[],
    private readonly written: Written,
  ) {}

  /** The text of an object for one answer; undefined where it was not written. */
  of(object: CompiledObject, run: Run): WrittenText | undefined {
    const text = this.texts[this.written.objects.indexOf(object)];
    if (text === undefined) return undefined;
    return new WrittenText(text.includes(HOLE_BEGIN) ? new Filler(this.written, run).fill(text) : [text]);
  }
}

const kept = new WeakMap<object, WrittenTexts>();

/** Keeps the texts of a row with it. */
export const keepTexts = (row: object, texts: WrittenTexts): object => {
  kept.set(row, texts);
  return row;
};

export const textsOf = (row: unknown): WrittenTexts | undefined => kept.get(row as object);
