import { deletePaymentMethod, setDefaultPaymentMethod } from '../../engine/payment/payment-method.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { listing } from '../list/root.ts';
import { mutation } from '../write/mutation.ts';
import { paymentMethodFilter } from './payment-filter.ts';

interface Reference {
  readonly paymentMethodType: string;
  readonly paymentMethodId: string | null;
}

/** Who collects a payment, and by which stored method. */
export const PaymentMethodReference = builder.objectRef<Reference>('PaymentMethodReference').implement({
  description: 'Who collects a payment, and by which stored method.',
  fields: (t) => ({
    paymentMethodType: t.field({
      type: enumRef('PaymentMethodType'),
      description: 'Who collects the payment.',
      resolve: (reference) => reference.paymentMethodType,
    }),
    svcPaymentMethodId: t.field({
      type: 'UUID',
      nullable: true,
      description: 'The stored method; null for the default one.',
      resolve: (reference) => reference.paymentMethodId,
    }),
  }),
});

// What is wrong in it is told of it as a whole.
const AS_WHOLE = { faultName: 'payment_method', missing: 'invalid_payment_method' };

export const PaymentMethodReferenceInput = builder.inputType('PaymentMethodReferenceInput', {
  description: 'Who is to collect a payment, and by which stored method.',
  fields: (t) => ({
    paymentMethodType: t.field({
      type: enumRef('PaymentMethodType'),
      required: true,
      description: 'Who collects it: a provider, or nobody by itself.',
      extensions: AS_WHOLE,
    }),
    paymentMethodId: t.field({
      type: 'UUID',
      description: "Identifier of one of the customer's methods; the default one without it. Of a provider only.",
      extensions: AS_WHOLE,
    }),
  }),
});

export const REFERENCE_COLUMNS = { paymentMethodType: true, paymentMethodId: true } as const;

defineNode('PaymentMethod', {
  filter: paymentMethodFilter,
  resource: 'payment_method',
  filled: { providerMethodId: '' },
});

listing('paymentMethods', 'PaymentMethod', {
  resource: 'payment_method',
  description: "Customers' stored ways to pay.",
});

const pathArgs = builder.args((t) => ({
  externalCustomerId: t.string({
    required: true,
    description: "The customer's identifier in the caller's application.",
  }),
  svcId: t.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
}));

mutation('setDefaultPaymentMethod', 'PaymentMethod', {
  resource: 'payment_method',
  description:
    'Makes a payment method the one that pays where nothing else is chosen, instead of any other of its customer.',
  args: pathArgs,
  write: (path, context) => setDefaultPaymentMethod(context.db, actorOf(context), path),
});

mutation('destroyPaymentMethod', 'PaymentMethod', {
  resource: 'payment_method',
  description: 'Deletes a payment method. Where it was the default one, no other takes its place.',
  args: pathArgs,
  write: (path, context) => deletePaymentMethod(context.db, actorOf(context), path),
});
