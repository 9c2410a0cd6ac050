import type { UsageSource } from '../aggregate/metric-usage.ts';
import type { BillingEntityInput, CustomerInput } from '../customer/customer.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import type { TaxProvider } from '../fee/tax-source.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from './credit-input.ts';
import type { PastInvoice } from './past-invoice.ts';

/** Everything that is known of the customer when an invoice is made. */
export interface CustomerAccount {
  readonly customer: CustomerInput;
  readonly billingEntity: BillingEntityInput;
  /** All subscriptions that matter, with predecessors and successors of the billed ones. */
  readonly subscriptions: readonly SubscriptionInput[];
  /** Of the subscriptions' metrics. */
  readonly usage: UsageSource;
  readonly pastInvoices: readonly PastInvoice[];
  readonly coupons: readonly AppliedCouponInput[];
  readonly creditNotes: readonly CreditNoteInput[];
  readonly wallets: readonly WalletInput[];
  /** Null: the taxes of section 11. */
  readonly taxProvider?: TaxProvider | null;
}
