import { defaultNumberPrefix } from '../../../billing/invoice/numbering.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { nameFromCode } from './name.ts';

/** At most one entity is the default one; a document that names another moves the mark. */
export async function prepareBillingEntities(drafts: Draft[], importer: Importing): Promise<void> {
  const marked = drafts.filter(({ row }) => row.is_default === true && row.deleted_at == null);
  for (const { place } of marked.slice(importer.seenDefaultEntity ? 0 : 1)) {
    importer.faults.add(`${place}.is_default`, 'value_already_exist');
  }
  const [first] = marked;
  if (!first || importer.seenDefaultEntity) return;
  importer.seenDefaultEntity = true;
  await importer.sql.run(
    `UPDATE billing_entities SET is_default = false
     WHERE organization_id = $1::uuid AND is_default AND deleted_at IS NULL AND NOT (id::text = $2 OR code = $3)`,
    importer.organizationId,
    typeof first.item.svc_id === 'string' ? first.item.svc_id.toLowerCase() : '',
    String(first.row.code),
  );
}

/** Names and number prefixes of new entities. */
export function fillBillingEntities(drafts: Draft[]): void {
  nameFromCode(drafts);
  for (const { row, id } of drafts) {
    if (row.document_number_prefix === undefined) {
      row.document_number_prefix = defaultNumberPrefix({ name: String(row.name), id });
    }
  }
}

/** Makes sure that the organization has a default entity: the oldest one, or a new one named after the organization. */
export async function ensureDefaultEntity(importer: Importing): Promise<void> {
  const { sql, organizationId } = importer;
  const live = 'organization_id = $1::uuid AND deleted_at IS NULL';
  const known = await sql.rows(`SELECT id FROM billing_entities WHERE ${live} AND is_default`, organizationId);
  if (known.length > 0) return;
  const changed = await sql.run(
    `UPDATE billing_entities SET is_default = true WHERE id = (
       SELECT id FROM billing_entities WHERE ${live} AND archived_at IS NULL ORDER BY created_at, id LIMIT 1)`,
    organizationId,
  );
  if (changed > 0) return;
  const item = { code: 'default', name: importer.organizationName, is_default: true };
  await importer.storeNamed('billing_entity', [{ place: 'billing_entities[default]', item }]);
}
