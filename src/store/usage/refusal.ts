import { createHash } from 'node:crypto';
import { stringify } from 'lossless-json';
import { FIRST_INSTANT, LAST_INSTANT } from '../../billing/period/calendar.ts';
import { newId } from '../database/uuid.ts';
import type { Refusal } from './keep-refusals.ts';

const LONGEST_NAME = 255;
const LONGEST_BODY = 2000;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value).slice(0, LONGEST_NAME)
    : '';

// Unix seconds where they are read from a body, which needs no valid time.
function momentOf(value: unknown): Date | null {
  const at = value instanceof Date ? value.getTime() : typeof value === 'number' ? value * 1000 : Number.NaN;
  return at >= FIRST_INSTANT && at <= LAST_INSTANT ? new Date(at) : null;
}

/** What is told of an event that is refused. */
type Told = Pick<Refusal, 'fate' | 'reasons' | 'compared'>;

/** What is kept of an event that was refused. `sent` has the members of the REST API, of any shape: it may be what is wrong. */
export function refusal(sent: unknown, organizationId: string, now: Date, told: Told): Refusal {
  const members: Record<string, unknown> = typeof sent === 'object' && sent !== null ? { ...sent } : {};
  const body = stringify(sent) ?? 'null';
  return {
    ...{ id: newId(now), organizationId, createdAt: now, ...told },
    transactionId: textOf(members.transaction_id),
    externalSubscriptionId: textOf(members.external_subscription_id),
    code: textOf(members.code),
    timestamp: momentOf(members.timestamp),
    body: body.length > LONGEST_BODY ? null : body,
    digest: createHash('sha256').update(body).digest('hex'),
  };
}
