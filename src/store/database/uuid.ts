import { randomFillSync, randomInt } from 'node:crypto';

const WRITTEN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const USUAL = new RegExp(WRITTEN, 'i');
const LOOSE = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;

/** Whether a text is an identifier as anybody names one: with its hyphens, in small letters or capitals. */
export const isUuid = (text: string): boolean => USUAL.test(text);

/** Whether it is one as the database writes them, in small letters: of what comes back that was handed out. */
export const isWrittenUuid = (text: string): boolean => WRITTEN.test(text);

/** An identifier as the database writes it; it may come in capitals, without hyphens or in braces. What is none stays as it is, and names nothing. */
export function readUuid(text: string): string {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  const parts = LOOSE.exec(inner);
  return parts ? parts.slice(1).join('-').toLowerCase() : text;
}

/** The text of 16 bytes as a UUID of a version; the bits that say so are set. */
export function uuidOf(bytes: Uint8Array, version: number): string {
  const out = Buffer.from(bytes);
  out[6] = ((out[6] ?? 0) & 0x0f) | (version << 4);
  out[8] = ((out[8] ?? 0) & 0x3f) | 0x80;
  const hex = out.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

// Many rows are made at one moment, also more than the 4,096 that a counter of 12 bits tells apart. It begins anywhere in the lower half, so that
// processes do not count alike, and never ends.
const [HIGH, LOW] = [2 ** 12, 2 ** 30];
let sequence = randomInt(2 ** 41);

// Asked for one by one, random bytes cost more than the rest of a row.
const RANDOM = Buffer.alloc(4096);
let used = RANDOM.length;

function randomTail(): Buffer {
  if (used === RANDOM.length) {
    randomFillSync(RANDOM);
    used = 0;
  }
  used += 4;
  return RANDOM.subarray(used - 4, used);
}

/** A UUID of version 7 for rows that are written by hand: its order is that of time and, within a process, of making. */
export function newId(now: Date): string {
  sequence += 1;
  const bytes = Buffer.allocUnsafe(16);
  bytes.set(randomTail(), 12);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt16BE(Math.floor(sequence / LOW) % HIGH, 6);
  bytes.writeUInt32BE(sequence % LOW, 8);
  return uuidOf(bytes, 7);
}
