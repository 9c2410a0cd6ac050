import { dec, decimalText } from '../../billing/money/decimal.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

/** One attempt at a request that its client has named with a key. */
export interface NamedAttempt {
  readonly key: string;
  readonly attempt: string;
}

/** Who writes, in which request and when. */
export interface Actor {
  readonly organizationId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly now: Date;
  /** The attempt of the request, where its client has named it. */
  readonly named?: NamedAttempt | undefined;
}

export interface AuditEntry {
  readonly actor: Actor;
  /** Object and past participle, for example `wallet.terminated`. */
  readonly action: string;
  /** Kind of the object, for example `wallet`. */
  readonly objectType: string;
  readonly objectId: string;
  /** The values that changed, or the whole object; null for a new one. */
  readonly before: unknown;
  /** The same afterwards; null for a deleted object. */
  readonly after: unknown;
}

// Bigints and decimals become text, so that no digit is lost on the way through a JSON number.
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(plain);
  if ('toFixed' in value && typeof value.toFixed === 'function') return decimalText(dec(value.toFixed()));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

const jsonText = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(plain(value)));

/**
 * Adds an entry to the log, in the transaction of the write that it tells of: both happen or neither. Dates are written as
 * ISO 8601, bigints and decimals as text, members that are undefined not at all.
 */
export async function recordAudit(tx: TenantTransaction, entry: AuditEntry): Promise<void> {
  const { actor, action, objectType, objectId } = entry;
  const { organizationId, keyId, requestId, now } = actor;
  // By hand: the client would drop a member named __proto__ from a JSON value.
  await tx.$executeRaw`
    INSERT INTO audit_logs
      (id, organization_id, action, object_type, object_id, key_id, request_id, before, after, created_at)
    VALUES (${newId(now)}::uuid, ${organizationId}::uuid, ${action}, ${objectType}, ${objectId}, ${keyId}::uuid,
      ${requestId}, ${jsonText(entry.before)}::jsonb, ${jsonText(entry.after)}::jsonb, ${now})`;
}
