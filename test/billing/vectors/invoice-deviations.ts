import { Decimal } from '../../../src/billing/money/decimal.ts';
import { couponAmounts, previewAmounts } from './preview-amounts.ts';
import { agrees, matchSet } from './scenario-compare.ts';
import type { SetupJson } from './scenario-type.ts';
import type { Difference, Json } from './vector-type.ts';

interface Question {
  readonly vectorCase: Json;
  readonly difference: Difference;
}

const CENT = 1;
const BEHIND_WALLETS: readonly string[] = ['prepaid_credit_amount_cents', 'total_amount_cents', 'wallets_after'];
const BEHIND_NOTES: readonly string[] = [...BEHIND_WALLETS, 'credit_notes_amount_cents', 'credits'];
const DATES: readonly string[] = ['issuing_date', 'payment_due_date', 'expected_finalization_date'];
const DAY = 86_400_000;
// What taxes change of an invoice and of a fee, and what coupons change beside them; nothing else may differ.
const BEHIND_TAXES: readonly string[] = [
  ...BEHIND_NOTES,
  'taxes_amount_cents',
  'taxes_rate',
  'sub_total_including_taxes_amount_cents',
];
const BEHIND_COUPONS: readonly string[] = [
  ...BEHIND_TAXES,
  'coupons_amount_cents',
  'sub_total_excluding_taxes_amount_cents',
  'precise_coupons_amount_cents',
  'credits_count',
];

// What fewer fees change of an invoice without credits.
const BEHIND_FEES: readonly string[] = [
  'fees_amount_cents',
  'sub_total_excluding_taxes_amount_cents',
  'taxes_amount_cents',
  'sub_total_including_taxes_amount_cents',
  'total_amount_cents',
];

/** Values of whole invoices that differ from the cases on purpose; each case is one difference, expected and actual whole. */
export const INVOICE_DEVIATIONS = [
  {
    file: 'invoice-scenarios',
    name: 'previews need no licence',
    reason: 'the case refuses a preview without a paid option; every installation here has all of them',
    applies: ({ vectorCase, difference }: Question) => {
      const { status } = errorOf(difference.expected);
      return isPreview(vectorCase) && (status === 403 || status === 405);
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'there is always an organization',
    reason: 'the case has no organization behind the request; here the key decides it, so the rules never meet that',
    applies: ({ difference }: Question) => errorOf(difference.expected).code === 'organization_not_found',
  },
  {
    file: 'invoice-scenarios',
    name: 'day prices are exact',
    reason:
      'the case divides with binary floats: 999 / 30 x 15 gives 499.49999, exactly it is 499.5; at most a cent apart',
    applies: ({ vectorCase, difference }: Question) =>
      actionOf(vectorCase).what === 'termination_credit_note' && isWithin(difference, CENT) && isExactItem(difference),
  },
  {
    file: 'invoice-scenarios',
    name: 'events after a preview are not billed in it',
    reason: 'the case bills events of ten hours after its moment; invoicing 17.3 counts events up to now',
    applies: ({ vectorCase, difference }: Question) => {
      const events = (setupOf(vectorCase).events ?? []) as Json[];
      const now = momentOf(actionOf(vectorCase).now);
      const expected = jsonOf(difference.expected);
      const left = { ...expected, fees: listOf(expected.fees).filter(({ type }) => type !== 'charge') };
      return (
        isPreview(vectorCase) &&
        events.length > 0 &&
        events.every(({ timestamp }) => momentOf(timestamp) > now) &&
        isSameBut({ ...difference, expected: left }, BEHIND_FEES) &&
        isReckoned(vectorCase, difference) &&
        isReckoned(vectorCase, { ...difference, actual: { ...expected, currency: jsonOf(difference.actual).currency } })
      );
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'a preview uses limited coupons as the invoice does',
    reason:
      'the case ignores coupons limited to metrics and lets plan-limited ones reach all fees; ours reach their own fees',
    applies: ({ vectorCase, difference }: Question) => {
      const coupons = (setupOf(vectorCase).coupons ?? []) as Json[];
      const limited = coupons.some((one) => isFilled(one.limited_billable_metrics) || isFilled(one.limited_plans));
      return (
        (isPreview(vectorCase) || actionOf(vectorCase).mode === 'preview') &&
        limited &&
        isSameBut(difference, BEHIND_COUPONS) &&
        isReckoned(vectorCase, difference)
      );
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'a preview rounds wallets as the invoice does',
    reason:
      'the case cuts what wallets pay and cuts the total apart from it; ours are rounded, and add up: a cent apart',
    applies: ({ vectorCase, difference }: Question) =>
      isPreview(vectorCase) &&
      isFilled(setupOf(vectorCase).wallets) &&
      isWithin(difference, CENT) &&
      isSameBut(difference, BEHIND_WALLETS) &&
      addsUp(difference),
  },
  {
    file: 'invoice-scenarios',
    name: 'stored notes see what the termination note took',
    reason:
      'the case measures the note of the termination and stored notes each against the whole total; ours pay it once',
    applies: ({ vectorCase, difference }: Question) => {
      const notes = isFilled(setupOf(vectorCase).credit_notes);
      if (!notes || !paysMore(difference)) return false;
      const isWhole = isPreview(vectorCase) && isSameBut(difference, BEHIND_NOTES) && addsUp(difference);
      return isWhole || actionOf(vectorCase).what === 'preview_credits';
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'the next period starts the day after the last one ends',
    reason: 'the case adds 24 hours in a night when clocks go forward and dates the preview a day late',
    applies: ({ vectorCase, difference }: Question) => {
      const [expected, actual] = [jsonOf(difference.expected), jsonOf(difference.actual)];
      const stated = DATES.filter((name) => expected[name] != null);
      const isLate = (name: string) => momentOf(expected[name]) - momentOf(actual[name]) === DAY;
      const late = isPreview(vectorCase) && stated.length > 0 && stated.every(isLate);
      return late && isSameBut(difference, DATES) && isShortNight(zoneOf(vectorCase), momentOf(actual.issuing_date));
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'taxes follow the entity that is billed',
    reason: 'the case taxes with the entity of the customer although another one is asked for; ours tax with that one',
    applies: ({ vectorCase, difference }: Question) =>
      isPreview(vectorCase) &&
      setupOf(vectorCase).other_billing_entity !== undefined &&
      isSameBut(difference, BEHIND_TAXES) &&
      isReckoned(vectorCase, difference),
  },
];

function jsonOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function actionOf(vectorCase: Json): Json {
  return jsonOf(vectorCase.action);
}

function setupOf(vectorCase: Json): Json {
  return jsonOf(vectorCase.setup);
}

function errorOf(expected: unknown): Json {
  return jsonOf(jsonOf(expected).error);
}

function isPreview(vectorCase: Json): boolean {
  return actionOf(vectorCase).type === 'preview';
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** Whether no amount that is stated is further apart; lists of fees are not looked into. */
function isWithin({ expected, actual }: Difference, cents: number): boolean {
  const ours = jsonOf(actual);
  return Object.entries(jsonOf(expected)).every(([name, value]) => {
    if (!/_cents$/.test(name) || value === null) return true;
    const other = ours[name];
    return other != null && new Decimal(String(value)).minus(String(other)).abs().lte(cents);
  });
}

/** Whether both have an answer, and the same in everything that the case states but these members. */
function isSameBut({ expected, actual }: Difference, members: readonly string[]): boolean {
  const [theirs, ours] = [jsonOf(expected), jsonOf(actual)];
  if (theirs.error !== undefined || ours.error !== undefined) return false;
  const { fees, fees_include_only_listed_types: types, ...stated } = without(theirs, members);
  const compared = listOf(ours.fees).filter((fee) => !types || (types as unknown[]).includes(fee.type));
  const sameFees =
    fees == null ||
    matchSet(
      listOf(fees).map((fee) => without(fee, members)),
      compared,
    )?.length === 0;
  // Not every view of an answer has every member; which one is asked for is compared where the case is judged.
  return sameFees && Object.entries(stated).every(([name, value]) => !(name in ours) || agrees(value, ours[name]));
}

/** Whether every amount is what the case's own coupons and taxes make of the fees. */
function isReckoned(vectorCase: Json, { actual }: Difference): boolean {
  const ours = jsonOf(actual);
  const right = isPreview(vectorCase)
    ? previewAmounts(vectorCase, listOf(ours.fees), ours.currency)
    : couponAmounts(setupOf(vectorCase) as SetupJson);
  if (!right) return false;
  const { shares, ...amounts } = right;
  const sameShares = listOf(ours.fees).every(
    ({ precise_coupons_amount_cents: share }, at) =>
      share == null || new Decimal(String(share)).eq((shares as Decimal[])[at] ?? Number.NaN),
  );
  // The answer through REST has no rate; an amount has to be there.
  const isSame = ([name, value]: [string, unknown]) =>
    String(value) === String(ours[name]) || (name === 'taxes_rate' && !(name in ours));
  const lines = listOf(ours.credits).filter((line) => line.before_taxes === true);
  const sameLines = ours.credits === undefined || totalOf(lines).eq(String(ours.coupons_amount_cents));
  return sameShares && sameLines && Object.entries(amounts).every(isSame);
}

/** What is to be paid is what the credits leave. */
function addsUp({ actual }: Difference): boolean {
  const ours = jsonOf(actual);
  const amount = (name: string) => new Decimal(String(ours[name] ?? Number.NaN));
  const paid = amount('credit_notes_amount_cents').plus(amount('prepaid_credit_amount_cents'));
  return amount('sub_total_including_taxes_amount_cents').minus(paid).eq(amount('total_amount_cents'));
}

function momentOf(date: unknown): number {
  return Date.parse(String(date));
}

function zoneOf(vectorCase: Json): string {
  const setup = setupOf(vectorCase);
  return String(jsonOf(setup.customer).timezone ?? jsonOf(setup.billing_entity).timezone ?? setup.timezone ?? 'UTC');
}

/** Whether clocks go forward within a day of the moment. */
function isShortNight(zone: string, moment: number): boolean {
  const offset = (at: number) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    const [day, month, year, hour, minute] = format.format(at).split(/\D+/).map(Number);
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute) - at;
  };
  return offset(moment + DAY) > offset(moment - DAY);
}

function without(json: Json, members: readonly string[]): Json {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !members.includes(name)));
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(jsonOf) : [];
}

function isExactItem({ actual }: Difference): boolean {
  const item = jsonOf(actual).item_precise_amount_cents;
  return item !== undefined && new Decimal(String(item)).decimalPlaces() <= 1;
}

/** The expected credits come to more than ours: something was paid twice. */
function paysMore({ expected, actual }: Difference): boolean {
  return totalOf(jsonOf(expected).credits).gt(totalOf(jsonOf(actual).credits));
}

function totalOf(credits: unknown): Decimal {
  const list: unknown[] = Array.isArray(credits) ? credits : [];
  const amounts = list.map((credit) => jsonOf(credit).amount_cents ?? credit);
  return amounts.reduce((total: Decimal, amount) => total.plus(String(amount)), new Decimal(0));
}
