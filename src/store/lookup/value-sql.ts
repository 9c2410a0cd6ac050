import type { Column } from '../database/model.ts';
import { Unreadable } from './draft.ts';

/** A part of a text in SQL: as it stands, or what an expression says. */
export type Part = { readonly literal: string } | { readonly sql: string };

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const MOST_ARGUMENTS = 90; // a function of PostgreSQL takes 100

const call = (args: readonly string[]): string => `concat(${args.join(', ')})`;

/** The expression that puts parts together; texts that stand beside each other are one. */
export function concatenated(parts: readonly Part[]): string {
  const args: string[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') args.push(quoted(text));
    text = '';
  };
  for (const part of parts) {
    if ('literal' in part) {
      text += part.literal;
    } else {
      flush();
      args.push(part.sql);
    }
  }
  flush();
  const groups = Array.from({ length: Math.ceil(args.length / MOST_ARGUMENTS) }, (_, at) =>
    call(args.slice(at * MOST_ARGUMENTS, (at + 1) * MOST_ARGUMENTS)),
  );
  return groups.length === 1 ? (groups[0] ?? '') : call(groups);
}

/** In which form a column's value is written: as the scalars and enumerations of the schema write it in JavaScript. */
export interface Form {
  readonly as: keyof typeof WRITERS;
  /** What has marks around it in GraphQL: whole numbers of 64 bits. */
  readonly isQuoted?: boolean;
  /** Of an enumeration the values that it knows, and what stands for any other. */
  readonly known?: readonly string[];
  readonly other?: string;
  /** What begins the identifier of a node. */
  readonly prefix?: string;
  readonly isNullable: boolean;
}

type Write = (sql: string, form: Form) => Part[];

/** What has nothing in it that JSON would escape, in marks. */
const marked = (sql: string, isNullable: boolean): Part[] =>
  isNullable ? [{ sql: `coalesce('"' || ${sql} || '"', 'null')` }] : [{ literal: '"' }, { sql }, { literal: '"' }];

const plain = (sql: string, isNullable: boolean): Part[] => [{ sql: isNullable ? `coalesce(${sql}, 'null')` : sql }];

// What is put together becomes text there: to make it one before costs a copy more.
const asNumber: Write = (sql, { isNullable }) => plain(isNullable ? `${sql}::text` : sql, isNullable);
const asBoolean: Write = (sql, { isNullable }) => plain(`${sql}::text`, isNullable);
const asJson: Write = (sql, { isNullable }) => plain(`to_json(${sql})`, isNullable);

const decimal = (sql: string) =>
  `(CASE WHEN ${sql} = trunc(${sql}) THEN trunc(${sql})::text || '.0' ELSE trim_scale(${sql})::text END)`;

// JavaScript writes a moment to the second.
const MOMENT = '"2026-01-31T23:59:59'.length;

const openEnumeration = (sql: string, known: readonly string[], other: string) =>
  `CASE WHEN ${sql} IN (${known.map(quoted).join(', ')}) THEN ${sql} WHEN ${sql} IS NOT NULL THEN ${quoted(other)} END`;

const WRITERS = {
  text: asJson,
  texts: (sql) => [{ sql: `to_json(coalesce(${sql}, '{}'))` }],
  key: (sql, { isNullable }) => marked(sql, isNullable),
  number: asNumber,
  boolean: asBoolean,
  integer: (sql, form) => (form.isQuoted ? marked(sql, form.isNullable) : asNumber(sql, form)),
  decimal: (sql, { isNullable }) => marked(decimal(sql), isNullable),
  percentage: (sql, { isNullable }) => plain(`trim_scale(${sql})::text`, isNullable),
  moment: (sql, { isNullable }) =>
    plain(`left(to_json(${sql} AT TIME ZONE 'UTC')::text, ${MOMENT}) || 'Z"'`, isNullable),
  date: asJson,
  enumeration: (sql, { isNullable }) => marked(sql, isNullable),
  open: (sql, { isNullable, known = [], other = '' }) => marked(openEnumeration(sql, known, other), isNullable),
  node: (sql, { prefix = '' }) =>
    marked(`translate(encode(convert_to(concat(${quoted(prefix)}, ${sql}), 'UTF8'), 'base64'), E'\\n', '')`, false),
} satisfies Record<string, Write>;

const TYPES: Partial<Record<string, readonly Form['as'][]>> = {
  String: ['text', 'texts', 'open', 'node'],
  Int: ['number'],
  BigInt: ['integer'],
  Decimal: ['decimal', 'percentage'],
  DateTime: ['moment', 'date'],
  Boolean: ['boolean'],
  ...{ Json: [], Float: [], Bytes: [] },
};
const ENUMERATION: readonly Form['as'][] = ['enumeration'];

// Numbers that JavaScript, too, writes without an exponent and with all of their digits.
const isPlainNumber = (sql: string) => `${sql} IS NULL OR (abs(${sql}) < 1e9 AND scale(trim_scale(${sql})) <= 6)`;

/** A column's value as it stands in JSON, and when it is so. Throws `Unreadable` where the column is of another type. */
export function valueIn(form: Form, sql: string, { type, isKey }: Column): { parts: Part[]; condition: string } {
  if (!(TYPES[type] ?? ENUMERATION).includes(form.as)) throw new Unreadable(`${type} as ${form.as}`);
  const write: Write = WRITERS[form.as === 'text' && isKey ? 'key' : form.as];
  return { parts: write(sql, form), condition: form.as === 'percentage' ? isPlainNumber(sql) : 'true' };
}
