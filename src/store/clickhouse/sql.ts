/** A text of ClickHouse's SQL, made by `sql` or `name` only. */
export class Sql {
  constructor(readonly text: string) {}
}

type Value = Sql | string | number | boolean | readonly (string | number)[];

const SPECIAL = /[\\']/g;

/** A text as a literal. */
const quoted = (text: string) => `'${text.replace(SPECIAL, '\\$&').replaceAll('\0', '\\0')}'`;

function literal(value: Value): string {
  if (value instanceof Sql) return value.text;
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'number') return `[${value.map(literal).join(', ')}]`;
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`);
  return String(value);
}

/** SQL in which every value that is no SQL stands as a literal: long lists fit into no address, where parameters go. */
export const sql = (texts: TemplateStringsArray, ...values: readonly Value[]): Sql =>
  new Sql(texts.map((text, at) => (at === 0 ? text : literal(values[at - 1] ?? '') + text)).join(''));

/** The name of a column. */
export function name(column: string): Sql {
  if (!/^[a-z_][a-z_0-9.]*$/.test(column)) throw new Error(`${column} is no column`);
  return new Sql(column);
}

export const joined = (parts: readonly Sql[], between: string): Sql =>
  new Sql(parts.map(({ text }) => text).join(between));
