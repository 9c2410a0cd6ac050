import type { PriceModel } from '../catalogue/charge-type.ts';
import { rangeCodes } from '../catalogue/number-range.ts';
import { type ErrorDetails, forbidden, invalid, refuse } from '../errors.ts';
import type { FeeEdit, FeeType } from '../fee/draft-fee.ts';
import type { PlacedEdit } from '../fee/edited-fee.ts';
import { isOpen } from './final-status.ts';
import type { PastInvoice } from './past-invoice.ts';

/** What was changed by hand on some fees, and which they are. */
export const placedEdits = (fees: PastInvoice['fees']): PlacedEdit[] =>
  fees.flatMap((place) => (place.edit ? [{ place, edit: place.edit }] : []));

/** The same of a draft, for when it is computed again; nothing once it is final. Source: invoicing 6. */
export const editsOf = (invoice: Pick<PastInvoice, 'status' | 'fees'>): PlacedEdit[] =>
  isOpen(invoice) ? placedEdits(invoice.fees) : [];

/** Refuses to change fees of an invoice that is no draft, as the reference does. Source: engine-money 2.6. */
export function checkDraftEdit({ status }: { readonly status: string }): void {
  if (status !== 'draft') throw forbidden('feature_unavailable');
}

/** A fee that an invoice is made anew with: one of the voided invoice's, or of a price of a subscription that it bills. */
export interface ListedFee {
  /** Of a fee of the voided invoice; null: that of the price. */
  readonly feeKey: string | null;
  readonly price: {
    readonly subscriptionId: string | null;
    readonly chargeId: string | null;
    /** Of the charge. */
    readonly filterId: string | null;
    readonly fixedChargeId: string | null;
  };
  /** What is changed of it by hand; null: it is as it was. */
  readonly edit: FeeEdit | null;
}

const EDITABLE: readonly FeeType[] = ['subscription', 'charge', 'fixed_charge', 'add_on'];

// What events say of their cost, and how many there are, is a part of these prices.
const PRICES_OF_EVENTS: readonly PriceModel[] = ['percentage', 'dynamic', 'custom'];

/** A fee that is to be changed, and how its charge is priced; a subscription has no model. */
export interface EditableFee {
  readonly type: FeeType;
  readonly isTrueUp: boolean;
  readonly isEdited: boolean;
  readonly model: PriceModel | null;
  readonly prorated: boolean;
}

/**
 * Refuses a change of a fee by hand: one that says nothing, a price without units, a number below 0, a second change, a fee that follows from
 * others, and new units of a charge whose price is none of units alone. Source: engine-money 2.6.
 */
export function checkFeeEdit(edit: FeeEdit, { type, isTrueUp, isEdited, model, prorated }: EditableFee): void {
  const { units, preciseUnitAmount, invoiceDisplayName } = edit;
  const isEmpty = units === null && invoiceDisplayName === null;
  const named: readonly (readonly [string, readonly string[]])[] = [
    ['units', isEmpty || (units === null && preciseUnitAmount !== null) ? ['value_is_mandatory'] : []],
    ['units', rangeCodes('fee', 'adjusted_units', units)],
    ['precise_unit_amount', rangeCodes('fee', 'adjusted_precise_unit_amount', preciseUnitAmount)],
  ];
  const faults: ErrorDetails = {};
  for (const [name, codes] of named) if (codes.length > 0) faults[name] = [...codes];
  refuse(faults);
  if (isEdited) throw invalid({ adjusted_fee: ['already_exists'] });
  if (isTrueUp || !EDITABLE.includes(type)) throw invalid({ fee: ['value_is_invalid'] });
  const isOfEvents = model !== null && (PRICES_OF_EVENTS.includes(model) || (model === 'graduated' && prorated));
  if (units !== null && preciseUnitAmount === null && isOfEvents) throw invalid({ charge: ['invalid_charge_model'] });
}
