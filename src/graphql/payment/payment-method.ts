import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { defineNode } from '../list/node.ts';

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

export const REFERENCE_COLUMNS = { paymentMethodType: true, paymentMethodId: true } as const;

defineNode('PaymentMethod', { resource: 'payment_method' });
