import { setImmediate as turn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import type { UsageSource } from '../../billing/aggregate/metric-usage.ts';
import type { PlanChargeInput } from '../../billing/catalogue/plan.ts';
import { BillingError } from '../../billing/errors.ts';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import { TaxBases } from '../../billing/invoice/tax.ts';
import { formatDate, localDate } from '../../billing/period/calendar.ts';
import { reportedFees, reportedGroups, type UsageReport, usageReport } from '../../billing/report/current-usage.ts';
import type { UsageSelection } from '../../billing/report/usage-selection.ts';
import { atOneMoment, type UsageMoment, type UsedSubscription } from '../../store/account/used-subscription.ts';
import type { Context } from '../context.ts';
import { chargeUsageView, type UsageFee, type UsageView } from './usage-view.ts';

/** What is asked about current usage. */
export interface UsageQuestion {
  readonly selection: UsageSelection;
  readonly isTaxed: boolean;
  readonly isProjected: boolean;
}

// A group is a fee; others get their turn meanwhile.
const GROUPS_IN_A_TURN = 200;

async function pricedCharge(
  report: UsageReport,
  charge: PlanChargeInput,
  usage: UsageSource,
  question: UsageQuestion,
  bases: TaxBases,
): Promise<UsageFee[]> {
  const groups = reportedGroups(report, charge, usage);
  const fees: UsageFee[] = [];
  for (let from = 0; from < groups.length; from += GROUPS_IN_A_TURN) {
    if (from > 0) await turn();
    const part = reportedFees(report, charge, groups.slice(from, from + GROUPS_IN_A_TURN), question);
    bases.add(part.map(({ fee }) => fee));
    for (const { fee, projected } of part) fees.push({ fee, projected: question.isProjected ? projected : null });
  }
  return fees;
}

const total = (fees: readonly UsageFee[], of: (fee: UsageFee) => bigint) =>
  fees.reduce((sum, fee) => sum + of(fee), 0n);

async function viewOf(report: UsageReport, usage: UsageSource, question: UsageQuestion): Promise<UsageView> {
  const { period, owner, charges } = report;
  const { currency } = owner.subscription.plan;
  const bases = new TaxBases();
  const all: UsageFee[] = [];
  const chargesUsage: UsageView['chargesUsage'][number][] = [];
  for (const charge of charges) {
    const fees = await pricedCharge(report, charge, usage, question, bases);
    for (const fee of fees) all.push(fee);
    chargesUsage.push(chargeUsageView(charge, currency, fees));
  }
  return {
    fromDatetime: new Date(period.from),
    toDatetime: new Date(period.to),
    issuingDate: new Date(`${formatDate(localDate(period.to, period.timezone))}T00:00:00Z`),
    svcInvoiceId: null,
    currency,
    amountCents: total(all, ({ fee }) => fee.amountCents),
    taxesAmountCents: question.isTaxed ? bases.amountCents() : 0n,
    projectedAmountCents: question.isProjected ? total(all, ({ projected }) => projected?.amountCents ?? 0n) : null,
    chargesUsage,
  };
}

interface Read {
  readonly report: UsageReport;
  readonly usage: UsageSource;
}

/** What rules refuse of one subscription is no matter of the others. */
async function readOne(moment: UsageMoment, used: UsedSubscription, { selection }: UsageQuestion, now: Date) {
  const { account, subscription } = used;
  try {
    const report = usageReport(account, subscription, selection, now.getTime());
    if (report === null) return null;
    const asking = ({ usage }: CustomerAccount) =>
      report.charges.map((charge) => reportedGroups(report, charge, usage));
    return { report, usage: (await moment.answered(used, asking)).usage };
  } catch (error) {
    if (error instanceof BillingError) return error;
    throw error;
  }
}

type Found = Read | BillingError | null;

/** One subscription after another: each of its charges is a statement. */
async function readAll(
  { db, now, signal }: Context,
  names: readonly Named[],
  question: UsageQuestion,
): Promise<Found[]> {
  const externalIds = names.map(({ externalId }) => externalId);
  return atOneMoment(
    db,
    externalIds,
    async (moment) => {
      const found: Found[] = [];
      for (const { id } of names) {
        const used = moment.used.find(({ subscription }) => subscription.id === id);
        found.push(used ? await readOne(moment, used, question, now) : null);
      }
      return found;
    },
    signal,
  );
}

/** A subscription that runs. */
export interface Named {
  readonly id: string;
  readonly externalId: string;
}

// So many share a transaction, and what is loaded before their usage.
const MOST_TOGETHER = 20;

type Loader = DataLoader<Named, UsageView | null, string>;
const loaders = new WeakMap<Context, Map<string, Loader>>();

function loaderOf(context: Context, question: UsageQuestion): Loader {
  const ofContext = loaders.get(context) ?? new Map<string, Loader>();
  loaders.set(context, ofContext);
  const key = JSON.stringify(question);
  const load = async (names: readonly Named[]) => {
    const views: (UsageView | BillingError | null)[] = [];
    for (const found of await readAll(context, names, question)) {
      views.push(
        found === null || found instanceof BillingError ? found : await viewOf(found.report, found.usage, question),
      );
    }
    return views;
  };
  const loader: Loader =
    ofContext.get(key) ??
    new DataLoader<Named, UsageView | null, string>(load, { cacheKeyFn: ({ id }) => id, maxBatchSize: MOST_TOGETHER });
  ofContext.set(key, loader);
  return loader;
}

/** The current usage of a subscription that runs; null where it does not, or no period is open. Throws what `usageReport` throws. */
export const currentUsage = (context: Context, named: Named, question: UsageQuestion): Promise<UsageView | null> =>
  loaderOf(context, question).load(named);
