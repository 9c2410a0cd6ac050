import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

/** What has been numbered of an owner's invoices: a customer's of one billing entity, or all of the entity's. */
export interface Counter {
  /** The last rank that was given; 0 before the first. */
  readonly rank: number;
  /** Of an entity without those that are self-billed. */
  readonly invoices: number;
}

/** Whose invoices are counted: the customer of an entity, or the entity itself as its own owner. */
export interface CounterOwner {
  readonly billingEntityId: string;
  readonly ownerId: string;
}

const counterKey = ({ billingEntityId, ownerId }: CounterOwner) => `${billingEntityId} ${ownerId}`;

/** How far a counter was moved: its last rank, and how many invoices more. */
interface Move extends CounterOwner, Counter {}

/** The counters of a transaction, which nobody else can move until it ends; `saveCounters` stores how far they and others were moved. */
export class HeldCounters {
  private readonly counters: Map<string, CounterOwner & Counter>;
  private readonly moves = new Map<string, Move>();

  constructor(rows: readonly (CounterOwner & Counter)[]) {
    this.counters = new Map(rows.map((row) => [counterKey(row), row]));
  }

  /** None where it is not held. */
  get(owner: CounterOwner): Counter | undefined {
    return this.counters.get(counterKey(owner));
  }

  /** Counts an invoice that took a rank; of a counter that is not held it took none, and 0 is given. */
  move(owner: CounterOwner, rank: number): void {
    const key = counterKey(owner);
    const known = this.counters.get(key);
    if (known) this.counters.set(key, { ...known, rank, invoices: known.invoices + 1 });
    this.moves.set(key, { ...owner, rank, invoices: (this.moves.get(key)?.invoices ?? 0) + 1 });
  }

  /** How far counters were moved since the last time. */
  takeMoves(): Move[] {
    const moves = [...this.moves.values()];
    this.moves.clear();
    return moves;
  }
}

/** Holds the counters of some owners, in an order that cannot block itself, and says how they stand. A new one is at 0. */
export async function holdCounters(
  tx: TenantTransaction,
  { organizationId }: Actor,
  owners: readonly CounterOwner[],
): Promise<HeldCounters> {
  const distinct = [...new Map(owners.map((owner) => [counterKey(owner), owner])).values()];
  const rows = await tx.$queryRaw<(CounterOwner & Counter)[]>`
    INSERT INTO invoice_counters AS known (id, organization_id, billing_entity_id, owner_id)
    SELECT gen_random_uuid(), ${organizationId}::uuid, entity, owner
    FROM unnest(${distinct.map((one) => one.billingEntityId)}::uuid[], ${distinct.map((one) => one.ownerId)}::uuid[])
      AS wanted (entity, owner)
    ORDER BY entity, owner
    ON CONFLICT (organization_id, billing_entity_id, owner_id) DO UPDATE SET rank = known.rank
    RETURNING billing_entity_id::text AS "billingEntityId", owner_id::text AS "ownerId", rank, invoices`;
  return new HeldCounters(rows);
}

/** Stores how far counters were moved, in one statement. Those that were not held are only now, until the transaction ends. */
export async function saveCounters(
  tx: TenantTransaction,
  { organizationId }: Actor,
  held: HeldCounters,
): Promise<void> {
  const moves = held.takeMoves();
  if (moves.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO invoice_counters AS known (id, organization_id, billing_entity_id, owner_id, rank, invoices)
    SELECT gen_random_uuid(), ${organizationId}::uuid, moved.*
    FROM unnest(${moves.map((one) => one.billingEntityId)}::uuid[], ${moves.map((one) => one.ownerId)}::uuid[],
      ${moves.map((one) => one.rank)}::int[], ${moves.map((one) => one.invoices)}::int[]) AS moved (entity, owner, rank, invoices)
    ORDER BY entity, owner
    ON CONFLICT (organization_id, billing_entity_id, owner_id) DO UPDATE
    SET rank = greatest(known.rank, excluded.rank), invoices = known.invoices + excluded.invoices`;
}

/** Runs a statement of SQL; the values stand for $1 and so on. */
type Run = (text: string, ...values: string[]) => Promise<unknown>;

/** Brings the counters of an organization up to the invoices that came in from elsewhere; none ever goes back. */
export async function recountInvoices(run: Run, organizationId: string): Promise<void> {
  await run(
    `INSERT INTO invoice_counters AS known (id, organization_id, billing_entity_id, owner_id, rank, invoices)
     SELECT gen_random_uuid(), counted.* FROM (
       SELECT organization_id, billing_entity_id, customer_id AS owner_id, max(sequential_id), count(*) FROM invoices
       WHERE organization_id = $1::uuid AND sequential_id IS NOT NULL GROUP BY 1, 2, 3
       UNION ALL
       SELECT organization_id, billing_entity_id, billing_entity_id, coalesce(max(billing_entity_sequential_id), 0), count(*)
       FROM invoices WHERE organization_id = $1::uuid AND sequential_id IS NOT NULL AND NOT self_billed GROUP BY 1, 2
     ) counted ORDER BY billing_entity_id, owner_id
     ON CONFLICT (organization_id, billing_entity_id, owner_id) DO UPDATE
     SET rank = greatest(known.rank, excluded.rank), invoices = greatest(known.invoices, excluded.invoices)`,
    organizationId,
  );
}
