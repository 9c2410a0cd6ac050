import type { Entry } from '../document/draft.ts';
import type { FaultList } from '../document/fault.ts';
import type { Shape } from '../document/shape.ts';
import { SECTIONS } from '../shape/all.ts';
import { EVENT } from '../shape/event.ts';
import { isList, isObject, type Json, type JsonObject } from '../value/json.ts';

/** What a document says of one organization. */
export interface Part {
  readonly organization: JsonObject;
  readonly place: string;
  /** Entries in all sections, as far as they are known beforehand. */
  readonly total: number;
  /** How many events there are of each month, `2026-11`. */
  readonly months: ReadonlyMap<string, number>;
  /** The entries of a section, a batch at a time. */
  entries(shape: Shape, size: number): AsyncIterable<Entry[]> | Iterable<Entry[]>;
}

// Besides sections a document may name its organization and its schema.
const OTHER_MEMBERS = new Set(['organization', '$schema']);
const SECTION_NAMES = new Set(SECTIONS.map(({ section }) => section));

function* batches(list: readonly Json[], place: string, size: number): Generator<Entry[]> {
  for (let start = 0; start < list.length; start += size) {
    yield list.slice(start, start + size).map((item, index) => ({ place: `${place}[${start + index}]`, item }));
  }
}

/** Counts an event whose time is given as a text, which begins with its month. */
export function countMonth(months: Map<string, number>, timestamp: unknown): void {
  const [month] = (typeof timestamp === 'string' && /^\d{4}-\d{2}/.exec(timestamp)) || [];
  if (month) months.set(month, (months.get(month) ?? 0) + 1);
}

function monthsOf(events: Json | undefined): Map<string, number> {
  const months = new Map<string, number>();
  for (const event of isList(events) ? events : []) if (isObject(event)) countMonth(months, event.timestamp);
  return months;
}

function partOf(document: JsonObject, prefix: string, organization: JsonObject, faults: FaultList): Part {
  let total = 0;
  for (const [member, value] of Object.entries(document)) {
    if (SECTION_NAMES.has(member) && (isList(value) || value === null)) total += value?.length ?? 0;
    else if (value !== undefined && !OTHER_MEMBERS.has(member) && !(prefix && member in organization)) {
      faults.add(`${prefix}${member}`, 'value_is_invalid');
    }
  }
  return {
    organization,
    place: prefix,
    total,
    months: monthsOf(document[EVENT.section ?? '']),
    entries: (shape, size) => {
      const list = document[shape.section ?? ''];
      return batches(isList(list) ? list : [], `${prefix}${shape.section}`, size);
    },
  };
}

function organizationOf(value: Json | undefined, place: string, faults: FaultList): JsonObject {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string') return { name: value };
  if (isObject(value)) return value;
  faults.add(place, 'value_is_invalid');
  return {};
}

const MEMBERS = ['name', 'svc_id', 'created_at', 'updated_at'];

/** The organizations of a document that is in memory. */
export function partsOf(document: Json, faults: FaultList): Part[] {
  if (!isObject(document)) {
    faults.add('document', 'value_is_invalid');
    return [];
  }
  const { organizations } = document;
  if (organizations === undefined) {
    return [partOf(document, '', organizationOf(document.organization, 'organization', faults), faults)];
  }
  for (const member of Object.keys(document)) {
    if (member !== 'organizations' && member !== '$schema') faults.add(member, 'value_is_invalid');
  }
  if (!isList(organizations)) {
    faults.add('organizations', 'value_is_invalid');
    return [];
  }
  return organizations.flatMap((one, index) => {
    const place = `organizations[${index}]`;
    if (!isObject(one)) {
      faults.add(place, 'value_is_invalid');
      return [];
    }
    const own = Object.fromEntries(MEMBERS.flatMap((name) => (one[name] === undefined ? [] : [[name, one[name]]])));
    const organization = { ...own, ...organizationOf(one.organization, `${place}.organization`, faults) };
    return [partOf(one, `${place}.`, organization, faults)];
  });
}
