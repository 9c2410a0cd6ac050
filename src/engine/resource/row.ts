import type { Field, Fields, Values } from '../../billing/resource/field.ts';
import { normalMembers } from '../../billing/resource/member.ts';
import type { Actor } from '../../store/access/audit.ts';
import { type Coded, heldByCode, saveMetadata } from '../../store/catalogue/code-lock.ts';
import { rowsOf, type TenantTransaction } from '../../store/database/tenant.ts';
import type { StoredRows } from './stored.ts';

type Members = Readonly<Record<string, unknown>>;

const fieldsOf = ({ resource }: StoredRows): [string, Field][] => Object.entries(resource.fields);

/** Decimals as text, with every digit. */
function plain(value: unknown): unknown {
  const isDecimal = typeof value === 'object' && value !== null && 'toFixed' in value;
  return isDecimal && typeof value.toFixed === 'function' ? value.toFixed() : value;
}

const codesIn = (rows: unknown) => (rows as readonly { readonly code: string }[]).map(({ code }) => code);

/** What is read of a member: the column, codes of others in their order, or parts; of either those that are not deleted. */
function selectionOf({ relation, parts }: Field): unknown {
  if (!relation) return true;
  const where = { deletedAt: null };
  if (!parts) return { select: { code: true }, where, orderBy: { code: 'asc' } };
  const select = Object.fromEntries(Object.keys(parts.fields).map((name) => [name, true]));
  return { select, where };
}

function memberOf({ relation, parts }: Field, value: unknown): unknown {
  if (!relation) return plain(value);
  return parts ? value : codesIn(value);
}

/** An object as it is stored; codes of others in their order. */
export async function readValues<F extends Fields>(
  tx: TenantTransaction,
  stored: StoredRows & { readonly resource: { readonly fields: F } },
  id: string,
): Promise<Values<F>> {
  const fields = fieldsOf(stored);
  const selected = fields.map(([name, field]) => [field.relation ?? name, selectionOf(field)]);
  const query = { where: { id }, select: Object.fromEntries(selected) };
  const row: Members = { ...(await rowsOf(tx, stored.model).findUniqueOrThrow(query)) };
  const members = fields.map(([name, field]) => [name, memberOf(field, row[field.relation ?? name])]);
  return normalMembers(stored.resource.fields, Object.fromEntries(members)) as Values<F>;
}

/** What Prisma writes of some members of an object; parts and metadata are written beside it. Codes are looked up, and held; throws `object_not_found` for one that is not there. */
export async function writtenData(
  tx: TenantTransaction,
  actor: Actor,
  stored: StoredRows,
  members: Members,
  verb: 'connect' | 'set',
): Promise<Members> {
  const data: Record<string, unknown> = {};
  for (const [name, { kind, relation, to, parts }] of fieldsOf(stored)) {
    if (!(name in members) || parts || kind === 'metadata') continue;
    const value = members[name];
    if (!relation) data[name] = value;
    else data[relation] = { [verb]: await heldByCode(tx, actor, to as Coded, value as readonly string[]) };
  }
  return data;
}

/** Writes the metadata among some members of an object whose row is there; of a new one, none is none. */
export async function writeMetadata(
  tx: TenantTransaction,
  actor: Actor,
  stored: StoredRows,
  id: string,
  members: Members,
  isNew: boolean,
): Promise<void> {
  const { metadata } = members;
  if (stored.resource.fields.metadata?.kind !== 'metadata' || metadata === undefined || (isNew && !metadata)) return;
  await saveMetadata(tx, actor, stored.resource.name as Coded, id, metadata as object | null);
}
