import type { InputRef } from '@pothos/core';
import { snakeCase } from '../../billing/name-case.ts';
import { type Field, type Fields, type Sent, sentName } from '../../billing/resource/field.ts';
import { refusalOfNew, refusalOfSent } from '../../billing/resource/resource.ts';
import type { Stored } from '../../engine/resource/stored.ts';
import { createResource, deleteResource, updateResource } from '../../engine/resource/write.ts';
import { builder, type Model } from '../base/builder.ts';
import { columnOf, columnType } from '../base/column.ts';
import { allOf, oneOf } from '../base/prose.ts';
import { actorOf, refusesIgnored } from '../context.ts';
import { codeArgs } from '../list/root.ts';
import { groupsOf, membersIn, ungrouped } from './group.ts';
import { memberRule } from './member-rule.ts';
import { mutation } from './mutation.ts';

export type Mode = 'create' | 'update';

const DEFAULTS: Readonly<Record<string, string>> = { true: 'True', false: 'False' };

/** What the description of a member of a new object says of its initial value. */
function initialText({ initial }: Field): string {
  if (initial === undefined || Array.isArray(initial)) return '';
  return ` ${DEFAULTS[String(initial)] ?? initial} by default.`;
}

/** A member of an input: its type and its description are those of the column, or of the rows that it names or holds. */
function member(owner: Owner, name: string, field: Field, mode: Mode) {
  const { relation, parts } = field;
  const column = columnOf(owner.model, relation ?? name);
  const required = mode === 'create' && field.isMandatory;
  const extensions = memberRule(owner.name, name, field);
  const { documentation = '' } = column;
  const all = mode === 'create' ? '' : ' They replace the former ones as a whole; an empty list removes all.';
  if (parts) return { type: [partInput(parts)], required, extensions, description: `${documentation}${all}` };
  if (relation) {
    const description = `${documentation.replace(/\.$/, '')}, by code.${all}`;
    return { type: ['String'], required, extensions, description };
  }
  const type = columnType(owner.model, name);
  const form = field.kind === 'logo' ? ' Written as a `data:` address of a PNG or JPEG of at most 800 kB.' : '';
  const description = `${documentation}${mode === 'create' ? initialText(field) : ''}${form}`;
  return { type: column.isList ? [type] : type, required, extensions, description };
}

/** Whose members an input holds. */
interface Owner {
  readonly name: string;
  readonly model: Model;
}

/** The members of an input, by the names that they have in it. */
export const fieldsOf = (t: InputFields, owner: Owner, fields: Fields, mode: Mode) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      sentName(name, field),
      t.field(member(owner, name, field, mode) as { type: 'String' }),
    ]),
  ) as Record<string, ReturnType<typeof t.string>>;

export type InputFields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]['fields']>>[0];

const partInputs = new Map<string, InputRef<object>>();

/** The input of a part of an object, which has the same form where it is made and where it changes. */
function partInput({ model, fields }: NonNullable<Field['parts']>): InputRef<object> {
  const owner: Owner = { name: snakeCase(model), model: model as Model };
  const known =
    partInputs.get(model) ??
    builder.inputType(`${model}Input`, {
      description: `What ${oneOf(owner.model)} is made of.`,
      fields: (t) => fieldsOf(t, owner, fields, 'create'),
    });
  partInputs.set(model, known);
  return known;
}

const UPDATES =
  'Absent members keep their values; null clears what can be empty, is refused of what must be there, and is as absent elsewhere.';

function inputType<F extends Fields, Parts extends object>(
  stored: Stored<F, Parts>,
  mode: Mode,
  groups: ReturnType<typeof groupsMaker>,
  parts: Options<F, Parts>['parts'],
) {
  const { resource } = stored;
  const owner: Owner = { name: resource.name, model: stored.model as Model };
  const [verb, description] =
    mode === 'create'
      ? ['Create', `What ${oneOf(owner.model)} is made of.`]
      : ['Update', `What changes of ${oneOf(owner.model)}. ${UPDATES}`];
  const refusal = (input: object) => {
    const sent = { ...input, ...ungrouped(resource.fields, input) } as Sent<F>;
    return mode === 'create' ? refusalOfNew(resource, sent) : refusalOfSent(resource, sent);
  };
  return builder.inputType(`${verb}${owner.model}Input`, {
    description,
    extensions: { refusal, stored },
    fields: (t) => ({
      ...fieldsOf(t, owner, membersIn(resource.fields, undefined), mode),
      ...groups(t),
      ...parts?.fields(t, mode),
    }),
  });
}

/** What makes the members of an input that are objects; those of a new object and of a changed one have the same form. */
function groupsMaker(owner: Owner, fields: Fields, described: Readonly<Record<string, string>>) {
  const types = groupsOf(fields).map((name) => {
    const description = described[name] ?? '';
    const type = builder.inputType(`${owner.model}${name.charAt(0).toUpperCase()}${name.slice(1)}Input`, {
      description,
      fields: (t) => fieldsOf(t, owner, membersIn(fields, name), 'update'),
    });
    return { name, type, description };
  });
  return (t: InputFields) =>
    Object.fromEntries(types.map(({ name, ...field }) => [name, t.field(field)])) as Record<
      string,
      ReturnType<typeof t.string>
    >;
}

interface Options<F extends Fields, Parts extends object> {
  /** What deleting one does besides; absent where none is ever deleted. */
  readonly deletion?: string;
  /** By their names, what the objects are that inputs have members in. */
  readonly groups?: Readonly<Record<string, string>>;
  /** What inputs hold beside the members of the resource, and how a write takes it. */
  readonly parts?: {
    readonly fields: (t: InputFields, mode: Mode) => Record<string, ReturnType<typeof t.string>>;
    readonly write: <R>(input: object, write: (sent: Sent<F> & Parts) => Promise<R>) => Promise<R>;
  };
}

/** The mutations that create, change and, where that is possible, delete objects of a resource: `createTax`, `updateTax` and `destroyTax`. */
export function resourceMutations<F extends Fields, Parts extends object>(
  stored: Stored<F, Parts>,
  { deletion, parts, groups = {} }: Options<F, Parts>,
): void {
  const { resource } = stored;
  const model = stored.model as Model;
  // The types of members are those of the resource, which the types of the builder cannot follow.
  const sent =
    parts?.write ??
    (<R>(input: object, write: (sent: Sent<F> & Parts) => Promise<R>) =>
      write(ungrouped(resource.fields, input) as Sent<F> & Parts));
  const objects = groupsMaker({ name: resource.name, model }, resource.fields, groups);
  const inputs = {
    create: inputType(stored, 'create', objects, parts),
    update: inputType(stored, 'update', objects, parts),
  };
  const inputArgs = (mode: Mode, description: string) =>
    builder.args((t) => ({ input: t.field({ type: inputs[mode], required: true, description }) }));
  mutation(`create${model}`, model, {
    resource: resource.name,
    description: `Creates ${oneOf(model)}. The code is free where no other of the ${allOf(model)} that are not deleted has it.`,
    args: inputArgs('create', 'The new one.'),
    write: ({ input }, context) => sent(input, (given) => createResource(context.db, actorOf(context), stored, given)),
  });
  mutation(`update${model}`, model, {
    resource: resource.name,
    description: `Changes ${oneOf(model)}.`,
    args: { ...codeArgs, ...inputArgs('update', 'What changes.') },
    write: ({ code, input }, context) =>
      sent(input, (given) =>
        updateResource(context.db, actorOf(context), stored, code, given, refusesIgnored(context)),
      ),
  });
  if (deletion === undefined) return;
  mutation(`destroy${model}`, model, {
    resource: resource.name,
    description: `Deletes ${oneOf(model)}. ${deletion}`,
    args: codeArgs,
    write: ({ code }, context) => deleteResource(context.db, actorOf(context), stored, code),
  });
}
