import { getRefFromModel, queryFromInfo } from '@pothos/plugin-prisma';
import { notFound } from '../../billing/errors.ts';
import { HIDDEN_STATES } from '../../billing/invoice/hidden.ts';
import type { ChangeQueue, ChangingModel } from '../../store/insight/changes.ts';
import { builder } from '../base/builder.ts';
import { requirePermission } from '../base/guard.ts';
import type { Context, Permission, Resource } from '../context.ts';

interface LiveOptions {
  readonly model: ChangingModel;
  readonly resource: Resource;
  readonly description: string;
  /** Reads the row as it is now; null for one that is not shown. */
  readonly read: (context: Context, query: { where: { id: string } }) => Promise<object | null>;
}

interface LiveArgs {
  readonly svcId?: string | null;
  readonly externalCustomerId?: string | null;
}

const liveArgs = builder.args((t) => ({
  svcId: t.field({ type: 'UUID', description: 'Only this object.' }),
  externalCustomerId: t.string({
    description: "Only objects of this customer, who must exist. The caller's identifier.",
  }),
}));

async function customerIdOf({ db }: Context, externalId: string): Promise<string> {
  const customer = await db.customer.findFirst({ where: { externalId, deletedAt: null }, select: { id: true } });
  if (!customer) throw notFound('customer');
  return customer.id;
}

async function follow(model: ChangingModel, args: LiveArgs, context: Context): Promise<ChangeQueue> {
  const id = args.svcId?.toLowerCase();
  const external = args.externalCustomerId;
  const customerId = external == null ? undefined : await customerIdOf(context, external);
  return context.changes.subscribe(
    context.caller.organizationId,
    (change) =>
      change.model === model &&
      (id ?? change.id) === change.id &&
      (customerId ?? change.customerId) === change.customerId,
  );
}

/** A live operation: an object whenever it is made or one of its own columns changes, as it is when it is told of. */
function live(name: string, { model, resource, description, read }: LiveOptions): void {
  const permission: Permission = `${resource}:read`;
  builder.subscriptionField(name, (t) =>
    t.field({
      type: getRefFromModel(model, builder),
      nullable: true,
      description: `${description} Several changes in quick succession may be told once. Imports are not told.`,
      args: liveArgs,
      extensions: { permission },
      subscribe: (_root, args, context) => {
        requirePermission(context, permission); // a stream that could only tell of refusals is not opened
        return follow(model, args, context);
      },
      resolve: ({ id }, _args, context, info) => read(context, { ...queryFromInfo({ context, info }), where: { id } }),
    }),
  );
}

builder.subscriptionType({
  description: 'What is told as it happens, over server-sent events (`Accept: text/event-stream`).',
});

live('invoiceChanged', {
  model: 'Invoice',
  resource: 'invoice',
  description: 'An invoice whenever it is made or changes, once lists show it.',
  read: ({ db }, { where, ...selection }) =>
    db.invoice.findFirst({ ...selection, where: { ...where, status: { notIn: [...HIDDEN_STATES] } } }),
});

live('walletChanged', {
  model: 'Wallet',
  resource: 'wallet',
  description: 'A wallet whenever it is made or changes.',
  read: ({ db }, query) => db.wallet.findFirst(query),
});

live('paymentRequestChanged', {
  model: 'PaymentRequest',
  resource: 'payment_request',
  description: 'A payment request whenever it is made or changes.',
  read: ({ db }, query) => db.paymentRequest.findFirst(query),
});
