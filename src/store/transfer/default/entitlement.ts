import type { Privilege, ValueType } from '../../../billing/catalogue/entitlement/privilege.ts';
import { readPrivilegeValue } from '../../../billing/catalogue/entitlement/value.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { isList, isObject, type Json } from '../value/json.ts';

/** The privileges of the features that drafts name, by feature and code. */
async function privilegesOf(drafts: readonly Draft[], { sql, organizationId }: Importing) {
  const rows = await sql.rows(
    `SELECT feature_id::text AS feature, code, value_type::text AS type, array_to_json(select_options)::text AS options
     FROM feature_privileges WHERE organization_id = $1::uuid AND feature_id = ANY($2::uuid[]) AND deleted_at IS NULL`,
    organizationId,
    [...new Set(drafts.map(({ row }) => String(row.feature_id)))],
  );
  return new Map(
    rows.map(({ feature, code, type, options }): [string, Privilege] => [
      `${feature} ${code}`,
      { code: String(code), name: null, valueType: type as ValueType, selectOptions: JSON.parse(String(options)) },
    ]),
  );
}

/** Values fit the privileges of their features, and are stored as these have them. */
export async function checkValues(drafts: Draft[], importer: Importing): Promise<void> {
  const given = drafts.filter(({ row }) => row.values !== undefined && row.deleted_at == null);
  if (given.length === 0) return;
  const privileges = await privilegesOf(given, importer);
  for (const { row, place } of given) {
    if (!isObject(row.values)) {
      importer.faults.add(`${place}.privileges`, 'value_is_invalid');
      continue;
    }
    const values: Record<string, Json> = {};
    for (const [code, value] of Object.entries(row.values)) {
      const privilege = privileges.get(`${row.feature_id} ${code}`);
      const reading = privilege ? readPrivilegeValue(privilege, value) : { code: 'relation_must_exist' };
      if ('value' in reading) values[code] = reading.value;
      else importer.faults.add(`${place}.privileges.${code}`, reading.code);
    }
    row.values = values;
  }
}

/** A feature of which a subscription has values is its own, unless something else is said. */
export function fillDeviations(drafts: Draft[]): void {
  for (const { row } of drafts) {
    const isTaken = row.is_removed === true || (isList(row.removed_privileges) && row.removed_privileges.length > 0);
    row.is_own ??= !isTaken || (isObject(row.values) && Object.keys(row.values).length > 0);
  }
}
