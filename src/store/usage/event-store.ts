import type { AdvanceAsked, AdvanceUsage, UsageAsked, UsageGroup } from '../../billing/aggregate/metric-usage.ts';
import type { RowsElsewhere, TenantTransaction } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { SignalOf } from './event-cursor.ts';
import type { EventRow } from './event-row.ts';
import type { KeptMetric } from './event-sql.ts';

/** Usage of one metric by the subscriptions of one external id. */
export type Metric = readonly [externalSubscriptionId: string, code: string];

/** How usage of an organization is read, wherever it is kept. */
export interface UsageReading {
  groups(metric: Metric, asked: UsageAsked): Promise<readonly UsageGroup[]>;
  advance(metric: Metric, asked: AdvanceAsked): Promise<AdvanceUsage>;
}

/** Within what usage is read, and who waits for it. */
export interface UsageReader {
  readonly tx: TenantTransaction;
  /** Says where events are kept. */
  readonly prisma?: PrismaClient | undefined;
  readonly signalOf?: SignalOf;
  /** Whether what the events of a metric come to may be kept. */
  hasKept(metric: KeptMetric): Promise<boolean>;
  /** Events that are added up by one statement; more are folded, a page at a time. */
  readonly mostAtOnce: number;
  /** Groups of a charge, each of which is a fee. */
  readonly mostGroups: number;
}

/**
 * Where usage events are kept: in the database of money, or in a store of their own. An event is there once by its organization,
 * external subscription and transaction id, whatever its time and metric.
 */
export interface EventStore {
  /**
   * Stores parts, each whole, or not at all where one of its events is there already: the places of these in each part. What it has
   * answered stays, and is read by whoever asks after it.
   */
  append(parts: readonly (readonly EventRow[])[]): Promise<readonly (readonly number[])[]>;
  /** Adds up the events of an organization. */
  reading(reader: UsageReader, organizationId: string): UsageReading;
  /** What only a store beside the database has: lists and lookups, and the places of events that are there already. */
  readonly apart?: {
    readonly rows: RowsElsewhere;
    known(rows: readonly EventRow[]): Promise<readonly number[]>;
  };
  /** The moment up to which whatever was acknowledged counts, exactly once. */
  completeUntil(): Promise<Date>;
  /** Throws where it does not answer. */
  ready(): Promise<void>;
}
