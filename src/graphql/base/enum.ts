import type * as prismaEnums from '../../store/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { INVOICE_VALUES, PAYMENT_VALUES } from './enum-money-value.ts';
import { CATALOGUE_VALUES, type Meanings, SUBSCRIPTION_VALUES } from './enum-value.ts';

type EnumName = keyof typeof prismaEnums;

// One line an enum; the values are the specification's own words.
const DESCRIPTIONS: Readonly<Record<EnumName, string>> = {
  ApiKeyKind: 'Who an API key is for.',
  DocumentNumbering: 'How documents are numbered.',
  VatStatus: 'What is known of a VAT number.',
  IssuingDateAnchor: 'The date that an issuing date is counted from.',
  IssuingDateAdjustment: 'Whether an issuing date follows the finalization date.',
  CustomerAccountType: 'Kind of account.',
  CustomerType: 'Kind of customer.',
  FinalizeZeroAmountInvoice: 'What happens to invoices of zero.',
  AggregationType: 'How events become units.',
  EventFate: 'What became of an event that was sent.',
  JobTask: 'What a job of the service does.',
  JobStatus: 'How far a job of the service is.',
  RoundingFunction: 'How aggregated units are rounded.',
  PlanInterval: 'Length of a billing period.',
  ChargeModel: 'How units become an amount.',
  FixedChargeModel: 'How the units of a fixed charge become an amount.',
  RegroupPaidFees: 'What happens to paid fees that were not invoiced.',
  SubscriptionStatus: 'State of a subscription.',
  BillingTime: 'What billing periods follow.',
  CancellationReason: 'Why a subscription was canceled.',
  OnTerminationCreditNote: 'What happens to the unused part of a period paid in advance.',
  OnTerminationInvoice: 'Whether the end of a subscription makes an invoice.',
  PaymentMethodType: 'Who collects a payment.',
  PrivilegeValueType: 'What the values of a privilege are.',
  ActivationRuleStatus: 'State of an activation rule.',
  AlertType: 'What an alert measures.',
  AlertDirection: 'Which way the value of an alert moves when it crosses a threshold.',
  CouponType: 'Kind of a coupon.',
  CouponFrequency: 'How often a coupon is used.',
  CouponExpiration: 'Whether a coupon expires.',
  CouponStatus: 'State of a coupon.',
  InvoiceType: 'What an invoice is for.',
  InvoiceStatus: 'State of an invoice.',
  InvoicePaymentStatus: "State of an invoice's payment.",
  InvoiceTaxStatus: 'Whether an invoice has its taxes.',
  InvoicingReason: 'Why a period is billed.',
  FeeType: 'What a fee is for.',
  FeePaymentStatus: "State of a fee's payment.",
  CreditItemType: 'Kind of a credit.',
  CreditNoteStatus: 'State of a credit note.',
  CreditNoteCreditStatus: 'State of the credited part of a note.',
  CreditNoteRefundStatus: 'State of the refunded part of a note.',
  CreditNoteReason: 'Why a credit note was issued.',
  WalletStatus: 'State of a wallet.',
  WalletTransactionType: 'Direction of a wallet transaction.',
  WalletTransactionStatus: 'State of a wallet transaction.',
  WalletTransactionKind: 'What kind of credits moved.',
  WalletTransactionSource: 'What caused a wallet transaction.',
  RecurringRuleTrigger: 'What sets a recurring rule off.',
  RecurringRuleMethod: 'What a recurring rule does.',
  RecurringRuleInterval: 'How often a recurring rule acts.',
  RecurringRuleStatus: 'State of a recurring rule.',
  PaymentRequestStatus: 'State of a payment request.',
  PaymentStatus: 'State of a payment.',
  PaymentType: 'How a payment was made.',
};

const MEANINGS: Meanings<EnumName> = {
  ApiKeyKind: { secret: 'For trusted backends.', publishable: 'For browsers.' },
  VatStatus: {
    pending: 'The register is asked, and has not answered yet.',
    valid: 'It is registered.',
    invalid: 'It is not registered.',
  },
  JobTask: {
    billing:
      'It lets happen what is due of customers: subscriptions that start, end and are billed, drafts that become final, invoices that are overdue, wallets that end.',
    vat_check: 'It asks the register about VAT numbers.',
    usage: 'It bills what usage of customers asks for, where that could not be billed at once.',
    draft_refresh: 'It computes drafts anew of which something has changed that they are made of.',
    verify:
      'It computes invoices again, each night those that have changed, and writes nothing. It fails where a figure comes out otherwise: `failure` tells which, and why.',
    daily_usage: 'It records what subscriptions of customers had used at the end of the day before.',
  },
  JobStatus: {
    waiting: 'It waits for its turn, or to be tried again.',
    running: 'It has begun.',
    done: 'It is done.',
    failed: 'It failed for good, unless somebody has it tried again.',
  },
  ...CATALOGUE_VALUES,
  ...SUBSCRIPTION_VALUES,
  ...INVOICE_VALUES,
  ...PAYMENT_VALUES,
};

const define = (name: EnumName) => {
  const values = Object.entries<string>(MEANINGS[name]).map(([value, description]) => [value, { description }]);
  return builder.enumType(name, { description: DESCRIPTIONS[name], values: Object.fromEntries(values) });
};

const refs = new Map((Object.keys(DESCRIPTIONS) as EnumName[]).map((name) => [name, define(name)]));

/** The GraphQL type of an enumeration of the Prisma schema. */
export function enumRef(name: string) {
  const ref = refs.get(name as EnumName);
  if (!ref) throw new Error(`no enumeration ${name}`);
  return ref;
}
