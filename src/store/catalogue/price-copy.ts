import type { ChargeProperties, PriceModel } from '../../billing/catalogue/charge-type.ts';
import type { Decimal } from '../../billing/money/decimal.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type Coded, freeCodes, PRICE_TABLES, type PriceKind } from './price-change.ts';
import { TAX_TABLES } from './tax-link.ts';

/** Prices of a plan and the overrides of it, between them the copies that are meant. */
export interface CopiesOf {
  readonly parents: readonly string[];
  readonly planIds: readonly string[];
}

/** The live copies, of a table that the statement calls `price`. */
export const isCopy = ({ organizationId }: Actor, { parents, planIds }: CopiesOf) => Prisma.sql`
  price.organization_id = ${organizationId}::uuid AND price.parent_id = ANY(${parents}::uuid[])
  AND price.plan_id = ANY(${planIds}::uuid[]) AND price.deleted_at IS NULL`;

/** What copies of one price have in common where they do: thousands are decided as one. */
export interface CopyState {
  readonly parentId: string;
  readonly model: PriceModel;
  readonly properties: ChargeProperties;
  /** Of fixed charges, as a text. */
  readonly units: string | null;
  /** All of it as the database writes it, by which it finds the copies again. */
  readonly key: string;
}

const UNITS = { charge: Prisma.raw('NULL::numeric'), fixed_charge: Prisma.raw('price.units') } as const;

const keyOf = (kind: PriceKind) =>
  Prisma.sql`ROW(price.parent_id, price.charge_model, price.properties, ${UNITS[kind]})::text`;

/** In which states copies are. */
export async function copyStates(tx: TenantTransaction, actor: Actor, kind: PriceKind, of: CopiesOf) {
  if (of.parents.length === 0) return [];
  return tx.$queryRaw<CopyState[]>`
    SELECT price.parent_id AS "parentId", price.charge_model::text AS model, price.properties, ${UNITS[kind]}::text AS units,
      ${keyOf(kind)} AS key
    FROM ${PRICE_TABLES[kind]} AS price WHERE ${isCopy(actor, of)} GROUP BY 1, 2, 3, 4, 5 ORDER BY 5`;
}

/** What copies in one state take over. */
export interface Following {
  readonly state: CopyState;
  readonly properties: ChargeProperties;
  readonly units?: Decimal;
}

/** Stores what copies take over, in one statement; says which copies those are, and by which of the changes. */
export async function followPrices(
  tx: TenantTransaction,
  actor: Actor,
  kind: PriceKind,
  of: CopiesOf,
  changes: readonly Following[],
): Promise<readonly { readonly id: string; readonly planId: string; readonly at: number }[]> {
  if (changes.length === 0) return [];
  const given = changes.map(({ state: { key }, properties, units }, at) => ({
    ...{ at, key, properties, units: units?.toFixed() },
  }));
  const set = kind === 'fixed_charge' ? Prisma.sql`units = given.units,` : Prisma.empty;
  return tx.$queryRaw`
    UPDATE ${PRICE_TABLES[kind]} AS price SET properties = given.properties, ${set} updated_at = ${actor.now}
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (at int, key text, properties jsonb, units numeric)
    WHERE ${isCopy(actor, of)} AND ${keyOf(kind)} = given.key
    RETURNING price.id, price.plan_id AS "planId", given.at`;
}

/** A copy with the code that it has on its override. */
export interface CopyCode {
  readonly id: string;
  readonly planId: string;
  readonly parentId: string;
  readonly model: PriceModel;
  readonly code: string;
}

/** Copies with their codes. */
export const copyCodes = (tx: TenantTransaction, actor: Actor, kind: PriceKind, of: CopiesOf) =>
  tx.$queryRaw<CopyCode[]>`
    SELECT price.id, price.plan_id AS "planId", price.parent_id AS "parentId", price.charge_model::text AS model, price.code
    FROM ${PRICE_TABLES[kind]} AS price WHERE ${isCopy(actor, of)} ORDER BY price.id`;

/** Gives copies other codes. */
export async function recode(
  tx: TenantTransaction,
  actor: Actor,
  kind: PriceKind,
  rows: readonly Coded[],
): Promise<void> {
  if (rows.length === 0) return;
  await freeCodes(tx, actor, kind, rows);
  const [ids, codes] = [rows.map(({ id }) => id), rows.map((row) => row.codes[1])];
  await tx.$executeRaw`
    UPDATE ${PRICE_TABLES[kind]} AS price SET code = given.code, updated_at = ${actor.now}
    FROM unnest(${ids}::uuid[], ${codes}::text[]) AS given (id, code)
    WHERE price.id = given.id AND price.organization_id = ${actor.organizationId}::uuid`;
}

/** The identifiers of copies, in their order. */
export async function copiesOf(
  tx: TenantTransaction,
  actor: Actor,
  kind: PriceKind,
  of: CopiesOf,
): Promise<readonly string[]> {
  if (of.parents.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT price.id FROM ${PRICE_TABLES[kind]} AS price WHERE ${isCopy(actor, of)} ORDER BY price.id`;
  return rows.map(({ id }) => id);
}

const COPIED = {
  charge: Prisma.raw(`billable_metric_id, pricing_unit_id, conversion_rate, charge_model, invoice_display_name,
    pay_in_advance, prorated, invoiceable, min_amount_cents, regroup_paid_fees, accepts_target_wallet, properties`),
  fixed_charge: Prisma.raw(
    'add_on_id, charge_model, invoice_display_name, pay_in_advance, prorated, units, properties',
  ),
} as const;

/** A copy that is to be made of a price of a plan. */
export interface WantedCopy {
  readonly planId: string;
  readonly parentId: string;
  readonly code: string;
}

/** Copies prices with their taxes to overrides, in two statements; says what the copies are called. */
export async function copyPrices(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  kind: PriceKind,
  wanted: readonly WantedCopy[],
): Promise<readonly string[]> {
  if (wanted.length === 0) return [];
  const ids = wanted.map(() => newId(now));
  const parents = wanted.map(({ parentId }) => parentId);
  await tx.$executeRaw`
    INSERT INTO ${PRICE_TABLES[kind]} (id, organization_id, plan_id, parent_id, code, created_at, updated_at, ${COPIED[kind]})
    SELECT given.id, ${organizationId}::uuid, given.plan_id, given.parent_id, given.code, ${now}, ${now}, ${COPIED[kind]}
    FROM unnest(${ids}::uuid[], ${wanted.map(({ planId }) => planId)}::uuid[], ${parents}::uuid[],
      ${wanted.map(({ code }) => code)}::text[]) AS given (id, plan_id, parent_id, code)
    JOIN (SELECT id AS price_id, ${COPIED[kind]} FROM ${PRICE_TABLES[kind]}
      WHERE organization_id = ${organizationId}::uuid AND id = ANY(${[...new Set(parents)]}::uuid[])) AS price
      ON price_id = given.parent_id`;
  await tx.$executeRaw`
    INSERT INTO ${TAX_TABLES[kind]} ("A", "B")
    SELECT given.id, tax."B" FROM unnest(${ids}::uuid[], ${parents}::uuid[]) AS given (id, parent_id)
    JOIN ${TAX_TABLES[kind]} AS tax ON tax."A" = given.parent_id`;
  return ids;
}

/** Gives overrides that cost what their plan cost the price that it costs now. Says which they are. */
export async function followAmount(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  planIds: readonly string[],
  before: bigint,
  after: bigint,
): Promise<readonly string[]> {
  if (planIds.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE plans SET amount_cents = ${after}, updated_at = ${now}
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${planIds}::uuid[]) AND amount_cents = ${before}
    RETURNING id`;
  return rows.map(({ id }) => id);
}
