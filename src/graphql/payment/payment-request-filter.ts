import { notFound } from '../../billing/errors.ts';
import { lookupOf } from '../../store/lookup/lookup.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import type { Context } from '../context.ts';
import { amounts, anyOf, anyText, everOfCustomer, moments, ofCustomer } from '../list/condition.ts';
import { checkEntityCodes, checkFilteredEntities } from '../list/entity-code.ts';
import { type ListArgs, listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

const ofEntity = (condition: unknown) => ({
  invoices: { some: { billingEntity: { code: condition, deletedAt: null } } },
});

/** How lists of payment requests are narrowed and ordered. */
export const paymentRequestListFilter = listFilter('PaymentRequest', {
  renamed: { billingEntityCodes: 'billingEntityCode' },
  conditions: {
    paymentStatus: anyOf('PaymentRequestStatus', 'paymentStatus', 'Only requests in one of these states.'),
    billingEntityCode: anyText(ofEntity, 'Only requests that ask payment of an invoice of one of these entities.'),
    externalCustomerId: anyText(ofCustomer, 'Only requests to customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('requests'),
    currency: anyText('amountCurrency', 'Only requests in one of these currencies.'),
    amountCents: amounts('amountCents', 'Only requests whose amount is in this range.'),
    createdAt: moments('createdAt', 'Only requests created in this time.'),
    search: search('Words in the address it was sent to, or in what lists of customers find its customer by.', [
      'customer',
    ]),
  },
  moneyOrders: ['amountCents'],
});

interface FilterArgs extends ListArgs {
  readonly paymentStatus?: string | null;
  readonly billingEntityCodes?: readonly string[] | null;
}

/** Arguments of payment request lists, and the condition they mean. REST refuses a code that is unknown, checked once a request. */
export const paymentRequestFilter = {
  args: builder.args((t) => ({
    paymentStatus: t.field({ type: enumRef('PaymentRequestStatus'), description: 'Only requests in this state.' }),
    billingEntityCodes: t.stringList({
      description: 'Only requests that ask payment of an invoice of one of these entities.',
    }),
  })),
  where: ({ paymentStatus, billingEntityCodes }: FilterArgs) => ({
    ...(paymentStatus ? { paymentStatus } : {}),
    ...(billingEntityCodes?.length ? ofEntity({ in: [...new Set(billingEntityCodes)] }) : {}),
  }),
  check: async ({ billingEntityCodes, filter }: FilterArgs, context: Context) => {
    await checkEntityCodes(billingEntityCodes, context);
    await checkFilteredEntities({ filter }, context);
  },
};

interface HolderArgs extends FilterArgs {
  readonly externalCustomerId?: string | null;
}

/**
 * The same at the root, with everything that was ever asked of an external identifier: it may have been given to another
 * customer after one was deleted. REST throws `object_not_found` unless somebody has it.
 */
export const holderFilter = {
  args: {
    ...paymentRequestFilter.args,
    ...builder.args((t) => ({
      externalCustomerId: t.string({
        description:
          'Only requests to the customer with this external identifier, and to deleted ones that had it before.',
      }),
    })),
  },
  where: ({ externalCustomerId: externalId, ...args }: HolderArgs) => ({
    ...(externalId == null ? {} : { customer: { externalId } }),
    ...paymentRequestFilter.where(args),
  }),
  check: async (args: HolderArgs, context: Context) => {
    const { externalCustomerId: externalId } = args;
    if (!context.checksTypes && externalId != null) {
      const where = { externalId, deletedAt: null };
      const holder = { where, select: { id: true } };
      const lookup = lookupOf(context.db, 'Customer', { ...holder, take: 1 });
      const found = lookup ? (await lookup())[0] : await context.db.customer.findFirst(holder);
      if (!found) throw notFound('customer');
    }
    await paymentRequestFilter.check(args, context);
  },
};
