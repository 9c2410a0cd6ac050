import type { PlanInput } from '../catalogue/plan.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { InvoiceResult } from '../invoice/issued-invoice.ts';
import { Decimal } from '../money/decimal.ts';
import { formatDate, type Instant, localDate } from '../period/calendar.ts';
import type { Preview } from './preview-type.ts';

// Who a row is and what it is called: rows are made anew and renamed without anything costing more.
const UNTOLD = /^id$|Id$|^name$|Name$|^description$/;
// Names of members in these are the caller's own.
const FREE: ReadonlySet<string> = new Set(['values', 'properties']);

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);
const pairs = (members: object | null) => Object.entries(members ?? {}).sort(byName);

/** Values as a text that is the same for the same values in every process: names in order, digits in full. */
function canonical(value: unknown, isWhole = false): unknown {
  if (value instanceof Decimal) return value.toFixed();
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map((one) => canonical(one, isWhole));
  if (typeof value !== 'object' || value === null) return value ?? null;
  const told = Object.entries(value).filter(([name, inner]) => (isWhole || !UNTOLD.test(name)) && inner !== undefined);
  return told.sort(byName).map(([name, inner]) => [name, canonical(inner, isWhole || FREE.has(name))]);
}

const lines = (values: readonly unknown[]): string[] => values.map((one) => JSON.stringify(canonical(one))).sort();

/** Days, not moments: what is made twice on one day is the same document, though the second is made later. */
const dayOf = (at: Instant | null | undefined, zone: string) => (at == null ? null : formatDate(localDate(at, zone)));

function feeFigures(fee: InvoiceFee, zone: string) {
  const { type, subscriptionId, item, groupedBy, units, eventsCount, payInAdvance, period } = fee;
  const taxes = fee.appliedTaxes.map(({ code, rate, amountCents }) => [code, rate, amountCents]);
  return [
    ...[
      type,
      subscriptionId,
      item.code,
      pairs(item.filters),
      pairs(groupedBy),
      fee.trueUpParentKey !== null,
      payInAdvance,
    ],
    ...[units, eventsCount, fee.preciseUnitAmount, fee.amountCents, fee.preciseAmountCents, taxes],
    ...[dayOf(period?.from, zone), dayOf(period?.to, zone)],
  ];
}

/**
 * What an invoice says in figures and days, as a text to be compared: lines of fees, taxes and credits in any order, without numbers, names and
 * identifiers of the document itself, which are new each time it is made.
 */
export function invoiceText(invoice: InvoiceResult): string {
  const { zone, type, currency, billingEntityCode, issuingDate, paymentDueDate } = invoice;
  const periods = invoice.billingPeriods.map(({ subscriptionId, reason, ...bounds }) => [
    ...[subscriptionId, reason, dayOf(bounds.from, zone), dayOf(bounds.to, zone)],
    ...[dayOf(bounds.chargesFrom, zone), dayOf(bounds.chargesTo, zone)],
  ]);
  const totals = [
    ...[invoice.feesAmountCents, invoice.progressiveBillingCreditAmountCents, invoice.couponsAmountCents],
    ...[invoice.taxesAmountCents, invoice.taxesRate, invoice.creditNotesAmountCents],
    ...[invoice.prepaidCreditAmountCents, invoice.totalAmountCents],
  ];
  return JSON.stringify([
    ...[type, currency, billingEntityCode, issuingDate, paymentDueDate, canonical(totals), lines(periods)],
    lines(invoice.fees.map((fee) => feeFigures(fee, zone))),
    lines(invoice.appliedTaxes.map(({ code, rate, amountCents }) => [code, rate, amountCents])),
    lines(invoice.credits.map((credit) => [credit.type, credit.code, credit.amountCents])),
    lines(invoice.walletUses.map(({ walletId, amountCents }) => [walletId, amountCents])),
  ]);
}

/** What a plan costs, used or not. */
const pricesOf = ({ code, ...plan }: PlanInput) => [code, plan];

/**
 * What a preview says, and what the previewed subscriptions cost from then on: who agrees to a plan agrees to its prices, also to those of which nothing
 * is used yet. `plans`: those that were asked for, also where nothing of them is billed yet.
 */
export function previewText(preview: Preview, plans: readonly PlanInput[]): string {
  const billed = preview.subscriptions.map(({ subscription: { id, billingTime, endingAt, plan } }) => [
    ...[id, billingTime, dayOf(endingAt, preview.zone), pricesOf(plan)],
  ]);
  return JSON.stringify([preview.mode, invoiceText(preview), lines(billed), lines(plans.map(pricesOf))]);
}
