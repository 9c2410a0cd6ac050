import { type Field, type Fields, sentName } from '../../billing/resource/field.ts';

// Members that stand in an object of their own in inputs are columns of the row like the others.

/** The members of an input itself, or those of one of its objects. */
export const membersIn = (fields: Fields, group: string | undefined): Fields =>
  Object.fromEntries(Object.entries<Field>(fields).filter(([, field]) => field.group?.name === group));

/** The objects that an input has. */
export const groupsOf = (fields: Fields): string[] => [
  ...new Set(Object.values<Field>(fields).flatMap(({ group }) => group?.name ?? [])),
];

type Given = Readonly<Record<string, unknown>>;

const objectIn = (input: Given, group: string): Given => (input[group] as Given | null | undefined) ?? {};

/** What an input says of the members, its objects taken apart. */
export const ungrouped = (fields: Fields, input: object): Given =>
  Object.fromEntries(
    Object.entries<Field>(fields).map(([name, field]) => {
      const given = input as Given;
      return [name, (field.group ? objectIn(given, field.group.name) : given)[sentName(name, field)]];
    }),
  );
