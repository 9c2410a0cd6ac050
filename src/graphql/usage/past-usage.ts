import { invalid, notFound } from '../../billing/errors.ts';
import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import {
  countPastPeriods,
  type PastPeriod,
  type PastUsageOf,
  readCharges,
  readPastPeriods,
} from '../../store/account/past-usage.ts';
import type { Context } from '../context.ts';
import { type Connection, madeConnection } from '../list/connection.ts';
import { memoize } from '../list/list.ts';
import type { Order } from '../list/order.ts';
import { cutPage, type PageArgs, readPage } from '../list/page.ts';
import { CustomerUsage } from './usage-type.ts';
import { chargeUsageView, type NamedCharge, type UsageView } from './usage-view.ts';

export const PastUsage = madeConnection(
  'PastUsage',
  'billed usage',
  'A page of what invoices billed of the usage of a subscription, one a period and invoice, latest first: of drafts and voided ones too. Amounts are those of the usage that is shown.',
  CustomerUsage,
  'customer_usage',
);

const LATEST_FIRST: Order = { column: 'chargesFromDatetime', type: 'DateTime', isNullable: false, direction: 'desc' };

const nameOf = ({ metric }: NamedCharge) => metric.name.toLowerCase();
const byName = (one: NamedCharge, other: NamedCharge) =>
  nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other));

/** Fees by their charges; one whose charge is not known any more belongs to none. */
function byCharge(fees: readonly InvoiceFee[], charges: ReadonlyMap<string, NamedCharge>) {
  const lists = new Map<NamedCharge, InvoiceFee[]>();
  for (const fee of fees) {
    const charge = charges.get(fee.chargeId ?? '');
    if (charge) lists.set(charge, [...(lists.get(charge) ?? []), fee]);
  }
  return [...lists].sort(([one], [other]) => byName(one, other));
}

/** The usage of a billed period: the sums of the fees that are listed, not of all that is on its invoice. */
function viewOf(period: PastPeriod, charges: ReadonlyMap<string, NamedCharge>): UsageView & PastPeriod {
  const listed = byCharge(period.fees, charges);
  const total = (of: (fee: InvoiceFee) => bigint) =>
    listed.flatMap(([, fees]) => fees).reduce((sum, fee) => sum + of(fee), 0n);
  return {
    ...period,
    ...{ fromDatetime: period.chargesFromDatetime, toDatetime: period.chargesToDatetime },
    svcInvoiceId: period.invoiceId,
    amountCents: total((fee) => fee.amountCents),
    taxesAmountCents: total((fee) => fee.taxesAmountCents),
    projectedAmountCents: null,
    chargesUsage: listed.map(([charge, fees]) =>
      chargeUsageView(
        charge,
        period.currency,
        fees.map((fee) => ({ fee, projected: null })),
      ),
    ),
  };
}

/** Throws `object_not_found` for a metric that nobody has. */
async function checkMetric({ db }: Context, code: string | null | undefined): Promise<void> {
  if (code == null) return;
  const metric = await db.billableMetric.findFirst({ where: { code, deletedAt: null }, select: { id: true } });
  if (!metric) throw notFound('billable_metric');
}

/** Billed usage of a subscription, a page at a time: as many statements for a page as for any other. */
export async function pastUsage(context: Context, of: PastUsageOf, args: PageArgs): Promise<Connection> {
  const { db } = context;
  if (of.externalSubscriptionId === '') throw invalid({ external_subscription_id: ['value_is_mandatory'] });
  await checkMetric(context, of.metricCode);
  const page = readPage(args, LATEST_FIRST);
  const rows = async () => {
    const periods = await readPastPeriods(db, of, page);
    const ids = periods.flatMap(({ fees }) => fees.flatMap(({ chargeId }) => chargeId ?? []));
    const charges = await readCharges(db, ids);
    return cutPage(
      page,
      periods.map((period) => viewOf(period, charges)),
    );
  };
  return { page, args, rows: memoize(rows), total: memoize(() => countPastPeriods(db, of)), sums: async () => [] };
}
