import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type { Writing } from '../../store/lookup/head.ts';
import type { Form } from '../../store/lookup/value-sql.ts';
import type { WrittenObject, WrittenValue } from '../../store/lookup/written-sql.ts';
import { modelOf } from '../base/builder.ts';
import type { Context } from '../context.ts';
import { type CompiledField, type CompiledObject, Uncompiled } from './compiled-type.ts';
import { type HoleField, keepTexts, WrittenTexts } from './written-text.ts';

/** What is being written, and for which wire: REST shows some values in another form. */
interface Draft {
  readonly isGraph: boolean;
  readonly holes: HoleField[];
}

/** The columns that an object is made of, where it is not a row of its own. */
type Select = Readonly<Record<string, unknown>>;

type Field = GraphQLField<unknown, Context>;

const FORMS: Readonly<Record<string, Form['as']>> = {
  ...{ String: 'text', UUID: 'text', Int: 'number', Boolean: 'boolean', BigInt: 'integer', Decimal: 'decimal' },
  ...{ Percentage: 'percentage', DateTime: 'moment', Date: 'date' },
};

const OTHER = 'other';

/** How the values of a leaf type are written; undefined where PostgreSQL cannot. */
function formOf(type: GraphQLOutputType, { isGraph }: Draft): Form | undefined {
  const isNullable = !isNonNullType(type);
  const shown = getNullableType(type);
  if (isListType(shown)) {
    const item = formOf(shown.ofType, { isGraph, holes: [] });
    return item?.as === 'text' && !item.isNullable && !isNullable ? { as: 'texts', isNullable } : undefined;
  }
  if (isEnumType(shown)) {
    const values = shown.getValues();
    if (values.some(({ name, value }) => name !== value)) return undefined;
    if (!shown.extensions.isOpen) return { as: 'enumeration', isNullable };
    const known = values.map(({ name }) => name);
    return isGraph ? { as: 'open', isNullable, known, other: OTHER } : { as: 'text', isNullable };
  }
  if (!isScalarType(shown)) return undefined;
  const as = shown.extensions.isText ? 'text' : FORMS[shown.name];
  if (!as) return undefined;
  if (as === 'percentage' && isGraph) return { as: 'decimal', isNullable };
  return { as, isNullable, ...(as === 'integer' && { isQuoted: isGraph }) };
}

/** Whether an object, or what it shows, is loaded by Pothos. */
const isLoadedBelow = ({ fields }: CompiledObject): boolean =>
  fields.some(({ isSelected, shows }) => isSelected || shows.some(isLoadedBelow));

function computed(field: CompiledField, select: Select, draft: Draft, mostly?: Form): WrittenValue {
  if (field.shows.some(isLoadedBelow)) throw new Uncompiled(`${field.key} shows other rows`);
  const number = draft.holes.push({ field, source: select }) - 1;
  const [column = ''] = Object.keys(select);
  const value = { kind: 'computed', number, query: { select: { id: true, ...select } } } as const;
  return mostly ? { ...value, mostly: { kind: 'stored', paths: [column], form: mostly } } : value;
}

/** A context that throws when it is asked for anything: what is written is written for every request. */
const nobody: Context = new Proxy({} as Context, {
  get: (_target, name) => {
    throw new Uncompiled(`it depends on ${String(name)}`);
  },
});

/** What Pothos loads for a field, and how the rows that it shows are chosen. */
function relatedOf({ extensions }: Field): { relation: string; query: object } {
  const select = extensions.pothosPrismaSelect as (
    args: object,
    context: Context,
    nested: (query: object) => object,
  ) => { select: Readonly<Record<string, object>> };
  const asked = select({}, nobody, (query) => (typeof query === 'function' ? query({}, nobody) : query)).select;
  const [[relation, query] = ['', {}], ...others] = Object.entries(asked);
  if (others.length > 0) throw new Uncompiled('several relations');
  return { relation, query };
}

function related(of: Field, { key, shows }: CompiledField, draft: Draft): WrittenValue {
  const [shown, ...others] = shows;
  if (!shown || others.length > 0) throw new Uncompiled(`${key} is of several types`);
  return { kind: 'related', ...relatedOf(of), object: objectOf(shown, draft) };
}

interface Declared {
  readonly paths: readonly string[];
  readonly otherwise?: string;
}

/** The columns that a leaf shows as they are, if it does. */
function storedOf(type: GraphQLObjectType, { name, extensions }: Field): Declared | undefined {
  const { pothosExposedField: exposed, firstOf } = extensions;
  if (firstOf) return firstOf as Declared;
  if (typeof exposed === 'string') return { paths: [exposed] };
  const isNode = name === 'id' && type.getInterfaces().some((one) => one.name === 'Node');
  return isNode ? { paths: ['id'] } : undefined;
}

function leaf(type: GraphQLObjectType, field: CompiledField, of: Field, draft: Draft): WrittenValue | undefined {
  const stored = storedOf(type, of);
  if (!stored) return undefined;
  if (getNamedType(of.type).name === 'ID') {
    return { kind: 'stored', ...stored, form: { as: 'node', prefix: `${type.name}:`, isNullable: false } };
  }
  const form = formOf(of.type, draft);
  const [column = ''] = stored.paths;
  const isOwn = stored.paths.every((path) => !path.includes('.'));
  if (!form && isOwn) return computed(field, Object.fromEntries(stored.paths.map((path) => [path, true])), draft);
  if (!form) return undefined;
  if (form.as === 'percentage') return computed(field, { [column]: true }, draft, form);
  return { kind: 'stored', ...stored, form };
}

function memberOf(
  type: GraphQLObjectType,
  field: CompiledField,
  within: Select | undefined,
  draft: Draft,
): WrittenValue {
  const { of, isSelected, shows } = field;
  if (!of) return { kind: 'constant', json: JSON.stringify(type.name) };
  const { pothosPrismaSelect: select, pothosPrismaRelationField: relation, isSameRow, guardedBy } = of.extensions;
  const isChecked = isSelected || !guardedBy;
  const isPlain = of.args.length === 0 && isChecked;
  if (isPlain && isLeafType(getNamedType(of.type))) {
    const written = leaf(type, field, of, draft);
    if (written) return written;
  }
  if (isPlain && relation) return related(of, field, draft);
  if (isSelected && (typeof select !== 'object' || select === null))
    throw new Uncompiled(`${field.key} is loaded by its arguments`);
  const own = isSelected ? (select as Select) : (within ?? (type.extensions.pothosPrismaSelect as Select | undefined));
  if (!own) throw new Uncompiled(`${type.name} is no row`);
  const [shown] = shows;
  if (isPlain && isSameRow && shown) return { kind: 'same', object: objectOf(shown, draft, own) };
  return computed(field, own, draft);
}

function objectOf({ type, fields }: CompiledObject, draft: Draft, within?: Select): WrittenObject {
  return { members: fields.map((field) => [field.key, memberOf(type, field, within, draft)] as const) };
}

/** The objects below a root field that are rows, each where it is reached first. */
function rowsBelow(shows: readonly CompiledObject[]): CompiledObject[] {
  return shows.flatMap((object) =>
    object.type.extensions.pothosPrismaModel ? [object] : rowsBelow(object.fields.flatMap((field) => field.shows)),
  );
}

/** What PostgreSQL writes of the rows that a root field shows; undefined where they are of several models, or it cannot. */
export function writtenRows(shows: readonly CompiledObject[], isGraph: boolean): Writing | undefined {
  const objects = rowsBelow(shows);
  const models = new Set(objects.map(({ type }) => modelOf(type.name)));
  if (models.size !== 1) return undefined;
  try {
    const draft: Draft = { isGraph, holes: [] };
    const written = objects.map((object) => objectOf(object, draft));
    return {
      objects: written,
      isList: !shows.some((one) => objects.includes(one)),
      keep: (row, texts, filling) =>
        keepTexts(row, new WrittenTexts(texts, { objects, holes: draft.holes, ...filling })),
    };
  } catch (error) {
    if (error instanceof Uncompiled) return undefined;
    throw error;
  }
}
