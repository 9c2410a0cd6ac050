import type { MetricState } from '../../billing/catalogue/charge-update.ts';
import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { isUuid } from '../database/uuid.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { METRIC_COLUMNS, metricState } from './charge-row.ts';

const TABLES = { billable_metric: Prisma.raw('billable_metrics'), add_on: Prisma.raw('add_ons') } as const;

/** How a price names what it prices: by the identifier, else by the code. */
export interface PricedName {
  readonly id?: string | null | undefined;
  readonly code?: string | null | undefined;
}

export interface Priced {
  readonly id: string;
  readonly code: string;
}

/** What a name means among rows; undefined where it names nothing. */
const found = <Row extends Priced>(rows: readonly Row[], { id, code }: PricedName): Row | undefined =>
  rows.find((row) => (id == null ? row.code === code : row.id === id.toLowerCase()));

const isNamed = ({ id, code }: PricedName) => id != null || code != null;

/** Rows by their names, which are not deleted until the transaction ends. Throws `object_not_found` for one that is not there. */
async function held(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: keyof typeof TABLES,
  names: readonly PricedName[],
): Promise<Priced[]> {
  const named = names.filter(isNamed);
  if (named.length === 0) return [];
  const ids = named.flatMap(({ id }) => (id != null && isUuid(id) ? [id.toLowerCase()] : []));
  const codes = named.flatMap(({ id, code }) => (id == null && code != null ? [code] : []));
  const rows = await tx.$queryRaw<Priced[]>`
    SELECT id, code FROM ${TABLES[kind]}
    WHERE organization_id = ${organizationId}::uuid AND (id = ANY(${ids}::uuid[]) OR code = ANY(${codes}::text[]))
      AND deleted_at IS NULL
    ORDER BY id FOR SHARE`;
  const unknown = named.find((name) => !found(rows, name));
  if (unknown) throw notFound(kind, unknown.id ?? unknown.code ?? undefined);
  return rows;
}

/** The add-ons of prices, in their order; undefined where none is named. Throws `object_not_found`. */
export async function addOnsOf(tx: TenantTransaction, actor: Actor, names: readonly PricedName[]) {
  const rows = await held(tx, actor, 'add_on', names);
  return names.map((name) => (isNamed(name) ? found(rows, name) : undefined));
}

/** The metrics of prices, in their order; undefined where none is named. Throws `object_not_found`. */
export async function metricsOf(
  tx: TenantTransaction,
  actor: Actor,
  names: readonly PricedName[],
): Promise<((MetricState & Priced) | undefined)[]> {
  const rows = await held(tx, actor, 'billable_metric', names);
  if (rows.length === 0) return names.map(() => undefined);
  const where = { id: { in: rows.map(({ id }) => id) } };
  const metrics = await tx.billableMetric.findMany({ where, select: { ...METRIC_COLUMNS, code: true } });
  const states = metrics.map((row) => ({ ...metricState(row), code: row.code }));
  return names.map((name) => (isNamed(name) ? found(states, name) : undefined));
}

/** Identifiers of pricing units, which are never deleted, by their codes. */
export async function pricingUnits(
  tx: TenantTransaction,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (codes.length === 0) return new Map();
  const where = { code: { in: [...new Set(codes)] } };
  const rows = await tx.pricingUnit.findMany({ where, select: { id: true, code: true } });
  return new Map(rows.map(({ id, code }) => [code, id]));
}
