import type { AppliedTax, InvoiceFee } from '../../src/billing/fee/invoice-fee.ts';
import { Decimal, decimalText } from '../../src/billing/money/decimal.ts';
import { type FeeRow, timeText } from './document.ts';
import { idOf } from './random.ts';

// Columns keep that many digits after the point.
const STORED_DIGITS = 30;

/** A decimal as it can be stored. */
export const storedText = (value: Decimal): string => decimalText(value.toDecimalPlaces(STORED_DIGITS));

export const cents = (amount: bigint): number => Number(amount);

/** Plain JSON: decimals as text, no undefined. */
export function plain(value: unknown): unknown {
  if (value instanceof Decimal) return storedText(value);
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** Without members that say nothing: the importer has the same defaults. */
export function lean<T extends object>(row: T): T {
  const isEmpty = (value: unknown) =>
    value === null ||
    value === undefined ||
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value))) as T;
}

/** A tax line; its name and currency are those of the tax and of the invoice, which the importer fills in. */
export const taxLine = (line: AppliedTax, createdAt: string) => ({
  tax_code: line.code,
  tax_rate: line.rate.toNumber(),
  amount_cents: cents(line.amountCents),
  created_at: createdAt,
});

/** An exact amount, where it says more than the rounded one that the importer would take for it. */
const exact = (precise: Decimal, rounded: bigint) => (precise.equals(rounded.toString()) ? null : storedText(precise));

// The importer takes the names that other fees show from what they bill.
const OWN_NAMES: ReadonlySet<string> = new Set(['commitment', 'credit']);

function itemOf(fee: InvoiceFee) {
  const { item } = fee;
  return lean({
    type: fee.type,
    code: item.code,
    name: item.name,
    description: item.description,
    invoice_display_name: OWN_NAMES.has(fee.type) ? item.invoiceDisplayName : null,
    svc_item_id: fee.type === 'credit' ? item.itemId : null,
    filter_invoice_display_name: item.filterInvoiceDisplayName,
    filters: item.filters,
    grouped_by: fee.groupedBy,
  });
}

const detailsOf = (fee: InvoiceFee) =>
  fee.planAmountCents === null ? fee.amountDetails : { plan_amount_cents: fee.planAmountCents };

function pricingUnitOf({ pricingUnit: unit }: InvoiceFee, createdAt: string) {
  if (!unit) return null;
  return {
    pricing_unit_code: unit.code,
    short_name: unit.shortName,
    conversion_rate: storedText(unit.conversionRate),
    amount_cents: cents(unit.amountCents),
    precise_amount_cents: storedText(unit.preciseAmountCents),
    unit_amount_cents: cents(unit.unitAmountCents),
    precise_unit_amount: storedText(unit.preciseUnitAmount),
    created_at: createdAt,
  };
}

/** What a fee says, as the document has it. `invoiceId` makes its identifier, and that of the fee it tops up. */
export function feeRow(fee: InvoiceFee, invoiceId: string, createdAt: string): FeeRow {
  const period = fee.period;
  const parent = fee.trueUpParentKey;
  return lean({
    svc_id: idOf('fee', invoiceId, fee.key),
    svc_subscription_id: fee.subscriptionId,
    svc_charge_id: fee.chargeId,
    svc_charge_filter_id: fee.filterId,
    svc_fixed_charge_id: fee.fixedChargeId,
    add_on_code: fee.type === 'add_on' ? fee.item.code : null,
    svc_true_up_parent_fee_id: parent === null ? null : idOf('fee', invoiceId, parent),
    item: itemOf(fee),
    amount_cents: cents(fee.amountCents),
    precise_amount_cents: exact(fee.preciseAmountCents, fee.amountCents),
    taxes_amount_cents: cents(fee.taxesAmountCents),
    taxes_precise_amount_cents: exact(fee.taxesPreciseAmountCents, fee.taxesAmountCents),
    taxes_rate: fee.appliedTaxes.length > 0 ? null : fee.taxesRate.toNumber(),
    precise_coupons_amount_cents: fee.preciseCouponsAmountCents.isZero()
      ? null
      : storedText(fee.preciseCouponsAmountCents),
    units: storedText(fee.units),
    total_aggregated_units: fee.totalAggregatedUnits?.equals(fee.units)
      ? null
      : fee.totalAggregatedUnits && storedText(fee.totalAggregatedUnits),
    precise_unit_amount: storedText(fee.preciseUnitAmount),
    events_count: fee.eventsCount?.trunc().toNumber(),
    pay_in_advance: fee.payInAdvance,
    from_date: period && timeText(period.from),
    to_date: period && timeText(period.to),
    event_transaction_id: fee.eventTransactionId,
    amount_details: plain(detailsOf(fee)),
    presentation_breakdowns: fee.presentationBreakdowns.map(({ presentationBy, units }) => ({
      presentation_by: presentationBy,
      units: storedText(units),
    })),
    pricing_unit_details: pricingUnitOf(fee, createdAt),
    applied_taxes: fee.appliedTaxes.map((line) => taxLine(line, createdAt)),
    created_at: createdAt,
  }) as FeeRow;
}
