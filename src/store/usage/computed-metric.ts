import DataLoader from 'dataloader';
import { NUMERIC_AGGREGATIONS } from '../../billing/catalogue/event-write.ts';
import type { ComputedMetric } from '../../billing/usage/expression.ts';
import { type Send, sharedSenderOf } from '../database/sender.ts';
import { originOf, type TenantClient } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';

interface Asked {
  readonly organizationId: string;
  readonly code: string;
}

const SELECT = `SELECT metric.organization_id, metric.code, metric.field_name, metric.expression
  FROM json_to_recordset($1::text::json) AS asked (organization_id uuid, code text)
  JOIN billable_metrics metric USING (organization_id, code)
  WHERE metric.deleted_at IS NULL AND metric.expression IS NOT NULL`;

const keyOf = ({ organizationId, code }: Asked) => `${organizationId} ${code}`;

async function read(send: Send, asked: readonly Asked[]): Promise<(ComputedMetric | null)[]> {
  const unique = [...new Map(asked.map((one) => [keyOf(one), one])).values()];
  const json = JSON.stringify(unique.map(({ organizationId, code }) => ({ organization_id: organizationId, code })));
  const found = new Map<string, ComputedMetric>();
  for (const [organizationId, code, fieldName, expression] of await send(SELECT, [json])) {
    const metric = { fieldName: fieldName as string | null, expression: String(expression) };
    found.set(keyOf({ organizationId: String(organizationId), code: String(code) }), metric);
  }
  return asked.map((one) => found.get(keyOf(one)) ?? null);
}

type Loader = DataLoader<Asked, ComputedMetric | null>;
const loaders = new WeakMap<PrismaClient, Loader>();

// What all requests of one moment ask comes from one statement. Nothing is kept: another process may change a metric.
function loaderOf(prisma: PrismaClient): Loader {
  const options = {
    cache: false,
    maxBatchSize: 1000,
    batchScheduleFn: (run: () => void) => void setImmediate(run),
  };
  const loader = loaders.get(prisma) ?? new DataLoader((asked) => read(sharedSenderOf(prisma), asked), options);
  loaders.set(prisma, loader);
  return loader;
}

/** By their codes, the metrics of an organization that compute a property of their events; null for all others. */
export function computedMetrics(
  db: TenantClient,
  organizationId: string,
  codes: readonly string[],
): Promise<(ComputedMetric | null)[]> {
  const origin = originOf(db);
  const asked = codes.map((code) => ({ organizationId, code }));
  if (origin) {
    const loader = loaderOf(origin.prisma);
    return Promise.all(asked.map((one) => loader.load(one)));
  }
  return computedWithin(db, organizationId, codes);
}

async function computedWithin(db: TenantClient, organizationId: string, codes: readonly string[]) {
  const rows = await db.billableMetric.findMany({
    where: { organizationId, code: { in: [...codes] }, deletedAt: null, expression: { not: null } },
    select: { code: true, fieldName: true, expression: true },
  });
  return codes.map((code) => rows.find((row) => row.code === code) ?? null);
}

/** By the codes of metrics that read a property as a number, the name of that property. */
export async function numericFields(
  db: TenantClient,
  organizationId: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const aggregationType = { in: [...NUMERIC_AGGREGATIONS] };
  const rows = await db.billableMetric.findMany({
    where: { organizationId, code: { in: [...new Set(codes)] }, deletedAt: null, aggregationType },
    select: { code: true, fieldName: true },
  });
  return new Map(rows.map(({ code, fieldName }) => [code, fieldName]));
}
