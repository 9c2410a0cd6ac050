import { defaultProperties, isPriceModel } from '../../../billing/catalogue/charge-property.ts';
import { propertyErrors } from '../../../billing/catalogue/charge-property-check.ts';
import { canonicalFilter, type FilterValues } from '../../../billing/catalogue/filter.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { isList, isObject, type Json, type JsonObject } from '../value/json.ts';
import { nameFromCode } from './name.ts';

/** A charge without a code has its metric's, a fixed charge its add-on's; the second of one plan has `_2` at the end. */
export function prepareCharges(column: 'billable_metric_id' | 'add_on_id'): (drafts: Draft[]) => void {
  return (drafts) => {
    const taken = new Set(drafts.map(({ row }) => `${row.plan_id} ${row.code}`));
    for (const { row, found } of drafts) {
      const base = found[column]?.code;
      if (row.code !== undefined || !base) continue;
      let code = base;
      for (let rank = 2; taken.has(`${row.plan_id} ${code}`); rank++) code = `${base}_${rank}`;
      taken.add(`${row.plan_id} ${code}`);
      row.code = code;
    }
  };
}

/** Properties of a new charge that gives none: those of its model that cost nothing. */
export function fillCharges(drafts: Draft[]): void {
  for (const { row } of drafts) {
    const model = row.charge_model ?? 'standard';
    row.properties ??= isPriceModel(model) ? (defaultProperties(model) as JsonObject) : {};
  }
}

/** Prices must be such as their model can use. A filter has the model of its charge. */
export async function checkProperties(drafts: Draft[], importer: Importing): Promise<void> {
  for (const { row, place, parent } of drafts) {
    const model = row.charge_model ?? parent?.row.charge_model;
    if (!isPriceModel(model) || row.properties === undefined || row.deleted_at != null) continue;
    const codes = isObject(row.properties) ? propertyErrors(model, row.properties, null) : ['value_is_invalid'];
    if (codes.length > 0) importer.faults.add(`${place}.properties`, ...codes);
  }
}

export const fillFixedCharges = fillCharges;

const isValues = (values: Json | undefined): values is FilterValues & Json =>
  isObject(values) &&
  Object.keys(values).length > 0 &&
  Object.values(values).every(
    (list) => isList(list) && list.length > 0 && list.every((text) => typeof text === 'string'),
  );

/** The canonical form of the values, which finds the filter again. */
export function prepareFilters(drafts: Draft[], importer: Importing): void {
  for (const { row, place } of drafts) {
    if (isValues(row.values)) row.canonical_values = canonicalFilter(row.values);
    else if (row.values !== undefined) importer.faults.add(`${place}.values`, 'value_is_invalid');
  }
}

/** Position and properties of new filters. */
export function fillFilters(drafts: Draft[]): void {
  for (const { row, place, parent } of drafts) {
    row.position ??= Number(/\[(\d+)\]$/.exec(place)?.[1] ?? 0);
    const model = parent?.row.charge_model;
    row.properties ??= isPriceModel(model) ? (defaultProperties(model) as JsonObject) : {};
  }
}

/** Name and currency of new plans. */
export async function fillPlans(drafts: Draft[], importer: Importing): Promise<void> {
  nameFromCode(drafts);
  for (const { row } of drafts) row.amount_currency ??= await importer.defaultCurrency();
}
