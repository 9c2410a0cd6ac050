import type { AppliedPricingUnit } from '../catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../catalogue/charge-type.ts';
import { type Decimal, decimalText, ZERO } from '../money/decimal.ts';
import { priceFunction } from '../price/price.ts';
import { type AmountDetails, NO_RUNNING_TOTALS } from '../price/price-type.ts';
import type { DraftFee, FeeEdit, FeePlace } from './draft-fee.ts';
import type { InvoiceFee } from './invoice-fee.ts';
import { type RoundedAmounts, roundFee } from './rounding.ts';
import { amountSteps, type FeeStep, type Trace, tells } from './step.ts';

/** The prices of the charge or fixed charge of a fee. */
export interface EditedCharge {
  readonly model: PriceModel;
  readonly properties: ChargeProperties;
  readonly pricingUnit?: AppliedPricingUnit | null;
}

/** An edit, and which fee of a subscription it is for. */
export interface PlacedEdit {
  readonly place: FeePlace & { readonly subscriptionId: string | null };
  readonly edit: FeeEdit;
}

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);

/** A text that is the same for a fee of a subscription whenever it is computed: identifiers are new ones each time. */
export const placeKey = ({ type, chargeId, filterId, fixedChargeId, groupedBy }: FeePlace): string =>
  JSON.stringify([type, chargeId, filterId, fixedChargeId, Object.entries(groupedBy).sort(byKey)]);

/** Whether two fees of a subscription on one draft are the same one, computed at two times. */
export const isSamePlace = (one: FeePlace, other: FeePlace): boolean => placeKey(one) === placeKey(other);

/** What was changed by hand on a fee that is computed; undefined where nothing was. */
export const editOf = (edits: readonly PlacedEdit[], fee: FeePlace): FeeEdit | undefined =>
  edits.find(({ place }) => isSamePlace(place, fee))?.edit;

/**
 * A usage fee before it is owned, with its units or unit amount changed by hand; it is kept even when it is empty. New units are priced in
 * full, never prorated; a new unit price is multiplied, and its unit amount is rounded instead of cut. 10 units at 500 are 5000; 1000 units
 * at 0.1 cents are 100, unit amount 0. Source: pricing 8.6 and invoicing 6.
 */
export function editUnits<F extends DraftFee>(
  fee: F,
  charge: EditedCharge,
  currency: string,
  edit: FeeEdit,
  trace?: Trace,
): F {
  const { units, preciseUnitAmount: unitAmount } = edit;
  if (units === null) return { ...fee, edit };
  const { steps, ...amounts } =
    unitAmount === null ? atChargePrices(charge, currency, units) : atUnitPrice(charge, currency, units, unitAmount);
  trace?.(fee.key, [tells('by_hand', { units }), ...steps]);
  const eventsCount = fee.type === 'charge' ? ZERO : null;
  // They were counted from events.
  return { ...fee, edit, units, ...amounts, eventsCount, presentationBreakdowns: [] };
}

/** A fee with the name that was given to it by hand, if one was. */
export function editName(fee: InvoiceFee): InvoiceFee {
  const invoiceDisplayName = fee.edit?.invoiceDisplayName ?? fee.item.invoiceDisplayName;
  return { ...fee, item: { ...fee.item, invoiceDisplayName } };
}

/** A fee of a draft with its units, unit amount or name changed by hand: `editUnits` and `editName`. */
export const editFee = (
  fee: InvoiceFee,
  charge: EditedCharge,
  currency: string,
  edit: FeeEdit,
  trace?: Trace,
): InvoiceFee => editName(editUnits(fee, charge, currency, edit, trace));

/** A subscription fee changed by hand: new units are multiplied by what the period costs. 3 units of 12900 are 38700. */
export function editPlanFee(fee: InvoiceFee, currency: string, edit: FeeEdit, trace?: Trace): InvoiceFee {
  const properties = { amount: decimalText(fee.preciseUnitAmount) };
  return editFee(fee, { model: 'standard', properties }, currency, edit, trace);
}

type EditedAmounts = RoundedAmounts & { readonly amountDetails: AmountDetails; readonly steps: readonly FeeStep[] };

function atUnitPrice(charge: EditedCharge, currency: string, units: Decimal, unitAmount: Decimal): EditedAmounts {
  const { pricingUnit } = charge;
  const options = { currency, pricingUnit, roundUnitAmount: true };
  const amount = units.times(unitAmount);
  const steps = amountSteps([{ kind: 'units', units, unitAmount, amount }], options);
  return { amountDetails: {}, steps, ...roundFee(amount, unitAmount, options) };
}

function atChargePrices(charge: EditedCharge, currency: string, units: Decimal): EditedAmounts {
  const { model, properties, pricingUnit } = charge;
  const { amount, unitAmount, amountDetails, steps } = priceFunction(model)(properties, {
    units,
    fullUnits: null,
    eventsCount: ZERO,
    runningTotals: NO_RUNNING_TOTALS,
    preciseTotalAmountCents: ZERO,
    currency,
  });
  const options = { currency, pricingUnit };
  return { amountDetails, steps: amountSteps(steps(), options), ...roundFee(amount, unitAmount, options) };
}
