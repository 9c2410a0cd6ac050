import DataLoader from 'dataloader';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import { billedSubscription } from '../../billing/subscription/billed-subscription.ts';
import { type ThresholdProgress, thresholdProgress } from '../../billing/subscription/lifetime-threshold.ts';
import { historicalUsage } from '../../billing/subscription/lifetime-usage.ts';
import { feeOwner } from '../../billing/subscription/subscription-fees.ts';
import { usageSoFar } from '../../billing/subscription/usage-fees.ts';
import { readLifetimes, type StoredLifetime } from '../../store/account/lifetime.ts';
import { atOneMoment, type UsageMoment, type UsedSubscription } from '../../store/account/used-subscription.ts';
import { builder } from '../base/builder.ts';
import { currencyFields } from '../base/currency.ts';
import { opaqueId } from '../base/opaque-id.ts';
import type { Context } from '../context.ts';
import type { Named } from './usage-loader.ts';

interface LifetimeView {
  readonly used: UsedSubscription;
  readonly currency: string;
  readonly now: Date;
  readonly historicalCents: bigint;
  readonly invoicedCents: bigint;
  readonly currentCents: bigint;
  readonly thresholds: readonly ThresholdProgress[];
}

const Threshold = builder.objectRef<ThresholdProgress>('LifetimeUsageThreshold').implement({
  description: 'How far lifetime usage has come towards a threshold.',
  extensions: { resource: 'lifetime_usage' },
  fields: (t) => ({
    amountCents: t.field({
      type: 'BigInt',
      description: 'The amount in minor units; of a recurring threshold that of each time.',
      resolve: ({ amountCents }) => amountCents,
    }),
    completionRatio: t.float({
      description: 'What is done of the way from the threshold before it, from 0 to 1.',
      resolve: ({ ratio }) => ratio.toNumber(),
    }),
    reachedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When an invoice was made for it; null where none was.',
      resolve: ({ reachedAt }) => (reachedAt === null ? null : new Date(reachedAt)),
    }),
  }),
});

export const LifetimeUsage = builder.objectRef<LifetimeView>('LifetimeUsage').implement({
  description: 'What was used of a subscription over all its periods, before and after changes of its plan, gross.',
  extensions: { resource: 'lifetime_usage' },
  fields: (t) => ({
    id: t.id({
      description: 'Opaque identifier; nothing is read by it.',
      resolve: ({ used }) => opaqueId('LifetimeUsage', used.subscription.id),
    }),
    svcId: t.field({
      type: 'UUID',
      description: 'Identifier assigned by the service: that of the subscription.',
      resolve: ({ used }) => used.subscription.id,
    }),
    svcSubscriptionId: t.field({
      type: 'UUID',
      description: 'Identifier of the subscription.',
      resolve: ({ used }) => used.subscription.id,
    }),
    externalSubscriptionId: t.string({
      description: "The subscription's identifier in the caller's application.",
      resolve: ({ used }) => used.subscription.externalId,
    }),
    ...currencyFields(t, 'Currency of the amounts.'),
    externalHistoricalUsageAmountCents: t.field({
      type: 'BigInt',
      description: 'Usage before the first period, in minor units, as the application told it; 0 where it told none.',
      resolve: ({ historicalCents }) => historicalCents,
    }),
    invoicedUsageAmountCents: t.field({
      type: 'BigInt',
      description: 'Usage on invoices, drafts too, and in fees on none, in minor units.',
      resolve: ({ invoicedCents }) => invoicedCents,
    }),
    currentUsageAmountCents: t.field({
      type: 'BigInt',
      description:
        'Usage in arrears of the period that runs, in minor units; what is in advance counts once it is billed.',
      resolve: ({ currentCents }) => currentCents,
    }),
    totalUsageAmountCents: t.field({
      type: 'BigInt',
      description: 'All of them together, in minor units: what thresholds are about.',
      resolve: ({ historicalCents, invoicedCents, currentCents }) => historicalCents + invoicedCents + currentCents,
    }),
    fromDatetime: t.field({
      type: 'DateTime',
      description: 'The first moment that periods are counted from.',
      resolve: ({ used }) => new Date(used.subscription.subscriptionAt),
    }),
    toDatetime: t.field({ type: 'DateTime', description: 'This moment.', resolve: ({ now }) => now }),
    usageThresholds: t.field({
      type: [Threshold],
      description:
        'The thresholds in the order of their amounts; of a recurring one each time that it was passed, and the next.',
      resolve: ({ thresholds }) => [...thresholds],
    }),
  }),
});

async function viewOf(
  moment: UsageMoment,
  used: UsedSubscription,
  stored: StoredLifetime,
  now: Date,
): Promise<LifetimeView> {
  const billed = (account: CustomerAccount) =>
    billedSubscription(account, used.subscription, now.getTime(), 'progressive_billing');
  const soFar = (account: CustomerAccount) => {
    const one = billed(account);
    return usageSoFar(one, account.usage, feeOwner(one, account));
  };
  const fees = soFar(await moment.answered(used, soFar));
  const currentCents = fees.reduce((sum, { amountCents }) => sum + amountCents, 0n);
  const { invoicedCents, thresholds, reached } = stored;
  const historicalCents = historicalUsage(used.account.subscriptions, used.subscription);
  const progress = thresholdProgress(thresholds, historicalCents + invoicedCents + currentCents, reached);
  const figures = { historicalCents, invoicedCents, currentCents };
  return { used, currency: used.subscription.plan.currency, now, ...figures, thresholds: progress };
}

async function readAll({ db, now, signal }: Context, names: readonly Named[]): Promise<(LifetimeView | null)[]> {
  return atOneMoment(
    db,
    names.map(({ externalId }) => externalId),
    async (moment) => {
      const used = moment.used.filter(({ subscription }) => names.some(({ id }) => id === subscription.id));
      const stored = await readLifetimes(moment.tx, used);
      const views = new Map<string, LifetimeView>();
      for (const [at, one] of used.entries()) {
        const own = stored[at];
        if (own) views.set(one.subscription.id, await viewOf(moment, one, own, now));
      }
      return names.map(({ id }) => views.get(id) ?? null);
    },
    signal,
  );
}

// So many share a transaction.
const MOST_TOGETHER = 20;

type Loader = DataLoader<Named, LifetimeView | null, string>;
const loaders = new WeakMap<Context, Loader>();

/** The lifetime usage of a subscription that runs; null where it does not. */
export function lifetimeUsage(context: Context, named: Named): Promise<LifetimeView | null> {
  const loader: Loader =
    loaders.get(context) ??
    new DataLoader<Named, LifetimeView | null, string>((names) => readAll(context, names), {
      cacheKeyFn: ({ id }) => id,
      maxBatchSize: MOST_TOGETHER,
    });
  loaders.set(context, loader);
  return loader.load(named);
}
