import { deleteFee, updateFee } from '../../engine/invoice/update-fee.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf } from '../context.ts';
import { mutation } from '../write/mutation.ts';
import { svcIdArg } from './invoice-write.ts';

const UpdateFeeInput = builder.inputType('UpdateFeeInput', {
  description: 'What is changed by hand on a fee that is on no invoice.',
  fields: (t) => ({
    paymentStatus: t.field({
      type: enumRef('FeePaymentStatus'),
      required: true,
      description: 'How it is paid. What is paid can be gathered on an invoice, where its charge says so.',
    }),
  }),
});

mutation('updateFee', 'Fee', {
  resource: 'fee',
  description:
    'Changes by hand how a fee that is on no invoice is paid. One on an invoice is paid with it, and refused (`invoiceable_fee`).',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      input: t.field({ type: UpdateFeeInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ svcId, input }, context) => updateFee(context.db, actorOf(context), svcId, input),
});

mutation('deleteFee', 'Fee', {
  resource: 'fee',
  description:
    'Deletes a fee that is on no invoice: nothing bills it any more. One on an invoice is refused (`invoiced_fee`).',
  args: svcIdArg,
  write: ({ svcId }, context) => deleteFee(context.db, actorOf(context), svcId),
});
