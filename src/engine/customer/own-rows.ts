import type { SentIntegration } from '../../billing/customer/integration.ts';
import { type MetadataPair, pairsAfter, type SentPair } from '../../billing/customer/metadata.ts';
import type { Actor } from '../../store/access/audit.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';

/** What a list of a customer's rows was and is, for the log; undefined where it is as it was. */
type Replaced = { readonly before: unknown; readonly after: unknown } | undefined;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const byKey = (pairs: readonly MetadataPair[]) =>
  pairs
    .map(({ key, value, displayInInvoice }) => ({ key, value, displayInInvoice }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));

/** Stores the pairs of a customer as they were sent. All are written anew, so that two may take each other's keys. */
export async function saveMetadata(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  customerId: string,
  sent: readonly SentPair[],
): Promise<Replaced> {
  const stored = await tx.customerMetadata.findMany({ where: { customerId } });
  const pairs = pairsAfter(stored, sent);
  const [before, after] = [byKey(stored), byKey(pairs)];
  const isKept = pairs.every(({ before: one, key }) => one?.key === key);
  if (isKept && isSame(before, after)) return undefined;
  await tx.customerMetadata.deleteMany({ where: { customerId } });
  const data = pairs.map(({ before: one, ...pair }) => ({
    ...{ id: one?.id ?? newId(now), organizationId, customerId, ...pair },
    ...{ createdAt: one?.createdAt ?? now, updatedAt: now },
  }));
  if (data.length > 0) await tx.customerMetadata.createMany({ data });
  return { before, after };
}

const account = ({ integrationType, ...rest }: SentIntegration) => ({
  type: integrationType ?? null,
  integrationCode: rest.integrationCode ?? null,
  externalCustomerId: rest.externalCustomerId ?? null,
  subsidiaryId: rest.subsidiaryId ?? null,
  targetedObject: rest.targetedObject ?? null,
  syncWithProvider: rest.syncWithProvider ?? null,
  email: rest.email ?? null,
});

/** Stores the accounts of a customer at other systems as they were sent; that of a system keeps its identifier. */
export async function saveIntegrations(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  customerId: string,
  sent: readonly SentIntegration[],
): Promise<Replaced> {
  const stored = await tx.integrationCustomer.findMany({ where: { customerId }, orderBy: OLDEST_FIRST });
  const before = stored.map(({ id, organizationId: _o, customerId: _c, createdAt, ...rest }) => rest);
  const after = sent.map(account);
  const sorted = (rows: readonly { readonly type: string | null }[]) =>
    rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  if (isSame(sorted(before), sorted(after))) return undefined;
  await tx.integrationCustomer.deleteMany({ where: { customerId } });
  const data = after.map((row) => {
    const known = stored.find(({ type }) => type === row.type);
    return { id: known?.id ?? newId(now), organizationId, customerId, ...row, createdAt: known?.createdAt ?? now };
  });
  if (data.length > 0) await tx.integrationCustomer.createMany({ data });
  return { before, after };
}
