import { type PrivilegeSent, privilegesAfter } from '../../../billing/catalogue/entitlement/privilege.ts';
import { BillingError } from '../../../billing/errors.ts';
import { FEATURE } from '../../../billing/resource/feature.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { endEntitlements, heldEntitled } from '../../../store/catalogue/feature-entitlement.ts';
import { readPrivileges, savePrivileges } from '../../../store/catalogue/feature-privilege.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_FEATURE_CODE } from '../../../store/database/unique.ts';
import type { PartsWrite, Stored, Whole } from '../../resource/stored.ts';

/** What a body says of a feature beyond its own members. */
export interface FeatureBody {
  readonly privileges?: readonly PrivilegeSent[] | null;
}

async function readBody(
  tx: TenantTransaction,
  actor: Actor,
  { privileges: sent }: FeatureBody,
  of: Whole | undefined,
): Promise<PartsWrite> {
  const stored = of ? await readPrivileges(tx, of.id) : [];
  const keepsType = of?.refusesIgnored ?? true;
  try {
    const wanted = privilegesAfter(stored, sent ?? [], { keepsType });
    const isSame = JSON.stringify(wanted) === JSON.stringify(stored);
    return {
      refusal: undefined,
      save: async (id) => {
        if (isSame) return { changed: {}, before: {}, after: {} };
        await savePrivileges(tx, actor, id, stored, wanted);
        return { changed: {}, before: { privileges: stored }, after: { privileges: wanted } };
      },
    };
  } catch (refusal) {
    if (!(refusal instanceof BillingError) || !refusal.details) throw refusal;
    return { refusal, save: () => Promise.reject(refusal) };
  }
}

/** Features with their privileges, which are added and changed, and go by themselves only. With a deleted feature all lose it. */
export const FEATURES: Stored<typeof FEATURE.fields, FeatureBody> = {
  resource: FEATURE,
  model: 'Feature',
  unique: UNIQUE_FEATURE_CODE,
  parts: readBody,
  frozen: async () => ['code'],
  deleted: async (tx, actor, { id }) => {
    const entitled = await heldEntitled(tx, actor, id);
    if (entitled.plans.length + entitled.subscriptions.length > 0) await endEntitlements(tx, actor, id);
    return { ...entitled };
  },
};
