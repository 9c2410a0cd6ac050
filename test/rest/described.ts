import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { schema } from '../../src/graphql/schema.ts';
import { errorBodies } from '../../src/http/wire/rest-error.ts';
import { routes } from '../../src/rest/index.ts';
import { openApi } from '../../src/rest/openapi/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: descriptions are looked into at any place
type Any = any;

/** The description as clients get it. */
export const description: Any = JSON.parse(
  JSON.stringify(openApi({ schema, routes, server: '/api/v1', errors: errorBodies })),
);

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
ajv.addVocabulary(['example', 'components']);
ajv.addSchema({ $id: 'api', components: { schemas: description.components.schemas } });

const checkers = new Map<Any, ValidateFunction>();

/** What the description says against a value; empty where it allows it. */
export function against(shape: Any, value: unknown): string[] {
  const known = checkers.get(shape);
  const check = known ?? ajv.compile(JSON.parse(JSON.stringify(shape).replaceAll('"#/components', '"api#/components')));
  checkers.set(shape, check);
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export function resolved(shape: Any): Any {
  if (!shape.$ref) return shape;
  return resolved(
    shape.$ref
      .split('/')
      .slice(1)
      .reduce((value: Any, step: string) => value[step], description),
  );
}

/** The alternatives of a schema, each without references at its top. */
export function alternatives(shape: Any): Any[] {
  const plain = resolved(shape);
  const parts = plain.anyOf ?? plain.oneOf;
  if (parts && !plain.type) return parts.flatMap(alternatives);
  return [plain.type ?? []].flat().map((type) => ({ ...plain, type }));
}

const decimals = fc.oneof(
  fc.constantFrom('0', '1', '0.5', '12.34', '100', '0.000000012345', '0.10'),
  fc.tuple(fc.nat(9999), fc.nat(99)).map(([whole, part]) => `${whole}.${part}`),
);

function textOf({ pattern, format, minLength, maxLength }: Any): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return fc.constantFrom('2026-07-01T00:00:00Z', '2026-06-20T10:30:00+02:00');
  if (format === 'date') return fc.constantFrom('2026-07-01', '2026-06-20');
  if (pattern) return String(pattern).includes('A-Z') ? fc.stringMatching(new RegExp(pattern)) : decimals;
  const most = Math.min(maxLength ?? 20, 20);
  const text = fc.string({ unit: 'grapheme', minLength: minLength ?? 0, maxLength: most });
  // A grapheme may be several characters.
  return maxLength === undefined ? text : text.filter((one) => [...one].length <= maxLength);
}

export type Hints = Readonly<Record<string, readonly unknown[]>>;

/** What members are given: names of what exists, and whether only those. */
interface Given {
  readonly hints: Hints;
  readonly kept: readonly string[];
}

function objectOf(shape: Any, given: Given, depth: number): fc.Arbitrary<unknown> {
  const required: string[] = shape.required ?? [];
  const members = Object.entries<Any>(shape.properties ?? {}).filter(([name]) => depth < 5 || required.includes(name));
  const known = fc.record(
    Object.fromEntries(members.map(([name, inner]) => [name, memberOf(name, inner, given, depth + 1)])),
    { requiredKeys: required },
  );
  const more = shape.additionalProperties;
  const least = shape.minProperties ?? 0;
  const whole = more
    ? fc.tuple(known, fc.dictionary(fc.string({ maxLength: 10 }), valueFor(more, given, depth + 1), { maxKeys: 3 }))
    : fc.tuple(known, fc.constant({}));
  return whole.map(([one, other]) => ({ ...other, ...one })).filter((value) => Object.keys(value).length >= least);
}

function memberOf(name: string, shape: Any, given: Given, depth: number): fc.Arbitrary<unknown> {
  const any = valueFor(shape, given, depth);
  const good = given.hints[name];
  if (good && given.kept.includes(name)) return fc.constantFrom(...good);
  return good ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: any }) : any;
}

function valueFor(shape: Any, given: Given, depth: number): fc.Arbitrary<unknown> {
  const made = alternatives(shape).map((one): fc.Arbitrary<unknown> => {
    if (one.enum)
      return fc.constantFrom(...one.enum.filter((value: unknown) => (value === null) === (one.type === 'null')));
    switch (one.type) {
      case 'null':
        return fc.constant(null);
      case 'string':
        return textOf(one);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: one.minimum ?? -1000, max: one.maximum ?? 2 ** 31 - 1 });
      case 'number':
        // Of as many digits as anybody writes: 5e-324 has more than a decimal takes.
        return fc
          .double({ noNaN: true, noDefaultInfinity: true, min: 0, max: shape.maximum ?? 1e6 })
          .map((one) => Number(one.toFixed(6)));
      case 'array':
        return fc.array(valueFor(one.items ?? {}, given, depth + 1), {
          minLength: one.minItems ?? 0,
          maxLength: Math.min(one.maxItems ?? 3, 3),
        });
      default:
        return objectOf(one, given, depth);
    }
  });
  return made.length === 0 ? fc.jsonValue({ maxDepth: 1 }) : fc.oneof(...made);
}

/**
 * Values that a schema allows. Members that name something stored get a name that exists, most of the time; those that are
 * kept never get another.
 */
export const generated = (shape: Any, hints: Hints, kept: readonly string[] = []): fc.Arbitrary<unknown> =>
  valueFor(shape, { hints, kept }, 0);

/** A place inside a value, with the schema that stands for it. */
export interface PlaceIn {
  readonly path: readonly (string | number)[];
  readonly shape: Any;
}

/** Every place of a value that the schema says something about. */
export function placesOf(shape: Any, value: unknown, path: readonly (string | number)[] = []): PlaceIn[] {
  const here = [{ path, shape }];
  if (typeof value !== 'object' || value === null) return here;
  const kind = Array.isArray(value) ? 'array' : 'object';
  const all = alternatives(shape).filter(({ type }) => type === kind);
  // Of several kinds of objects, the one that has its members.
  const one = all.find(({ properties = {} }) => Object.keys(value).some((name) => name in properties)) ?? all[0];
  if (!one) return here;
  const inner = (name: string) => (kind === 'array' ? one.items : (one.properties?.[name] ?? one.additionalProperties));
  return here.concat(
    Object.entries(value).flatMap(([name, member]) => {
      const known = inner(name);
      return typeof known === 'object'
        ? placesOf(known, member, [...path, kind === 'array' ? Number(name) : name])
        : [];
    }),
  );
}

/** A copy with another value at a place, or without the member where it is undefined. */
export function replaced(value: unknown, path: readonly (string | number)[], other: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return other;
  const copy: Any = Array.isArray(value) ? [...value] : { ...(value as object) };
  if (rest.length === 0 && other === undefined) delete copy[step];
  else copy[step] = replaced(copy[step], rest, other);
  return copy;
}
