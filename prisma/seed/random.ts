import { createHash } from 'node:crypto';
import { identifierOf } from '../../src/store/transfer/value/identifier.ts';

/** The identifier of a thing of the demo: the same names give the same one, for ever. */
export const idOf = (...names: readonly (string | number)[]): string => identifierOf('demo', ...names.map(String));

/** Numbers that look random and are the same on every run. A stream a purpose: a new one changes no other. */
export class Random {
  private state: number;

  constructor(purpose: string) {
    this.state = createHash('sha256').update(purpose).digest().readUInt32LE(0);
  }

  /** From 0 to 1, 1 excluded. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both bounds included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  one<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0];
  }

  /** A decimal as text with that many digits after the point. */
  decimal(least: number, most: number, digits: number): string {
    const scale = 10 ** digits;
    const text = String(this.whole(least * scale, most * scale)).padStart(digits + 1, '0');
    return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  }
}
