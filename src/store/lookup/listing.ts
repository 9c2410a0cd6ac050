import { asOrganization } from '../database/connection-share.ts';
import { senderOf } from '../database/sender.ts';
import { originOf, type TenantClient } from '../database/tenant.ts';
import { conditions } from './condition-sql.ts';
import { type Draft, type Query, Unreadable } from './draft.ts';
import { draftOf, type Head, headOf, type Row, unlessUnreadable, type Writing } from './head.ts';
import { ordering } from './order-sql.ts';

type Where = NonNullable<Query['where']>;

/** Which rows of a list are read. */
export interface Stretch {
  readonly where: Where;
  readonly orderBy: unknown;
  readonly take: number;
  readonly skip: number;
}

/** What is read of a list's rows. */
export interface Listed {
  readonly columns: Readonly<Record<string, true>>;
  readonly writing?: Writing | undefined;
  /** Whether PostgreSQL may keep a plan, which is then made for no values. */
  readonly isKept: boolean;
}

/** A list of one organization's rows. What it answers is undefined where only Prisma can read it. */
export interface Listing {
  read(stretch: Stretch): Promise<Row[]> | undefined;
  count(where: Where): Promise<number> | undefined;
}

interface Begun extends Head {
  readonly draft: Draft;
  /** Statements that begin so, by what ends them. */
  readonly pages: Map<string, string>;
}

const MOST_PAGES = 20;

function begun(model: string, { columns, writing }: Listed, draft: Draft): Begun {
  const head = headOf(model, { select: columns }, writing, draft);
  return { ...head, draft, pages: new Map() };
}

const known = new WeakMap<Writing, Map<string, Begun | undefined>>();

/** The begin is the same for every page: to write it takes longer than the rest. */
function beginOf(model: string, listed: Listed, draft: Draft): Begun | undefined {
  const { writing, columns } = listed;
  if (!writing) return unlessUnreadable(() => begun(model, listed, draft));
  const ofWriting = known.get(writing) ?? new Map<string, Begun | undefined>();
  known.set(writing, ofWriting);
  const name = Object.keys(columns).join();
  if (!ofWriting.has(name))
    ofWriting.set(
      name,
      unlessUnreadable(() => begun(model, listed, draft)),
    );
  return ofWriting.get(name);
}

/** A page's statement as the same text each time: what is looked up by it is then found without reading some kilobytes. */
function sqlOf({ select, alias, pages }: Begun, rows: string, order: string): string {
  const end = `${rows}${order}`;
  const sql = pages.get(end) ?? `${select} FROM (${rows}) ${alias}${order}`;
  if (pages.size >= MOST_PAGES) pages.clear();
  pages.set(end, sql);
  return sql;
}

/** The draft of a statement that begins as another. */
const continued = (draft: Draft, isLiteral: boolean): Draft => ({
  ...draft,
  isLiteral,
  constants: [...draft.constants],
});

const whereOf = ({ owner, table, alias }: Head, where: Where, draft: Draft): string =>
  [owner, ...conditions(where, table, alias, draft)].join(' AND ');

function pageOf(begin: Begun, { where, orderBy, take, skip }: Stretch, isKept: boolean) {
  const { table, alias } = begin;
  const draft = continued(begin.draft, isKept);
  const condition = whereOf(begin, where, draft);
  const order = ordering(orderBy, table, alias);
  if (!Number.isInteger(take) || !Number.isInteger(skip) || take < 0) throw new Unreadable(`${take} rows`);
  if (skip > 0) draft.constants.push(skip);
  const offset = skip > 0 ? ` OFFSET $${draft.constants.length}` : '';
  // How many rows stands in the statement, so that a plan is made for it. The page is cut first: what belongs to the rows
  // before it is not looked at.
  const page = `SELECT ${alias}.* FROM ${table.sql} ${alias} WHERE ${condition}${order} LIMIT ${take}${offset}`;
  return { sql: sqlOf(begin, page, order), args: draft.constants };
}

/** The lists of a model. Undefined within a transaction, which only Prisma reads. */
export function listingOf(client: TenantClient, model: string, listed: Listed): Listing | undefined {
  const origin = originOf(client);
  const sender = origin && senderOf(origin.prisma);
  const begin = origin && beginOf(model, listed, draftOf(origin.prisma, listed.writing));
  if (!sender || !begin) return undefined;
  const send = (sql: string, [, ...args]: readonly unknown[]) =>
    asOrganization(origin.organizationId, () => sender(sql, [origin.organizationId, ...args], listed.isKept));
  return {
    read(stretch) {
      const page = unlessUnreadable(() => pageOf(begin, stretch, listed.isKept));
      return page && send(page.sql, page.args).then(begin.decode);
    },
    count(where) {
      const draft: Draft = { ...draftOf(origin.prisma), aliases: begin.draft.aliases };
      const condition = unlessUnreadable(() => whereOf(begin, where, draft));
      if (condition === undefined) return undefined;
      const sql = `SELECT count(*)::text FROM ${begin.table.sql} ${begin.alias} WHERE ${condition}`;
      return send(sql, draft.constants).then((rows) => Number(rows[0]?.[0]));
    },
  };
}
