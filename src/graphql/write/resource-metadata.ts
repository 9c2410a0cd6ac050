import type { Fields } from '../../billing/resource/field.ts';
import { changeMetadata } from '../../engine/resource/metadata.ts';
import type { Stored } from '../../engine/resource/stored.ts';
import { builder, type Model } from '../base/builder.ts';
import { oneOf } from '../base/prose.ts';
import { actorOf } from '../context.ts';
import { codeArgs } from '../list/root.ts';
import { mutation } from './mutation.ts';

const PAIRS =
  'An object of keys of at most 100 characters and values that are null or strings of at most 255; at most 50 keys in all. Null is stored.';

/** The mutations that replace, merge and delete the metadata of an object that is named by its code: `replacePlanMetadata` and so on. */
export function metadataMutations<F extends Fields, Parts extends object>(stored: Stored<F, Parts>): void {
  const model = stored.model as Model;
  const resource = stored.resource.name;
  const one = oneOf(model);
  const pairs = (absent: string) => ({
    ...codeArgs,
    ...builder.args((t) => ({ metadata: t.field({ type: 'JSON', description: `${PAIRS} ${absent}` }) })),
  });
  mutation(`replace${model}Metadata`, model, {
    resource,
    description: `Gives ${one} these key-value pairs in place of those that it has.`,
    args: pairs('Absent or empty, none is left.'),
    write: ({ code, metadata }, context) =>
      changeMetadata(context.db, actorOf(context), stored, code, { replaced: metadata }),
  });
  mutation(`merge${model}Metadata`, model, {
    resource,
    description: `Merges key-value pairs into the metadata of ${one}: new keys are added, known ones get the new value, all others stay.`,
    args: pairs('Absent or empty, nothing is changed.'),
    write: ({ code, metadata }, context) =>
      changeMetadata(context.db, actorOf(context), stored, code, { merged: metadata }),
  });
  mutation(`delete${model}Metadata`, model, {
    resource,
    description: `Takes all metadata from ${one}.`,
    args: codeArgs,
    write: ({ code }, context) => changeMetadata(context.db, actorOf(context), stored, code, { cleared: true }),
  });
  mutation(`delete${model}MetadataKey`, model, {
    resource,
    description: `Takes one pair from the metadata of ${one}. A key that is not among them changes nothing; where there are none at all, it is an error.`,
    args: {
      ...codeArgs,
      ...builder.args((t) => ({ key: t.string({ required: true, description: 'The key of the pair.' }) })),
    },
    write: ({ code, key }, context) => changeMetadata(context.db, actorOf(context), stored, code, { removedKey: key }),
  });
}
