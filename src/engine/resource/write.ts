import { ignoredMembers, keptHints } from '../../billing/catalogue/ignored.ts';
import { BillingError, invalid, joined, readWith } from '../../billing/errors.ts';
import type { Fields, Sent, Values } from '../../billing/resource/field.ts';
import { normalMembers } from '../../billing/resource/member.ts';
import type { Resource } from '../../billing/resource/resource.ts';
import { changedValues, differences, newValues } from '../../billing/resource/resource.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { lockByCode } from '../../store/catalogue/code-lock.ts';
import { rowsOf, type TenantClient, type TenantTransaction } from '../../store/database/tenant.ts';
import { whereUnique } from '../../store/database/unique.ts';
import { newId } from '../../store/database/uuid.ts';
import { flagDrafts } from '../../store/invoice/draft-flag.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';
import { readValues, writeMetadata, writtenData } from './row.ts';
import type { PartsWrite, Stored, StoredRows } from './stored.ts';

type Members = Readonly<Record<string, unknown>>;

/** Does what refuses a body; where it does, a code that another object has is told with the rest. */
async function tellingTaken<T>(
  tx: TenantTransaction,
  { model, named = { deletedAt: null } }: StoredRows & { readonly named?: object },
  sent: Members,
  id: string | undefined,
  read: () => T,
): Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BillingError) || typeof sent.code !== 'string') throw error;
    const where = { code: sent.code, ...named, ...(id && { id: { not: id } }) };
    const taken = await rowsOf(tx, model).findFirst({ where, select: { id: true } });
    throw taken ? joined(invalid({ code: ['value_already_exist'] }), error) : error;
  }
}

/** What the resource itself refuses. What names no members is thrown at once. */
function refusalOf<F extends Fields>(
  { refused }: Pick<Stored<F>, 'refused'>,
  sent: Sent<F>,
  now: Date,
  before: Values<F> | undefined,
): BillingError | undefined {
  const refusal = refused?.(sent, { now, before });
  if (refusal && !refusal.details) throw refusal;
  return refusal;
}

const meantBy = <F extends Fields, Parts extends object>({ meant }: Stored<F, Parts>, sent: Sent<F> & Parts) =>
  meant ? { ...sent, ...meant(sent) } : sent;

const NO_PARTS: PartsWrite = {
  refusal: undefined,
  save: async () => ({ changed: {}, before: {}, after: {} }),
};

/** Marks the drafts that are made of what was written; says what has changed with them. */
async function withDrafts<F extends Fields, Parts extends object>(
  tx: TenantTransaction,
  actor: Actor,
  { drafts }: Pick<Stored<F, Parts>, 'drafts'>,
  of: Parameters<NonNullable<Stored<F, Parts>['drafts']>>[0],
  changed: Changed,
): Promise<Changed> {
  if (!drafts) return changed;
  return allChanged([changed, { invoices: await flagDrafts(tx, actor, drafts(of, changed)) }]);
}

/**
 * Creates an object of a resource. Throws `object_not_found` for what its parts name, one validation error that names all that is wrong,
 * and `object_not_found` for codes of others.
 */
export function createResource<F extends Fields, Parts extends object>(
  db: TenantClient,
  actor: Actor,
  stored: Stored<F, Parts>,
  wanted: Sent<F> & Parts,
): Promise<Written> {
  const { resource, model, unique, saved } = stored;
  const sent = meantBy(stored, wanted);
  const create = async (tx: TenantTransaction): Promise<Written> => {
    await stored.admitted?.(tx, actor);
    const refused = refusalOf(stored, sent, actor.now, undefined);
    const parts = (await stored.parts?.(tx, actor, sent, undefined)) ?? NO_PARTS;
    const values = await tellingTaken(tx, stored, sent, undefined, () =>
      readWith([refused, parts.refusal], () => newValues(resource, sent)),
    );
    const id = newId(actor.now);
    const data = { ...(await writtenData(tx, actor, stored, values, 'connect')), ...stored.derived?.(values) };
    const stamps = { createdAt: actor.now, updatedAt: actor.now };
    await rowsOf(tx, model).create({ data: { id, ...data, ...stamps }, select: { id: true } });
    await writeMetadata(tx, actor, stored, id, values, true);
    const of = await parts.save(id);
    const own = (await saved?.(tx, actor, { id, values, sent })) ?? {};
    const changed = await withDrafts(tx, actor, stored, { id, values }, allChanged([of.changed, own]));
    const entry = await recordAudit(tx, {
      ...{ actor, action: `${resource.name}.created`, objectType: resource.name, objectId: id },
      before: null,
      after: { ...values, ...of.after },
    });
    return { id, changed: allChanged([changed, { auditLogs: [entry] }]) };
  };
  return whereUnique([unique], () => inTransaction(db, actor, create));
}

/** What was sent but for members that cannot change. Throws where another value is to be refused. */
function changeable<F extends Fields, Parts extends object>(
  { resource }: { readonly resource: Resource<F> },
  before: Values<F>,
  sent: Sent<F> & Parts,
  frozen: readonly string[],
  refuses: boolean,
): Sent<F> & Parts {
  if (frozen.length === 0) return sent;
  const asked = normalMembers(resource.fields, sent);
  const named = frozen.filter((name) => sent[name] != null);
  const others = differences(before, Object.fromEntries(named.map((name) => [name, asked[name]])));
  const ignored = ignoredMembers(others, before);
  if (refuses && Object.keys(ignored).length > 0) throw invalid(ignored, keptHints(ignored, before));
  const kept = Object.entries(sent).filter(([name]) => !frozen.includes(name));
  return Object.fromEntries(kept) as Sent<F> & Parts;
}

/**
 * Changes an object of a resource, found by its code. What is sent already changes nothing and is not logged. Throws
 * `object_not_found` before anything else, and one validation error that names all that the change makes wrong.
 */
export function updateResource<F extends Fields, Parts extends object>(
  db: TenantClient,
  actor: Actor,
  stored: Stored<F, Parts>,
  code: string,
  given: Sent<F> & Parts,
  { refusesIgnored }: { readonly refusesIgnored: boolean },
): Promise<Written> {
  const { resource, model, unique, saved } = stored;
  const wanted = meantBy(stored, given);
  const update = async (tx: TenantTransaction): Promise<Written> => {
    const id = await lockByCode(tx, actor, resource.name, code);
    const before = await readValues(tx, stored, id);
    const refused = refusalOf(stored, wanted, actor.now, before);
    const frozen = (await stored.frozen?.(tx, id)) ?? [];
    const sent = changeable(stored, before, wanted, frozen, refusesIgnored);
    const parts = (await stored.parts?.(tx, actor, wanted, { id, refusesIgnored })) ?? NO_PARTS;
    const values = await tellingTaken(tx, stored, sent, id, () =>
      readWith([refused, parts.refusal], () => changedValues(resource, before, sent)),
    );
    const after = differences(before, values);
    const data = { ...(await writtenData(tx, actor, stored, after, 'set')), ...stored.derived?.(values) };
    const of = await parts.save(id);
    const own = (await saved?.(tx, actor, { id, values, before, sent })) ?? {};
    const changed = allChanged([of.changed, own]);
    if (Object.keys(after).length === 0 && Object.keys(of.after).length === 0) return { id, changed };
    await rowsOf(tx, model).update({ where: { id }, data: { ...data, updatedAt: actor.now }, select: { id: true } });
    await writeMetadata(tx, actor, stored, id, after, false);
    const entry = await recordAudit(tx, {
      ...{ actor, action: `${resource.name}.updated`, objectType: resource.name, objectId: id },
      before: { ...differences(values, before), ...of.before },
      after: { ...after, ...of.after },
    });
    const all = await withDrafts(tx, actor, stored, { id, values, before }, changed);
    const next = (await stored.followed?.({ db, tx, actor }, { id, values, before, sent }, all)) ?? {};
    return { id, changed: allChanged([all, next, { auditLogs: [entry] }]) };
  };
  return whereUnique([unique], () => inTransaction(db, actor, update));
}

/** Deletes an object of a resource, found by its code, which is free again. Its row stays for what names it. Throws `object_not_found`. */
export function deleteResource<F extends Fields, Parts extends object>(
  db: TenantClient,
  actor: Actor,
  stored: Stored<F, Parts>,
  code: string,
): Promise<Written> {
  const { resource, model, deleted } = stored;
  return inTransaction(db, actor, async (tx) => {
    const id = await lockByCode(tx, actor, resource.name, code);
    const values = await readValues(tx, stored, id);
    const changed = (await deleted?.(tx, actor, { id, values, sent: {} }, db)) ?? {};
    const stamps = { deletedAt: actor.now, updatedAt: actor.now };
    await rowsOf(tx, model).update({ where: { id }, data: stamps, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: `${resource.name}.deleted`, objectType: resource.name, objectId: id },
      before: values,
      after: null,
    });
    const all = await withDrafts(tx, actor, stored, { id, before: values }, changed);
    return { id, changed: allChanged([all, { auditLogs: [entry] }]) };
  });
}
