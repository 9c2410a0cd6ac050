import { checkActivationRules, type SentActivationRule } from '../../billing/customer/activation-rule.ts';
import type { ActivationInput } from '../../billing/customer/subscription.ts';
import { attempted, type BillingError, invalid } from '../../billing/errors.ts';
import type { SentPaymentMethod } from '../../billing/invoice/payment.ts';
import { firstMethod } from '../../billing/subscription/subscription-write.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import type { CustomerWhereInput } from '../../store/generated/prisma/models.ts';
import { methodIds } from '../../store/payment/payment-method.ts';

/** What a body says of what must happen before one subscription becomes active. */
export interface OwnActivation {
  readonly activationRules?: readonly SentActivationRule[] | null | undefined;
  readonly paymentMethod?: SentPaymentMethod | null | undefined;
}

/** Whose subscription it is, how it is paid where nothing is sent, and whether it has begun. */
interface Owner {
  readonly customer: CustomerWhereInput;
  readonly method?: SentPaymentMethod | undefined;
  readonly hasBegun?: boolean;
}

/** Why rules that are sent are refused; undefined where they are not, or none are. */
export async function activationRefusal(
  tx: TenantTransaction,
  { activationRules: rules, paymentMethod }: OwnActivation,
  { customer, method, hasBegun = false }: Owner,
): Promise<BillingError | undefined> {
  if (!rules) return undefined;
  if (hasBegun) return invalid({ activation_rules: ['subscription_not_pending'] });
  if (rules.length === 0) return undefined;
  const where = { ...customer, deletedAt: null };
  const known = await tx.customer.findFirst({ where, select: { paymentProvider: true } });
  const storedIds = await methodIds(tx, customer);
  const payer = { provider: known?.paymentProvider ?? null, method: firstMethod(paymentMethod, method), storedIds };
  return attempted(() => checkActivationRules(rules, payer)).refusal;
}

/** The rule that is sent, of a subscription that has not begun. */
export const activationOf = ({ activationRules }: OwnActivation): ActivationInput | null => {
  const [rule] = activationRules ?? [];
  return rule ? { timeoutHours: rule.timeoutHours ?? 0, status: 'inactive', expiresAt: null } : null;
};

/** Stores the rules of a subscription that has not begun, in place of those that it has. Says what became another; absent, they stay. */
export async function saveActivation(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  subscriptionId: string,
  { activationRules: sent }: OwnActivation,
): Promise<{ readonly before?: object; readonly after?: object }> {
  if (!sent) return {};
  const shown = (rules: readonly SentActivationRule[]) =>
    rules.map(({ type, timeoutHours }) => ({ type, timeoutHours: timeoutHours ?? 0 }));
  const stored = await tx.activationRule.findMany({ where: { subscriptionId } });
  const [before, after] = [shown(stored), shown(sent)];
  if (JSON.stringify(before) === JSON.stringify(after)) return {};
  await tx.activationRule.deleteMany({ where: { subscriptionId } });
  const data = after.map(({ timeoutHours }) => ({
    ...{ id: newId(now), organizationId, subscriptionId, type: 'payment', timeoutHours },
    ...{ status: 'inactive' as const, createdAt: now, updatedAt: now },
  }));
  if (data.length > 0) await tx.activationRule.createMany({ data });
  return { before: { activationRules: before }, after: { activationRules: after } };
}
