import { loseDispute } from '../../engine/invoice/update-invoice.ts';
import { createOneOffInvoice } from '../../engine/subscription/invoice/create-one-off-invoice.ts';
import { finalizeInvoice, refreshInvoice } from '../../engine/subscription/invoice/finalize-invoice.ts';
import { updateInvoice } from '../../engine/subscription/invoice/update-invoice.ts';
import { voidInvoice } from '../../engine/subscription/invoice/void-invoice.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf } from '../context.ts';
import { CustomSectionChoiceInput } from '../customer/invoice-custom-section.ts';
import { PaymentMethodReferenceInput } from '../payment/payment-method.ts';
import { mutation } from '../write/mutation.ts';

export const svcIdArg = builder.args((t) => ({
  svcId: t.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
}));

const InvoiceMetadataInput = builder.inputType('InvoiceMetadataInput', {
  description: 'A key-value pair of an invoice: the one of the identifier, else the one of the key, else a new one.',
  fields: (t) => ({
    id: t.field({ type: 'UUID', description: 'Identifier assigned by the service, where its key is to be another.' }),
    key: t.string({ required: true, description: 'Name of the pair, once in an invoice: 1 to 20 characters.' }),
    value: t.string({ required: true, description: 'Text of the pair: 1 to 140 characters.' }),
  }),
});

const UpdateInvoiceInput = builder.inputType('UpdateInvoiceInput', {
  description: 'What is changed by hand on an invoice that is no draft. What is absent stays.',
  fields: (t) => ({
    paymentStatus: t.field({
      type: enumRef('InvoicePaymentStatus'),
      description: 'How it is paid, and its fees with it. What is paid is not overdue; no payment is made.',
    }),
    metadata: t.field({
      type: [InvoiceMetadataInput],
      description: 'Free key-value pairs, at most 5. The list is the whole: an empty one removes all.',
    }),
  }),
});

mutation('finalizeInvoice', 'Invoice', {
  resource: 'invoice',
  description:
    'Makes a draft final before its day: it is computed again with what is known now, uses coupons, credit notes and wallets, and takes its number. What is no draft stays as it is.',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      agreedHash: t.string({
        description:
          '`changes.hash` of a dry run: refused (`agreed_hash: figures_have_changed`) where the invoice would be another one by now.',
      }),
    })),
  },
  write: ({ svcId, agreedHash }, context) => finalizeInvoice(context.db, actorOf(context), svcId, agreedHash),
});

mutation('refreshInvoice', 'Invoice', {
  resource: 'invoice',
  description:
    'Computes a draft again with what is known now. It stays a draft; its fees are new ones. What is no draft stays as it is.',
  args: svcIdArg,
  write: ({ svcId }, context) => refreshInvoice(context.db, actorOf(context), svcId),
});

mutation('updateInvoice', 'Invoice', {
  resource: 'invoice',
  description:
    'Changes by hand how an invoice is paid, and its metadata. A draft is refused (`metadata_on_draft_invoice`, `payment_status_update_on_draft_invoice`), and so is one that is voided (`update_on_voided_invoice`).',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      input: t.field({ type: UpdateInvoiceInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ svcId, input }, context) => updateInvoice(context.db, actorOf(context), svcId, input),
});

mutation('loseInvoiceDispute', 'Invoice', {
  resource: 'invoice',
  description:
    'Tells that a dispute about the payment of a final or voided invoice was lost. The first time counts; the invoice is never overdue again. Others are refused (`not_disputable`).',
  args: svcIdArg,
  write: ({ svcId }, context) => loseDispute(context.db, actorOf(context), svcId),
});

mutation('voidInvoice', 'Invoice', {
  resource: 'invoice',
  description:
    'Voids a final invoice, whatever was paid of it; it keeps its number. Coupons that it used can be used again, and so can credit notes and credits of wallets, unless a credit note is asked for: then that is what is given back, and a second one, which is void itself, stands for the rest. Others are refused (`not_voidable`).',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      generateCreditNote: t.boolean({ description: 'Whether a credit note is made. False by default.' }),
      creditAmountCents: t.field({
        type: 'BigInt',
        description: 'What the note gives back as credit for later invoices, with taxes, in minor units. 0 by default.',
      }),
      refundAmountCents: t.field({
        type: 'BigInt',
        description: 'What it gives back in money, of what was paid. 0 by default.',
      }),
    })),
  },
  write: ({ svcId, ...how }, context) => voidInvoice(context.db, actorOf(context), svcId, how),
});

const OneOffFeeInput = builder.inputType('OneOffFeeInput', {
  description: 'An add-on that is sold.',
  fields: (t) => ({
    addOnCode: t.string({ required: true, description: 'Code of the add-on.' }),
    units: t.field({ type: 'Decimal', description: 'How many are sold. 1 by default.' }),
    unitAmountCents: t.field({
      type: 'BigInt',
      description: "Price of one, in minor units of the invoice's currency. That of the add-on by default.",
    }),
    description: t.string({ description: "Text of the line. The add-on's by default." }),
    invoiceDisplayName: t.string({ description: "Name printed on the invoice. The add-on's by default." }),
    taxCodes: t.stringList({
      description:
        'Codes of the taxes of the line. Those of the add-on by default, else of the customer, else of the billing entity.',
    }),
    fromDatetime: t.field({ type: 'DateTime', description: 'Begin of what it is for; with an end only.' }),
    toDatetime: t.field({ type: 'DateTime', description: 'End of what it is for, inclusive.' }),
  }),
});

const CreateOneOffInvoiceInput = builder.inputType('CreateOneOffInvoiceInput', {
  description: 'What is sold to a customer at once.',
  fields: (t) => ({
    externalCustomerId: t.string({
      required: true,
      description: "The customer's identifier in the caller's application.",
    }),
    currency: t.string({
      description: "Currency of all amounts; the customer's by default. A customer without one takes it.",
    }),
    billingEntityCode: t.string({ description: "Code of the entity that issues it; the customer's by default." }),
    fees: t.field({ type: [OneOffFeeInput], required: true, description: 'Its lines, at least one.' }),
    invoiceCustomSection: t.field({
      type: CustomSectionChoiceInput,
      description: 'Which custom sections it prints. Those of the customer by default, else of the billing entity.',
    }),
    paymentMethod: t.field({
      type: PaymentMethodReferenceInput,
      description: "Who is to collect its payment; the customer's default method by default.",
    }),
  }),
});

mutation('createOneOffInvoice', 'Invoice', {
  resource: 'invoice',
  description:
    'Sells add-ons to a customer on an invoice of its own, which is final at once. It uses no coupons, credit notes or wallets.',
  args: builder.args((t) => ({
    input: t.field({ type: CreateOneOffInvoiceInput, required: true, description: 'What is sold.' }),
  })),
  write: ({ input }, context) => createOneOffInvoice(context.db, actorOf(context), input),
});
