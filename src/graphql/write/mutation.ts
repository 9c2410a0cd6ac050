import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { getRefFromModel, queryFromInfo } from '@pothos/plugin-prisma';
import type { Changed, Written } from '../../engine/changed.ts';
import { rowsOf } from '../../store/database/tenant.ts';
import { builder, type Model } from '../base/builder.ts';
import type { Context, Permission, Resource } from '../context.ts';
import { MutationChanges } from './changes.ts';

interface MutationOptions<Args extends InputFieldMap> {
  readonly resource: Resource;
  readonly description: string;
  readonly args: Args;
  /** Does the write, in a transaction of its own, and tells the row that is answered and all that changed besides. */
  readonly write: (args: InputShapeFromFields<Args>, context: Context) => Promise<Written>;
}

/** The argument of every mutation that may be tried. */
export const dryRunArg = builder.args((t) => ({
  dryRun: t.boolean({
    description:
      'Whether it is only tried: the answer and the errors are those of the write, and nothing stays. Objects have an `id` of this one answer, invoices ' +
      'no number. Said of all mutations of an operation or of none; `Idempotency-Key` is not looked at. False by default.',
  }),
}));

const changedWith = new WeakMap<object, Changed>();
const answered = new Set<Model>();

/** Gives a type the field that tells what the mutation changed which answers it. */
function showChanges(model: Model): void {
  if (answered.has(model)) return;
  answered.add(model);
  const ref = getRefFromModel(model, builder);
  if (ref.kind !== 'Object') throw new Error(`${model} is no object`);
  builder.objectField(ref, 'changes', (t) =>
    t.field({
      type: MutationChanges,
      nullable: true,
      description:
        'What the mutation that answers the object changed and made besides; null where the object was read.',
      extensions: { isApart: true },
      resolve: (row) => changedWith.get(row as object) ?? null,
    }),
  );
}

/** A dry run is executed as one, in a transaction that is undone, before any resolver is asked. */
export function checkDry(dryRun: boolean | null | undefined, context: Context): void {
  if (dryRun && !context.dryRun) throw new Error('a dry run that would stay');
}

/** A mutation that answers the row it has written, as it then is, with what changed besides. Refused, it is null with an error. */
export function mutation<Args extends InputFieldMap>(name: string, model: Model, options: MutationOptions<Args>): void {
  const { resource, description, args, write } = options;
  showChanges(model);
  builder.mutationField(name, (t) =>
    t.field({
      type: getRefFromModel(model, builder),
      nullable: true,
      description,
      args: { ...args, ...dryRunArg },
      extensions: { permission: `${resource}:write` satisfies Permission },
      resolve: async (_root, given, context, info) => {
        const { dryRun, ...wanted } = given as { dryRun?: boolean | null };
        checkDry(dryRun, context);
        const { id, changed } = await write(wanted as InputShapeFromFields<Args>, context);
        const query = { ...queryFromInfo({ context, info }), where: { id } };
        const row = await rowsOf(context.db, model).findUniqueOrThrow(query);
        changedWith.set(row, context.dryRun ? { ...changed, auditLogs: [] } : changed);
        return row;
      },
    }),
  );
}
