import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Entry } from '../document/draft.ts';
import type { FaultList } from '../document/fault.ts';
import { SECTIONS } from '../shape/all.ts';
import { EVENT } from '../shape/event.ts';
import { isObject, type JsonObject, parseJson } from '../value/json.ts';
import { countMonth, type Part } from './source.ts';

interface Line {
  readonly text: string;
  readonly number: number;
  /** Whether its bytes are UTF-8: in the text of others letters are lost. */
  readonly isUtf8: boolean;
  /** Position of its first byte. */
  readonly start: number;
}

/** Where the lines of one section stand in the file. */
interface Range {
  readonly start: number;
  readonly line: number;
  end: number;
  count: number;
}

// Of an event; one within its properties only makes a month that is not needed.
const TIMESTAMP = /"timestamp"\s*:\s*"([^"]*)/;
const RESOURCE = /^\s*\{\s*"([a-z_]+)"\s*:/;
const NAMES = new Set(SECTIONS.map(({ name }) => name));
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The lines of a file between two bytes; a line is held, never the file. */
async function* linesOf(path: string, start = 0, end = Number.POSITIVE_INFINITY, first = 1): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let position = start;
  let number = first;
  const line = (bytes: Buffer): Line => ({
    ...{ text: bytes.toString('utf8'), isUtf8: isUtf8(bytes), number: number++, start: position },
  });
  for await (const chunk of createReadStream(path, { start, end, highWaterMark: 1 << 20 })) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    let from = 0;
    if (position === 0 && rest.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
      from = BYTE_ORDER_MARK.length;
      position = from;
    }
    for (let to = rest.indexOf(NEWLINE); to >= 0; to = rest.indexOf(NEWLINE, from)) {
      yield line(rest.subarray(from, to));
      position += to + 1 - from;
      from = to + 1;
    }
    rest = rest.subarray(from);
  }
  if (rest.length > 0) yield line(rest);
}

const resourceOf = (text: string): string | undefined => RESOURCE.exec(text)?.[1];

class LinePart implements Part {
  readonly place = '';
  total = 0;
  readonly ranges = new Map<string, Range>();
  readonly months = new Map<string, number>();

  constructor(
    private readonly path: string,
    readonly organization: JsonObject,
    private readonly faults: FaultList,
  ) {}

  add(name: string, { start, number, text }: Line): void {
    const end = start + Buffer.byteLength(text);
    const range = this.ranges.get(name);
    this.total++;
    if (name === EVENT.name) countMonth(this.months, TIMESTAMP.exec(text)?.[1]);
    if (!range) this.ranges.set(name, { start, line: number, end, count: 1 });
    else {
      range.end = end;
      range.count++;
    }
  }

  async *entries({ name }: { name: string }, size: number): AsyncGenerator<Entry[]> {
    const range = this.ranges.get(name);
    if (!range) return;
    let batch: Entry[] = [];
    for await (const { text, number } of linesOf(this.path, range.start, range.end, range.line)) {
      if (resourceOf(text) !== name) continue;
      const entry = this.entry(name, text, number);
      if (entry) batch.push(entry);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  private entry(name: string, text: string, number: number): Entry | undefined {
    const place = `line ${number}`;
    const value = parsedLine(text);
    if (value && Object.keys(value).length === 1) return { place, item: value[name] ?? null };
    this.faults.add(place, 'value_is_invalid');
    return undefined;
  }
}

function parsedLine(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The organizations of a file with one `{"resource": {...}}` a line; `{"organization": {...}}` begins another one. */
export async function linePartsOf(path: string, faults: FaultList): Promise<Part[]> {
  const parts: LinePart[] = [];
  for await (const line of linesOf(path)) {
    if (line.text.trim() === '') continue;
    if (!line.isUtf8) {
      faults.add(`line ${line.number}`, 'is_not_utf8');
      continue;
    }
    const name = resourceOf(line.text);
    if (name === 'organization') {
      const organization = parsedLine(line.text)?.organization;
      parts.push(new LinePart(path, isObject(organization) ? organization : {}, faults));
      if (!isObject(organization)) faults.add(`line ${line.number}`, 'value_is_invalid');
    } else if (name !== undefined && NAMES.has(name)) {
      if (parts.length === 0) parts.push(new LinePart(path, {}, faults));
      parts.at(-1)?.add(name, line);
    } else faults.add(`line ${line.number}`, 'value_is_invalid');
  }
  return parts;
}

/** Whether a file has one resource a line: its name says so, or its first line is a document of one resource. */
export async function isLineFile(path: string): Promise<boolean> {
  if (/\.(ndjson|jsonl)$/i.test(path)) return true;
  for await (const { text } of linesOf(path)) {
    if (text.trim() === '') continue;
    const name = resourceOf(text);
    if (name !== 'organization') return name !== undefined && NAMES.has(name);
    return Object.keys(parsedLine(text) ?? {}).length === 1;
  }
  return false;
}

/** Refuses a file whose bytes are not UTF-8, with its lines. */
export async function checkEncoding(path: string, faults: FaultList): Promise<void> {
  for await (const line of linesOf(path)) if (!line.isUtf8) faults.add(`line ${line.number}`, 'is_not_utf8');
  faults.throwIfAny();
}
