import { LosslessNumber, parse, stringify } from 'lossless-json';

/** A JSON value in which no number has lost a digit: what a JavaScript number cannot hold is a LosslessNumber or a bigint. */
export type Json = null | boolean | string | number | bigint | LosslessNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

const numberOf = (text: string) => (String(Number(text)) === text ? Number(text) : new LosslessNumber(text));

/** Parses a JSON text with every digit. Throws a SyntaxError. */
export function parseJson(text: string): Json {
  return parse(text, undefined, numberOf) as Json;
}

/** The text of a JSON value, with every digit. */
export function jsonText(value: Json | undefined): string {
  return stringify(value) ?? 'null';
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The digits of a number as they were written, or undefined for anything else. */
export function numberText(value: Json | undefined): string | undefined {
  if (value instanceof LosslessNumber) return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'bigint' ? value.toString() : undefined;
}

/** A number of the document made from its digits. */
export const jsonNumber = (digits: string): Json => numberOf(digits);

/** The member at `path` (`item.type`), or undefined. Own members only. */
export function memberAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The value with the members of every object in order of their names, so that equal values have equal texts. */
export function sorted(value: Json | undefined): Json {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value ?? null;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
