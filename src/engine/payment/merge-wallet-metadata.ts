import { notFound } from '../../billing/errors.ts';
import {
  checkMetadataPatch,
  type MetadataPatch,
  MOST_METADATA_KEYS,
  tooManyKeys,
  walletIsTerminated,
} from '../../billing/invoice/wallet-metadata.ts';
import type { Actor } from '../../store/access/audit.ts';
import { recordWritten } from '../../store/access/idempotency.ts';
import { repeated } from '../../store/database/attempt.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';

/**
 * Merges and logs in one statement: the row is held for no round trip of the client's, else writes to one wallet would queue
 * for seconds under load, and whatever happens around it, no key of another patch is lost. False where nothing was merged.
 */
async function mergeAtOnce(db: TenantTransaction, actor: Actor, id: string, patch: MetadataPatch): Promise<boolean> {
  const { organizationId, keyId, requestId, now } = actor;
  const text = JSON.stringify(patch);
  const merged = await db.$queryRaw<unknown[]>`
    WITH merged AS (
      UPDATE wallets SET updated_at = ${now},
        metadata = CASE jsonb_typeof(wallets.metadata) WHEN 'object' THEN wallets.metadata ELSE '{}' END || ${text}::jsonb
      FROM (SELECT id, metadata FROM wallets
            WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid AND status = 'active' FOR UPDATE) held
      WHERE wallets.id = held.id AND ${MOST_METADATA_KEYS} >= (
        SELECT count(*) FROM jsonb_object_keys(
          CASE jsonb_typeof(wallets.metadata) WHEN 'object' THEN wallets.metadata ELSE '{}' END || ${text}::jsonb))
      RETURNING wallets.id, held.metadata AS before, wallets.metadata AS after
    ), logged AS (
      INSERT INTO audit_logs
        (id, organization_id, action, object_type, object_id, key_id, request_id, before, after, created_at)
      SELECT ${newId(now)}::uuid, ${organizationId}::uuid, 'wallet.metadata_merged', 'wallet', id::text, ${keyId}::uuid,
        ${requestId}, jsonb_build_object('metadata', before), jsonb_build_object('metadata', after), ${now}
      FROM merged WHERE before IS DISTINCT FROM after
    )
    SELECT id::text AS id FROM merged`;
  return merged.length > 0;
}

/** The same in one transaction with its named request, where it has one. */
async function mergeOnce(db: TenantClient, actor: Actor, id: string, patch: MetadataPatch): Promise<boolean> {
  if (!actor.named) return mergeAtOnce(db, actor, id, patch);
  return repeated(() =>
    transactionOf(db, async (tx) => {
      const isMerged = await mergeAtOnce(tx, actor, id, patch);
      if (isMerged) await recordWritten(tx, actor);
      return isMerged;
    }),
  );
}

function storable(patch: unknown): MetadataPatch | undefined {
  try {
    return checkMetadataPatch(patch);
  } catch {
    return undefined; // what is wrong with it is told after whether there is such a wallet
  }
}

const isEmpty = (patch: MetadataPatch) => Object.keys(patch).length === 0;

/**
 * Merges key-value pairs into a wallet's metadata; an empty patch changes nothing. Throws `object_not_found`, and a
 * validation error for a patch that may not be stored, for more than 50 keys in all, and for a terminated wallet.
 */
export async function mergeWalletMetadata(db: TenantClient, actor: Actor, id: string, patch: unknown): Promise<void> {
  const pairs = storable(patch);
  if (pairs && !isEmpty(pairs) && (await mergeOnce(db, actor, id, pairs))) return;
  const wallet = await db.wallet.findFirst({ where: { id }, select: { status: true } });
  if (!wallet) throw notFound('wallet');
  if (isEmpty(checkMetadataPatch(patch))) return;
  throw wallet.status === 'terminated' ? walletIsTerminated() : tooManyKeys();
}
