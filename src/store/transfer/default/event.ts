import { isBeyondUnits, NUMERIC_AGGREGATIONS } from '../../../billing/catalogue/event-write.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { isObject, type Json, numberText } from '../value/json.ts';

const isBeyond = (value: Json | undefined) => isBeyondUnits(numberText(value) ?? value);

const membersOf = ({ row }: Draft) =>
  isObject(row.properties as Json) ? (row.properties as Record<string, Json>) : {};

/** Refuses what a metric would read as more units than a fee can have, as events that are sent are refused. */
export async function checkUnits(drafts: readonly Draft[], importer: Importing): Promise<void> {
  const odd = drafts.filter((draft) => Object.values(membersOf(draft)).some(isBeyond));
  if (odd.length === 0) return;
  const rows = await importer.sql.rows(
    `SELECT code, field_name FROM billable_metrics WHERE organization_id = $1::uuid AND code = ANY($2::text[])
      AND deleted_at IS NULL AND aggregation_type::text = ANY($3::text[])`,
    importer.organizationId,
    [...new Set(odd.map(({ row }) => String(row.code)))],
    [...NUMERIC_AGGREGATIONS],
  );
  const fields = new Map(rows.map(({ code, field_name: field }) => [code, String(field)]));
  for (const draft of odd) {
    const value = membersOf(draft)[fields.get(String(draft.row.code)) ?? ''];
    if (isBeyond(value)) importer.faults.add(`${draft.place}.properties`, 'value_is_out_of_range');
  }
}
