import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { bytesOf } from '../../../src/http/graphql/document-cache.ts';
import { ByteCache } from '../../../src/http/wire/byte-cache.ts';

it('what was used last is kept, up to so many bytes', () => {
  const cache = new ByteCache<string>(100, (_key, value) => value.length);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) cache.set(key, 'x'.repeat(10));
  expect(cache.bytes).toBe(100);
  cache.get('a');
  cache.set('k', 'x'.repeat(10));
  expect([cache.get('a'), cache.get('b'), cache.bytes]).toEqual(['x'.repeat(10), undefined, 100]);
  cache.set('k', 'x');
  expect([cache.get('k'), cache.bytes]).toEqual(['x', 91]);
});

it('what would take an eighth of everything is not kept, and pushes nothing out', () => {
  const cache = new ByteCache<string>(100, (_key, value) => value.length);
  cache.set('a', 'x');
  cache.set('b', 'x'.repeat(13));
  expect([cache.get('a'), cache.get('b'), cache.bytes]).toEqual(['x', undefined, 1]);
});

it('a document weighs by its tokens', () => {
  const weight = (text: string) => bytesOf(text, parse(text));
  expect(weight(`{ ${'a '.repeat(2000)}}`)).toBeGreaterThan(1_000_000);
  expect(weight('{ a }')).toBeLessThan(5000);
});
