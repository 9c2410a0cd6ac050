import { snakeCase } from '../../../billing/name-case.ts';
import type { Fields, Field as Member } from '../../../billing/resource/field.ts';
import type { Resource } from '../../../billing/resource/resource.ts';
import * as enums from '../../generated/prisma/enums.ts';
import { type Field, field, type Kind } from './shape.ts';

/** What an import does otherwise with a member than a write: what is left out of it is filled in, for example. */
type Otherwise = Partial<Pick<Field, 'aliases' | 'initial' | 'nullable' | 'required' | 'kind'>>;

const valuesOf = (enumeration: string | undefined): readonly string[] | undefined => {
  const known: Readonly<Record<string, object>> = enums;
  return enumeration === undefined ? undefined : Object.values(known[enumeration] ?? {});
};

/** Kinds that imports read as texts. An address that no mail reaches was stored elsewhere, and comes along. */
const TEXTS: ReadonlySet<string> = new Set(['choice', 'codes', 'parts', 'email', 'url', 'hook', 'provider', 'logo']);

const isRead = (kind: Member['kind']): kind is Member['kind'] & Kind => !TEXTS.has(kind);

function fieldOf(name: string, member: Member, otherwise: Otherwise): Field {
  const { kind, enumeration, isMandatory, initial, group, among } = member;
  const values = valuesOf(enumeration) ?? among?.texts;
  const column = snakeCase(name);
  const place = group ? `${snakeCase(group.name)}.${snakeCase(group.member)}` : column;
  return field(place, otherwise.kind ?? (kind === 'metadata' ? 'json' : isRead(kind) ? kind : 'text'), {
    column,
    ...(values && { values }),
    ...(isMandatory && otherwise.initial === undefined && otherwise.nullable === undefined && { required: true }),
    ...(initial !== undefined && { initial: initial as Field['initial'] }),
    ...otherwise,
  });
}

/** The columns of a resource as members of documents, in its order. Codes of others are links of the shape, parts its children. */
export const fieldsOf = <F extends Fields>(
  { fields }: Pick<Resource<F>, 'fields'>,
  otherwise: { readonly [N in keyof F]?: Otherwise } = {},
): Field[] =>
  Object.entries<Member>(fields)
    .filter(([, { relation }]) => !relation)
    .map(([name, member]) => fieldOf(name, member, otherwise[name] ?? {}));
