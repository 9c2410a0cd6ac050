import { builder } from '../base/builder.ts';
import type { Condition } from './condition.ts';

interface Pair {
  readonly key: string;
  readonly value?: string | null;
}

const withPair = ({ key, value }: Pair) =>
  (value ?? '').trim() === '' ? { metadata: { none: { key } } } : { metadata: { some: { key, value } } };

/** Pairs of metadata that rows have all of; begins the name of the input type with that of the rows' type. */
export function metadataPairs(type: string, [article, name]: readonly [article: string, name: string]): Condition {
  const input = builder.inputType(`${type}MetadataCondition`, {
    description: `A key-value pair that ${article} ${name} has, or a key that it has not.`,
    fields: (t) => ({
      key: t.string({ required: true, description: 'Name of the pair.' }),
      value: t.string({ description: `Its text; null or blank finds ${name}s without the key.` }),
    }),
  });
  return {
    type: [input],
    description: `Only ${name}s with all of these pairs.`,
    where: (pairs: readonly Pair[]) => ({ AND: pairs.map(withPair) }),
  };
}
