import { type BillingError, notFound } from '../../billing/errors.ts';
import { walletIsTerminated } from '../../billing/invoice/wallet-refusal.ts';
import { checkMetadataPatch, type MetadataPatch, tooManyKeys } from '../../billing/resource/metadata.ts';
import type { Actor } from '../../store/access/audit.ts';
import { isNamed } from '../../store/access/idempotency.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { mergeMetadata } from '../../store/payment/wallet-metadata.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

const isEmpty = (patch: MetadataPatch) => Object.keys(patch).length === 0;

function storable(patch: unknown): MetadataPatch | undefined {
  try {
    return checkMetadataPatch(patch);
  } catch {
    return undefined; // what is wrong with it is told after whether there is such a wallet
  }
}

/** Why a patch was not merged; null for an empty one, of which nothing is to be merged. */
async function refusal(db: TenantTransaction, id: string, patch: unknown): Promise<BillingError | null> {
  const wallet = await db.wallet.findFirst({ where: { id }, select: { status: true } });
  if (!wallet) return notFound('wallet');
  if (isEmpty(checkMetadataPatch(patch))) return null;
  return wallet.status === 'terminated' ? walletIsTerminated() : tooManyKeys();
}

async function merge(db: TenantTransaction, actor: Actor, id: string, patch: unknown): Promise<Written> {
  const pairs = storable(patch);
  const merged = pairs && !isEmpty(pairs) ? await mergeMetadata(db, actor, id, pairs) : null;
  if (merged) return { id, changed: { auditLogs: merged.entries } };
  const refused = await refusal(db, id, patch);
  if (refused) throw refused;
  return { id, changed: {} };
}

/**
 * Merges key-value pairs into a wallet's metadata; an empty patch changes nothing. Throws `object_not_found`, and a
 * validation error for a patch that may not be stored, for more than 50 keys in all, and for a terminated wallet.
 */
export async function mergeWalletMetadata(
  db: TenantClient,
  actor: Actor,
  id: string,
  patch: unknown,
): Promise<Written> {
  // One statement needs no transaction; a named request is done in the same.
  return isNamed(actor) ? inTransaction(db, actor, (tx) => merge(tx, actor, id, patch)) : merge(db, actor, id, patch);
}
