import type { UsageEvent } from '../../billing/usage/usage.ts';
import { textOf } from '../../billing/usage/value.ts';
import { sql } from './sql.ts';

/** The events; moments are milliseconds since 1970. */
export const EVENTS = sql`billing_events`;
/** Up to when rows were looked through for events that came twice at one moment. */
export const SETTLED = sql`billing_events_settled`;

/**
 * Of one sorting key the row of the highest rank counts, and none where that one is void. What was received first has the higher
 * rank. `texts` are the properties as the rules read them as text; those that have none are left out. The projection finds events by
 * what they are once; it is a part of what is inserted, so that the two are written together or not at all. A statement's rows have one
 * `stored_at`, and so are one partition's: they are inserted whole.
 */
export const TABLES = [
  sql`CREATE TABLE IF NOT EXISTS ${EVENTS} (
    organization_id UUID, external_subscription_id String, code LowCardinality(String), at Int64, transaction_id String,
    id UUID, created_at Int64, stored_at Int64, rank UInt64, is_void UInt8,
    texts Map(LowCardinality(String), String), amount Nullable(String), properties String CODEC(ZSTD),
    INDEX by_transaction transaction_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX by_id id TYPE bloom_filter(0.01) GRANULARITY 4,
    PROJECTION by_key (
      SELECT organization_id, external_subscription_id, transaction_id, code, at, id, rank, is_void
      ORDER BY organization_id, external_subscription_id, transaction_id)
  ) ENGINE = ReplacingMergeTree(rank, is_void) PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(stored_at))
  ORDER BY (organization_id, external_subscription_id, code, at, transaction_id)
  SETTINGS deduplicate_merge_projection_mode = 'rebuild'`,
  sql`CREATE TABLE IF NOT EXISTS ${SETTLED} (one UInt8, until Int64) ENGINE = ReplacingMergeTree(until) ORDER BY one`,
] as const;

/** Properties as the rules read them as text. */
export function textsOf(properties: UsageEvent['properties']): Record<string, string> {
  const texts = Object.entries(properties).flatMap(([key, value]): [string, string][] => {
    const text = textOf(value);
    return text === null ? [] : [[key, text]];
  });
  return Object.fromEntries(texts);
}
