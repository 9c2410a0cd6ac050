import { expect } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';

/** What a refused request may leave behind: that its key was used, what it was answered, and which events were refused. */
const BOOKKEEPING = /^(api_keys|idempoten\w*|event_refusals|event_tallies|_prisma\w*)$/;

/** A row that was written and stayed: the table, and whose it is, where the row says so. */
export interface WrittenRow {
  readonly name: string;
  readonly owner: string | null;
}

// A row of this log that is there was written by a transaction that stayed: others take theirs along.
const LOG = `
  CREATE TABLE fuzz_writes (place bigserial PRIMARY KEY, name text NOT NULL, owner text);
  CREATE FUNCTION fuzz_note() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO fuzz_writes (name, owner)
    VALUES (TG_ARGV[0], to_jsonb(coalesce(NEW, OLD)) ->> (CASE TG_ARGV[0] WHEN 'organizations' THEN 'id' ELSE 'organization_id' END));
    RETURN NULL;
  END $$;`;

const TABLES = `
  SELECT relname::text AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'fuzz_writes'
  ORDER BY 1`;

/** Has the database note every row that is written. What it answers tells those of a request: of the time since it was last asked. */
export async function watchRows({ prisma }: Database): Promise<() => Promise<readonly WrittenRow[]>> {
  const tables = await prisma.$queryRawUnsafe<{ name: string }[]>(TABLES);
  const watched = tables.filter(({ name }) => !BOOKKEEPING.test(name));
  expect(watched.length).toBeGreaterThan(40);
  for (const statement of LOG.split(/(?<=owner text\);)/)) await prisma.$executeRawUnsafe(statement);
  for (const { name } of watched) {
    await prisma.$executeRawUnsafe(`
      CREATE TRIGGER fuzz_note AFTER INSERT OR UPDATE OR DELETE ON "${name}"
      FOR EACH ROW EXECUTE FUNCTION fuzz_note('${name}')`);
  }
  let last = 0n;
  return async () => {
    const rows = await prisma.$queryRawUnsafe<(WrittenRow & { readonly place: bigint })[]>(
      `SELECT place, name, owner FROM fuzz_writes WHERE place > ${last} ORDER BY place`,
    );
    last = rows.at(-1)?.place ?? last;
    return rows;
  };
}

/** All rows that are not an organization's, as a sum for each table. */
export async function rowsOfOthers({ prisma }: Database, organizationId: string): Promise<Record<string, string>> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'organization_id' AND table_name NOT IN ('api_keys') ORDER BY 1`;
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await prisma.$queryRawUnsafe<{ sum: string }[]>(
      `SELECT count(*) || ' ' || coalesce(sum(hashtext(t::text)::bigint), 0) AS sum FROM "${name}" t WHERE organization_id <> '${organizationId}'`,
    );
    sums[name] = row?.sum ?? '';
  }
  return sums;
}

/** Names by which something is asked for, of the caller's organization and of others. */
export interface Names {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  external_id: ['customers', 'subscriptions'],
  code: ['plans', 'taxes', 'add_ons', 'billable_metrics', 'coupons', 'features', 'billing_entities', 'pricing_units'],
  id: [
    ...['invoices', 'wallets', 'fees', 'credit_notes', 'payments', 'payment_requests', 'payment_methods', 'events'],
    ...['customers', 'subscriptions', 'plans', 'charges', 'charge_filters', 'applied_coupons', 'billable_metrics'],
    ...['add_ons', 'coupons', 'taxes', 'fixed_charges', 'wallet_transactions', 'jobs'],
  ],
};

/** By table and column (`plans.code`), some of the names that are there. */
export async function namesIn({ prisma }: Database, organizationId: string): Promise<Readonly<Record<string, Names>>> {
  const all: Record<string, Names> = {};
  for (const [column, tables] of Object.entries(NAMED)) {
    for (const table of tables) {
      const some = (whose: string) =>
        prisma.$queryRawUnsafe<{ name: string }[]>(
          `SELECT ${column}::text AS name FROM "${table}" WHERE organization_id ${whose} '${organizationId}' ORDER BY md5(id::text) LIMIT 30`,
        );
      const [own, foreign] = [await some('='), await some('<>')];
      const known = new Set(own.map(({ name }) => name));
      const strange = foreign.map(({ name }) => name).filter((name) => !known.has(name));
      all[`${table}.${column}`] = { own: [...known], foreign: strange };
    }
  }
  return all;
}
