import { type FilterValues, filterMatcher } from '../../../billing/catalogue/filter.ts';
import type { FilterKey } from '../../../billing/catalogue/metric.ts';
import { parseExactJson } from '../../database/exact-json.ts';
import { groupBy } from '../../database/row-group.ts';
import type { TenantClient } from '../../database/tenant.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { FINAL, lastMoment } from './billed-sql.ts';
import { FATE_SQL, type FatedEvent, fated, readEvents } from './event-fate-sql.ts';

const { sql } = Prisma;

/** A fee that an event may be part of: for its filter, of those that the charge had, the event decides. */
interface Candidate {
  readonly eventId: string;
  readonly feeId: string;
  readonly chargeId: string;
  /** The fee of a voided invoice in whose place it is. */
  readonly replaces: string | null;
  readonly isAtOnce: boolean;
  readonly from: Date | null;
  readonly filters: FilterValues | null;
  readonly declared: readonly (readonly [key: string, values: readonly string[]])[];
  readonly properties: string;
}

// Of the fees of a period those for the group that the event belongs to; of a recurring metric, which every later period bills
// again, the first.
const CANDIDATES = (organizationId: string) => sql`
  SELECT e.id AS "eventId", fees.id AS "feeId", fees.charge_id AS "chargeId", fees.original_fee_id AS "replaces", fees.filters,
    fees.event_transaction_id IS NOT NULL AS "isAtOnce", fees.from_date AS "from", e.properties::text AS properties,
    (SELECT COALESCE(json_agg(json_build_array(key, values)), '[]') FROM billable_metric_filters filter
      WHERE filter.billable_metric_id = fm.id AND filter.organization_id = ${organizationId}::uuid
        AND filter.deleted_at IS NOT DISTINCT FROM fm.deleted_at) AS declared`;

const FEES = sql`JOIN fees ON fees.subscription_id = s.id AND fees.item_code = e.code AND fees.fee_type = 'charge'
    AND fees.charge_id IS NOT NULL AND fees.deleted_at IS NULL AND fees.true_up_parent_fee_id IS NULL
  JOIN charges fc ON fc.id = fees.charge_id JOIN metrics fm ON fm.id = fc.billable_metric_id
  LEFT JOIN invoices i ON i.id = fees.invoice_id`;

const IS_OF_FEE = sql`(fees.event_transaction_id = e.transaction_id AND (i.id IS NULL OR i.status IN ${FINAL})
    OR NOT fees.pay_in_advance AND fees.event_transaction_id IS NULL
    AND i.status IN ${FINAL} AND i.invoice_type <> 'progressive_billing'
    AND e.created_at <= COALESCE(i.finalized_at, i.created_at) AND e."timestamp" <= ${lastMoment(sql`fees.to_date`)}
    AND (fm.recurring OR e."timestamp" >= fees.from_date))
  AND NOT EXISTS (SELECT FROM jsonb_each_text(fees.grouped_by) grouped
    WHERE grouped.value IS DISTINCT FROM NULLIF(property_text(e.properties, grouped.key), ''))`;

/** The one of the fees of a charge and a period whose filter the event falls into. */
function chosen(candidates: readonly [Candidate, ...Candidate[]]): Candidate | undefined {
  const [{ declared, properties }] = candidates;
  const keys = declared.map(([key, values]): FilterKey => ({ key, values: [...values] }));
  const filters = candidates.flatMap((candidate) =>
    candidate.filters ? [{ id: candidate.feeId, values: candidate.filters, candidate }] : [],
  );
  const matched = filterMatcher(filters, keys)(parseExactJson(properties) as Record<string, unknown>);
  return matched?.candidate ?? candidates.find((candidate) => candidate.filters === null);
}

const timeOf = ({ from }: Candidate) => from?.getTime() ?? 0;

function feesOf(candidates: readonly Candidate[]): string[] {
  const replaced = new Set(candidates.map(({ replaces }) => replaces));
  const standing = candidates.filter(({ feeId }) => !replaced.has(feeId));
  return groupBy(standing, ({ chargeId }) => chargeId).flatMap((ofCharge) => {
    const atOnce = ofCharge.filter(({ isAtOnce }) => isAtOnce);
    if (atOnce.length > 0) return atOnce.map(({ feeId }) => feeId);
    const first = Math.min(...ofCharge.map(timeOf));
    const [head, ...others] = ofCharge.filter((candidate) => timeOf(candidate) === first);
    const fee = head && chosen([head, ...others]);
    return fee ? [fee.feeId] : [];
  });
}

/** The identifiers of the fees that events were billed on, one a charge, by the events' identifiers; by one statement for all. */
export async function feesOfEvents(
  db: TenantClient,
  organizationId: string,
  events: readonly FatedEvent[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { parts, from } = fated(readEvents(organizationId, events));
  const rows = await db.$queryRaw<Candidate[]>(
    sql`WITH ${parts} ${CANDIDATES(organizationId)} ${from} ${FEES}
      WHERE ${FATE_SQL} = 'billed' AND ${IS_OF_FEE} ORDER BY i.status = 'voided', fees.created_at, fees.id`,
  );
  return new Map(groupBy(rows, ({ eventId }) => eventId).map((own) => [own[0]?.eventId ?? '', feesOf(own)]));
}
