import { isUuid } from '../../database/uuid.ts';
import type { Draft } from '../document/draft.ts';
import { isStorable } from '../document/read-value.ts';
import type { Link, Ref, Shape } from '../document/shape.ts';
import { isList, isObject, type Json, memberAt } from '../value/json.ts';
import type { Run } from './run.ts';

interface Wanted {
  readonly id: string | undefined;
  readonly code: string | undefined;
  readonly idGiven: boolean;
  readonly place: string;
}

function given(draft: Draft, members: readonly string[]): { name: string; value: Json } | undefined {
  for (const name of members) {
    const value = memberAt(draft.item, name);
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

function wantedOf(draft: Draft, ref: Ref, run: Run): Wanted | undefined {
  const id = given(draft, ref.id);
  const code = given(draft, ref.code ?? []);
  if (ref.soft && id?.value === null) return { id: undefined, code: undefined, idGiven: true, place: '' };
  if (id === undefined && code === undefined) return undefined;
  for (const { name, value } of [id, code].filter((one) => one !== undefined)) {
    const good =
      value === null || (typeof value === 'string' && isStorable(value) && (name !== id?.name || isUuid(value)));
    if (good) continue;
    run.faults.add(`${draft.place}.${name}`, 'value_is_invalid');
    draft.broken = true;
    return undefined;
  }
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
  const named = [code, id].find((one) => one && one.value !== null);
  return {
    id: text(id?.value)?.toLowerCase(),
    code: text(code?.value),
    idGiven: id !== undefined,
    place: `${draft.place}.${named?.name ?? ref.code?.[0] ?? ref.id[0]}`,
  };
}

function assign(draft: Draft, shape: Shape, ref: Ref, wanted: Wanted, run: Run, own: ReadonlySet<string>): void {
  const { resolver } = run;
  const { id, code } = wanted;
  if (id === undefined && code === undefined) {
    draft.row[ref.column] = null;
    return;
  }
  const found = (id && resolver.byId(ref.to, id)) || (code !== undefined && resolver.byCode(ref.to, code)) || undefined;
  if (found) {
    draft.row[ref.column] = found.id;
    draft.found[ref.column] = found;
  } else if (id && ref.to === shape.name && own.has(id)) draft.row[ref.column] = id;
  else if (id && ref.late) run.postponed.push({ shape, draft, ref, id, place: wanted.place });
  else if (ref.soft) draft.row[ref.column] = null;
  else {
    draft.broken = true;
    if (!run.isBroken(ref.to, id, code)) run.faults.add(wanted.place, 'relation_must_exist');
  }
}

/** Finds the rows that the references of a batch name. A `svc_id` counts before a code. */
export async function resolveReferences(shape: Shape, drafts: readonly Draft[], run: Run): Promise<void> {
  const own = new Set(drafts.flatMap(({ id }) => (id ? [id] : [])));
  for (const ref of shape.refs) {
    const wanted = drafts.flatMap((draft) => {
      // The parent is known already.
      const one = draft.row[ref.column] === undefined ? wantedOf(draft, ref, run) : undefined;
      return one ? [{ draft, one }] : [];
    });
    await run.resolver.loadIds(
      ref.to,
      wanted.flatMap(({ one }) => one.id ?? []),
    );
    const byCode = wanted.filter(({ one }) => !one.id || !run.resolver.byId(ref.to, one.id));
    await run.resolver.loadCodes(
      ref.to,
      byCode.flatMap(({ one }) => one.code ?? []),
    );
    for (const { draft, one } of wanted) assign(draft, shape, ref, one, run, own);
  }
}

interface LinkWish {
  readonly draft: Draft;
  readonly link: Link;
  readonly place: string;
  readonly id: string | undefined;
  readonly code: string | undefined;
}

function wishOf(draft: Draft, link: Link, element: Json, place: string, run: Run): LinkWish[] {
  const id = isObject(element) ? element.svc_id : typeof element === 'string' && isUuid(element) ? element : undefined;
  const code = isObject(element) ? (element.code ?? element.number) : element;
  const goodId = id === undefined || id === null || (typeof id === 'string' && isUuid(id));
  const named = typeof code === 'string' ? isStorable(code) : code === undefined && typeof id === 'string';
  if (!goodId || !named) {
    run.faults.add(place, 'value_is_invalid');
    draft.broken = true;
    return [];
  }
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
  return [{ draft, link, place, id: text(id)?.toLowerCase(), code: text(code) }];
}

function wishesOf(draft: Draft, link: Link, run: Run): LinkWish[] {
  const list = given(draft, [link.member, ...link.codes]);
  if (!list || list.value === null) return [];
  if (!isList(list.value)) {
    run.faults.add(`${draft.place}.${list.name}`, 'value_is_invalid');
    draft.broken = true;
    return [];
  }
  draft.links[link.member] = [];
  return list.value.flatMap((element, index) =>
    wishOf(draft, link, element, `${draft.place}.${list.name}[${index}]`, run),
  );
}

/** Finds the rows that the lists of references of a batch name. */
export async function resolveLinks(shape: Shape, drafts: readonly Draft[], run: Run): Promise<void> {
  const { resolver, faults } = run;
  for (const link of shape.links) {
    const wishes = drafts.flatMap((draft) => wishesOf(draft, link, run));
    await resolver.loadIds(
      link.to,
      wishes.flatMap(({ id }) => id ?? []),
    );
    await resolver.loadCodes(
      link.to,
      wishes.flatMap(({ code }) => code ?? []),
    );
    for (const { draft, place, id, code } of wishes) {
      const byId = id === undefined ? undefined : resolver.byId(link.to, id);
      const found = byId ?? (code === undefined ? undefined : resolver.byCode(link.to, code));
      const ids = draft.links[link.member];
      if (found?.id && ids) {
        if (!ids.includes(found.id)) ids.push(found.id);
        continue;
      }
      draft.broken = true;
      if (!run.isBroken(link.to, id, code)) faults.add(place, 'relation_must_exist');
    }
  }
}
