import type { TaxInput } from '../catalogue/tax.ts';
import type { BillingEntityInput, CustomerInput } from '../customer/customer.ts';
import { type BillingError, type ErrorDetails, invalid } from '../errors.ts';
import { CURRENCIES, fromCents } from '../money/currency.ts';
import { type Decimal, ONE } from '../money/decimal.ts';
import { DAY_MS, type Instant } from '../period/calendar.ts';
import { draftFee } from './draft-fee.ts';
import type { InvoiceFee } from './invoice-fee.ts';
import { NO_CREDITS } from './owned-fee.ts';
import { roundFee } from './rounding.ts';
import { chooseTaxes } from './tax-source.ts';

/** An add-on as it is in the catalogue. */
export interface AddOnInput {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly invoiceDisplayName: string | null;
  readonly amountCents: bigint;
  readonly taxes: readonly TaxInput[];
}

/** What is sold of an add-on; what is absent is the add-on's, and one unit. */
export interface SoldAddOn {
  readonly addOn: AddOnInput;
  readonly units?: Decimal | null | undefined;
  readonly unitAmountCents?: bigint | null | undefined;
  readonly description?: string | null | undefined;
  readonly invoiceDisplayName?: string | null | undefined;
  /** Taxes that are named for it; none: those of the add-on, the customer or the entity. */
  readonly taxes: readonly TaxInput[];
  /** Days that it is for, both ends included: both or neither. */
  readonly from?: Instant | null | undefined;
  readonly to?: Instant | null | undefined;
}

/** Who is taxed, and by whom. */
interface Taxed {
  readonly customer: Pick<CustomerInput, 'taxes'>;
  readonly billingEntity: Pick<BillingEntityInput, 'taxes'>;
  readonly currency: string;
  /** Time zone of its days. */
  readonly zone: string;
}

/** Refuses an amount below 0, and days that are half said or end before they begin. Source: engine-money 2.11. */
export function checkSold(sold: Omit<SoldAddOn, 'addOn' | 'taxes'>): void {
  const { units, unitAmountCents, from, to } = sold;
  const hasDays = from != null && to != null;
  const faults: ErrorDetails = {
    ...(units?.isNegative() ? { units: ['value_is_out_of_range'] } : {}),
    ...(unitAmountCents != null && unitAmountCents < 0n ? { unit_amount_cents: ['value_is_out_of_range'] } : {}),
    ...((from == null) !== (to == null) || (hasDays && from > to) ? { boundaries: ['values_are_invalid'] } : {}),
  };
  if (Object.keys(faults).length > 0) throw invalid(faults, { boundaries: { name: 'fromDatetime' } });
}

/** The currency of a sale: the one that is said, else the customer's. `refusal`: why the customer cannot have the one that is said. */
export function currencyOfSale(currency: string | null, refusal: BillingError | undefined): string {
  if (!currency) throw invalid({ currency: ['value_is_mandatory'] });
  if (!CURRENCIES.has(currency)) throw invalid({ currency: ['value_is_invalid'] });
  if (refusal) throw refusal;
  return currency;
}

/** The fee of an add-on that is sold: units times its price, rounded once. 1.5 units at 333 are 500. Source: engine-money 2.11. */
export function addOnFee(sold: SoldAddOn, key: string, { customer, billingEntity, currency, zone }: Taxed): InvoiceFee {
  const { addOn, from, to } = sold;
  const units = sold.units ?? ONE;
  const unitAmount = fromCents(sold.unitAmountCents ?? addOn.amountCents, currency);
  const days = from != null && to != null ? { from, to, durationDays: Math.round((to - from) / DAY_MS) } : null;
  const { id, code, name, description } = addOn;
  return {
    ...draftFee({ key, type: 'add_on' }),
    ...NO_CREDITS,
    ...roundFee(units.times(unitAmount), unitAmount, { currency }),
    ...{ units, period: days && { ...days, timezone: zone } },
    ...{ subscriptionId: null, planId: null, parentPlanId: null, metricId: null, addOnId: id },
    item: {
      ...{ type: 'add_on', itemType: 'AddOn', itemId: id, code, name, description },
      invoiceDisplayName: sold.invoiceDisplayName ?? addOn.invoiceDisplayName ?? name,
      ...{ filterInvoiceDisplayName: null, filters: null },
    },
    description: sold.description ?? description,
    taxes: chooseTaxes({
      ...{ explicit: sold.taxes, own: addOn.taxes, customer: customer.taxes, billingEntity: billingEntity.taxes },
    }),
  };
}
