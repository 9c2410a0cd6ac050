import type { ChargeProperties, PriceModel } from '../../billing/catalogue/charge-type.ts';
import type { FilterState } from '../../billing/catalogue/filter-write.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { METRIC_COLUMNS, metricState } from './charge-row.ts';
import { type CopiesOf, isCopy } from './price-copy.ts';

/** What filters of copies of one charge have in common where they do: thousands are decided as one. */
export interface FilterCopyState {
  readonly parentId: string;
  readonly model: PriceModel;
  readonly canonical: string;
  readonly properties: ChargeProperties;
  readonly invoiceDisplayName: string | null;
  /** All of it as the database writes it, by which it finds the filters again. */
  readonly key: string;
}

// One expression over both tables: else the database joins what is given with the charges alone, and reads each filter ten times.
const KEY = Prisma.sql`ROW(price.parent_id, price.charge_model, filter.canonical_values, filter.properties,
  filter.invoice_display_name)::text`;

/** In which states the filters of copies are. */
export async function filterStates(tx: TenantTransaction, actor: Actor, of: CopiesOf) {
  if (of.parents.length === 0) return [];
  return tx.$queryRaw<FilterCopyState[]>`
    SELECT price.parent_id AS "parentId", price.charge_model::text AS model, filter.canonical_values AS canonical,
      filter.properties, filter.invoice_display_name AS "invoiceDisplayName", ${KEY} AS key
    FROM charges AS price JOIN charge_filters AS filter ON filter.charge_id = price.id AND filter.deleted_at IS NULL
    WHERE ${isCopy(actor, of)} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 6`;
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** What filters in one state become; null where they go. */
export interface FilterFollowing {
  readonly state: FilterCopyState;
  readonly to: Pick<FilterState, 'properties' | 'invoiceDisplayName'> | null;
}

/** Stores what becomes of filters of copies, in one statement; says of which copies they are. */
export async function followFilters(
  tx: TenantTransaction,
  actor: Actor,
  of: CopiesOf,
  changes: readonly FilterFollowing[],
): Promise<readonly string[]> {
  if (changes.length === 0) return [];
  const given = changes.map(({ state: { key }, to }) => ({
    ...{ key, goes: to === null, properties: to?.properties, name: to?.invoiceDisplayName },
  }));
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
    WITH changed AS (
      UPDATE charge_filters AS filter SET
        properties = CASE WHEN given.goes THEN filter.properties ELSE given.properties END,
        invoice_display_name = CASE WHEN given.goes THEN filter.invoice_display_name ELSE given.name END,
        deleted_at = CASE WHEN given.goes THEN ${actor.now}::timestamptz END,
        updated_at = CASE WHEN given.goes THEN filter.updated_at ELSE ${actor.now}::timestamptz END
      FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (key text, goes boolean, properties jsonb, name text),
        charges AS price
      WHERE ${isCopy(actor, of)} AND filter.charge_id = price.id AND filter.deleted_at IS NULL AND ${KEY} = given.key
      RETURNING filter.charge_id AS id)
    SELECT DISTINCT id FROM changed`,
  );
}

/** Which models and metrics copies of charges have, with what filters of each metric can name. */
export async function copyMetrics(tx: TenantTransaction, actor: Actor, of: CopiesOf) {
  if (of.parents.length === 0) return [];
  const kinds = await tx.$queryRaw<{ parentId: string; model: PriceModel; metricId: string }[]>`
    SELECT DISTINCT price.parent_id AS "parentId", price.charge_model::text AS model, price.billable_metric_id AS "metricId"
    FROM charges AS price WHERE ${isCopy(actor, of)}`;
  const where = { id: { in: [...new Set(kinds.map(({ metricId }) => metricId))] } };
  const rows = await tx.billableMetric.findMany({ where, select: METRIC_COLUMNS });
  const metrics = new Map(rows.map((row) => [row.id, metricState(row)]));
  return kinds.map((kind) => ({ ...kind, declared: metrics.get(kind.metricId)?.filters ?? [] }));
}

/** A filter for copies of one charge, of one model and one metric, that do not have it yet. */
export interface FilterForCopies {
  readonly parentId: string;
  readonly model: PriceModel;
  readonly metricId: string;
  readonly filter: FilterState;
}

/**
 * Identifiers of rows that a statement makes, as `newId` makes them: of version 7, in the order of `rank` among 4096 that follow each
 * other.
 */
function madeId(now: Date, rank: Prisma.Sql) {
  const time = now.getTime().toString(16).padStart(12, '0');
  const head = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  return Prisma.sql`(${head} || lpad(to_hex(${rank} & 4095), 3, '0') || substr(gen_random_uuid()::text, 19))::uuid`;
}

/** Adds filters to the copies that do not have them yet, behind those that they have, in one statement; says to which. */
export async function addToCopies(
  tx: TenantTransaction,
  actor: Actor,
  of: CopiesOf,
  filters: readonly FilterForCopies[],
): Promise<readonly string[]> {
  if (filters.length === 0) return [];
  const { organizationId, now } = actor;
  const given = filters.map(({ filter: { invoiceDisplayName: name, ...filter }, ...kind }, place) => ({
    ...{ ...kind, ...filter, name, place },
  }));
  return idsOf(
    await tx.$queryRaw<{ id: string }[]>`
    WITH copies AS MATERIALIZED (
      SELECT price.id, price.parent_id, price.charge_model::text AS model, price.billable_metric_id AS metric_id, COALESCE((
        SELECT max(position) FROM charge_filters WHERE charge_id = price.id AND deleted_at IS NULL), -1) AS last
      FROM charges AS price WHERE ${isCopy(actor, of)}
    ), fresh AS (
      SELECT copies.id, name, properties, "values", canonical,
        last + row_number() OVER (PARTITION BY copies.id ORDER BY place) AS position,
        row_number() OVER (ORDER BY copies.id, place) AS rank
      FROM copies JOIN json_to_recordset(${JSON.stringify(given)}::json) AS given ("parentId" uuid, model text,
          "metricId" uuid, name text, properties jsonb, "values" jsonb, canonical text, place int)
        ON given."parentId" = copies.parent_id AND given.model = copies.model AND given."metricId" = copies.metric_id
      WHERE NOT EXISTS (SELECT 1 FROM charge_filters AS own
        WHERE own.charge_id = copies.id AND own.canonical_values = given.canonical AND own.deleted_at IS NULL)
    ), made AS (
      INSERT INTO charge_filters (id, organization_id, charge_id, invoice_display_name, properties, "values",
        canonical_values, position, created_at, updated_at)
      SELECT ${madeId(now, Prisma.raw('rank'))}, ${organizationId}::uuid, id, name, properties, "values", canonical,
        position, ${now}, ${now} FROM fresh ORDER BY rank
      RETURNING charge_id AS id)
    SELECT DISTINCT id FROM made`,
  );
}

/** Gives new copies of charges the filters of what they were copied of, in one statement. */
export async function copyFilters(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  copies: readonly string[],
): Promise<void> {
  if (copies.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO charge_filters (id, organization_id, charge_id, invoice_display_name, properties, "values", canonical_values,
      position, created_at, updated_at)
    SELECT ${madeId(now, Prisma.raw('row_number() OVER (ORDER BY price.id, filter.position)'))}, ${organizationId}::uuid,
      price.id, filter.invoice_display_name, filter.properties, filter."values", filter.canonical_values, filter.position,
      ${now}, ${now}
    FROM charges AS price JOIN charge_filters AS filter ON filter.charge_id = price.parent_id AND filter.deleted_at IS NULL
    WHERE price.organization_id = ${organizationId}::uuid AND price.id = ANY(${copies}::uuid[])
    ORDER BY price.id, filter.position`;
}
