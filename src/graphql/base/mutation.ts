import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { getRefFromModel, queryFromInfo } from '@pothos/plugin-prisma';
import { rowsOf } from '../../store/database/tenant.ts';
import type { Context, Permission, Resource } from '../context.ts';
import { builder, type Model } from './builder.ts';

interface MutationOptions<Args extends InputFieldMap> {
  readonly resource: Resource;
  readonly description: string;
  readonly args: Args;
  /** Does the write, in a transaction of its own, and tells the identifier of the row that is answered. */
  readonly write: (args: InputShapeFromFields<Args>, context: Context) => Promise<string>;
}

/** A mutation that answers the row it has written, as it then is. Refused, it is null with an error. */
export function mutation<Args extends InputFieldMap>(name: string, model: Model, options: MutationOptions<Args>): void {
  const { resource, description, args, write } = options;
  builder.mutationField(name, (t) =>
    t.field({
      type: getRefFromModel(model, builder),
      nullable: true,
      description,
      args,
      extensions: { permission: `${resource}:write` satisfies Permission },
      resolve: async (_root, given, context, info) => {
        const id = await write(given, context);
        return rowsOf(context.db, model).findUniqueOrThrow({ ...queryFromInfo({ context, info }), where: { id } });
      },
    }),
  );
}
