import { stringify } from 'lossless-json';
import type { ReadEvent } from '../../billing/catalogue/event-write.ts';
import { parseExactJson } from '../database/exact-json.ts';
import { newId } from '../database/uuid.ts';

/** An event as it is stored, and as reading it again would show it. */
export interface EventRow extends ReadEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly createdAt: Date;
  readonly deletedAt: null;
  /** The properties as JSON, with every digit. */
  readonly written: string;
}

/** The row of an event that is received now. */
export function eventRow(event: ReadEvent, organizationId: string, now: Date): EventRow {
  const written = stringify(event.properties) ?? '{}';
  const properties = parseExactJson(written) as Record<string, unknown>;
  return { ...event, properties, written, id: newId(now), organizationId, createdAt: now, deletedAt: null };
}

/** What an event is once: the same in another row is the same event. */
export const keyOf = ({ organizationId, externalSubscriptionId, transactionId }: EventRow): string =>
  JSON.stringify([organizationId, externalSubscriptionId, transactionId]);
