import type { Interval } from '../period/terms.ts';
import {
  AMOUNT,
  BOOLEAN,
  CURRENCY,
  choice,
  codes,
  DECIMAL,
  initially,
  METADATA,
  mandatory,
  optional,
  PRICE,
  TEXT,
  type Values,
} from './field.ts';
import { resource } from './resource.ts';

const FIELDS = {
  code: mandatory(TEXT),
  name: mandatory(TEXT),
  description: optional(TEXT),
  invoiceDisplayName: optional(TEXT),
  interval: mandatory(choice<Interval>('PlanInterval')),
  amountCents: mandatory(AMOUNT),
  amountCurrency: mandatory(CURRENCY),
  payInAdvance: mandatory(BOOLEAN),
  trialPeriod: initially(DECIMAL, '0'),
  billChargesMonthly: initially(BOOLEAN, false),
  billFixedChargesMonthly: initially(BOOLEAN, false),
  metadata: optional(METADATA),
  taxCodes: codes('tax', 'taxes'),
};

type Plan = Values<typeof FIELDS>;

/** Only periods of more than a quarter can be billed month by month. */
const settled = (plan: Plan): Plan =>
  plan.interval === 'yearly' || plan.interval === 'semiannual'
    ? plan
    : { ...plan, billChargesMonthly: false, billFixedChargesMonthly: false };

/** What a subscription is billed by, without its prices. Source: engine-catalogue 10. */
export const PLAN = resource('plan', FIELDS, undefined, settled);

const { name, description, invoiceDisplayName, amountCents, amountCurrency, trialPeriod, metadata, taxCodes } = FIELDS;

/** What of a plan can be another for one subscription. Source: engine-catalogue 12.7. */
export const PLAN_OVERRIDES = resource('plan', {
  ...{ name, description, invoiceDisplayName, amountCents, amountCurrency, trialPeriod, metadata, taxCodes },
});

/** The least amount that a period of a plan costs. */
export const MINIMUM_COMMITMENT = resource('minimum_commitment', {
  amountCents: mandatory(PRICE),
  invoiceDisplayName: optional(TEXT),
  taxCodes: codes('tax', 'taxes'),
});

/** An amount of usage that triggers an invoice. */
export const USAGE_THRESHOLD = resource('usage_threshold', {
  amountCents: mandatory(PRICE),
  thresholdDisplayName: optional(TEXT),
  recurring: initially(BOOLEAN, false),
});
