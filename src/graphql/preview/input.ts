import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';

const AddressInput = builder.inputType('PreviewAddressInput', {
  description: 'Where goods are sent.',
  fields: (t) => ({
    addressLine1: t.string({ description: 'First line of the shipping address.' }),
    addressLine2: t.string({ description: 'Second line of the shipping address.' }),
    city: t.string({ description: 'City.' }),
    state: t.string({ description: 'State or region.' }),
    country: t.field({ type: 'CountryCode', description: 'ISO 3166 alpha-2 country code.' }),
    zipcode: t.string({ description: 'Postal code.' }),
  }),
});

const IntegrationInput = builder.inputType('PreviewIntegrationInput', {
  description: 'A connection to another system, which must exist.',
  fields: (t) => ({
    integrationType: t.string({ required: true, description: 'Kind of system, for example `anrok`.' }),
    integrationCode: t.string({ required: true, description: 'Code of the connection.' }),
  }),
});

const CustomerInput = builder.inputType('PreviewCustomerInput', {
  description:
    'The customer: a stored one, whose values are replaced by those given here for this preview only, or one made up.',
  fields: (t) => ({
    externalId: t.string({ description: 'Names a stored customer, which must exist.' }),
    name: t.string({ description: 'Name of the customer.' }),
    currency: t.string({ description: 'Currency of the customer.' }),
    timezone: t.field({ type: 'TimeZone', description: 'IANA time zone.' }),
    taxIdentificationNumber: t.string({ description: 'Tax identification number.' }),
    addressLine1: t.string({ description: 'First line of the address.' }),
    addressLine2: t.string({ description: 'Second line of the address.' }),
    city: t.string({ description: 'City.' }),
    state: t.string({ description: 'State or region.' }),
    country: t.field({ type: 'CountryCode', description: 'ISO 3166 alpha-2 country code.' }),
    zipcode: t.string({ description: 'Postal code.' }),
    shippingAddress: t.field({
      type: AddressInput,
      description: 'Where goods are sent; replaces the stored address as a whole.',
    }),
    integrationCustomers: t.field({ type: [IntegrationInput], description: 'Connections to other systems.' }),
  }),
});

const CouponInput = builder.inputType('PreviewCouponInput', {
  description: 'A coupon: one that exists, by its code, or one described here.',
  fields: (t) => ({
    code: t.string({
      description: 'Code of the coupon. Where a coupon with it exists, the other members are not read.',
    }),
    name: t.string({ description: 'Name; the code by default.' }),
    couponType: t.field({ type: enumRef('CouponType'), description: 'Amount or share; an amount by default.' }),
    amountCents: t.field({ type: 'BigInt', description: 'The amount in minor units.' }),
    amountCurrency: t.string({ description: 'Currency of the amount; another one than the plan is skipped.' }),
    percentageRate: t.field({ type: 'Percentage', description: 'The share in percent.' }),
    frequency: t.field({ type: enumRef('CouponFrequency'), description: 'How often it is used; once by default.' }),
    frequencyDuration: t.int({ description: 'Number of periods; without effect on a preview.' }),
    frequencyDurationRemaining: t.int({ description: 'Periods that are left; without effect on a preview.' }),
  }),
});

const SubscriptionsInput = builder.inputType('PreviewSubscriptionsInput', {
  description: 'Subscriptions of a stored customer: as they are, changed to another plan, or ended.',
  fields: (t) => ({
    externalIds: t.stringList({ description: 'Their external identifiers; those that are not found are left out.' }),
    planCode: t.string({ description: 'Code of the plan that the one subscription changes to.' }),
    terminatedAt: t.field({ type: 'DateOrDateTime', description: 'Moment at which the one subscription ends.' }),
  }),
});

const EventInput = builder.inputType('PreviewEventInput', {
  description: 'A supposed usage event.',
  fields: (t) => ({
    properties: t.field({ type: 'JSON', description: 'What the event tells: values of any shape by their names.' }),
    timestamp: t.field({ type: 'DateTime', description: 'When it happens; the start of the period by default.' }),
    preciseTotalAmountCents: t.field({ type: 'Decimal', description: 'Amount in minor units, for dynamic charges.' }),
  }),
});

const UsageInput = builder.inputType('PreviewUsageInput', {
  description: 'Supposed usage of a metric: a number of units, or events.',
  fields: (t) => ({
    metricCode: t.string({ required: true, description: 'Code of a metric that the plan prices.' }),
    units: t.field({ type: 'Decimal', description: 'Number of units.' }),
    events: t.field({ type: [EventInput], description: 'Events, where prices depend on their properties.' }),
  }),
});

/** What a preview is asked for. */
export const InvoicePreviewInput = builder.inputType('InvoicePreviewInput', {
  description:
    'What a preview is asked for: a new subscription to a plan, or what happens to subscriptions that exist.',
  fields: (t) => ({
    customer: t.field({ type: CustomerInput, description: 'The customer; one made up by default.' }),
    planCode: t.string({ description: 'Code of the plan of a new subscription.' }),
    subscriptionAt: t.field({
      type: 'DateOrDateTime',
      description: 'Moment or date at which the new subscription begins; now by default.',
    }),
    billingTime: t.field({
      type: enumRef('BillingTime'),
      description: 'What its periods follow; the calendar by default.',
    }),
    coupons: t.field({
      type: [CouponInput],
      description: 'Coupons. Not read where the customer has coupons of its own.',
    }),
    billingEntityCode: t.string({
      description: "Code of the entity that bills; the customer's, else the default one.",
    }),
    subscriptions: t.field({
      type: SubscriptionsInput,
      description: 'Subscriptions that exist, instead of a new one.',
    }),
    usage: t.field({
      type: [UsageInput],
      description:
        'Usage to suppose for the first subscription: what would the period cost? It is billed at the end of the period.',
    }),
  }),
});

export type InvoicePreviewArgs = typeof InvoicePreviewInput.$inferInput;
