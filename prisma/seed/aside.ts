import { draftFee } from '../../src/billing/fee/draft-fee.ts';
import type { FeeItem, InvoiceFee } from '../../src/billing/fee/invoice-fee.ts';
import type { InvoiceResult, InvoiceType } from '../../src/billing/invoice/issued-invoice.ts';
import { fromCents, minorUnits } from '../../src/billing/money/currency.ts';
import { cutToInteger, dec, roundToInteger, ZERO } from '../../src/billing/money/decimal.ts';
import { issueInvoice } from '../../src/billing/subscription/issue.ts';
import { accountOf } from '../../src/billing/timeline/account.ts';
import { makeInvoice } from '../../src/billing/timeline/make.ts';
import type { TimelineState } from '../../src/billing/timeline/timeline-type.ts';
import type { AddOnRow, FeeRow, InvoiceRow, Section } from './document.ts';
import { byCode, taxInputs } from './input.ts';

const KINDS: ReadonlySet<InvoiceType> = new Set(['one_off', 'add_on', 'credit']);
const NEVER_NUMBERED = new Set(['failed', 'pending', 'open', 'generating']);

/** An invoice that no subscription made: its fees are what somebody entered, or a top-up of a wallet. */
export const isAside = (row: Pick<InvoiceRow, 'invoice_type'>): boolean => KINDS.has(row.invoice_type);

/** Whether the invoice takes part in the customer's history: one that failed or waits has no number and uses nothing. */
export const isListed = (row: Pick<InvoiceRow, 'status'>): boolean => !NEVER_NUMBERED.has(row.status);

const nothingApplied = {
  subscriptionId: null,
  planId: null,
  parentPlanId: null,
  metricId: null,
  planAmountCents: null,
  targetWalletCode: null,
  preciseCouponsAmountCents: ZERO,
  preciseCreditNotesAmountCents: ZERO,
  taxesAmountCents: 0n,
  taxesPreciseAmountCents: ZERO,
  taxesRate: ZERO,
  appliedTaxes: [],
};

const WITHOUT_FILTER = { filterInvoiceDisplayName: null, filters: null };

function itemOf(row: FeeRow, addOn: AddOnRow | null): FeeItem {
  if (!addOn) {
    const names = { code: 'credit', name: 'credit', description: null, invoiceDisplayName: 'Prepaid credits' };
    return {
      type: 'credit',
      itemType: 'WalletTransaction',
      itemId: String(row.item.svc_item_id),
      ...names,
      ...WITHOUT_FILTER,
    };
  }
  const { svc_id: itemId, code, name, description = null, invoice_display_name: invoiceDisplayName = name } = addOn;
  return { type: 'add_on', itemType: 'AddOn', itemId, code, name, description, invoiceDisplayName, ...WITHOUT_FILTER };
}

/** A fee from the units, price and taxes that were entered. */
function enteredFee(section: Section, row: FeeRow, currency: string): InvoiceFee {
  const addOn = row.item.type === 'credit' ? null : byCode(section.add_ons, String(row.add_on_code));
  const units = dec(row.units);
  const unitAmount = dec(row.precise_unit_amount);
  const preciseAmountCents = units.times(unitAmount).times(minorUnits(currency));
  const codes = (row.applied_taxes ?? []).map(({ tax_code }) => tax_code);
  return {
    ...draftFee({
      key: row.svc_id,
      type: addOn ? 'add_on' : 'credit',
      units,
      amountCents: roundToInteger(preciseAmountCents),
      preciseAmountCents,
      unitAmountCents: cutToInteger(unitAmount.times(minorUnits(currency))),
      preciseUnitAmount: unitAmount,
    }),
    ...nothingApplied,
    addOnId: addOn?.svc_id ?? null,
    item: itemOf(row, addOn),
    description: null,
    taxes: taxInputs(section, codes),
  };
}

const billingOf = (section: Section, row: InvoiceRow) => ({
  at: Date.parse(row.created_at),
  subscriptions: [],
  fees: row.fees.map((fee) => enteredFee(section, fee, row.currency)),
  type: row.invoice_type,
});

/** The state after an invoice that somebody entered. */
export const makeAside = (state: TimelineState, section: Section, row: InvoiceRow): TimelineState =>
  makeInvoice(state, billingOf(section, row));

/** An entered invoice that failed or waits, as it would be. */
export const computeAside = (state: TimelineState, section: Section, row: InvoiceRow): InvoiceResult =>
  issueInvoice(accountOf(state), billingOf(section, row));

/** A top-up in units of its wallet. */
export const topUpPrice = (amountCents: bigint, credits: string, currency: string): string =>
  fromCents(amountCents, currency).div(dec(credits)).toFixed();
