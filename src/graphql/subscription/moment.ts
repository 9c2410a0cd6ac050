import DataLoader from 'dataloader';
import { dec } from '../../billing/money/decimal.ts';
import { trialEnd, trialEndedBy } from '../../billing/period/trial.ts';
import { shownZone, ZONE_COLUMNS } from '../../store/account/period-row.ts';
import type { Context } from '../context.ts';

/** The columns that the moment of activation follows from. */
export const ACTIVATION_COLUMNS = { activatedAt: true, startedAt: true, status: true } as const;

interface Activation {
  readonly activatedAt: Date | null;
  readonly startedAt: Date | null;
  readonly status: string;
}

const hasRun = ({ status }: Pick<Activation, 'status'>) => status === 'active' || status === 'terminated';

/** When a subscription became active: as stored, else its start, where it has run. */
export const activatedAt = (row: Activation): Date | null => row.activatedAt ?? (hasRun(row) ? row.startedAt : null);

/** The columns that the end of a trial follows from. */
export const TRIAL_COLUMNS = {
  ...{ trialEndedAt: true, startedAt: true, terminatedAt: true, status: true, externalId: true, customerId: true },
  plan: { select: { trialPeriod: true } },
  customer: { select: ZONE_COLUMNS },
} as const;

interface Trial {
  readonly trialEndedAt: Date | null;
  readonly startedAt: Date | null;
  readonly terminatedAt: Date | null;
  readonly status: string;
  readonly externalId: string;
  readonly customerId: string;
  readonly plan: { readonly trialPeriod: { toString(): string } };
  readonly customer: Parameters<typeof shownZone>[0];
}

const loaders = new WeakMap<Context, DataLoader<string, Date | null>>();
const keyOf = ({ customerId, externalId }: Pick<Trial, 'customerId' | 'externalId'>) => `${customerId} ${externalId}`;

/** First starts of all subscriptions of a customer that share an external identifier: trials count from them. */
function firstStarts(context: Context): DataLoader<string, Date | null> {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<string, Date | null>(async (keys) => {
    const [customers, externalIds] = [keys.map((key) => key.slice(0, 36)), keys.map((key) => key.slice(37))];
    const rows = await context.db.subscription.groupBy({
      by: ['customerId', 'externalId'],
      where: { customerId: { in: customers }, externalId: { in: externalIds }, startedAt: { not: null } },
      _min: { startedAt: true },
    });
    const found = new Map(rows.map((row) => [keyOf(row), row._min.startedAt]));
    return keys.map((key) => found.get(key) ?? null);
  });
  loaders.set(context, loader);
  return loader;
}

/** When the trial of a subscription ended: as stored, else as its plan and the first start tell. */
export async function trialEndedAt(row: Trial, context: Context): Promise<Date | null> {
  const days = dec(row.plan.trialPeriod.toString());
  if (row.trialEndedAt || !hasRun(row) || !row.startedAt || days.lte(0)) return row.trialEndedAt;
  const first = (await firstStarts(context).load(keyOf(row))) ?? row.startedAt;
  const endsAt = trialEnd(first.getTime(), days, shownZone(row.customer));
  const ran = { startedAt: row.startedAt.getTime(), terminatedAt: row.terminatedAt?.getTime() ?? null };
  const ended = trialEndedBy(context.now.getTime(), endsAt, ran);
  return ended === null ? null : new Date(ended);
}
