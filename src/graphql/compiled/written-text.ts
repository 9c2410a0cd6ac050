import type { Decode } from '../../store/lookup/draft.ts';
import { HOLE_BEGIN, HOLE_END } from '../../store/lookup/hole.ts';
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

/** The texts of a row, one for each object that was to be written. */
export class WrittenTexts {
  constructor(
    private readonly texts: readonly string[],
    private readonly objects: readonly CompiledObject[],
    private readonly holes: readonly HoleField[],
    private readonly decoders: ReadonlyMap<number, Decode>,
  ) {}

  /** The text of an object for one answer; undefined where it was not written. */
  of(object: CompiledObject, run: Run): WrittenText | undefined {
    const text = this.texts[this.objects.indexOf(object)];
    if (text === undefined) return undefined;
    return new WrittenText(text.includes(HOLE_BEGIN) ? this.filled(text, run) : [text]);
  }

  private filled(text: string, run: Run): Piece[] {
    const rows = new Map<object, Map<string, unknown>>();
    const [head = '', ...parts] = text.split(HOLE_BEGIN);
    const pieces: Piece[] = [head];
    for (const part of parts) {
      const [colon, end] = [part.indexOf(':'), part.indexOf(HOLE_END)];
      const number = Number(part.slice(0, colon));
      const [hole, decode] = [this.holes[number], this.decoders.get(number)];
      if (!hole || !decode) throw new Error(`a hole ${number} that nothing fills`);
      // What several fields are computed from is one row for them, as it is elsewhere.
      const json = part.slice(colon + 1, end);
      const known = rows.get(hole.source) ?? new Map<string, unknown>();
      rows.set(hole.source, known);
      const row = known.get(json) ?? decode(JSON.parse(json));
      known.set(json, row);
      pieces.push(fillingOf(hole, row, run), part.slice(end + 1));
    }
    return pieces;
  }
}

const kept = new WeakMap<object, WrittenTexts>();

/** Keeps the texts of a row with it. */
export const keepTexts = (row: object, texts: WrittenTexts): object => {
  kept.set(row, texts);
  return row;
};

export const textsOf = (row: unknown): WrittenTexts | undefined => kept.get(row as object);
