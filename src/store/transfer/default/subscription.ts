import type { Draft, Row } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

function statusOf(row: Row, now: string): string {
  if (row.terminated_at) return 'terminated';
  if (row.canceled_at) return 'canceled';
  const start = row.started_at ?? row.subscription_at;
  return typeof start === 'string' && start > now ? 'pending' : 'active';
}

/** The state that is not given follows from the times; an external id that is not given is the customer's. */
export async function prepareSubscriptions(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row, found, item } of drafts) {
    row.status ??= statusOf(row, importer.now);
    row.external_id ??= found.customer_id?.external_id ?? undefined;
    // An id of its own is needed to find the row again.
    if (row.external_id === undefined && typeof item.svc_id === 'string') row.external_id = item.svc_id;
  }
  await noteContested(drafts, importer);
}

const HELD = `organization_id = $1::uuid AND external_id = ANY($2::text[]) AND status IN ('pending', 'incomplete', 'active')`;

/** Notes the external ids that several live subscriptions have for now: what comes later in the document may end one. */
async function noteContested(drafts: Draft[], { sql, organizationId, contested }: Importing): Promise<void> {
  const live = drafts.filter(
    ({ row }) => row.external_id !== undefined && ['pending', 'incomplete', 'active'].includes(String(row.status)),
  );
  const held = await sql.rows(
    `SELECT external_id FROM subscriptions WHERE ${HELD}`,
    organizationId,
    live.map(({ row }) => String(row.external_id)),
  );
  const holders = new Map<unknown, number>();
  for (const { external_id } of [...held, ...live.map(({ row }) => row)]) {
    holders.set(external_id, (holders.get(external_id) ?? 0) + 1);
  }
  for (const { row, place } of live) {
    if ((holders.get(row.external_id) ?? 0) > 1) contested.set(String(row.external_id), place);
  }
}

/** One that waits beside the one that runs for the same customer under its external id follows it, as a document without identifiers means it. */
const FOLLOW = `
  UPDATE subscriptions next SET previous_subscription_id = running.id FROM subscriptions running
  WHERE next.organization_id = $1::uuid AND next.external_id = ANY($2::text[])
    AND next.status = 'pending' AND next.previous_subscription_id IS NULL
    AND running.organization_id = $1::uuid AND running.external_id = next.external_id
    AND running.status = 'active' AND running.customer_id = next.customer_id`;

const CONTESTED = `
  SELECT external_id FROM subscriptions WHERE ${HELD} GROUP BY external_id
  HAVING count(DISTINCT customer_id) > 1
    OR bool_or(status <> 'pending') AND bool_or(status = 'pending' AND previous_subscription_id IS NULL)`;

/**
 * Whatever several live subscriptions of an external id mean in the end: one follows the other. Where several customers have it or one
 * waits for another's end without following it, all but one could never start: refused.
 */
export async function settleContested({ sql, organizationId, contested, faults }: Importing): Promise<void> {
  if (contested.size === 0) return;
  const ids = [...contested.keys()];
  await sql.run(FOLLOW, organizationId, ids);
  for (const { external_id } of await sql.rows(CONTESTED, organizationId, ids))
    faults.add(`${contested.get(String(external_id))}.external_id`, 'value_already_exist');
}

/** The times of a new subscription that gives only some of them. */
export function fillSubscriptions(drafts: Draft[], importer: Importing): void {
  for (const { row } of drafts) {
    row.subscription_at ??= row.started_at ?? row.created_at ?? importer.now;
    const began = row.status === 'active' || row.status === 'terminated';
    if (row.started_at === undefined && began) row.started_at = row.subscription_at;
    if (row.terminated_at === undefined && row.status === 'terminated')
      row.terminated_at = row.ending_at ?? importer.now;
    if (row.canceled_at === undefined && row.status === 'canceled') row.canceled_at = importer.now;
  }
}

/** `fixed_charge_code` names a fixed charge of the plan that the subscription is on. */
export async function findFixedCharges(drafts: Draft[], importer: Importing): Promise<void> {
  const open = drafts.filter(({ row }) => row.fixed_charge_id == null);
  if (open.length === 0) return;
  const rows = await importer.sql.rows(
    `SELECT s.id::text AS subscription, c.code, c.id::text AS id FROM subscriptions s
     JOIN fixed_charges c ON c.plan_id = s.plan_id AND c.deleted_at IS NULL
     WHERE s.organization_id = $1::uuid AND s.id = ANY($2::uuid[])`,
    importer.organizationId,
    open.map(({ row }) => String(row.subscription_id)),
  );
  const ids = new Map(rows.map(({ subscription, code, id }) => [`${subscription} ${code}`, id]));
  for (const { row, item, place } of open) {
    const code = item.fixed_charge_code ?? item.add_on_code;
    const id = ids.get(`${row.subscription_id} ${String(code)}`);
    if (id) row.fixed_charge_id = id;
    else importer.faults.add(`${place}.fixed_charge_code`, code == null ? 'value_is_mandatory' : 'relation_must_exist');
  }
}
