import type { Receivable, WalletBalance } from '../../store/insight/analytics-balance.ts';
import type { RecurringRevenue } from '../../store/insight/analytics-recurring.ts';
import type { MonthlyRevenue, MonthlyUsage } from '../../store/insight/analytics-revenue.ts';
import { builder, type Types } from '../base/builder.ts';
import { currencyFields } from '../base/currency.ts';
import { wholeCents } from './currency-amount.ts';

const WITHOUT_BOUND = 'An exact sum, which may have more digits than 64 bits hold.';
export const firstDay = ({ month }: { month: string }) => new Date(`${month}T00:00:00Z`);

export const MonthlyRevenueType = builder.objectRef<MonthlyRevenue>('MonthlyRevenue').implement({
  description: 'What was invoiced in a month and currency.',
  fields: (t) => ({
    month: t.field({ type: 'Date', description: 'First day of the month of issue.', resolve: firstDay }),
    ...currencyFields(t, 'Currency of the invoices.'),
    amountCents: t.field({
      type: 'BigInt',
      description: `Totals with taxes, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.amountCents),
    }),
    taxesAmountCents: t.field({
      type: 'BigInt',
      description: `Taxes among them, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.taxesAmountCents),
    }),
    invoicesCount: t.exposeInt('invoicesCount', { description: 'Number of invoices.' }),
  }),
});

interface Fees {
  readonly currency: string;
  readonly amountCents: string;
  readonly feesCount: number;
}

/** What fees come to, by currency. */
export const feesOf = <Row extends Fees>(t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>) => ({
  ...currencyFields(t, 'Currency of the fees.'),
  amountCents: t.field({
    type: 'BigInt',
    description: `Fees without taxes, before coupons, in minor units. ${WITHOUT_BOUND}`,
    resolve: (row) => BigInt(row.amountCents),
  }),
  feesCount: t.int({ description: 'Number of fees.', resolve: (row) => row.feesCount }),
});

export const MonthlyUsageType = builder.objectRef<MonthlyUsage>('MonthlyUsage').implement({
  description: 'Usage that was invoiced in a month and currency.',
  fields: (t) => ({
    month: t.field({ type: 'Date', description: 'First day of the month of issue.', resolve: firstDay }),
    ...feesOf(t),
  }),
});

export const RecurringRevenueType = builder.objectRef<RecurringRevenue>('RecurringRevenue').implement({
  description: 'Recurring revenue of the subscriptions that were active at the end of a month, in a currency.',
  fields: (t) => ({
    month: t.field({ type: 'Date', description: 'First day of the month.', resolve: firstDay }),
    ...currencyFields(t, 'Currency of the plans.'),
    amountCents: t.field({
      type: 'BigInt',
      description: `Revenue per month, in minor units: the twelfth part of the annual figure, rounded half up. ${WITHOUT_BOUND}`,
      resolve: (row) => wholeCents(row.amountCents),
    }),
    preciseAmountCents: t.field({
      type: 'Decimal',
      description: 'Revenue per month, in minor units: the twelfth part of the annual figure, to at least 12 decimals.',
      resolve: (row) => row.amountCents,
    }),
    annualAmountCents: t.field({
      type: 'BigInt',
      description: `Revenue per year, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.annualAmountCents),
    }),
    subscriptionsCount: t.exposeInt('subscriptionsCount', { description: 'Number of subscriptions.' }),
  }),
});

export const ReceivableType = builder.objectRef<Receivable>('Receivable').implement({
  description: 'What customers owe in a currency.',
  fields: (t) => ({
    ...currencyFields(t, 'Currency of the invoices.'),
    outstandingAmountCents: t.field({
      type: 'BigInt',
      description: `What is owed, overdue or not, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.outstandingAmountCents),
    }),
    outstandingInvoicesCount: t.exposeInt('outstandingInvoicesCount', { description: 'Number of unpaid invoices.' }),
    overdueAmountCents: t.field({
      type: 'BigInt',
      description: `What is overdue among it, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.overdueAmountCents),
    }),
    overdueInvoicesCount: t.exposeInt('overdueInvoicesCount', { description: 'Number of overdue invoices.' }),
  }),
});

export const WalletBalanceType = builder.objectRef<WalletBalance>('WalletBalance').implement({
  description: 'What the active wallets of a currency hold.',
  fields: (t) => ({
    ...currencyFields(t, 'Currency of the wallets.'),
    balanceCents: t.field({
      type: 'BigInt',
      description: `Balances in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.balanceCents),
    }),
    ongoingBalanceCents: t.field({
      type: 'BigInt',
      description: `Balances less the usage that is not invoiced yet, in minor units. ${WITHOUT_BOUND}`,
      resolve: (row) => BigInt(row.ongoingBalanceCents),
    }),
    credits: t.field({ type: 'Decimal', description: 'Balances in credits.', resolve: (row) => row.credits }),
    walletsCount: t.exposeInt('walletsCount', { description: 'Number of wallets.' }),
  }),
});
