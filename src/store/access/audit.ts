import { dec, decimalText } from '../../billing/money/decimal.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

/** One attempt at a request that its client has named with a key. */
export interface NamedAttempt {
  readonly key: string;
  readonly attempt: string;
}

/** An API key that writes in a request. */
export interface KeyActor {
  readonly organizationId: string;
  readonly now: Date;
  readonly keyId: string;
  readonly requestId: string;
  /** The attempt of the request, where its client has named it. */
  readonly named?: NamedAttempt | undefined;
  /** How many billing entities may be active at once; any number unless given. */
  readonly mostBillingEntities?: number | undefined;
  /** Whether the time is that of a test clock. */
  readonly hasClock?: boolean | undefined;
  /** Whether what is written is undone. */
  readonly dryRun?: boolean | undefined;
}

/** The system, which writes by itself in a job; `job` is its name and run, for example `finalize-invoices/7c1e`. */
export interface SystemActor {
  readonly organizationId: string;
  readonly now: Date;
  readonly job: string;
}

/** Who writes, in what and when: a key or the system. */
export type Actor = KeyActor | SystemActor;

// No key has it: version 7 identifiers are never nil.
const NO_KEY = '00000000-0000-0000-0000-000000000000';

/** How the log names an actor: a key and its request, or no key (the nil identifier) and `system:` with the job. */
export function signatureOf(actor: Actor): { readonly keyId: string; readonly requestId: string } {
  return 'job' in actor ? { keyId: NO_KEY, requestId: `system:${actor.job}` } : actor;
}

const OF_JOB = /^system:\w+\/([0-9a-f-]{36})$/;

/** The identifier of the job in which the system wrote by itself, by what the log names as the request; undefined where none did. */
export const jobIdOf = (requestId: string): string | undefined => OF_JOB.exec(requestId)?.[1];

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

const auditRow = (entry: AuditEntry) => {
  const { actor, action, objectType, objectId } = entry;
  const { keyId, requestId } = signatureOf(actor);
  return {
    ...{ id: newId(actor.now), action, object_type: objectType, object_id: objectId },
    ...{ key_id: keyId, request_id: requestId, created_at: actor.now },
    ...{ before: jsonText(entry.before), after: jsonText(entry.after) },
  };
};

/**
 * Adds entries of one organization to the log, in the transaction of the writes that they tell of, in one statement: all happen or none.
 * Dates are written as ISO 8601, bigints and decimals as text, members that are undefined not at all. Says the identifiers of the entries.
 */
export async function recordAudits(tx: TenantTransaction, entries: readonly AuditEntry[]): Promise<string[]> {
  const [first] = entries;
  if (!first) return [];
  const rows = entries.map(auditRow);
  // As texts: the client would drop a member named __proto__ from a JSON value.
  await tx.$executeRaw`
    INSERT INTO audit_logs
      (id, organization_id, action, object_type, object_id, key_id, request_id, before, after, created_at)
    SELECT id, ${first.actor.organizationId}::uuid, action, object_type, object_id, key_id, request_id, before::jsonb,
      after::jsonb, created_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS entry (id uuid, action text, object_type text, object_id text,
      key_id uuid, request_id text, before text, after text, created_at timestamptz)`;
  return rows.map(({ id }) => id);
}

/** Adds one entry; says its identifier. */
export async function recordAudit(tx: TenantTransaction, entry: AuditEntry): Promise<string> {
  const [id = ''] = await recordAudits(tx, [entry]);
  return id;
}
