import { randomUUID } from 'node:crypto';

/** What clients' caches put objects together by. Only nodes are read by theirs. */
export const opaqueId = (type: string, key: string): string => Buffer.from(`${type}:${key}`).toString('base64');

const made = new WeakMap<object, string>();

/** One that is made for an answer, the same wherever the object stands in it. */
export function madeId(type: string, source: object): string {
  const key = made.get(source) ?? randomUUID();
  made.set(source, key);
  return opaqueId(type, key);
}
