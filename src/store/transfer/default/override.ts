import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import type { ReadItems } from '../document/shape.ts';
import { identifierOf } from '../value/identifier.ts';
import { isList, isObject, type Json, type JsonObject } from '../value/json.ts';

const LISTS = ['charges', 'fixed_charges', 'usage_thresholds'] as const;
/** Members that belong to the row and not to what it says. */
const OWN = new Set(['svc_id', 'svc_parent_id', 'created_at', 'updated_at', 'deleted_at']);

const withoutOwn = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([member]) => !OWN.has(member)));

/** A copy of everything inside a parent's charge, without the identifiers of what was copied. */
function copy(value: Json | undefined, keepsIds: ReadonlySet<string>): Json {
  if (isList(value))
    return value.filter((inner) => !isObject(inner) || isLive(inner)).map((inner) => copy(inner, keepsIds));
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(withoutOwn(value)).map(([member, inner]) => [
      member,
      keepsIds.has(member) ? (inner ?? null) : copy(inner, keepsIds),
    ]),
  );
}

// References: their identifiers are those of other rows.
const KEEPS_IDS: ReadonlySet<string> = new Set(['taxes', 'applied_pricing_unit', 'properties', 'values']);

const isLive = (item: Json): item is JsonObject => isObject(item) && item.deleted_at == null;

function isFor(override: JsonObject, original: JsonObject): boolean {
  const id = override.svc_parent_id ?? override.svc_id ?? override.id;
  if (typeof id === 'string' && id === original.svc_id) return true;
  const names = ['code', 'billable_metric_code', 'add_on_code'] as const;
  const name = names.find((member) => override[member] !== undefined);
  return name !== undefined && override[name] === original[name];
}

/** The charges of an override: copies of the parent's, each with the given members, and those that only the override has. */
function mergeList(originals: Json | undefined, overrides: Json | undefined, hasParent: boolean): Json {
  const given = isList(overrides) ? overrides : [];
  const taken = new Set<Json>();
  const copies = (isList(originals) ? originals : []).filter(isLive).map((original) => {
    const override = given.find((one) => isObject(one) && !taken.has(one) && isFor(one, original));
    if (override) taken.add(override);
    const own: JsonObject = isObject(override) ? override : {};
    const id = own.svc_id !== undefined && own.svc_id !== original.svc_id ? { svc_id: own.svc_id } : {};
    const parent = hasParent ? { svc_parent_id: original.svc_id } : {};
    return { ...(copy(original, KEEPS_IDS) as JsonObject), ...withoutOwn(own), ...id, ...parent };
  });
  return [...copies, ...given.filter((one) => !taken.has(one))];
}

/** The whole plan that an override stands for: the parent's with the given members replaced. */
function mergeOverride(parent: JsonObject, override: JsonObject, id: string): JsonObject {
  if (override.svc_parent_id != null) return { ...override, svc_id: id };
  const merged: Record<string, Json> = { ...(copy(withoutOwn(parent), KEEPS_IDS) as Record<string, Json>) };
  for (const [member, value] of Object.entries(withoutOwn(override))) if (value !== undefined) merged[member] = value;
  for (const list of LISTS) {
    merged[list] =
      list === 'usage_thresholds' && isList(override[list])
        ? override[list]
        : mergeList(parent[list], override[list], list !== 'usage_thresholds');
  }
  if (isObject(override.minimum_commitment) && isObject(parent.minimum_commitment)) {
    merged.minimum_commitment = {
      ...(copy(parent.minimum_commitment, KEEPS_IDS) as JsonObject),
      ...override.minimum_commitment,
    };
  }
  // Features are those of the parent, whatever it has at the time.
  delete merged.entitlements;
  return { ...merged, code: parent.code ?? null, svc_id: id, svc_parent_id: parent.svc_id ?? null };
}

const givenId = (override: JsonObject) =>
  typeof override.svc_id === 'string' ? override.svc_id.toLowerCase() : undefined;

/** The plans that known subscriptions are on. */
async function currentPlans(drafts: readonly Draft[], importer: Importing) {
  const rows = await importer.sql.rows(
    `SELECT s.id::text AS id, p.id::text AS plan, p.parent_id::text AS parent FROM subscriptions s
     JOIN plans p ON p.id = s.plan_id WHERE s.organization_id = $1::uuid AND s.id = ANY($2::uuid[])`,
    importer.organizationId,
    drafts.filter(({ isNew }) => !isNew).map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Makes the plan of each subscription that overrides members of its plan, and puts the subscription on it. */
export async function adoptOverrides(drafts: Draft[], importer: Importing): Promise<void> {
  const current = await currentPlans(drafts, importer);
  const overriding: { draft: Draft; parentId: string; override: JsonObject }[] = [];
  for (const draft of drafts) {
    const { row, found, item, place } = draft;
    const override = item.plan_overrides;
    const parentId = found.plan_id?.parent_id ?? found.plan_id?.id;
    const known = current.get(draft.id);
    // An absent member leaves the override that is there.
    if (override === undefined && known?.parent && known.parent === parentId) row.plan_id = undefined;
    if (override === undefined || override === null || !parentId) continue;
    if (isObject(override)) overriding.push({ draft, parentId, override });
    else importer.faults.add(`${place}.plan_overrides`, 'value_is_invalid');
  }
  if (overriding.length === 0) return;
  const parents = await importer.readItems('plan', [...new Set(overriding.map(({ parentId }) => parentId))]);
  const entries = overriding.map(({ draft, parentId, override }) => {
    const known = current.get(draft.id);
    const id =
      givenId(override) ??
      (known?.parent ? known.plan : undefined) ??
      identifierOf(importer.organizationId, 'plan_overrides', draft.id);
    draft.row.plan_id = id;
    return { place: `${draft.place}.plan_overrides`, item: mergeOverride(parents.get(parentId) ?? {}, override, id) };
  });
  await importer.storeNamed('plan', entries);
}

/** Prints the plan that a subscription has for itself under `plan_overrides`, and its parent as the plan. */
export async function putOverrides(items: Map<string, Record<string, Json>>, read: ReadItems): Promise<void> {
  const ids = [...new Set([...items.values()].map((item) => String(item.svc_plan_id)))];
  const plans = await read('plan', ids, 't.parent_id IS NOT NULL');
  for (const item of items.values()) {
    const own = plans.get(String(item.svc_plan_id));
    item.plan_overrides = own ?? null;
    if (own) item.svc_plan_id = own.svc_parent_id ?? null;
  }
}
