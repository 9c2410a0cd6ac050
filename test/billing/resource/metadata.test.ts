import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BillingError } from '../../../src/billing/errors.ts';
import { checkMetadataPatch } from '../../../src/billing/resource/metadata.ts';

const detailsOf = (patch: unknown) => {
  try {
    checkMetadataPatch(patch);
  } catch (error) {
    if (error instanceof BillingError) return error.details;
    throw error;
  }
  return undefined;
};

describe('checkMetadataPatch', () => {
  it('hands on what may be stored', () => {
    const patch = JSON.parse('{"__proto__":"x","":"","n":null}');
    expect(checkMetadataPatch(patch)).toBe(patch);
    expect(checkMetadataPatch(undefined)).toEqual({});
    expect(checkMetadataPatch(null)).toEqual({});
  });
  it('counts code points at the very limits', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'é', '東', '😀'), fc.integer({ min: 250, max: 260 }), (letter, length) => {
        expect(detailsOf({ a: letter.repeat(length) }) === undefined).toBe(length <= 255);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom('a', 'é', '東', '😀'), fc.integer({ min: 95, max: 105 }), (letter, length) => {
        expect(detailsOf({ [letter.repeat(length)]: 'v' }) === undefined).toBe(length <= 100);
      }),
    );
  });
  it('names every key at fault and no other', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 20 }), fc.anything(), { maxKeys: 20 }), (patch) => {
        const faulty = Object.entries(patch).filter(([, value]) => value !== null && typeof value !== 'string');
        const named = Object.entries(detailsOf(patch) ?? {}).filter(([, codes]) => codes.includes('value_is_invalid'));
        expect(named.length).toBe(faulty.length);
      }),
    );
  });
  it('never repeats a long key, nor what cannot be shown', () => {
    const [name = ''] = Object.keys(detailsOf({ ['\ud800'.repeat(100_000)]: 7 }) ?? {});
    expect(name).toBe(`metadata.${'?'.repeat(100)}`);
    expect(detailsOf({ 'a\0': 'x' })).toEqual({ 'metadata.a?': ['key_is_invalid'] });
  });
});
