import { isUuid } from '../../database/uuid.ts';
import type { Draft, Entry } from '../document/draft.ts';
import type { FaultList } from '../document/fault.ts';
import { readValue } from '../document/read-value.ts';
import type { Field, Shape } from '../document/shape.ts';
import { isList, isObject, type Json, type JsonObject, memberAt } from '../value/json.ts';

function givenValue(item: JsonObject, field: Field): { value: Json; name: string } | undefined {
  for (const name of [field.member, ...(field.aliases ?? [])]) {
    const value = memberAt(item, name);
    if (value !== undefined) return { value, name };
  }
  return undefined;
}

function readFields(shape: Shape, draft: Draft, faults: FaultList): void {
  for (const field of shape.fields) {
    const given = givenValue(draft.item, field);
    if (given === undefined) continue;
    if (given.value === null) {
      if (field.nullable) draft.row[field.column] = null;
      continue;
    }
    const reading = readValue(field, given.value);
    if ('value' in reading) {
      if (field.required && reading.value === '') faults.add(`${draft.place}.${given.name}`, 'value_is_mandatory');
      else draft.row[field.column] = reading.value;
    } else faults.add(`${draft.place}.${given.name}`, reading.code);
    if (!(field.column in draft.row)) draft.broken = true;
  }
}

/** Reads and checks one entry; what refers to other rows is left to the resolver. */
export function readItem(shape: Shape, entry: Entry, faults: FaultList): Draft | undefined {
  const { place, item, parent, column } = entry;
  if (!isObject(item)) {
    faults.add(place, 'value_is_invalid');
    return undefined;
  }
  const broken = parent?.broken ?? false;
  const draft: Draft = { place, item, parent, row: {}, found: {}, links: {}, id: '', isNew: false, broken };
  if (parent && column) draft.row[column] = parent.id;
  const id = item.svc_id;
  if (typeof id === 'string' && isUuid(id)) draft.id = id.toLowerCase();
  else if (id !== undefined && id !== null) {
    faults.add(`${place}.svc_id`, 'value_is_invalid');
    draft.broken = true;
  }
  readFields(shape, draft, faults);
  return draft;
}

/** The entries that stand inside a draft under one of its shape's children. */
export function childEntries(draft: Draft, child: Shape['children'][number], faults: FaultList): Entry[] {
  const value = memberAt(draft.item, child.member);
  const place = `${draft.place}.${child.member}`;
  if (value === undefined || value === null) return [];
  if (child.one) return [{ place, item: value, parent: draft, column: child.parent }];
  if (isList(value)) {
    return value.map((item, index) => ({ place: `${place}[${index}]`, item, parent: draft, column: child.parent }));
  }
  faults.add(place, 'value_is_invalid');
  return [];
}
