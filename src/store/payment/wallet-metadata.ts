import { type MetadataPatch, MOST_METADATA_KEYS } from '../../billing/resource/metadata.ts';
import { type Actor, signatureOf } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

/**
 * Merges and logs in one statement: the row is held for no round trip of the client's, else writes to one wallet would queue
 * for seconds under load, and whatever happens around it, no key of another patch is lost. Says the entries of the log; null where nothing was merged.
 */
export async function mergeMetadata(
  db: TenantTransaction,
  actor: Actor,
  id: string,
  patch: MetadataPatch,
): Promise<{ readonly entries: string[] } | null> {
  const { organizationId, now } = actor;
  const { keyId, requestId } = signatureOf(actor);
  const text = JSON.stringify(patch);
  const entry = newId(now);
  const [merged] = await db.$queryRaw<{ isLogged: boolean }[]>`
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
      SELECT ${entry}::uuid, ${organizationId}::uuid, 'wallet.metadata_merged', 'wallet', id::text, ${keyId}::uuid,
        ${requestId}, jsonb_build_object('metadata', before), jsonb_build_object('metadata', after), ${now}
      FROM merged WHERE before IS DISTINCT FROM after
    )
    SELECT before IS DISTINCT FROM after AS "isLogged" FROM merged`;
  return merged ? { entries: merged.isLogged ? [entry] : [] } : null;
}
