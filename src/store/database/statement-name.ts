import { createHash } from 'node:crypto';
import type { SqlQuery } from '@prisma/driver-adapter-utils';

// PostgreSQL plans a named statement once a connection.
// A list has no name and is planned for its values each time: without them PostgreSQL takes a handful of rows for granted,
// and joins the relations of every row of the table before it cuts the page.
const LIST = /ORDER BY [^()]* LIMIT \$\d+ OFFSET \$\d+$/;

/** The name under which PostgreSQL keeps a statement's plan; empty for those that it is to plan each time. */
export const statementName = ({ sql }: Pick<SqlQuery, 'sql'>): string =>
  // The adapter hands the name on to pg, to which an empty one means a statement without a name.
  LIST.test(sql) ? '' : createHash('sha1').update(sql).digest('base64url');

const MOST_NAMES = 2000;
const LONGEST_NAMED = 50_000;
const MOST_CHARACTERS = 4_000_000;

/**
 * The same, reckoned once for a text: hashing some kilobytes takes as long as sending them. Every connection keeps what has a
 * name, and clients choose what is selected and how long it becomes: only what is sent twice gets one, only so many do, and
 * only so much in all.
 */
export function rememberingNames() {
  const names = new Map<string, string>();
  const once = new Set<string>();
  let named = 0;
  let noted = 0;
  const note = (sql: string) => {
    if (once.size >= MOST_NAMES || noted + sql.length > MOST_CHARACTERS) {
      once.clear();
      noted = 0;
    }
    once.add(sql);
    noted += sql.length;
  };
  return (query: Pick<SqlQuery, 'sql'>): string => {
    const { sql } = query;
    const known = names.get(sql);
    if (known !== undefined) return known;
    const isFull = names.size >= MOST_NAMES || named + sql.length > MOST_CHARACTERS;
    if (isFull || sql.length > LONGEST_NAMED) return '';
    if (once.delete(sql)) {
      noted -= sql.length;
      named += sql.length;
      names.set(sql, statementName(query));
    } else {
      note(sql);
    }
    return names.get(sql) ?? '';
  };
}
