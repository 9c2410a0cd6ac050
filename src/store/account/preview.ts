import type { UsageSource } from '../../billing/aggregate/metric-usage.ts';
import type { PlanInput } from '../../billing/catalogue/plan.ts';
import type { AppliedCouponInput } from '../../billing/invoice/credit-input.ts';
import { repeated } from '../database/attempt.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../database/tenant.ts';
import type { CouponGetPayload, CustomerGetPayload, SubscriptionGetPayload } from '../generated/prisma/models.ts';
import { Given, readTogether } from '../lookup/together.ts';
import type { UsageReader } from '../usage/event-store.ts';
import { usageReader } from '../usage/read-usage.ts';
import { answerUsage, NO_USAGE, storedReading, type UsageAnswers } from '../usage/stored-usage.ts';
import { COUPON, couponInput } from './credit-input.ts';
import { ENTITY, type EntityRow } from './customer-input.ts';
import { loadStoredAccount, type StoredAccount } from './load-account.ts';
import { PLAN, type PlanRow, planInput } from './plan-input.ts';

/** What a preview names of what is stored. */
export interface PreviewNames {
  /** Undefined for a customer that is made up. */
  readonly externalCustomerId?: string | null;
  readonly billingEntityCode?: string | null;
  readonly planCodes: readonly string[];
  readonly externalSubscriptionIds: readonly string[];
  readonly couponCodes: readonly string[];
  /** Whether the customer is said to be connected to other systems. */
  readonly namesIntegrations: boolean;
}

const CUSTOMER_ROW = { metadata: { orderBy: OLDEST_FIRST }, integrationCustomers: { orderBy: OLDEST_FIRST } };
const SUBSCRIPTION_ROW = {
  activationRules: { orderBy: OLDEST_FIRST },
  appliedInvoiceCustomSections: { orderBy: OLDEST_FIRST, include: { invoiceCustomSection: true } },
};

type CouponRow = CouponGetPayload<{ include: typeof COUPON }>;

export type PreviewCustomerRow = CustomerGetPayload<{ include: typeof CUSTOMER_ROW }>;
export type PreviewSubscriptionRow = SubscriptionGetPayload<{ include: typeof SUBSCRIPTION_ROW }>;

export interface PreviewRows {
  /** The default entity first; also archived ones, which only go on billing what they have billed before. */
  readonly entities: readonly EntityRow[];
  readonly customer: PreviewCustomerRow | null;
  /** Of the stored customer; null without one. */
  readonly account: StoredAccount | null;
  readonly subscriptions: readonly PreviewSubscriptionRow[];
  readonly plans: readonly PlanInput[];
  readonly coupons: readonly AppliedCouponInput[];
  /** Integrations that some customer of the organization is connected to. */
  readonly integrations: readonly { readonly type: string; readonly code: string }[];
}

const ENTITIES = {
  where: { deletedAt: null },
  include: ENTITY,
  orderBy: [{ isDefault: 'desc' as const }, ...OLDEST_FIRST],
};

const plansOf = (codes: readonly string[]) => ({
  where: { code: { in: [...codes] }, parentId: null, deletedAt: null },
  include: PLAN,
});

const couponsOf = (codes: readonly string[]) => ({
  where: { code: { in: [...codes] }, deletedAt: null },
  include: COUPON,
});

const MOST_CODES = 4;

/** What a preview for a customer that is made up needs, by one statement; undefined for others. */
async function loadTogether(db: TenantClient, names: PreviewNames): Promise<PreviewRows | undefined> {
  const { externalCustomerId, namesIntegrations, planCodes, couponCodes } = names;
  if (externalCustomerId || namesIntegrations || couponCodes.length > MOST_CODES) return undefined;
  const given = new Given();
  const queries = [
    { model: 'Plan', query: plansOf(given.of('plan', planCodes)) },
    { model: 'Coupon', query: couponsOf(given.of('coupon', couponCodes)) },
    { model: 'BillingEntity', query: ENTITIES },
  ];
  const [plans = [], coupons = [], entities = []] = (await readTogether(db, queries, given)) ?? [];
  if (entities.length === 0) return undefined;
  return {
    ...{ customer: null, account: null, subscriptions: [], integrations: [] },
    entities: entities as EntityRow[],
    plans: (plans as PlanRow[]).map(planInput),
    coupons: (coupons as CouponRow[]).map(couponInput),
  };
}

async function loadCustomer(
  tx: TenantTransaction,
  { externalCustomerId, externalSubscriptionIds }: PreviewNames,
  now: Date,
) {
  const customer = externalCustomerId
    ? await tx.customer.findFirst({ where: { externalId: externalCustomerId, deletedAt: null }, include: CUSTOMER_ROW })
    : null;
  if (!customer) return { customer: null, account: null, subscriptions: [] };
  const account = await loadStoredAccount(tx, customer.id, externalSubscriptionIds, now);
  const subscriptions = await tx.subscription.findMany({
    where: { id: { in: account?.subscriptions.map(({ id }) => id) ?? [] } },
    include: SUBSCRIPTION_ROW,
  });
  return { customer, account, subscriptions };
}

async function loadIntegrations(tx: TenantTransaction) {
  const rows = await tx.integrationCustomer.findMany({
    distinct: ['type', 'integrationCode'],
    select: { type: true, integrationCode: true },
  });
  return rows.map(({ type, integrationCode }) => ({ type: type ?? '', code: integrationCode ?? '' }));
}

/** What a preview is computed from, and what it asks about usage. */
export interface UsageQuestion<Task> {
  readonly task: Task;
  /** Computes it with the usage that is known. */
  readonly ask: (usage: UsageSource) => unknown;
}

/**
 * Everything that a preview refers to, as it is at one moment, and the stored usage that `question` makes it ask about, read by one
 * statement or in a transaction in which nothing can be written. Throws what `question` throws.
 */
export async function loadPreview<Task>(
  db: TenantClient,
  names: PreviewNames,
  now: Date,
  question: (rows: PreviewRows) => UsageQuestion<Task>,
  signalOf?: () => AbortSignal,
): Promise<{ readonly rows: PreviewRows; readonly task: Task; readonly usage: UsageAnswers }> {
  const together = await loadTogether(db, names);
  if (together) {
    signalOf?.().throwIfAborted(); // what waited for its turn too long takes nothing more
    return { rows: together, task: question(together).task, usage: NO_USAGE };
  }
  return repeated(() =>
    transactionOf(
      db,
      async (tx) => {
        signalOf?.().throwIfAborted(); // what waited for its turn too long takes nothing of it
        const rows = await loadWithin(tx, names, now);
        const { task, ask } = question(rows);
        return { rows, task, usage: await askedUsage((ids) => usageReader(db, tx, ids, signalOf), rows, ask) };
      },
      { reads: true },
    ),
  );
}

async function askedUsage(
  readerOf: (externalSubscriptionIds: readonly string[]) => UsageReader,
  { account, entities }: PreviewRows,
  ask: (usage: UsageSource) => unknown,
): Promise<UsageAnswers> {
  const organizationId = entities[0]?.organizationId;
  if (!account || !organizationId) return NO_USAGE;
  const names = [...new Set(account.subscriptions.map(({ externalId }) => externalId))];
  return names.length === 0 ? NO_USAGE : answerUsage(storedReading(readerOf(names), organizationId), names, ask);
}

async function loadWithin(tx: TenantTransaction, names: PreviewNames, now: Date): Promise<PreviewRows> {
  await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
  const { planCodes, couponCodes, namesIntegrations } = names;
  const plans = planCodes.length > 0 ? await tx.plan.findMany(plansOf(planCodes)) : [];
  const coupons = couponCodes.length > 0 ? await tx.coupon.findMany(couponsOf(couponCodes)) : [];
  return {
    entities: await tx.billingEntity.findMany(ENTITIES),
    ...(await loadCustomer(tx, names, now)),
    plans: plans.map(planInput),
    coupons: coupons.map(couponInput),
    integrations: namesIntegrations ? await loadIntegrations(tx) : [],
  };
}
