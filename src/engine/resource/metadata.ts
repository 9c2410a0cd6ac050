import type { Fields } from '../../billing/resource/field.ts';
import { changedMetadata, type MetadataChange, type MetadataPatch } from '../../billing/resource/metadata.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { lockByCode, saveMetadata } from '../../store/catalogue/code-lock.ts';
import { rowsOf, type TenantClient } from '../../store/database/tenant.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';
import type { Stored } from './stored.ts';

const textOf = (metadata: MetadataPatch | null) => JSON.stringify(metadata);

/**
 * Changes the metadata of an object, found by its code; what leaves it as it is is not logged. Throws `object_not_found`, also for a key of
 * an object without metadata, and a validation error for pairs that cannot be stored or are too many.
 */
export function changeMetadata<F extends Fields, Parts extends object>(
  db: TenantClient,
  actor: Actor,
  { resource: { name }, model }: Stored<F, Parts>,
  code: string,
  change: MetadataChange,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const id = await lockByCode(tx, actor, name, code);
    const rows = rowsOf(tx, model);
    const row: object = await rows.findUniqueOrThrow({ where: { id }, select: { metadata: true } });
    const { metadata: before = null } = row as { readonly metadata?: MetadataPatch | null };
    const after = changedMetadata(before, change);
    if (textOf(before) === textOf(after)) return { id, changed: {} };
    await rows.update({ where: { id }, data: { updatedAt: actor.now }, select: { id: true } });
    await saveMetadata(tx, actor, name, id, after);
    const entry = await recordAudit(tx, {
      ...{ actor, action: `${name}.updated`, objectType: name, objectId: id },
      before: { metadata: before },
      after: { metadata: after },
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}
