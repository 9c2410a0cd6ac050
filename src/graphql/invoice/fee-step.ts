import type { FeeStep, FeeStepKind } from '../../billing/fee/step.ts';
import type { Decimal } from '../../billing/money/decimal.ts';
import { builder } from '../base/builder.ts';

const KINDS: Readonly<Record<FeeStepKind, string>> = {
  usage: 'The usage that is billed: how many events, and the units that they come to.',
  prorated_units: 'Units that count for a part of the period only.',
  free_units: 'Units that cost nothing.',
  free_events: 'Events that cost no fixed amount.',
  units: 'Units at a price each, of a tier where the price has tiers.',
  packages: 'Packages of units at a price each.',
  rate: 'A rate in percent of the units.',
  transactions: 'A fixed amount for each event.',
  flat: 'A flat amount, of a tier where the price has tiers.',
  bounds: 'What the least and the most for one event change.',
  event_amounts: 'What the events say that they cost.',
  moved_units: 'Prorated units, each in the tier that it came into.',
  before_event: 'What the usage before an event costs, which is taken off.',
  below_zero: 'What is below zero, which is left out.',
  by_hand: 'Units that were said by hand.',
  plan: 'The price of the plan for a whole period.',
  days: 'The part of a period that is billed, in days.',
  minimum: 'A minimum for a whole period: of a charge, or committed to with the plan.',
  covered: 'What the fees that count towards a minimum come to, which is taken off.',
  paid_before: 'What was paid for the same days before, which is taken off.',
  unit_rounding: 'Rounding in the unit that the price is in.',
  conversion: 'From the unit that the price is in to the currency.',
  commitment_rounding: 'Rounding of the minimum.',
  rounded_fees: 'Rounding of the fees that count towards a minimum.',
  stored: 'What is stored, where nothing tells how it came about.',
  rounding: 'The rounding of the fee.',
  progressive_credit: 'What a progressive invoice billed already.',
  coupon: "The fee's share of a coupon, or of all that was credited.",
  tax: 'A tax.',
  tax_rounding: 'The rounding of the taxes of the fee.',
};

/** Values of an enumeration, by what they mean. */
export const valuesOf = (meanings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(meanings).map(([value, description]) => [value, { description }]));

const StepKind = builder.enumType('FeeStepKind', {
  description: 'What a step of a fee is about.',
  values: valuesOf(KINDS),
});

const Effect = builder.enumType('FeeStepEffect', {
  description: 'What a step does with the amount so far.',
  values: valuesOf({
    none: 'Nothing: it tells something that is needed for the next ones.',
    add: 'It adds `preciseAmountCents`, which may be below 0.',
    scale: 'It multiplies by `times` and divides by `per`.',
    round: 'It rounds to a whole number, half away from zero.',
  }),
});

const Stage = builder.enumType('FeeStepStage', {
  description: 'Where on the way from nothing to the invoice a step stands.',
  values: valuesOf({
    exact: 'On the way to the exact amount of the fee.',
    rounded: 'On the way from there to its amount.',
    on_invoice: 'What the invoice makes of it: credit, coupons and taxes.',
  }),
});

/** A step, with what it shows besides. */
export interface Shown extends FeeStep {
  readonly text: string;
  readonly total: Decimal;
}

/** One step of a fee. */
export const Step = builder.objectRef<Shown>('FeeStep').implement({
  description:
    'One step from nothing to what a fee comes to. In minor units of the currency, or of the unit that the price is in until it is converted.',
  fields: (t) => ({
    kind: t.expose('kind', { type: StepKind, description: 'What it is about.' }),
    stage: t.expose('stage', { type: Stage, description: 'Where on the way it stands.' }),
    effect: t.expose('effect', { type: Effect, description: 'What it does with the amount so far.' }),
    text: t.exposeString('text', { description: 'It in words, with its numbers.' }),
    units: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'How many units, events or packages; of a tax, the minor units that are taxed.',
      resolve: ({ units }) => units,
    }),
    eventsCount: t.field({
      type: 'Int',
      nullable: true,
      description: 'How many events.',
      resolve: ({ events }) => events?.trunc().toNumber(),
    }),
    wholeUnits: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Of units that are a part of others: how many those are.',
      resolve: ({ whole }) => whole,
    }),
    preciseUnitAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What one of them costs, in currency units.',
      resolve: ({ unitAmount }) => unitAmount,
    }),
    rate: t.field({
      type: 'Percentage',
      nullable: true,
      description: 'A rate in percent, of a price or a tax.',
      resolve: ({ kind, rate }) => (kind === 'conversion' ? null : rate),
    }),
    conversionRate: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What one unit of the price is worth, where it converts to the currency.',
      resolve: ({ kind, rate }) => (kind === 'conversion' ? rate : null),
    }),
    packageSize: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Units of a package.',
      resolve: ({ size }) => size,
    }),
    fromValue: t.string({ nullable: true, description: 'Where its tier begins.', resolve: ({ from }) => from }),
    toValue: t.string({
      nullable: true,
      description: 'Where its tier ends; null where it has none, or no end.',
      resolve: ({ to }) => to,
    }),
    times: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What it multiplies by.',
      resolve: ({ times }) => times,
    }),
    per: t.field({ type: 'Decimal', nullable: true, description: 'What it divides by.', resolve: ({ per }) => per }),
    code: t.string({
      nullable: true,
      description: 'Code of the coupon or tax, number of the invoice.',
      resolve: ({ code }) => code,
    }),
    preciseAmountCents: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What it adds, in minor units; null where it adds nothing.',
      resolve: ({ amountCents }) => amountCents,
    }),
    preciseTotalAmountCents: t.field({
      type: 'Decimal',
      description: 'What there is after it, in minor units.',
      resolve: ({ total }) => total,
    }),
  }),
});
