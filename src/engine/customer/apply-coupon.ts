import { invalid, notAllowed, notFound, readWith } from '../../billing/errors.ts';
import {
  APPLIED_COUPON,
  applicationOf,
  type SentApplication,
  unusedRefusal,
} from '../../billing/resource/applied-coupon.ts';
import { type CouponValues, isExpired, isLimited } from '../../billing/resource/coupon.ts';
import { newValues } from '../../billing/resource/resource.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { heldCoupon, overlaps } from '../../store/customer/coupon-of-customer.ts';
import { lockCustomer } from '../../store/customer/customer-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import { COUPONS } from '../catalogue/coupon.ts';
import { allChanged, type Written } from '../changed.ts';
import { readValues } from '../resource/row.ts';
import { inTransaction } from '../transaction.ts';
import { takingCurrency } from './take-currency.ts';

/** What is sent to apply a coupon. */
export interface CouponSent extends SentApplication {
  readonly externalCustomerId: string;
  readonly couponCode: string;
}

/** Whose coupon it is to be. */
interface Pair {
  readonly couponId: string;
  readonly customerId: string;
}

/** The coupon and the customer, both held. Throws `object_not_found` for either, also for a coupon that is no longer active. */
async function named(
  tx: TenantTransaction,
  actor: Actor,
  { couponCode, externalCustomerId }: CouponSent,
): Promise<Pair & { readonly coupon: CouponValues }> {
  // Coupons are held before customers are locked: deleting one locks those who have it.
  const held = await heldCoupon(tx, actor, couponCode);
  const customerId = await lockCustomer(tx, actor, externalCustomerId);
  if (!customerId) throw notFound('customer');
  if (!held?.isActive) throw notFound('coupon');
  const coupon = await readValues(tx, COUPONS, held.id);
  if (isExpired(coupon, actor.now)) throw notFound('coupon');
  return { couponId: held.id, customerId, coupon };
}

const NOT_REUSABLE = invalid(
  { coupon: ['coupon_is_not_reusable'] },
  { coupon: { name: 'couponCode', limit: 'a coupon that is reusable, or that the customer has not had' } },
);

const hadBefore = async (tx: TenantTransaction, where: Pair) =>
  (await tx.appliedCoupon.findFirst({ where, select: { id: true } })) !== null;

/**
 * Applies a coupon to a customer, with copies of what it takes off. One after another of a customer: of two applications of a coupon that
 * is not reusable the second is refused. Throws `object_not_found` for a customer, and for a coupon that is not there or not active; a
 * 405 where it is limited to what an active one is limited to; and one validation error that names all else that is wrong.
 */
export function applyCoupon(db: TenantClient, actor: Actor, sent: CouponSent): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const { coupon, ...pair } = await named(tx, actor, sent);
    if (isLimited(coupon) && (await overlaps(tx, actor, pair))) throw notAllowed('plan_overlapping');
    const isAgain = !coupon.reusable && (await hadBefore(tx, pair));
    const wanted = applicationOf(coupon, sent);
    const currency = await takingCurrency(tx, actor, pair.customerId, wanted.amountCurrency);
    const refusals = [isAgain ? NOT_REUSABLE : undefined, currency.refusal, unusedRefusal(sent, wanted)];
    const values = readWith(refusals, () => newValues(APPLIED_COUPON, wanted));
    const taken = await currency.save();
    const id = newId(actor.now);
    const { organizationId, now } = actor;
    const frequency = values.frequency ?? coupon.frequency;
    const own = { ...values, frequency, frequencyDurationRemaining: values.frequencyDuration };
    const stamps = { createdAt: now, updatedAt: now };
    await tx.appliedCoupon.create({ data: { id, organizationId, ...pair, ...own, ...stamps }, select: { id: true } });
    const after = { ...own, couponCode: coupon.code, externalCustomerId: sent.externalCustomerId };
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'applied_coupon.created', objectType: 'applied_coupon', objectId: id, before: null, after },
    });
    return { id, changed: allChanged([taken, { auditLogs: [entry] }]) };
  });
}
