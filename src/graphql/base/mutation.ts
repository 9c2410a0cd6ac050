import type { InputFieldMap } from '@pothos/core';
import type { Context, Permission, Resource } from '../context.ts';
import { builder, type Model } from './builder.ts';

interface MutationOptions<Args> {
  readonly resource: Resource;
  readonly description: string;
  readonly args: InputFieldMap;
  /** Does the write, in a transaction of its own, and tells the identifier of the row that is answered. */
  readonly write: (args: Args, context: Context) => Promise<string>;
}

interface RootBuilder {
  prismaField(options: object): never;
}

interface Reading {
  findUniqueOrThrow(args: object): Promise<object>;
}

/** A mutation that answers the row it has written, as it then is. Refused, it is null with an error. */
export function mutation<Args>(name: string, model: Model, options: MutationOptions<Args>): void {
  const { resource, description, args, write } = options;
  builder.mutationField(name, (t) =>
    (t as unknown as RootBuilder).prismaField({
      type: model,
      nullable: true,
      description,
      args,
      extensions: { permission: `${resource}:write` satisfies Permission },
      resolve: async (selection: object, _root: unknown, given: Args, context: Context) => {
        const id = await write(given, context);
        const rows = context.db as unknown as Record<string, Reading>;
        return rows[`${model.charAt(0).toLowerCase()}${model.slice(1)}`]?.findUniqueOrThrow({
          ...selection,
          where: { id },
        });
      },
    }),
  );
}
