import { notFound } from '../billing/errors.ts';
import { checkMetadataPatch, MOST_METADATA_KEYS, tooManyKeys, walletIsTerminated } from '../billing/wallet-metadata.ts';
import { type Actor, recordAudit } from './audit.ts';
import type { TenantClient, TenantTransaction } from './tenant.ts';

interface Held {
  readonly status: 'active' | 'terminated';
  readonly terminatedAt: Date | null;
  /** JSON text, as the database wrote it. */
  readonly metadata: string | null;
}

/** Reads a wallet and keeps others from changing it until the transaction ends. Throws `object_not_found`. */
async function holdWallet(tx: TenantTransaction, { organizationId }: Actor, id: string): Promise<Held> {
  const [held] = await tx.$queryRaw<Held[]>`
    SELECT status::text AS status, terminated_at AS "terminatedAt", metadata::text AS metadata
    FROM wallets WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
  if (!held) throw notFound('wallet');
  return held;
}

/** The merge itself is one statement: whatever happens around it, no key of another patch is lost. */
async function merge(tx: TenantTransaction, { organizationId, now }: Actor, id: string, patch: string) {
  const [merged] = await tx.$queryRaw<{ metadata: string }[]>`
    UPDATE wallets SET updated_at = ${now},
      metadata = CASE jsonb_typeof(metadata) WHEN 'object' THEN metadata ELSE '{}' END || ${patch}::jsonb
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid AND ${MOST_METADATA_KEYS} >= (
      SELECT count(*) FROM jsonb_object_keys(
        CASE jsonb_typeof(metadata) WHEN 'object' THEN metadata ELSE '{}' END || ${patch}::jsonb))
    RETURNING metadata::text AS metadata`;
  if (!merged) throw tooManyKeys();
  return merged.metadata;
}

const parsed = (text: string | null) => ({ metadata: text === null ? null : (JSON.parse(text) as unknown) });

/**
 * Merges key-value pairs into a wallet's metadata; an empty patch changes nothing. Throws `object_not_found`, and a
 * validation error for a patch that may not be stored, for more than 50 keys in all, and for a terminated wallet.
 */
export async function mergeWalletMetadata(db: TenantClient, actor: Actor, id: string, patch: unknown): Promise<void> {
  await db.$transaction(async (tx) => {
    const held = await holdWallet(tx, actor, id);
    const pairs = checkMetadataPatch(patch);
    if (Object.keys(pairs).length === 0) return;
    if (held.status === 'terminated') throw walletIsTerminated();
    const after = await merge(tx, actor, id, JSON.stringify(pairs));
    if (after === held.metadata) return;
    await recordAudit(tx, {
      ...{ actor, action: 'wallet.metadata_merged', objectType: 'wallet', objectId: id.toLowerCase() },
      ...{ before: parsed(held.metadata), after: parsed(after) },
    });
  });
}

/**
 * Terminates a wallet and its recurring rules. Balance, credits and invoices stay as they are. Done again, it changes
 * nothing: the time is that of the first termination. Throws `object_not_found`.
 */
export async function terminateWallet(db: TenantClient, actor: Actor, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const { status, terminatedAt } = await holdWallet(tx, actor, id);
    const after = { status: 'terminated' as const, terminatedAt: terminatedAt ?? actor.now };
    const isNew = status !== after.status || terminatedAt === null;
    if (isNew) await tx.wallet.update({ where: { id }, data: after, select: { id: true } });
    const rules = await tx.recurringTransactionRule.updateManyAndReturn({
      where: { walletId: id, status: 'active' },
      data: { status: 'terminated', terminatedAt: actor.now },
      select: { id: true },
    });
    if (!isNew && rules.length === 0) return;
    await recordAudit(tx, {
      ...{ actor, action: 'wallet.terminated', objectType: 'wallet', objectId: id.toLowerCase() },
      before: { status, terminatedAt },
      after: { ...after, terminatedRecurringTransactionRuleIds: rules.map((rule) => rule.id) },
    });
  });
}
