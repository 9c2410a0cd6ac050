import { Decimal } from '../../../src/billing/money/decimal.ts';
import type { ChargeJson, CouponJson, PlanJson, SetupJson } from './scenario-type.ts';
import type { Json } from './vector-type.ts';

/** A fee as an answer shows it: what is needed to know which coupons and taxes reach it. */
interface ShownFee {
  readonly type: string;
  readonly plan: PlanJson | undefined;
  readonly metric: string | null;
  readonly item: string | null;
  readonly amount: Decimal;
  share: Decimal;
}

const ZERO = new Decimal(0);
const HUNDRED = new Decimal(100);
const SHARE_DECIMALS = 5;

const decimal = (value: unknown) => new Decimal(String(value ?? 0));
const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), ZERO);
const whole = (value: Decimal) => value.toDecimalPlaces(0, Decimal.ROUND_HALF_UP);
const text = (value: unknown) => (value == null ? null : String(value));

/**
 * What coupons and taxes have to make of the fees of an answer, reckoned from the case alone and not by the rules that
 * are judged: the amounts below the fees, and each fee's share. Null where the case has more than is reckoned here.
 */
export function previewAmounts(vectorCase: Json, shownFees: readonly Json[], currency: unknown): Json | null {
  const setup = vectorCase.setup as SetupJson;
  const params = ((vectorCase.action as Json).params ?? {}) as Json;
  if (!isReckoned(setup, params)) return null;
  const fees = shownFees.map((fee) => shown(fee, setup, params));
  const gross = sum(fees.map(({ amount }) => amount));
  const { net } = useCoupons(fees, gross, setup.coupons ?? [], String(currency));
  const exactTaxes = sum(
    fees.map((fee) =>
      fee.amount
        .minus(fee.share)
        .times(rateOf(fee, setup, params))
        .div(HUNDRED),
    ),
  );
  const taxes = whole(exactTaxes);
  const due = net.plus(taxes);
  const notes = Decimal.min(due, balances(setup.credit_notes, 'balance_amount_cents', currency));
  const isStored = setup.customer?.persisted !== false && setup.customer !== null;
  const prepaid = isStored ? Decimal.min(due.minus(notes), balances(setup.wallets, 'balance_cents', currency)) : ZERO;
  return {
    fees_amount_cents: gross,
    coupons_amount_cents: gross.minus(net),
    sub_total_excluding_taxes_amount_cents: net,
    taxes_amount_cents: taxes,
    // Without a sub-total the rate follows from the number of fees, which is not reckoned here.
    ...(net.gt(0) ? { taxes_rate: exactTaxes.times(HUNDRED).div(net).toDecimalPlaces(5, Decimal.ROUND_HALF_UP) } : {}),
    sub_total_including_taxes_amount_cents: due,
    credit_notes_amount_cents: notes,
    prepaid_credit_amount_cents: prepaid,
    total_amount_cents: due.minus(notes).minus(prepaid),
    shares: fees.map(({ share }) => share),
  };
}

/** What coupons make of fees that are given as such. */
export function couponAmounts({ fees = [], coupons = [], ...setup }: SetupJson): Json {
  const all = fees.map((fee) => ({
    type: fee.type,
    plan: { code: fee.plan ?? '', amount_cents: 0 },
    metric: fee.metric ?? null,
    item: null,
    amount: decimal(fee.amount_cents),
    share: decimal(fee.precise_coupons_amount_cents),
  }));
  const start = setup.invoice_sub_total_cents ?? sum(all.map(({ amount, share }) => amount.minus(share))).toFixed(0);
  const { net, count } = useCoupons(all, decimal(start), coupons, setup.invoice_currency ?? 'EUR');
  return {
    coupons_amount_cents: decimal(start).minus(net).plus(decimal(setup.coupons_amount_cents)),
    sub_total_excluding_taxes_amount_cents: net,
    credits_count: count,
    shares: all.map(({ share }) => share),
  };
}

/** A note of a termination, progressive invoices and wallets for some fees only are not reckoned here. */
function isReckoned(setup: SetupJson, params: Json): boolean {
  const asked = (params.subscriptions ?? {}) as Json;
  const subscriptions = setup.subscriptions ?? (setup.subscription ? [setup.subscription] : []);
  const ends = asked.terminated_at != null || subscriptions.some(({ status }) => status === 'terminated');
  const changes = asked.plan_code != null;
  const limited = (setup.wallets ?? []).some((one) => one.allowed_fee_types?.length || one.billable_metrics?.length);
  return !ends && !changes && !limited && !setup.progressive_invoices?.length;
}

function shown(fee: Json, setup: SetupJson, params: Json): ShownFee {
  const plans = setup.plans ?? (setup.plan ? [setup.plan] : []);
  const subscriptions = setup.subscriptions ?? (setup.subscription ? [setup.subscription] : []);
  const subscribed = subscriptions.find(({ id }) => id === fee.subscription)?.plan ?? params.plan_code;
  return {
    type: String(fee.type),
    plan: plans.find(({ code }) => code === subscribed) ?? (plans.length === 1 ? plans[0] : undefined),
    metric: text(fee.metric),
    item: text(fee.charge ?? fee.fixed ?? (fee.item as Json | undefined)?.code),
    amount: decimal(fee.amount_cents),
    share: ZERO,
  };
}

/** Metrics first, then plans, then the others; each takes of what the ones before left. */
function useCoupons(fees: ShownFee[], start: Decimal, coupons: readonly CouponJson[], currency: string) {
  let net = start;
  let count = 0;
  for (const rank of [0, 1, 2]) {
    for (const coupon of coupons.filter((one) => rankOf(one) === rank)) {
      const taken = net.gt(0) ? takenBy(coupon, fees, net, currency) : ZERO;
      net = net.minus(taken);
      if (taken.gt(0)) count += 1;
    }
  }
  return { net, count };
}

const rankOf = ({ limited_billable_metrics: metrics, limited_plans: plans }: CouponJson) =>
  metrics?.length ? 0 : plans?.length ? 1 : 2;

function takenBy(coupon: CouponJson, fees: ShownFee[], net: Decimal, currency: string): Decimal {
  const isFixed = coupon.coupon_type !== 'percentage';
  if (isFixed && coupon.amount_currency !== currency) return ZERO;
  const reached = fees.filter((fee) => reaches(coupon, fee));
  if (reached.length === 0) return ZERO;
  const left = sum(reached.map((fee) => Decimal.max(0, fee.amount.minus(fee.share))));
  const base = rankOf(coupon) === 2 ? net : Decimal.min(left, net);
  const used = (coupon.frequency ?? 'once') === 'once' ? decimal(coupon.already_credited_cents) : ZERO;
  const wanted = isFixed
    ? decimal(coupon.amount_cents).minus(used)
    : whole(base.times(decimal(coupon.percentage_rate)).div(HUNDRED));
  const taken = Decimal.max(0, Decimal.min(wanted, base.trunc()));
  spread(taken, reached, left);
  return taken;
}

function reaches(coupon: CouponJson, { type, plan, metric }: ShownFee): boolean {
  const rank = rankOf(coupon);
  if (rank === 0)
    return type === 'charge' && metric !== null && coupon.limited_billable_metrics?.includes(metric) === true;
  return rank === 2 || coupon.limited_plans?.includes(plan?.code ?? '') === true;
}

/** In proportion to what is left of the fees, at five decimals; the largest takes what rounding leaves over. */
function spread(taken: Decimal, fees: ShownFee[], left: Decimal): void {
  if (left.isZero()) return;
  const parts = fees.map(({ amount, share }) =>
    taken
      .times(Decimal.max(0, amount.minus(share)))
      .div(left)
      .toDecimalPlaces(SHARE_DECIMALS, Decimal.ROUND_HALF_UP),
  );
  const lefts = fees.map(({ amount, share }) => amount.minus(share).toNumber());
  const largest = lefts.indexOf(Math.max(...lefts));
  const over = taken.minus(sum(parts));
  fees.forEach((fee, at) => {
    fee.share = fee.share.plus(parts[at] ?? ZERO).plus(at === largest ? over : ZERO);
  });
}

/** In percent: the taxes of what was sold, else of the plan, the customer, the entity that is billed. */
function rateOf(fee: ShownFee, setup: SetupJson, params: Json): Decimal {
  const provider = setup.tax_provider;
  if (provider) return provider.result === 'rate' ? decimal(provider.rate) : ZERO;
  const asked = params.billing_entity_code;
  const entity = [setup.other_billing_entity, setup.billing_entity].find((one) => one?.code === asked);
  const sources = [
    soldOf(fee),
    fee.plan?.tax_codes,
    setup.customer?.tax_codes,
    (entity ?? setup.billing_entity)?.tax_codes,
  ];
  const codes = sources.find((each) => each && each.length > 0) ?? [];
  return sum(codes.map((code) => decimal(setup.taxes?.find((tax) => tax.code === code)?.rate)));
}

function soldOf({ type, plan, metric, item }: ShownFee): string[] | undefined {
  if (type === 'commitment') return plan?.minimum_commitment?.tax_codes;
  const isIt = ({ code, metric: its }: ChargeJson) => (metric === null ? code === item : its === metric);
  if (type === 'charge')
    return (plan?.charges?.find(({ code }) => code === item) ?? plan?.charges?.find(isIt))?.tax_codes;
  return plan?.fixed_charges?.find(({ code, add_on }) => type === 'fixed_charge' && [code, add_on].includes(item ?? ''))
    ?.tax_codes;
}

/** What notes or wallets of the currency hold together. */
function balances(list: readonly object[] | undefined, member: string, currency: unknown): Decimal {
  const open = ((list ?? []) as Json[]).filter(
    (one) => !['draft', 'terminated'].includes(String(one.status)) && (one.currency ?? currency) === currency,
  );
  return sum(open.map((one) => decimal(one[member])));
}
