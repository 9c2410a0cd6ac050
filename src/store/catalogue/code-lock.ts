import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** What has a code: where it is stored, and which of its rows a code means. */
const LIVE = Prisma.sql`deleted_at IS NULL`;
const TABLES = {
  tax: { table: Prisma.raw('taxes'), live: LIVE },
  billable_metric: { table: Prisma.raw('billable_metrics'), live: LIVE },
  invoice_custom_section: { table: Prisma.raw('invoice_custom_sections'), live: LIVE },
  feature: { table: Prisma.raw('features'), live: LIVE },
  billing_entity: {
    table: Prisma.raw('billing_entities'),
    live: Prisma.sql`deleted_at IS NULL AND archived_at IS NULL`,
  },
  add_on: { table: Prisma.raw('add_ons'), live: LIVE },
  // There is no end to them.
  pricing_unit: { table: Prisma.raw('pricing_units'), live: Prisma.sql`TRUE` },
  coupon: { table: Prisma.raw('coupons'), live: LIVE },
  // Overrides share the code of their plan and are never named by it.
  plan: { table: Prisma.raw('plans'), live: Prisma.sql`deleted_at IS NULL AND parent_id IS NULL` },
} as const;

/** A kind of objects that are named by a code. */
export type Coded = keyof typeof TABLES;

/**
 * Stores key-value pairs of an object; null is none. By hand: the client would drop a pair whose key is `__proto__`.
 */
export async function saveMetadata(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: Coded,
  id: string,
  metadata: object | null,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE ${TABLES[kind].table} SET metadata = ${metadata && JSON.stringify(metadata)}::jsonb
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid`;
}

/** Finds an object by its code and keeps others from changing and from attaching it until the transaction ends. Throws `object_not_found`. */
export async function lockByCode(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: Coded,
  code: string,
): Promise<string> {
  const { table, live } = TABLES[kind];
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${table} WHERE organization_id = ${organizationId}::uuid AND code = ${code} AND ${live} FOR UPDATE`;
  if (!row) throw notFound(kind);
  return row.id;
}

/**
 * Identifiers of objects by their codes. Until the transaction ends they are not deleted: what is attached is there. Throws
 * `object_not_found` for one that is not.
 */
export async function idsByCode(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: Coded,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(codes)];
  if (wanted.length === 0) return new Map();
  const { table, live } = TABLES[kind];
  const rows = await tx.$queryRaw<{ id: string; code: string }[]>`
    SELECT id, code FROM ${table}
    WHERE organization_id = ${organizationId}::uuid AND code = ANY(${wanted}::text[]) AND ${live}
    ORDER BY id FOR SHARE`;
  const known = new Map(rows.map(({ id, code }) => [code, id]));
  const unknown = wanted.find((code) => !known.has(code));
  if (unknown !== undefined) throw notFound(kind, unknown);
  return known;
}

/** The same as rows to attach, each once. */
export async function heldByCode(
  tx: TenantTransaction,
  actor: Actor,
  kind: Coded,
  codes: readonly string[],
): Promise<{ id: string }[]> {
  const ids = await idsByCode(tx, actor, kind, codes);
  return [...ids.values()].map((id) => ({ id }));
}
