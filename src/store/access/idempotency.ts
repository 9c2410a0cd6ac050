import { randomUUID } from 'node:crypto';
import { requestIsRunning } from '../../billing/errors.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Actor, KeyActor, NamedAttempt } from './audit.ts';

/** A request that its client has named. */
export interface NamedRequest {
  readonly organizationId: string;
  readonly key: string;
  /** The same for the same request, in hexadecimal. */
  readonly fingerprint: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * What is known of a named request: nothing (then the caller answers it, as this attempt), or how it went. Unanswered is
 * one whose write took place and whose process died before the answer was kept.
 */
export type Claim =
  | { readonly state: 'new'; readonly attempt: string }
  | { readonly state: 'answered'; readonly answer: KeptAnswer }
  | { readonly state: 'running' }
  | { readonly state: 'unanswered' }
  | { readonly state: 'different' };

// An attempt that has not answered for so long has died. Longer than a transaction may wait and run.
const LEASE_MILLISECONDS = 60_000;
const KEPT_MILLISECONDS = 24 * 3600 * 1000;
const PURGE_MILLISECONDS = 60_000;
const MOST_PURGED = 1000;

/** Whether a request writes that its client has named. */
export function isNamed(actor: Actor): actor is KeyActor & { readonly named: NamedAttempt } {
  return 'named' in actor && actor.named !== undefined;
}

/**
 * Says in the transaction of a write that its named request is done, so that the two are one: a process that dies after the
 * write cannot let it happen again, and an attempt that another has taken over (it was too slow) is undone. Throws a conflict.
 */
export async function recordWritten(tx: TenantTransaction, actor: Actor): Promise<void> {
  if (!isNamed(actor)) return;
  const { organizationId, named } = actor;
  // By the time at which the name was taken, which is real: the actor's may be that of a test clock.
  const count = await tx.$executeRaw`
    UPDATE idempotency_keys SET written_at = created_at,
      expires_at = created_at + ${KEPT_MILLISECONDS}::int * interval '1 millisecond'
    WHERE organization_id = ${organizationId}::uuid AND key = ${named.key} AND attempt = ${named.attempt}::uuid`;
  if (count === 0) throw requestIsRunning();
}

/**
 * Answers of named writes, kept for 24 hours in the database, so that every process knows them. No statement is held open
 * while a request is answered.
 */
export class IdempotencyStore {
  private purgedAt = 0;

  constructor(
    private readonly prisma: PrismaClient,
    private readonly now: () => Date,
  ) {}

  /** Takes the request's name for this attempt, unless another attempt has it. An expired row counts as none. */
  async claim(named: NamedRequest): Promise<Claim> {
    const { organizationId, key, fingerprint } = named;
    const now = this.now();
    await this.purge(now);
    const attempt = randomUUID();
    const taken = await this.prisma.$executeRaw`
      INSERT INTO idempotency_keys AS kept (id, organization_id, key, fingerprint, attempt, expires_at, created_at)
      VALUES (${newId(now)}::uuid, ${organizationId}::uuid, ${key}, ${fingerprint}, ${attempt}::uuid,
        ${new Date(now.getTime() + LEASE_MILLISECONDS)}, ${now})
      ON CONFLICT (organization_id, key) DO UPDATE
      SET fingerprint = EXCLUDED.fingerprint, attempt = EXCLUDED.attempt, written_at = NULL, status = NULL,
        body = NULL, expires_at = EXCLUDED.expires_at, created_at = EXCLUDED.created_at
      WHERE kept.expires_at <= ${now}`;
    return taken > 0 ? { state: 'new', attempt } : this.known(named);
  }

  /** Keeps the answer of an attempt, for whoever asks again. Without effect once another attempt has taken over. */
  async keep({ organizationId, key }: NamedRequest, attempt: string, answer: KeptAnswer): Promise<void> {
    const expiresAt = new Date(this.now().getTime() + KEPT_MILLISECONDS);
    await this.prisma.idempotencyKey.updateMany({
      where: { organizationId, key, attempt },
      data: { ...answer, expiresAt },
    });
  }

  /** Gives the name back, unless something was written: the request may be tried again. */
  async release({ organizationId, key }: NamedRequest, attempt: string): Promise<void> {
    await this.prisma.idempotencyKey.deleteMany({ where: { organizationId, key, attempt, writtenAt: null } });
  }

  private async known({ organizationId, key, fingerprint }: NamedRequest): Promise<Claim> {
    const where = { organizationId_key: { organizationId, key } };
    const row = await this.prisma.idempotencyKey.findUnique({ where });
    // Given back this instant: whoever asks again will get it.
    if (!row) return { state: 'running' };
    if (row.fingerprint !== fingerprint) return { state: 'different' };
    if (row.status === null || row.body === null) {
      const isOver = row.writtenAt !== null && this.now().getTime() - row.createdAt.getTime() >= LEASE_MILLISECONDS;
      return { state: isOver ? 'unanswered' : 'running' };
    }
    return { state: 'answered', answer: { status: row.status, body: row.body } };
  }

  // At most once a minute a process, and never many rows at once: no request waits long for it.
  private async purge(now: Date): Promise<void> {
    if (Math.abs(now.getTime() - this.purgedAt) < PURGE_MILLISECONDS) return;
    this.purgedAt = now.getTime();
    await purgeNamedRequests(this.prisma, now);
  }
}

/** Forgets answers whose time is over, the oldest first, some at a time; says how many. */
export const purgeNamedRequests = (prisma: PrismaClient, now: Date): Promise<number> =>
  prisma.$executeRaw`
    DELETE FROM idempotency_keys WHERE id IN (
      SELECT id FROM idempotency_keys WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${MOST_PURGED}
      FOR UPDATE SKIP LOCKED)`;
