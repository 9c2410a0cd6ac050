import type { MetadataPatch } from './metadata.ts';

/** What a member holds; imports read the same kinds. `codes` names other rows, `parts` are rows of their own, the others are columns. */
export type FieldKind =
  | 'text'
  | 'cents'
  | 'decimal'
  | 'rate'
  | 'integer'
  | 'boolean'
  | 'currency'
  | 'time'
  | 'choice'
  | 'expression'
  | 'texts'
  | 'country'
  | 'timezone'
  | 'locale'
  | 'email'
  | 'url'
  | 'hook'
  | 'provider'
  | 'logo'
  | 'metadata'
  | 'codes'
  | 'parts';

/** A kind of value, as rules and rows hold it: decimals as text, amounts as integers, moments as dates. */
export interface FieldType<Value> {
  readonly kind: FieldKind;
  /** Of a choice: the enumeration of the Prisma schema. */
  readonly enumeration?: string;
  /** Of a number: 0 is refused where somebody writes, though an import may bring it along. */
  readonly isPositive?: boolean;
  /** Of codes and parts: the relation that leads to the rows, and the resource that codes name. */
  readonly relation?: string;
  readonly to?: string;
  /** Of parts: the model of their rows, and the members that each has. The first one names it. */
  readonly parts?: { readonly model: string; readonly fields: Fields };
  /** The object of the body that holds it, and what it is called there: `{ name: 'shippingAddress', member: 'city' }`. */
  readonly group?: { readonly name: string; readonly member: string };
  /** What bodies call it, where that is not its column: `logo` of `logoUrl`. */
  readonly sentAs?: string;
  /** Of a text: a blank one is stored as none, or as what a new object has that does not say it. */
  readonly isBlankNone?: boolean;
  /** Of a text: spaces around it are not stored. */
  readonly isTrimmed?: boolean;
  /** Of a text: how many characters it has at most. */
  readonly longest?: number;
  /** Of a text: how many characters it has at least. */
  readonly shortest?: number;
  /** Of a text: kept in capitals. */
  readonly isUpper?: boolean;
  /** Of texts: the only ones, and the code of another. */
  readonly among?: { readonly texts: readonly string[]; readonly code: string };
  /** What a new object has that does not say it; such a member is never null. */
  readonly initial?: Value;
}

/** A member of a resource. */
export interface Field<Value = unknown> extends FieldType<Value> {
  /** Neither absent in a new object nor ever null or blank. */
  readonly isMandatory: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

/** An object of a resource, by the names of its members. */
export type Values<F extends Fields> = { readonly [N in keyof F]: F[N] extends Field<infer Value> ? Value : never };

/** What a caller sends of it. Absent says nothing; null clears what can be empty, and says nothing of what has an initial value. */
export type Sent<F extends Fields> = { readonly [N in keyof F]?: Values<F>[N] | null | undefined };

export const TEXT: FieldType<string> = { kind: 'text' };
/** A moment, to the millisecond. */
export const TIME: FieldType<Date> = { kind: 'time' };
/** A price in minor units, of something that is not given away. */
export const PRICE: FieldType<bigint> = { kind: 'cents', isPositive: true };
/** An amount in minor units; 0 is one. */
export const AMOUNT: FieldType<bigint> = { kind: 'cents' };
/** A number of any digits, as text. */
export const DECIMAL: FieldType<string> = { kind: 'decimal' };
/** A percentage that documents print as a number. */
export const RATE: FieldType<string> = { kind: 'rate' };
export const INTEGER: FieldType<number> = { kind: 'integer' };
export const BOOLEAN: FieldType<boolean> = { kind: 'boolean' };
export const CURRENCY: FieldType<string> = { kind: 'currency', isBlankNone: true };
/** A text of which a blank one says that there is none. */
export const LINE: FieldType<string> = { kind: 'text', isBlankNone: true };
/** A text of so many characters at most. */
export const textOf = (longest: number): FieldType<string> => ({ kind: 'text', longest });
/** Kept in capitals. */
export const COUNTRY: FieldType<string> = { kind: 'country', isBlankNone: true };
export const TIME_ZONE: FieldType<string> = { kind: 'timezone', isBlankNone: true };
export const LOCALE: FieldType<string> = { kind: 'locale', isBlankNone: true };
/** An address of the web, with its scheme or without. */
export const WEB_ADDRESS: FieldType<string> = { kind: 'url', isBlankNone: true };
/** An address that is called over http or https. */
export const HOOK: FieldType<string> = { kind: 'hook', isBlankNone: true };
/** An image as a `data:` address. */
export const LOGO: FieldType<string> = { kind: 'logo', isBlankNone: true, sentAs: 'logo' };
/** Who collects payments, by name. */
export const PROVIDER: FieldType<string> = { kind: 'provider', isBlankNone: true };
/** One address, or several with commas between them. */
export const EMAIL: FieldType<string> = { kind: 'email', isBlankNone: true };

/** Free key-value pairs; values are texts or null. */
export const METADATA: FieldType<MetadataPatch> = { kind: 'metadata' };
/** Computes a property of events; blank is none. */
export const EXPRESSION: FieldType<string> = { kind: 'expression' };
/** Texts, each once, in their order. */
export const TEXTS: FieldType<readonly string[]> = { kind: 'texts' };

/** One of the values of an enumeration of the Prisma schema. */
export const choice = <Value extends string>(enumeration: string): FieldType<Value> => ({
  kind: 'choice',
  enumeration,
});

/** Rows of the object's own. Of two of one name the later counts. */
export const parts = <F extends Fields>(relation: string, model: string, fields: F): Field<readonly Values<F>[]> => ({
  ...{ kind: 'parts', relation, parts: { model, fields } },
  ...{ isMandatory: false, initial: [] },
});

/** Codes of rows of another resource. A list that is sent replaces the former one. */
export const codes = (to: string, relation: string): Field<readonly string[]> => ({
  ...{ kind: 'codes', to, relation },
  ...{ isMandatory: false, initial: [] },
});

export const mandatory = <Value>(type: FieldType<Value>): Field<Value> => ({ ...type, isMandatory: true });
export const optional = <Value>(type: FieldType<Value>): Field<Value | null> => ({ ...type, isMandatory: false });
export const initially = <Value>(type: FieldType<Value>, initial: Value): Field<Value> => ({
  ...type,
  isMandatory: false,
  initial,
});

/** What bodies call a member, within the object that holds it. */
export const sentName = (name: string, { group, sentAs }: Field): string => group?.member ?? sentAs ?? name;

/** The same members outside of any object. */
export const ungrouped = <F extends Fields>(fields: F): F =>
  Object.fromEntries(Object.entries<Field>(fields).map(([name, { group: _group, ...field }]) => [name, field])) as F;

/** Members that stand in an object of their own in bodies; their columns begin with the prefix, where there is one. */
export function grouped<F extends Fields, Prefix extends string = ''>(
  name: string,
  fields: F,
  prefix: Prefix = '' as Prefix,
): { readonly [N in keyof F & string as Prefix extends '' ? N : `${Prefix}${Capitalize<N>}`]: F[N] } {
  const columnOf = (member: string) =>
    prefix === '' ? member : `${prefix}${member.charAt(0).toUpperCase()}${member.slice(1)}`;
  const members = Object.entries<Field>(fields).map(([member, field]): [string, Field] => {
    const inGroup: Field = { ...field, group: { name, member } };
    return [columnOf(member), inGroup];
  });
  return Object.fromEntries(members) as ReturnType<typeof grouped<F, Prefix>>;
}
