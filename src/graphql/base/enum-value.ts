import type * as prismaEnums from '../../store/generated/prisma/enums.ts';

type Enums = typeof prismaEnums;
/** What every value of some enumerations means; a value without its line does not compile. */
export type Meanings<Name extends keyof Enums> = {
  readonly [E in Name]: { readonly [V in keyof Enums[E]]: string };
};

const PERIODS = {
  weekly: 'Every week.',
  monthly: 'Every month.',
  quarterly: 'Every three months.',
  semiannual: 'Every six months.',
  yearly: 'Every year.',
} as const;

/** Values of the catalogue: what is sold, how it is measured and priced. */
export const CATALOGUE_VALUES: Meanings<
  | 'AggregationType'
  | 'ChargeModel'
  | 'CouponExpiration'
  | 'CouponFrequency'
  | 'CouponStatus'
  | 'CouponType'
  | 'EventFate'
  | 'FixedChargeModel'
  | 'PlanInterval'
  | 'PrivilegeValueType'
  | 'RegroupPaidFees'
  | 'RoundingFunction'
> = {
  EventFate: {
    counted: 'It is part of the usage that its subscription has.',
    billed: 'It is part of a final invoice, or of a fee of its own.',
    late: 'It came when its period was billed: nothing bills it any more.',
    unmatched:
      'It has no metric, no subscription at its time, or no charge: it is kept, and counts once they are there.',
    duplicate: 'The same event was stored before: it was refused, and nothing is lost.',
    conflict: 'Another event of the same names was stored before, which stays as it is: it was refused.',
    rejected: 'Something in it is wrong: it was refused, or it is kept and its metric reads no number in it.',
  },
  AggregationType: {
    count_agg: 'The number of events.',
    sum_agg: 'The sum of a property.',
    max_agg: 'The greatest value of a property.',
    unique_count_agg: 'The number of different values of a property.',
    weighted_sum_agg: 'The sum of a property, weighted by the time that it stood.',
    latest_agg: 'The last value of a property.',
    custom_agg: 'A rule of its own.',
  },
  RoundingFunction: {
    round: 'To the nearest, half away from zero.',
    ceil: 'Upwards.',
    floor: 'Downwards.',
  },
  PlanInterval: PERIODS,
  PrivilegeValueType: {
    integer: 'Whole numbers.',
    boolean: 'True or false.',
    string: 'Texts.',
    select: 'One of the texts that the privilege names.',
  },
  ChargeModel: {
    standard: 'A price per unit.',
    graduated: 'Each unit has the price of the range it falls in.',
    package: 'A price for every begun package of units.',
    percentage: 'A rate of the amount used, and a fee per event.',
    volume: 'All units have the price of the range that their number falls in.',
    graduated_percentage: 'Each part of the amount used has the rate of the range it falls in.',
    custom: 'A price computed elsewhere.',
    dynamic: 'Each event carries its own amount.',
  },
  FixedChargeModel: {
    standard: 'A price per unit.',
    graduated: 'Each unit has the price of the range it falls in.',
    volume: 'All units have the price of the range that their number falls in.',
  },
  RegroupPaidFees: { invoice: 'They are put on one invoice at the end of the period.' },
  CouponType: { fixed_amount: 'An amount of money.', percentage: 'A rate of the invoice.' },
  CouponFrequency: {
    once: 'On one invoice, or until the amount is used up.',
    recurring: 'On a number of periods.',
    forever: 'On every invoice.',
  },
  CouponExpiration: { no_expiration: 'It never expires.', time_limit: 'It expires at a given moment.' },
  CouponStatus: { active: 'It can be used.', terminated: 'It has ended or is used up.' },
};

/** Values of customers, billing entities and subscriptions. */
export const SUBSCRIPTION_VALUES: Meanings<
  | 'ActivationRuleStatus'
  | 'AlertDirection'
  | 'AlertType'
  | 'BillingTime'
  | 'CancellationReason'
  | 'CustomerAccountType'
  | 'CustomerType'
  | 'DocumentNumbering'
  | 'FinalizeZeroAmountInvoice'
  | 'IssuingDateAdjustment'
  | 'IssuingDateAnchor'
  | 'OnTerminationCreditNote'
  | 'OnTerminationInvoice'
  | 'PaymentMethodType'
  | 'SubscriptionStatus'
> = {
  DocumentNumbering: {
    per_customer: 'Each customer has numbers of its own.',
    per_billing_entity: 'The billing entity counts through all its customers.',
  },
  IssuingDateAnchor: {
    current_period_end: 'The last day of the period that is billed.',
    next_period_start: 'The first day of the period after it.',
  },
  IssuingDateAdjustment: {
    keep_anchor: 'The issuing date stays at its anchor.',
    align_with_finalization_date: 'The issuing date is the day that the invoice becomes final.',
  },
  CustomerAccountType: {
    customer: 'Somebody who is billed.',
    partner: 'Somebody who bills the organization through invoices it writes itself.',
  },
  CustomerType: { company: 'A company.', individual: 'A person.' },
  FinalizeZeroAmountInvoice: {
    inherit: 'As the billing entity says.',
    skip: 'They are not issued.',
    finalize: 'They are issued like any other.',
  },
  SubscriptionStatus: {
    pending: 'It has not begun.',
    active: 'It runs and is billed.',
    terminated: 'It has ended.',
    canceled: 'It was called off before it began.',
    incomplete: 'It waits for what activates it.',
  },
  AlertType: {
    current_usage_amount: 'What the usage of the period that runs costs.',
    billable_metric_current_usage_amount: 'What the usage of a metric costs in the period that runs.',
    billable_metric_current_usage_units: 'The units of a metric in the period that runs.',
    lifetime_usage_amount: 'What the usage of all periods costs.',
  },
  AlertDirection: { increasing: 'It rises to them.', decreasing: 'It falls to them.' },
  BillingTime: {
    calendar: 'Weeks, months and years of the calendar.',
    anniversary: 'Periods counted from the day that the subscription began.',
  },
  CancellationReason: {
    payment_failed: 'The first payment failed.',
    timeout: 'What activates it did not come in time.',
  },
  OnTerminationCreditNote: {
    credit: 'A credit note gives it back as credit.',
    skip: 'It is lost.',
    refund: 'A credit note gives it back as money.',
    offset: 'A credit note takes it off what is still owed.',
  },
  OnTerminationInvoice: { generate: 'It makes a last invoice.', skip: 'It makes none.' },
  PaymentMethodType: { provider: 'A payment provider.', manual: 'Somebody, by hand.' },
  ActivationRuleStatus: {
    inactive: 'Not in force yet.',
    pending: 'Waiting.',
    satisfied: 'Fulfilled.',
    declined: 'Turned down.',
    failed: 'Not fulfilled.',
    expired: 'Not fulfilled in time.',
    not_applicable: 'Nothing to be fulfilled.',
  },
};
