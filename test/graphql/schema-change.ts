import {
  type BreakingChange,
  buildSchema,
  findBreakingChanges,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** A break that was decided on: what graphql-js says of it, and why. */
export interface StatedBreak {
  readonly description: string;
  readonly reason: string;
}

export const stated = (breaks: readonly BreakingChange[], list: readonly StatedBreak[]) => {
  const known = new Set(list.filter(({ reason }) => reason.trim() !== '').map(({ description }) => description));
  return breaks.filter(({ description }) => !known.has(description)).map(({ description }) => description);
};

/** What breaks clients of the one schema when they meet the other, and is not stated. */
export const unstatedBreaks = (before: string, after: string, list: readonly StatedBreak[]): string[] =>
  stated(findBreakingChanges(buildSchema(before), buildSchema(after)), list);

const REASON = /^(Use|Replaced by) `[\w.()]+`.* Removed on \d{4}-\d{2}-\d{2}\.$/s;

/** Whether the reason of a deprecation names what replaces it and the day of its removal. */
export const isGoodReason = (reason: string): boolean => REASON.test(reason);

/** Everything that is deprecated, by where it is. */
export function deprecationsOf(schema: GraphQLSchema): Map<string, string> {
  const found = new Map<string, string>();
  const note = (place: string, { deprecationReason: reason }: { deprecationReason?: string | null | undefined }) => {
    if (typeof reason === 'string') found.set(place, reason);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) note(`${type.name}.${field.name}`, field);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field);
      for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  return found;
}
