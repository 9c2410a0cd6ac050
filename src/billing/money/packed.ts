import { Decimal } from './decimal.ts';

// What is copied to another thread loses its class, and a decimal cannot be copied at all. A String object can, and is nowhere
// else: what callers write is never taken for a decimal.
const isPacked = (value: unknown): value is string => value instanceof String;

function packedOf(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) return Object(value.valueOf());
  const seen = known.get(value);
  if (seen !== undefined) return seen;
  let copy: Record<string, unknown> | undefined;
  for (const [name, one] of Object.entries(value)) {
    const own = packedOf(one, known);
    if (own === one) continue;
    copy ??= Object.assign(Array.isArray(value) ? [] : Object.create(null), value) as Record<string, unknown>;
    copy[name] = own;
  }
  known.set(value, copy ?? value);
  return copy ?? value;
}

/**
 * Plain values (objects, lists, texts, numbers, bigints) as they can be given to another thread, with their decimals in a form that
 * `unpacked` reads. What holds decimals is copied, once, however often it occurs; the rest is the same.
 */
export const packed = (value: unknown): unknown => packedOf(value, new Map());

/** Decimals of what `packed` made and another thread was given, in place: with every digit. The caller says what it is. */
export function unpacked<T>(value: unknown): T {
  const seen = new Set<object>();
  const revive = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null || seen.has(one)) return one;
    if (isPacked(one)) return new Decimal(String(one));
    seen.add(one);
    for (const [name, member] of Object.entries(one)) {
      if (typeof member === 'object' && member !== null) Reflect.set(one, name, revive(member));
    }
    return one;
  };
  return revive(value) as T;
}
