import { getRefFromModel } from '@pothos/plugin-prisma';
import { builder } from '../base/builder.ts';
import { type Selecting, selectedField } from '../base/column.ts';
import { derivesFrom } from '../base/guard.ts';

interface Period {
  readonly invoice: object;
}

/** The open invoice of a subscription, by one statement with it. No list has it: whoever is to tell of its payment finds it here. */
export const activationInvoice = (t: Selecting) =>
  selectedField(t, {
    type: getRefFromModel('Invoice', builder),
    nullable: true,
    description:
      'The invoice that must be paid for it to become active, while it is `incomplete`: open, without a number, and in no list. Told to be paid, it is final.',
    ...derivesFrom('invoice'),
    select: (_args, _context, nested) => ({
      billingPeriods: { where: { invoice: { status: 'open' } }, take: 1, select: { invoice: nested({}) } },
    }),
    resolve: ({ billingPeriods }) => (billingPeriods as readonly Period[])[0]?.invoice ?? null,
  });

/** What must happen before a subscription becomes active, as it is sent. */
export const ActivationRuleInput = builder.inputType('ActivationRuleInput', {
  description:
    'What must happen before a subscription becomes active: until its first invoice is paid it is `incomplete`, and the invoice `open`. For customers who are said to pay by a provider.',
  fields: (t) => ({
    type: t.string({
      required: true,
      description: '`payment`: its first invoice must be paid.',
      extensions: { faultName: 'activation_rules', missing: 'invalid_type' },
    }),
    timeoutHours: t.int({
      description: 'Hours after its start at which it is given up, where that has not happened; 0, the default: never.',
    }),
  }),
});
