import { Decimal } from '../../../src/billing/decimal.ts';
import type { Difference, Json } from './vector-type.ts';

interface Question {
  readonly vectorCase: Json;
  readonly difference: Difference;
}

const CENT = 1;
// What neither coupons nor taxes can change: a difference there is a fault, whatever else differs on purpose.
const BEFORE_COUPONS = ['currency', 'issuing_date', 'payment_due_date', 'fees_amount_cents'] as const;
const BEFORE_TAXES = [...BEFORE_COUPONS, 'coupons_amount_cents', 'sub_total_excluding_taxes_amount_cents'] as const;

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
    name: 'a preview uses limited coupons as the invoice does',
    reason:
      'the case ignores coupons limited to metrics and lets plan-limited ones reach all fees; ours reach their own fees',
    applies: ({ vectorCase, difference }: Question) => {
      const coupons = (setupOf(vectorCase).coupons ?? []) as Json[];
      const limited = coupons.some((one) => isFilled(one.limited_billable_metrics) || isFilled(one.limited_plans));
      return (
        (isPreview(vectorCase) || actionOf(vectorCase).mode === 'preview') &&
        limited &&
        isSameIn(difference, BEFORE_COUPONS)
      );
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'a preview rounds wallets as the invoice does',
    reason:
      'the case cuts what wallets pay and cuts the total apart from it; ours are rounded, and add up: a cent apart',
    applies: ({ vectorCase, difference }: Question) =>
      isPreview(vectorCase) && isFilled(setupOf(vectorCase).wallets) && isWithin(difference, CENT),
  },
  {
    file: 'invoice-scenarios',
    name: 'stored notes see what the termination note took',
    reason:
      'the case measures the note of the termination and stored notes each against the whole total; ours pay it once',
    applies: ({ vectorCase, difference }: Question) => {
      const notes = isFilled(setupOf(vectorCase).credit_notes);
      return (
        notes && (actionOf(vectorCase).what === 'preview_credits' || isPreview(vectorCase)) && paysMore(difference)
      );
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'the next period starts the day after the last one ends',
    reason: 'the case adds 24 hours in a night when clocks go forward and dates the preview a day late',
    applies: ({ vectorCase, difference }: Question) => {
      const [expected, actual] = [jsonOf(difference.expected), jsonOf(difference.actual)];
      const dates = [Date.parse(String(expected.issuing_date)), Date.parse(String(actual.issuing_date))] as const;
      return isPreview(vectorCase) && dates[0] - dates[1] === 86_400_000;
    },
  },
  {
    file: 'invoice-scenarios',
    name: 'taxes follow the entity that is billed',
    reason: 'the case taxes with the entity of the customer although another one is asked for; ours tax with that one',
    applies: ({ vectorCase, difference }: Question) =>
      isPreview(vectorCase) &&
      setupOf(vectorCase).other_billing_entity !== undefined &&
      isSameIn(difference, BEFORE_TAXES),
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

/** Whether both have an answer, and the same in each of the members that the case states. */
function isSameIn({ expected, actual }: Difference, members: readonly string[]): boolean {
  const [theirs, ours] = [jsonOf(expected), jsonOf(actual)];
  if (theirs.error !== undefined || ours.error !== undefined) return false;
  return members.every((name) => theirs[name] == null || String(theirs[name]) === String(ours[name]));
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
