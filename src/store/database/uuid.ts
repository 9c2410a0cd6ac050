import { randomBytes } from 'node:crypto';

let sequence = 0;

/** A UUID of version 7 for rows that are written by hand: its order is that of time and, within a process, of making. */
export function newId(now: Date): string {
  sequence = (sequence + 1) & 0xfff;
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
