import { createHash, randomBytes } from 'node:crypto';
import { uuidOf } from '../../database/uuid.ts';

const [SIZE, AT_ONCE] = [16, 256]; // a system call for each would take longer than all else

/** Identifiers that rise in the order in which they were asked for, so that a list keeps the order of its document. */
export class IdentifierSequence {
  private counter = 0;
  private random = Buffer.alloc(0);

  constructor(private readonly milliseconds: number) {}

  next(): string {
    if (this.random.length === 0) this.random = randomBytes(SIZE * AT_ONCE);
    const bytes = this.random.subarray(0, SIZE);
    this.random = this.random.subarray(SIZE);
    const step = this.counter++;
    bytes.writeUIntBE(this.milliseconds + (step >> 12), 0, 6);
    bytes.writeUInt16BE(step & 0xfff, 6);
    return uuidOf(bytes, 7);
  }
}

/** The same identifier for the same parts, so that a row without a name is found again when its document is read again. */
export function identifierOf(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join('\0')).digest();
  return uuidOf(hash.subarray(0, 16), 8);
}

/** As `identifierOf`, rising with the position in a list. */
export function positionedIdentifier(position: number, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16);
  hash.writeUIntBE(position, 0, 6);
  return uuidOf(hash, 8);
}
