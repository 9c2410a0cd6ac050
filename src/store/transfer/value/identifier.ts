import { createHash, randomBytes } from 'node:crypto';

const VARIANT = 0x80;

function format(bytes: Uint8Array, version: number): string {
  const out = Buffer.from(bytes);
  out[6] = ((out[6] ?? 0) & 0x0f) | (version << 4);
  out[8] = ((out[8] ?? 0) & 0x3f) | VARIANT;
  return out.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Identifiers that rise in the order in which they were asked for, so that a list keeps the order of its document. */
export class IdentifierSequence {
  private counter = 0;

  constructor(private readonly milliseconds: number) {}

  next(): string {
    const bytes = randomBytes(16);
    const step = this.counter++;
    bytes.writeUIntBE(this.milliseconds + (step >> 12), 0, 6);
    bytes.writeUInt16BE(step & 0xfff, 6);
    return format(bytes, 7);
  }
}

/** The same identifier for the same parts, so that a row without a name is found again when its document is read again. */
export function identifierOf(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join('\0')).digest();
  return format(hash.subarray(0, 16), 8);
}

/** As `identifierOf`, rising with the position in a list. */
export function positionedIdentifier(position: number, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16);
  hash.writeUIntBE(position, 0, 6);
  return format(hash, 8);
}
