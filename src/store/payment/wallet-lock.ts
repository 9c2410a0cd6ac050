import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

/** Where the end of a wallet stands. */
export interface HeldWallet {
  readonly status: 'active' | 'terminated';
  readonly terminatedAt: Date | null;
}

/** Reads a wallet and keeps others from changing it until the transaction ends. Throws `object_not_found`. */
export async function lockWallet(tx: TenantTransaction, { organizationId }: Actor, id: string): Promise<HeldWallet> {
  const [held] = await tx.$queryRaw<HeldWallet[]>`
    SELECT status::text AS status, terminated_at AS "terminatedAt" FROM wallets
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
  if (!held) throw notFound('wallet');
  return held;
}
