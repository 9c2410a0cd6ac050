import type { FilterValues } from '../../billing/catalogue/filter.ts';
import type { AppliedTax, InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import { taxFee } from '../../billing/invoice/tax.ts';
import { minorUnits } from '../../billing/money/currency.ts';
import { cutToInteger, Decimal, dec, decimalText, ZERO } from '../../billing/money/decimal.ts';
import { DAY_MS } from '../../billing/period/calendar.ts';
import type { GroupedBy } from '../../billing/usage/grouped-by.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { FeeGetPayload, FeeInclude } from '../generated/prisma/models.ts';
import { inRange } from './in-range.ts';

/** What a fee is read back with: its lines, and what its subscription says. */
export const FEE = {
  subscription: { select: { planId: true, plan: { select: { parentId: true, amountCents: true } } } },
  appliedTaxes: { orderBy: OLDEST_FIRST },
  pricingUnitUsage: true,
  creditNoteItems: { select: { preciseAmountCents: true } },
} satisfies FeeInclude;

export type FeeRow = FeeGetPayload<{ include: typeof FEE }>;
type Details = Readonly<Record<string, unknown>>;
type StoredBreakdown = { readonly presentation_by: GroupedBy; readonly units: string | number };

const moment = (at: number | undefined) => (at === undefined ? null : new Date(at));

/** Plain JSON: decimals and bigints as text with every digit, without exponents. */
function plain(value: unknown): unknown {
  if (value instanceof Decimal) return decimalText(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
const json = (value: unknown) => plain(value) as object;

/** A subscription fee keeps the plan amount of the moment, from which its credit notes are computed. */
const detailsOf = ({ amountDetails, planAmountCents }: InvoiceFee) =>
  json(planAmountCents === null ? amountDetails : { ...amountDetails, plan_amount_cents: planAmountCents });

function amountData(fee: InvoiceFee) {
  return {
    ...{ amountCents: fee.amountCents, preciseAmountCents: fee.preciseAmountCents.toFixed() },
    ...{ taxesAmountCents: fee.taxesAmountCents, taxesPreciseAmountCents: fee.taxesPreciseAmountCents.toFixed() },
    ...{ taxesRate: fee.taxesRate.toFixed(), preciseCouponsAmountCents: fee.preciseCouponsAmountCents.toFixed() },
    ...{ units: fee.units.toFixed(), preciseUnitAmount: fee.preciseUnitAmount.toFixed() },
    totalAggregatedUnits: fee.totalAggregatedUnits?.toFixed() ?? null,
    // A prorated unique count has decimals, a column of events has none.
    eventsCount: fee.eventsCount?.trunc().toNumber() ?? null,
  };
}

const editData = ({ edit }: InvoiceFee) => ({
  adjustedUnits: edit?.units?.toFixed() ?? null,
  adjustedPreciseUnitAmount: edit?.preciseUnitAmount?.toFixed() ?? null,
  adjustedInvoiceDisplayName: edit?.invoiceDisplayName ?? null,
});

/** The row of a fee, without whose it is. `trueUpParentFeeId`: the row of the fee that `trueUpParentKey` names. */
export function feeData(fee: InvoiceFee, trueUpParentFeeId: string | null) {
  const { item, period, filterId: chargeFilterId } = fee;
  return {
    ...{ subscriptionId: fee.subscriptionId, chargeId: fee.chargeId, chargeFilterId, fixedChargeId: fee.fixedChargeId },
    ...{ addOnId: fee.addOnId, trueUpParentFeeId, feeType: fee.type, itemType: item.itemType, itemId: item.itemId },
    originalFeeId: fee.originalFeeKey ?? null,
    ...{ itemCode: item.code, itemName: item.name, itemDescription: item.description },
    description: fee.description,
    itemInvoiceDisplayName: item.invoiceDisplayName,
    filterInvoiceDisplayName: item.filterInvoiceDisplayName,
    ...(item.filters && { filters: json(item.filters) }),
    groupedBy: json(fee.groupedBy),
    ...amountData(fee),
    ...{ payInAdvance: fee.payInAdvance, invoiceable: fee.invoiceable, eventTransactionId: fee.eventTransactionId },
    ...{ fromDate: moment(period?.from), toDate: moment(period?.to), amountDetails: detailsOf(fee) },
    ...editData(fee),
    presentationBreakdowns: fee.presentationBreakdowns.map(({ presentationBy, units }) =>
      json({ presentation_by: presentationBy, units }),
    ),
  };
}

/** A line of tax, of a fee or of an invoice. */
export const taxData = ({ taxId, name, code, description, rate, amountCents }: AppliedTax) => ({
  ...{ taxId, taxName: name, taxCode: code, taxDescription: description, taxRate: rate.toFixed(), amountCents },
});

/** The row of a fee's amounts in its pricing unit; null in a currency. */
export function pricingUnitData({ pricingUnit: unit }: InvoiceFee) {
  if (!unit) return null;
  return {
    ...{ pricingUnitId: unit.id ?? null, pricingUnitCode: unit.code ?? '', shortName: unit.shortName ?? '' },
    ...{ conversionRate: unit.conversionRate.toFixed(), amountCents: unit.amountCents },
    ...{ preciseAmountCents: unit.preciseAmountCents.toFixed(), unitAmountCents: unit.unitAmountCents },
    preciseUnitAmount: unit.preciseUnitAmount.toFixed(),
  };
}

function storedUnit({ pricingUnitUsage }: FeeRow): InvoiceFee['pricingUnit'] {
  if (!pricingUnitUsage) return null;
  const row = inRange('pricing_unit_usage', pricingUnitUsage);
  return {
    ...(row.pricingUnitId !== null && { id: row.pricingUnitId }),
    ...{ code: row.pricingUnitCode, shortName: row.shortName, conversionRate: dec(row.conversionRate) },
    ...{ amountCents: row.amountCents, preciseAmountCents: dec(row.preciseAmountCents) },
    ...{ unitAmountCents: row.unitAmountCents, preciseUnitAmount: dec(row.preciseUnitAmount) },
  };
}

/** The days of its own window, both ends included: the row does not know the period that it may be a part of. */
function feePeriod({ fromDate, toDate }: FeeRow, timezone: string): InvoiceFee['period'] {
  if (!fromDate || !toDate) return null;
  const durationDays = Math.round((toDate.getTime() - fromDate.getTime()) / DAY_MS);
  return { from: fromDate.getTime(), to: toDate.getTime(), durationDays, timezone };
}

function storedDetails({ feeType, amountDetails, subscription }: FeeRow) {
  const { plan_amount_cents: kept, ...others } = (amountDetails ?? {}) as Details;
  if (feeType !== 'subscription') return { amountDetails: (amountDetails ?? {}) as Details, planAmountCents: null };
  const planAmountCents = kept == null ? (subscription?.plan.amountCents ?? null) : BigInt(String(kept));
  return { amountDetails: others, planAmountCents };
}

function amounts(row: FeeRow) {
  const unit = dec(inRange('fee', row).preciseUnitAmount);
  return {
    ...{ amountCents: row.amountCents, preciseAmountCents: dec(row.preciseAmountCents) },
    unitAmountCents: cutToInteger(unit.times(minorUnits(row.amountCurrency))),
    ...{ preciseUnitAmount: unit, preciseCouponsAmountCents: dec(row.preciseCouponsAmountCents) },
    preciseCreditNotesAmountCents: ZERO,
    ...{ units: dec(row.units), totalAggregatedUnits: row.totalAggregatedUnits && dec(row.totalAggregatedUnits) },
    eventsCount: row.eventsCount === null ? null : dec(row.eventsCount),
  };
}

/** What was changed by hand on the fee of a row; null where nothing was. */
export function storedEdit(row: Pick<FeeRow, keyof ReturnType<typeof editData>>): InvoiceFee['edit'] {
  const { adjustedUnits: units, adjustedPreciseUnitAmount: amount, adjustedInvoiceDisplayName: name } = row;
  if (units === null && name === null) return null;
  return { units: units && dec(units), preciseUnitAmount: amount && dec(amount), invoiceDisplayName: name };
}

const itemOf = (row: FeeRow): InvoiceFee['item'] => ({
  ...{ type: row.feeType, itemType: row.itemType as InvoiceFee['item']['itemType'], itemId: row.itemId },
  ...{ code: row.itemCode, name: row.itemName, description: row.itemDescription },
  invoiceDisplayName: row.itemInvoiceDisplayName ?? row.itemName,
  filterInvoiceDisplayName: row.filterInvoiceDisplayName,
  filters: row.filters as FilterValues | null,
});

/** Its taxes are history: the lines show what was billed, and nothing adds them up again. */
function withTaxes(fee: InvoiceFee, { appliedTaxes: lines, ...row }: FeeRow): InvoiceFee {
  const taxes = lines.map((line) => ({
    ...{ id: line.taxId, code: line.taxCode, name: line.taxName, description: line.taxDescription },
    rate: dec(inRange('fee_applied_tax', line).taxRate),
  }));
  const computed = taxFee({ ...fee, taxes });
  const appliedTaxes = computed.appliedTaxes.map((line, index) => ({
    ...line,
    amountCents: lines[index]?.amountCents ?? line.amountCents,
  }));
  const { taxesAmountCents } = row;
  const exact = { taxesPreciseAmountCents: dec(row.taxesPreciseAmountCents), taxesRate: dec(row.taxesRate) };
  return { ...fee, taxes, appliedTaxes, taxesAmountCents, ...exact };
}

/** A fee as it was computed, from its row. Its key is the row's identifier. */
export function storedFee(row: FeeRow, timezone: string): InvoiceFee {
  const { feeType: type, itemId, fixedChargeId, payInAdvance, invoiceable, eventTransactionId, subscriptionId } = row;
  const breakdowns = row.presentationBreakdowns as StoredBreakdown[];
  const fee = {
    ...{
      key: row.id,
      originalFeeKey: row.originalFeeId,
      type,
      chargeId: row.chargeId,
      fixedChargeId,
      filterId: row.chargeFilterId,
    },
    groupedBy: row.groupedBy as GroupedBy,
    ...amounts(row),
    ...storedDetails(row),
    ...{ trueUpParentKey: row.trueUpParentFeeId, period: feePeriod(row, timezone), payInAdvance, invoiceable },
    ...{ pricingUnit: storedUnit(row), eventTransactionId, subscriptionId, edit: storedEdit(row) },
    presentationBreakdowns: breakdowns.map((one) => ({ presentationBy: one.presentation_by, units: dec(one.units) })),
    ...{ planId: row.subscription?.planId ?? null, parentPlanId: row.subscription?.plan.parentId ?? null },
    metricId: type === 'charge' ? itemId : null,
    addOnId: row.addOnId ?? (type === 'fixed_charge' ? itemId : null),
    ...{ item: itemOf(row), description: row.description, taxes: [], appliedTaxes: [], targetWalletCode: null },
    ...{ taxesAmountCents: 0n, taxesPreciseAmountCents: ZERO, taxesRate: ZERO },
  };
  return withTaxes(fee, row);
}
