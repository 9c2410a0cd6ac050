import type { UsageSource } from '../../billing/aggregate/metric-usage.ts';
import type { SubscriptionInput } from '../../billing/customer/subscription.ts';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import { repeated } from '../database/attempt.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import { isUndone, type TenantClient, type TenantTransaction, transactionOf } from '../database/tenant.ts';
import type { SubscriptionGetPayload, SubscriptionInclude } from '../generated/prisma/models.ts';
import type { SignalOf } from '../usage/event-cursor.ts';
import { usageReader } from '../usage/read-usage.ts';
import { answeredUsage, answerUsage, storedReading, UNASKED_USAGE } from '../usage/stored-usage.ts';
import { CUSTOMER, customerInput, ENTITY, entityInput } from './customer-input.ts';
import { SUBSCRIPTION, subscriptionInputs } from './subscription-input.ts';

const USED = {
  ...SUBSCRIPTION,
  billingEntity: { include: ENTITY },
  customer: { include: CUSTOMER },
} satisfies SubscriptionInclude;

type UsedRow = SubscriptionGetPayload<{ include: typeof USED }>;

/** A subscription that runs, with what prices and taxes of its usage follow from; its account has no past and nothing to pay with. */
export interface UsedSubscription {
  readonly organizationId: string;
  readonly customerId: string;
  readonly externalCustomerId: string;
  readonly subscription: SubscriptionInput;
  readonly account: CustomerAccount;
}

const NOTHING = { pastInvoices: [], coupons: [], creditNotes: [], wallets: [] } as const;

function usedOf(row: UsedRow, family: readonly UsedRow[]): UsedSubscription[] {
  const subscriptions = subscriptionInputs(family);
  const subscription = subscriptions.find(({ id }) => id === row.id);
  if (!subscription) return [];
  const customer = customerInput(row.customer);
  const billingEntity = entityInput(row.billingEntity ?? row.customer.billingEntity);
  const { organizationId, customerId } = row;
  const account = { ...NOTHING, customer, billingEntity, subscriptions, usage: UNASKED_USAGE };
  return [{ organizationId, customerId, externalCustomerId: row.customer.externalId, subscription, account }];
}

/** Which subscriptions are meant: those that run, and with `endedSince` also those that ended then or later. */
interface Meant {
  readonly endedSince?: Date | undefined;
}

const isMeant = ({ status, terminatedAt }: UsedRow, { endedSince }: Meant) =>
  status === 'active' ||
  (endedSince !== undefined && status === 'terminated' && terminatedAt !== null && terminatedAt >= endedSince);

/** The subscriptions that are meant under these external identifiers, by one statement. */
async function loadUsed(
  tx: TenantTransaction,
  externalIds: readonly string[],
  meant: Meant,
): Promise<UsedSubscription[]> {
  const where = { externalId: { in: [...new Set(externalIds)] } };
  const rows = await tx.subscription.findMany({ where, include: USED, orderBy: OLDEST_FIRST });
  const isFamily = (one: UsedRow, other: UsedRow) =>
    one.externalId === other.externalId && one.customerId === other.customerId;
  return rows
    .filter((row) => isMeant(row, meant))
    .flatMap((row) =>
      usedOf(
        row,
        rows.filter((other) => isFamily(row, other)),
      ),
    );
}

/** What usage is read from, as it is at one moment. */
export interface UsageMoment {
  readonly tx: TenantTransaction;
  readonly used: readonly UsedSubscription[];
  /** The account with the usage that `ask` asks about; others than that it throws for. */
  answered(one: UsedSubscription, ask: (account: CustomerAccount) => unknown): Promise<CustomerAccount>;
}

/** Runs what reads usage of subscriptions under these external identifiers, those that run unless said otherwise, in a transaction in which nothing can be written. */
export function atOneMoment<T>(
  db: TenantClient,
  externalIds: readonly string[],
  run: (moment: UsageMoment) => Promise<T>,
  signalOf?: SignalOf,
  meant: Meant = {},
): Promise<T> {
  return repeated(() =>
    transactionOf(
      db,
      async (tx) => {
        signalOf?.().throwIfAborted(); // what waited for its turn too long takes nothing of it
        // What is tried is read in its own transaction, which has begun.
        if (!isUndone(db)) await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
        const reader = usageReader(db, tx, externalIds, signalOf);
        return run({
          tx,
          used: await loadUsed(tx, externalIds, meant),
          async answered({ organizationId, subscription, account }, ask) {
            const asking = (usage: UsageSource) => ask({ ...account, usage });
            const reading = storedReading(reader, organizationId);
            const answers = await answerUsage(reading, [subscription.externalId], asking);
            return { ...account, usage: answeredUsage(answers) };
          },
        });
      },
      { reads: true },
    ),
  );
}
