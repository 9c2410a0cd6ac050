import type { Changed } from '../../engine/changed.ts';
import { invoicesHash } from '../../store/account/agreed-hash.ts';
import { builder, type Model } from '../base/builder.ts';
import type { Resource } from '../context.ts';
import { connectionType } from '../list/connection.ts';
import { pageArgs } from '../list/node.ts';
import { readPage } from '../list/page.ts';
import { rootConnection } from '../list/root-list.ts';

// What one condition names at most; a total counts all.
const MOST_NAMED = 10_000;

const KINDS: { readonly [K in keyof Changed]-?: readonly [Model, Resource, string] } = {
  alerts: ['Alert', 'subscription', 'Alerts that ended.'],
  appliedCoupons: [
    'AppliedCoupon',
    'applied_coupon',
    'Coupons of customers that the issued invoices used, or that ended.',
  ],
  auditLogs: ['AuditLog', 'activity_log', 'Entries that the log got; none in a dry run.'],
  charges: ['Charge', 'plan', 'Charges that changed besides: overrides that followed, and the charge of a new filter.'],
  creditNotes: ['CreditNote', 'credit_note', 'Credit notes that the issued invoices used.'],
  customers: ['Customer', 'customer', 'Customers whose currency is now that of what they were given.'],
  fixedCharges: ['FixedCharge', 'plan', 'Overrides of the fixed charge that followed it.'],
  fixedChargeUnitsEvents: [
    'FixedChargeUnitsEvent',
    'subscription',
    'Units that subscriptions have from now or from their next period on. A first change also tells the units since the start.',
  ],
  invoices: ['Invoice', 'invoice', 'Invoices that were issued. In a dry run they have no number and no document.'],
  paymentMethods: ['PaymentMethod', 'payment_method', 'Payment methods that are the default one no longer.'],
  plans: ['Plan', 'plan', 'Plans whose prices changed.'],
  recurringTransactionRules: ['RecurringTransactionRule', 'wallet', 'Rules that ended.'],
  subscriptions: ['Subscription', 'subscription', 'Subscriptions whose units changed, or that ended.'],
  wallets: ['Wallet', 'wallet', 'Wallets that paid a part of the issued invoices, or that ended.'],
  walletTransactions: [
    'WalletTransaction',
    'wallet_transaction',
    'Credits that the issued invoices took from wallets.',
  ],
};

/** By kinds, what a mutation changed and made. */
export const MutationChanges = builder.objectRef<Changed>('MutationChanges').implement({
  description:
    'What a mutation changed and made besides the object that it answers. In a dry run, what it would have: nothing of it stays.',
  fields: (t) => {
    const lists = Object.entries(KINDS).map(([kind, [model, resource, description]]) => [
      kind,
      t.field({
        type: connectionType(model, resource),
        description,
        args: pageArgs,
        resolve: (changed, args, context, info) => {
          const page = readPage(args);
          const ids = changed[kind as keyof Changed] ?? [];
          const where = { id: { in: ids.slice(0, MOST_NAMED) } };
          const list = rootConnection({ model, where, page, args, isNarrowed: true }, context, info);
          // Nothing is read of what there is none of.
          const rows = ids.length > 0 ? list.rows : async () => ({ rows: [], hasMore: false });
          return { ...list, rows, total: async () => ids.length };
        },
      }),
    ]);
    return {
      dryRun: t.boolean({
        description: 'Whether nothing of it stays.',
        resolve: (_changed, _args, context) => context.dryRun === true,
      }),
      hash: t.string({
        description:
          'Names what the issued invoices say in figures and days, without their numbers and identifiers. Of a dry run: what the write may name as agreed to, where it takes an `agreedHash`. Where nothing is issued it says just that.',
        resolve: ({ invoices = [] }, _args, context) => invoicesHash(context.db, invoices),
      }),
      ...Object.fromEntries(lists),
    };
  },
});
