import { eventsInMemory } from '../../../src/billing/aggregate/usage-source.ts';
import type { PlanFixedChargeInput } from '../../../src/billing/catalogue/plan.ts';
import type { UnitEvent } from '../../../src/billing/customer/subscription.ts';
import { draftFee } from '../../../src/billing/fee/draft-fee.ts';
import type { PlacedEdit } from '../../../src/billing/fee/edited-fee.ts';
import { isBillable } from '../../../src/billing/fee/fee.ts';
import { fixedChargeUnits, proposedFixedUnits } from '../../../src/billing/fee/fixed-charge.ts';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { fixedChargeInvoiceFee } from '../../../src/billing/fee/owned-fee.ts';
import { trueUpFee } from '../../../src/billing/fee/true-up.ts';
import type { CustomerAccount } from '../../../src/billing/invoice/account.ts';
import { editsOf } from '../../../src/billing/invoice/edited-draft.ts';
import type { InvoiceStatus } from '../../../src/billing/invoice/issued-invoice.ts';
import type { PastInvoice } from '../../../src/billing/invoice/past-invoice.ts';
import { dec, ONE, ZERO } from '../../../src/billing/money/decimal.ts';
import { boundaries } from '../../../src/billing/period/boundaries.ts';
import type { ChargePeriod } from '../../../src/billing/period/charge-period.ts';
import { type BilledSubscription, billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { fixedFees, fixedIncreaseFee, unitHistory } from '../../../src/billing/subscription/fixed-fees.ts';
import {
  cents,
  chargeInput,
  customerInput,
  feeInput,
  fixedChargeInput,
  moment,
  planInput,
  subscriptionInput,
} from './scenario-input.ts';
import type { Amount, FixedChargeJson, PlanJson, ScenarioJson, SubscriptionJson } from './scenario-type.ts';

interface Prepared {
  readonly account: CustomerAccount;
  readonly billed: BilledSubscription;
  readonly charge: PlanFixedChargeInput;
  readonly history: readonly UnitEvent[];
}

interface UnitChangeJson {
  units: Amount;
  timestamp: string;
  created_at: string;
}

interface PaidJson {
  amount_cents: Amount;
  from: string;
  to: string;
  issued_at: string;
}

interface AdjustedJson {
  units?: Amount;
  unit_amount_cents?: Amount;
  invoice_display_name?: string;
}

const PREVIOUS = 'old';

/** One subscription with one fixed charge, at the moment the case names. */
function prepare({ setup, action }: ScenarioJson, history: readonly UnitEvent[]): Prepared {
  const charge = fixedChargeInput(setup.fixed_charge as FixedChargeJson, setup.taxes);
  const plan = { ...planInput(setup.plan as PlanJson, setup.taxes), fixedCharges: [charge] };
  const json = setup.subscription as SubscriptionJson;
  const subscription = { ...subscriptionInput(json, plan), unitEvents: { [charge.id]: history } };
  const previous = {
    ...subscription,
    id: PREVIOUS,
    status: 'terminated' as const,
    previousId: null,
    nextId: subscription.id,
  };
  const account: CustomerAccount = {
    customer: customerInput(setup),
    billingEntity: {
      id: 'be',
      code: 'be',
      name: 'be',
      finalizeZeroAmountInvoice: true,
      taxes: [],
      documentNumbering: 'per_customer',
      documentNumberPrefix: 'BE',
    },
    subscriptions: [subscription, ...(subscription.previousId === null ? [] : [previous])],
    usage: eventsInMemory([]),
    pastInvoices: [],
    coupons: [],
    creditNotes: [],
    wallets: [],
  };
  const reason = subscription.status === 'terminated' ? 'subscription_terminating' : 'subscription_periodic';
  const billed = billedSubscription(account, subscription, moment(action.timestamp as string), reason);
  return { account, billed, charge, history };
}

/** The fee of a fixed charge for a stated period. */
export function fixedChargeFeeOf(scenario: ScenarioJson) {
  const { setup, action } = scenario;
  const changes = (setup.unit_changes ?? []) as UnitChangeJson[];
  const prepared = prepare(scenario, changes.map(unitEvent));
  const { billed, charge, history, account } = prepared;
  const period = periodOf(action, billed.zone);
  const owner = { subscription: billed.subscription, customer: account.customer, billingEntity: account.billingEntity };
  const past = paidBefore(setup.paid_by_previous_subscription as PaidJson | undefined, charge);
  const place = fixedChargeInvoiceFee(
    draftFee({ key: '', type: 'fixed_charge', fixedChargeId: charge.id }),
    charge,
    owner,
  );
  const [edited] = fixedFees({ ...billed, edits: editsIn(setup, place) }, past, owner, period);
  const { stored } = billed.subscription;
  const units = stored
    ? fixedChargeUnits(history, period, charge.prorated)
    : proposedFixedUnits(charge.units, period, charge.prorated);
  const proratedUnits =
    action.timestamp && isRounded(scenario) ? units.proratedUnits.toDecimalPlaces(2) : units.proratedUnits;
  if (!edited)
    return {
      ...periodView(advancePeriod(billed, charge) ?? period),
      units: ZERO,
      amount_cents: 0,
      kept: false,
      prorated_units: proratedUnits,
    };
  return {
    ...periodView(edited.period ?? period),
    units: edited.units,
    amount_cents: edited.amountCents,
    precise_amount_cents: edited.preciseAmountCents,
    unit_amount_cents: edited.unitAmountCents,
    invoice_display_name: edited.item.invoiceDisplayName,
    prorated_units: proratedUnits,
    kept: isBillable(edited),
  };
}

/** Prorated units are stated with two decimals where the source compares them so. */
function isRounded({ expected }: ScenarioJson): boolean {
  const text = String(expected.prorated_units ?? '');
  return /\.\d{2}$/.test(text);
}

function unitEvent(json: UnitChangeJson): UnitEvent {
  return { units: dec(json.units), timestamp: moment(json.timestamp), createdAt: moment(json.created_at) };
}

function periodOf(action: ScenarioJson['action'], timezone: string): ChargePeriod {
  const [from, to] = [moment(action.from as string), moment(action.to as string)];
  return { from, to, durationDays: action.duration as number, timezone };
}

function advancePeriod(billed: BilledSubscription, charge: PlanFixedChargeInput): ChargePeriod | null {
  if (!charge.payInAdvance) return null;
  const dates = boundaries(billed.terms, billed.at, 'current_usage');
  const { fixedChargesFrom: from, fixedChargesTo: to, fixedChargesDurationDays: durationDays } = dates;
  return from === null || to === null ? null : { from, to, durationDays, timezone: billed.zone };
}

function periodView(period: ChargePeriod) {
  return {
    from_datetime: new Date(period.from).toISOString(),
    to_datetime: new Date(period.to).toISOString(),
    duration: period.durationDays,
  };
}

/** What a case says was changed by hand on a fee, as far as it counts for the invoice. */
function editsIn(setup: ScenarioJson['setup'], fee: InvoiceFee): PlacedEdit[] {
  const json = setup.adjusted_fee as AdjustedJson | undefined;
  if (!json) return [];
  const edit = {
    units: json.units === undefined ? null : dec(json.units),
    preciseUnitAmount: json.unit_amount_cents === undefined ? null : dec(json.unit_amount_cents).div(100),
    invoiceDisplayName: json.invoice_display_name ?? null,
  };
  return editsOf({ status: (setup.invoice_status as InvoiceStatus) ?? 'draft', fees: [{ ...fee, edit }] });
}

/** What an earlier subscription paid in advance for the same add-on. */
function paidBefore(json: PaidJson | undefined, charge: PlanFixedChargeInput): PastInvoice[] {
  if (!json) return [];
  const period = { from: moment(json.from), to: moment(json.to), durationDays: 30, timezone: 'UTC' };
  const fee = fixedFeeInput(charge, json.amount_cents, ONE, PREVIOUS, period);
  return [pastInvoice(PREVIOUS, [fee], moment(json.issued_at))];
}

function fixedFeeInput(
  charge: PlanFixedChargeInput,
  amount: Amount,
  units: InvoiceFee['units'],
  subscription: string,
  period: ChargePeriod,
): InvoiceFee {
  const fee = feeInput({ type: 'fixed_charge', amount_cents: amount, subscription }, 0, []);
  return { ...fee, units, period, fixedChargeId: charge.id, addOnId: charge.addOn.id, payInAdvance: true };
}

function pastInvoice(subscriptionId: string, fees: readonly InvoiceFee[], billedAt: number): PastInvoice {
  const bounds = {
    from: billedAt,
    to: null,
    chargesFrom: null,
    chargesTo: null,
    fixedChargesFrom: null,
    fixedChargesTo: null,
  };
  return {
    id: `invoice-of-${subscriptionId}`,
    number: '',
    type: 'subscription',
    status: 'finalized',
    billedAt,
    issuingDate: '2022-01-01',
    zone: 'UTC',
    billingPeriods: [{ subscriptionId, planId: 'plan', reason: 'subscription_starting', billedAt, ...bounds }],
    fees,
    feesAmountCents: 0n,
    couponsAmountCents: 0n,
    ...{ currency: 'EUR', taxesAmountCents: 0n, subTotalExcludingTaxesAmountCents: 0n },
    subTotalIncludingTaxesAmountCents: 0n,
    totalPaidAmountCents: 0n,
  };
}

/** The fee of a change of units paid in advance. */
export function fixedChargeDeltaOf(scenario: ScenarioJson) {
  const { setup, action } = scenario;
  const at = moment(action.timestamp as string);
  const first = prepare(scenario, []);
  const { charge, account } = first;
  const { subscription } = first.billed;
  const known = unitHistory({ ...subscription, unitEvents: undefined }, charge);
  const history = [...known, { units: dec(action.units as Amount), timestamp: at, createdAt: at }];
  const period = advancePeriod(first.billed, charge);
  const paid = ((setup.paid_units ?? []) as Amount[]).map((units) =>
    period === null ? null : fixedFeeInput(charge, 1, dec(units), subscription.id, period),
  );
  const past = pastInvoice(
    subscription.id,
    paid.flatMap((fee) => fee ?? []),
    subscription.subscriptionAt,
  );
  const changed = { ...subscription, unitEvents: { [charge.id]: history } };
  const seen = { ...account, subscriptions: [changed], pastInvoices: paid.length > 0 ? [past] : [] };
  const billed = billedSubscription(seen, changed, at, 'in_advance_charge');
  const owner = { subscription: changed, customer: account.customer, billingEntity: account.billingEntity };
  const fee = fixedIncreaseFee(billed, charge, owner);
  return { units: fee?.units, amount_cents: fee?.amountCents, precise_amount_cents: fee?.preciseAmountCents };
}

/** The fee that tops a charge up to its spending minimum. */
export function trueUpOf({ setup, action }: ScenarioJson) {
  const json = (setup.plan as PlanJson).charges?.[0];
  if (!json) throw new Error('no charge in the setup');
  const charge = chargeInput(json, setup.taxes);
  const period = {
    from: moment(action.charges_from_datetime as string),
    to: moment(action.charges_to_datetime as string),
    durationDays: action.charges_duration as number,
    timezone: customerInput(setup).timezone ?? 'UTC',
  };
  const used = feeInput(
    { type: 'charge', charge: charge.id, amount_cents: cents(action.used_amount_cents as Amount).toString() },
    0,
    [],
  );
  const fee = trueUpFee({ charge, currency: 'EUR', period }, [used], used);
  return {
    fee: fee && { units: fee.units, amount_cents: fee.amountCents, precise_amount_cents: fee.preciseAmountCents },
  };
}
