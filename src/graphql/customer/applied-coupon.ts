import { notFound } from '../../billing/errors.ts';
import { isUndone } from '../../billing/invoice/hidden.ts';
import { APPLIED_COUPON, type SentApplication } from '../../billing/resource/applied-coupon.ts';
import { refusalOfSent } from '../../billing/resource/resource.ts';
import { applyCoupon, type CouponSent } from '../../engine/customer/apply-coupon.ts';
import { terminateAppliedCoupon } from '../../engine/customer/terminate-applied-coupon.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';
import { derivesFrom } from '../base/guard.ts';
import { actorOf } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { mutation } from '../write/mutation.ts';
import { fieldsOf } from '../write/resource.ts';
import { appliedCouponFilter } from './applied-coupon-filter.ts';

// In the order in which they are shown, so that one reading serves both.
const CREDITS = {
  select: { amountCents: true, invoice: { select: { status: true } } },
  orderBy: OLDEST_FIRST,
} as const;

interface Used {
  readonly amountCents: bigint;
  readonly invoice: { readonly status: string };
}

const usedCents = (credits: readonly Used[]) =>
  credits.reduce((sum, { amountCents, invoice }) => sum + (isUndone(invoice) ? 0n : amountCents), 0n);

defineNode('AppliedCoupon', {
  sums: { currency: 'amountCurrency', columns: ['amountCents'] },
  filter: appliedCouponFilter,
  resource: 'applied_coupon',
  fields: (t) => ({
    couponCode: t.string({
      description: 'Code of the coupon.',
      extensions: firstOf(['coupon.code']),
      select: { coupon: { select: { code: true } } },
      resolve: ({ coupon }) => coupon.code,
    }),
    couponName: t.string({
      description: 'Name of the coupon, as it is now.',
      extensions: { ...firstOf(['coupon.name']), ...derivesFrom('coupon').extensions },
      select: { coupon: { select: { name: true } } },
      resolve: ({ coupon }) => coupon.name,
    }),
    couponStatus: t.field({
      type: enumRef('CouponStatus'),
      description: 'Whether the coupon can still be applied.',
      ...derivesFrom('coupon'),
      select: { coupon: { select: { status: true } } },
      resolve: ({ coupon }) => coupon.status,
    }),
    couponExpirationAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when the coupon can be applied. What is applied does not end by it.',
      ...derivesFrom('coupon'),
      select: { coupon: { select: { expirationAt: true } } },
      resolve: ({ coupon }) => coupon.expirationAt,
    }),
    couponDeletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the coupon was deleted.',
      ...derivesFrom('coupon'),
      select: { coupon: { select: { deletedAt: true } } },
      resolve: ({ coupon }) => coupon.deletedAt,
    }),
    externalCustomerId: t.string({
      description: "The customer's identifier in the caller's application.",
      extensions: firstOf(['customer.externalId']),
      select: { customer: { select: { externalId: true } } },
      resolve: ({ customer }) => customer.externalId,
    }),
    percentageRateDecimal: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The share in percent with all its digits, which are a text wherever it is shown.',
      select: { percentageRate: true },
      resolve: ({ percentageRate }) => percentageRate,
    }),
    remainingAmountCents: t.field({
      type: 'BigInt',
      nullable: true,
      description:
        'What is left in minor units of an amount that is taken off once: it less what it took off invoices that neither were voided nor came to nothing. Null of others.',
      ...derivesFrom('invoice'),
      select: { frequency: true, amountCents: true, credits: CREDITS },
      resolve: ({ frequency, amountCents, credits }) =>
        frequency === 'once' && amountCents !== null ? amountCents - usedCents(credits) : null,
    }),
    credits: t.relation('credits', { query: { orderBy: OLDEST_FIRST } }),
  }),
});

lookupById(
  'appliedCoupon',
  'AppliedCoupon',
  'applied_coupon',
  'A coupon of a customer, by the identifier that the service assigned.',
);

listing('appliedCoupons', 'AppliedCoupon', {
  resource: 'applied_coupon',
  description: 'Coupons applied to customers.',
});

const owner = { name: APPLIED_COUPON.name, model: 'AppliedCoupon' } as const;

const ApplyCouponInput = builder.inputType('ApplyCouponInput', {
  description:
    'Which coupon is applied to whom. What is absent or null is as of the coupon; later changes of the coupon do not reach it.',
  extensions: { refusal: (input: SentApplication) => refusalOfSent(APPLIED_COUPON, input) },
  fields: (t) => ({
    externalCustomerId: t.string({
      required: true,
      description: "The customer, by the identifier in the caller's application.",
    }),
    couponCode: t.string({ required: true, description: 'The coupon, by its code.' }),
    ...fieldsOf(t, owner, APPLIED_COUPON.fields, 'update'),
  }),
});

mutation('applyCoupon', 'AppliedCoupon', {
  resource: 'applied_coupon',
  description:
    'Applies a coupon to a customer, who can have several, and one that is reusable more than once. Of an amount the customer gets the currency, where it has none.',
  args: builder.args((t) => ({
    input: t.field({ type: ApplyCouponInput, required: true, description: 'The coupon and the customer.' }),
  })),
  // The types of members are those of the definition, which the types of the builder cannot follow.
  write: ({ input }, context) => applyCoupon(context.db, actorOf(context), input as CouponSent),
});

mutation('terminateAppliedCoupon', 'AppliedCoupon', {
  resource: 'applied_coupon',
  description:
    'Takes a coupon from a customer; what it took off invoices stays. Done again, it changes nothing and answers the same one.',
  args: builder.args((t) => ({
    svcId: t.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
    externalCustomerId: t.string({
      description: "The customer, by the identifier in the caller's application, where no other's coupon is meant.",
    }),
  })),
  write: async ({ svcId, externalCustomerId }, context) => {
    if (!isUuid(svcId)) throw notFound('applied_coupon');
    return terminateAppliedCoupon(context.db, actorOf(context), svcId, externalCustomerId ?? undefined);
  },
});
