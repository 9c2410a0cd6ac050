import DataLoader from 'dataloader';
import { tooManyWaiting } from '../../billing/errors.ts';
import { type Send, sharedSenderOf } from '../database/sender.ts';
import { originOf, type TenantClient } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { EventFate } from '../generated/prisma/enums.ts';

/** What an event is compared by with the one that has its names. */
interface Compared {
  readonly code: string;
  readonly timestamp: Date;
  /** Whether the sender gave the time: else it was the moment of receipt, which differs each time. */
  readonly isTimed: boolean;
  /** JSON, with what the metric computed. */
  readonly properties: string;
  /** The property that the metric computed; it is not the sender's. */
  readonly computed: string | null;
  readonly amount: string | null;
}

/** Something that is wrong with an event: a code, and the member that it is about. */
export interface Reason {
  readonly member: string;
  readonly code: string;
}

/** An event that was refused. */
export interface Refusal {
  readonly id: string;
  readonly organizationId: string;
  readonly createdAt: Date;
  /** `met`: its names are those of a stored event, and it is `duplicate` or `conflict` as it is the same or not. */
  readonly fate: 'met' | 'duplicate' | 'conflict' | 'rejected';
  readonly reasons: readonly Reason[];
  readonly transactionId: string;
  readonly externalSubscriptionId: string;
  readonly code: string;
  readonly timestamp: Date | null;
  /** JSON; null for one that is too long to be kept. */
  readonly body: string | null;
  readonly digest: string;
  readonly compared?: Compared | undefined;
}

/** Rows that are kept of a quarter of an hour and a fate; the others are only counted. */
const MOST_KEPT = 1000;

/** For how long refused events can be looked at. How many there were is kept. */
const KEPT_DAYS = 30;

const MOST_WAITING = 20_000;

// What differs is said for each member. Of a stored event that is out of sight, in a detached month or another store, at most the time
// is known: the rest is said to be not compared. Of the metric's property the sender knows nothing; an event without a time is the same
// as one that had none either.
const KEEP = `WITH given AS MATERIALIZED (
  SELECT *, to_timestamp(floor(extract(epoch FROM created_at) / 900) * 900) AS quarter
  FROM json_to_recordset($1::text::json) AS given (
    place int, id uuid, organization_id uuid, created_at timestamptz, fate text, transaction_id text,
    external_subscription_id text, code text, happened timestamptz, is_timed boolean, properties jsonb, computed text,
    amount numeric, members text[], codes text[], body jsonb, digest text)
), compared AS (
  SELECT given.*, key.event_id, given.fate = 'met' AND met.id IS NULL AS is_out_of_sight,
    CASE WHEN met.id IS NOT NULL THEN array_remove(ARRAY[
        CASE WHEN met.code <> given.code THEN 'code' END,
        CASE WHEN CASE WHEN is_timed THEN met."timestamp" <> happened ELSE met."timestamp" <> met.created_at END THEN 'timestamp' END,
        CASE WHEN CASE WHEN computed IS NULL THEN met.properties <> given.properties
          ELSE met.properties - computed <> given.properties - computed END THEN 'properties' END,
        CASE WHEN met.precise_total_amount_cents IS DISTINCT FROM amount THEN 'precise_total_amount_cents' END], NULL)
      WHEN is_timed AND key."timestamp" <> happened THEN '{timestamp}' ELSE '{}'::text[] END AS differing
  FROM given LEFT JOIN LATERAL (
    SELECT event_id, "timestamp" FROM event_keys AS keys WHERE keys.organization_id = given.organization_id
      AND keys.transaction_id = given.transaction_id
      AND keys.external_subscription_id = given.external_subscription_id LIMIT 1
  ) key ON given.fate = 'met' LEFT JOIN LATERAL (
    SELECT id, code, "timestamp", created_at, properties, precise_total_amount_cents FROM events
    WHERE id = key.event_id AND events."timestamp" = key."timestamp" LIMIT 1
  ) met ON true
), judged AS MATERIALIZED (
  SELECT compared.*, (CASE WHEN compared.fate <> 'met' THEN compared.fate WHEN differing = '{}' THEN 'duplicate'
    ELSE 'conflict' END)::"EventFate" AS became FROM compared
), tallied AS (
  INSERT INTO event_tallies AS tally (organization_id, quarter, fate, count)
  SELECT organization_id, quarter, became, count(*) FROM judged GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, quarter, fate) DO UPDATE SET count = tally.count + excluded.count
  RETURNING organization_id, quarter, fate, count
), kept AS (
  INSERT INTO event_refusals (id, organization_id, created_at, fate, transaction_id, external_subscription_id, code,
    "timestamp", reason_members, reason_codes, body, digest, event_id)
  SELECT id, organization_id, created_at, became, transaction_id, external_subscription_id, code, happened,
    CASE WHEN differing <> '{}' THEN differing WHEN is_out_of_sight THEN members || '{properties}' ELSE members END,
    CASE WHEN differing <> '{}' THEN array_fill('value_differs'::text, ARRAY[cardinality(differing)])
      WHEN is_out_of_sight THEN codes || '{not_compared}' ELSE codes END,
    body, digest, event_id
  FROM (SELECT judged.*, tallied.count - row_number() OVER (
      PARTITION BY judged.organization_id, judged.quarter, became ORDER BY place DESC) AS before
    FROM judged JOIN tallied ON tallied.organization_id = judged.organization_id AND tallied.quarter = judged.quarter
      AND tallied.fate = judged.became) ranked
  WHERE before < ${MOST_KEPT}
), old AS (
  DELETE FROM event_refusals WHERE id IN (
    SELECT id FROM event_refusals WHERE organization_id IN (SELECT organization_id FROM given)
      AND created_at < (SELECT min(created_at) FROM given) - interval '${KEPT_DAYS} days'
    ORDER BY created_at LIMIT 2000 FOR UPDATE SKIP LOCKED)
)
SELECT place, became::text FROM judged ORDER BY place`;

const rowOf = ({ compared, body, reasons, ...refusal }: Refusal, place: number) => ({
  ...{ place, id: refusal.id, organization_id: refusal.organizationId, created_at: refusal.createdAt },
  ...{ fate: refusal.fate, transaction_id: refusal.transactionId, code: compared?.code ?? refusal.code },
  ...{ external_subscription_id: refusal.externalSubscriptionId, digest: refusal.digest },
  ...{ happened: compared?.timestamp ?? refusal.timestamp, is_timed: compared?.isTimed, amount: compared?.amount },
  ...{
    computed: compared?.computed,
    members: reasons.map(({ member }) => member),
    codes: reasons.map(({ code }) => code),
  },
});

// Properties and body are JSON texts already, with digits that JSON.stringify would lose.
function asJson(refusal: Refusal, place: number): string {
  const row = JSON.stringify(rowOf(refusal, place)).slice(0, -1);
  return `${row},"properties":${refusal.compared?.properties ?? null},"body":${refusal.body}}`;
}

// What no database keeps in a text may be what an event was refused for. JSON.stringify writes half of a pair so, and never a pair.
const UNKEPT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

async function keep(send: Send, refusals: readonly Refusal[]): Promise<EventFate[]> {
  const json = `[${refusals.map(asJson).join(',')}]`.replace(UNKEPT, '\\ufffd');
  const rows = await send(KEEP, [json]);
  return rows.map(([, fate]) => fate as EventFate);
}

type Keeper = DataLoader<Refusal, EventFate>;
const keepers = new WeakMap<PrismaClient, Keeper>();
let waiting = 0;

// One statement at a time, since all of a quarter of an hour add to the same counts: what is refused meanwhile goes into the next.
function keeperOf(prisma: PrismaClient): Keeper {
  let flight: Promise<unknown> = Promise.resolve();
  const load = (refusals: readonly Refusal[]) => {
    const kept = keep(sharedSenderOf(prisma), refusals);
    flight = kept.catch(() => undefined);
    return kept;
  };
  const options = {
    cache: false,
    maxBatchSize: 1000,
    batchScheduleFn: (run: () => void) => void flight.then(() => setImmediate(run)),
  };
  const keeper = keepers.get(prisma) ?? new DataLoader(load, options);
  keepers.set(prisma, keeper);
  return keeper;
}

/**
 * Keeps what was refused, and says what became of each. Committed when it is answered. In a transaction, which is undone where
 * something is refused, nothing is kept, and nothing is answered. Throws `rate_limit_exceeded` where too many wait.
 */
export async function keepRefusals(db: TenantClient, refusals: readonly Refusal[]): Promise<readonly EventFate[]> {
  const origin = originOf(db);
  if (!origin) return [];
  if (waiting + refusals.length > MOST_WAITING) throw tooManyWaiting();
  waiting += refusals.length;
  try {
    const keeper = keeperOf(origin.prisma);
    return await Promise.all(refusals.map((refusal) => keeper.load(refusal)));
  } finally {
    waiting -= refusals.length;
  }
}
