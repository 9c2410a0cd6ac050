import { billInvoice } from './bill.ts';
import { billedSubscription } from './billed-subscription.ts';
import { type Instant, SECOND_MS } from './calendar.ts';
import { type Decimal, sum } from './decimal.ts';
import { invalid } from './errors.ts';
import type { ChargePeriod } from './fee-type.ts';
import { runningFixedPeriod, unitHistory } from './fixed-bill.ts';
import { fixedChargeIncreaseFee, fixedChargeUnits } from './fixed-charge.ts';
import { fixedChargeInvoiceFee } from './invoice-fee.ts';
import type { PlanFixedChargeInput, SubscriptionInput } from './invoice-input.ts';
import type { CustomerAccount, InvoiceResult } from './invoice-type.ts';
import { running } from './running-bill.ts';
import { feeOwner } from './subscription-bill.ts';
import { keyed } from './usage-bill.ts';

/** Bound of amounts: what a column of minor units holds. */
const MOST_CENTS = 2n ** 63n - 1n;

/** Units of a fixed charge that were paid in advance. */
export interface PaidUnits {
  readonly units: Decimal;
  /** First moment of the period they were paid for. */
  readonly from: Instant;
}

const isOf = ({ from }: PaidUnits, period: ChargePeriod) => period.from - SECOND_MS < from && from <= period.to;

/**
 * The invoice of a change of units that takes effect at once and is paid in advance: what the new units exceed those paid in
 * the running period by, for the rest of it when prorated. A decrease makes a fee and an invoice of 0. Null where no period
 * of fixed charges runs. Throws a validation error for an amount past 64 bits. 3 to 6 units at 10: 3000 cents.
 * Source: invoicing 6.
 */
export function unitsInvoice(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  charge: PlanFixedChargeInput,
  paid: readonly PaidUnits[],
  at: Instant,
): InvoiceResult | null {
  const billed = billedSubscription(account, subscription, at, 'in_advance_charge');
  const period = runningFixedPeriod(billed);
  if (period === null) return null;
  const newUnits = fixedChargeUnits(unitHistory(subscription, charge), period, false).units;
  const paidUnits = sum(paid.filter((one) => isOf(one, period)).map(({ units }) => units));
  const input = { charge, currency: subscription.plan.currency, period };
  const fee = fixedChargeIncreaseFee(input, { newUnits, paidUnits, at });
  const owner = feeOwner(billed, account);
  const fees = [fixedChargeInvoiceFee(keyed(fee, owner), charge, owner)];
  const invoice = billInvoice(account, { at, subscriptions: [running(billed)], fees });
  const most = [invoice.feesAmountCents, invoice.subTotalIncludingTaxesAmountCents];
  if (most.some((cents) => cents > MOST_CENTS)) throw invalid({ units: ['value_is_out_of_range'] });
  return invoice;
}
