import { type BillingError, forbidden, invalid, notFound } from '../../billing/errors.ts';
import { builder } from '../base/builder.ts';
import type { Context, Permission } from '../context.ts';
import { checkDry, dryRunArg } from '../write/mutation.ts';

interface Portal {
  readonly portalUrl: string;
}

const CustomerPortal = builder.objectRef<Portal>('CustomerPortal').implement({
  description: 'Where a customer finds the own portal.',
  fields: (t) => ({
    portalUrl: t.expose('portalUrl', { type: 'URL', description: 'The signed address, which is good for a while.' }),
  }),
});

interface Checkout {
  readonly svcCustomerId: string;
  readonly externalCustomerId: string;
  readonly paymentProvider: string;
  readonly paymentProviderCode: string | null;
  readonly checkoutUrl: string;
}

const CustomerCheckout = builder.objectRef<Checkout>('CustomerCheckout').implement({
  description: 'Where a customer tells the payment provider how to pay.',
  fields: (t) => ({
    svcCustomerId: t.expose('svcCustomerId', { type: 'UUID', description: 'Identifier assigned by the service.' }),
    externalCustomerId: t.exposeString('externalCustomerId', {
      description: "The customer's identifier in the caller's application.",
    }),
    paymentProvider: t.exposeString('paymentProvider', { description: 'Kind of the provider.' }),
    paymentProviderCode: t.exposeString('paymentProviderCode', {
      nullable: true,
      description: 'Code of the connection to the provider.',
    }),
    checkoutUrl: t.expose('checkoutUrl', { type: 'URL', description: "The address of the provider's page." }),
  }),
});

const customerArgs = builder.args((t) => ({
  externalCustomerId: t.string({
    required: true,
    description: "The customer's identifier in the caller's application.",
  }),
}));

/** What the customer would be sent to is not there, whoever the customer is: that is said of those who are. */
async function refusedOf({ db }: Context, externalId: string, refusal: BillingError): Promise<never> {
  const where = { externalId, deletedAt: null };
  const customer = await db.customer.findFirst({ where, select: { id: true } });
  throw customer ? refusal : notFound('customer');
}

builder.queryField('customerPortal', (t) =>
  t.field({
    type: CustomerPortal,
    nullable: true,
    description:
      'The address at which a customer sees the own invoices and subscriptions. There is no such portal yet: it is refused (`feature_unavailable`).',
    args: customerArgs,
    extensions: { permission: 'customer:read' satisfies Permission },
    resolve: (_root, { externalCustomerId }, context): Promise<Portal> =>
      refusedOf(context, externalCustomerId, forbidden('feature_unavailable')),
  }),
);

builder.mutationField('generateCheckout', (t) =>
  t.field({
    type: CustomerCheckout,
    nullable: true,
    description:
      'Asks the payment provider of a customer for a page at which the customer says how to pay. No customer is known to a provider yet: it is refused ' +
      '(`no_linked_payment_provider`), and nothing is written.',
    args: { ...customerArgs, ...dryRunArg },
    extensions: { permission: 'customer:write' satisfies Permission },
    resolve: (_root, { externalCustomerId, dryRun }, context): Promise<Checkout> => {
      checkDry(dryRun, context);
      return refusedOf(context, externalCustomerId, invalid({ base: ['no_linked_payment_provider'] }));
    },
  }),
);
