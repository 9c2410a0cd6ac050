import { adjustFee, destroyAdjustedFee } from '../../engine/subscription/invoice/adjust-fee.ts';
import { regenerateInvoice } from '../../engine/subscription/invoice/regenerate-invoice.ts';
import { builder } from '../base/builder.ts';
import { actorOf } from '../context.ts';
import { mutation } from '../write/mutation.ts';
import { svcIdArg } from './invoice-write.ts';

const AdjustedFeeInput = builder.inputType('AdjustedFeeInput', {
  description:
    'What is changed by hand on a fee of a draft, or of a voided invoice that is made anew. The fee is named, or the subscription with a charge or fixed charge that the invoice has no fee of.',
  fields: (t) => ({
    svcFeeId: t.field({
      type: 'UUID',
      description: 'Identifier of the fee. It has another one once its invoice was computed again, or made anew.',
    }),
    svcSubscriptionId: t.field({
      type: 'UUID',
      description: 'Identifier of a subscription that the invoice bills, instead of the fee.',
    }),
    svcChargeId: t.field({ type: 'UUID', description: "Identifier of a charge of the subscription's plan." }),
    svcChargeFilterId: t.field({
      type: 'UUID',
      description: 'Identifier of a filter of the charge; without it, what no filter has.',
    }),
    svcFixedChargeId: t.field({
      type: 'UUID',
      description: "Identifier of a fixed charge of the subscription's plan.",
    }),
    units: t.field({
      type: 'Decimal',
      description: 'How many are billed, at the full price, never prorated. As computed where they are not said.',
    }),
    preciseUnitAmount: t.field({
      type: 'Decimal',
      description:
        "Price of one, in currency units or in units of the charge's own; with units only. That of the charge by default; of a subscription, what its period costs.",
    }),
    invoiceDisplayName: t.string({ description: 'Name printed on the invoice.' }),
  }),
});

mutation('createAdjustedFee', 'Fee', {
  resource: 'invoice',
  description:
    'Changes a fee of a draft by hand: its units, its price or its name. The draft is computed again and keeps the change whenever it is again, also as it becomes final. Only drafts (`feature_unavailable`), each fee once (`already_exists`); new units without a price are refused where events say what is paid (`invalid_charge_model`).',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      input: t.field({ type: AdjustedFeeInput, required: true, description: 'Which fee, and what changes.' }),
    })),
  },
  write: ({ svcId, input }, context) => adjustFee(context.db, actorOf(context), svcId, input),
});

mutation('destroyAdjustedFee', 'Invoice', {
  resource: 'invoice',
  description:
    'Takes back what was changed by hand on a fee of a draft: the draft is computed again, and the fee is what is computed. Only drafts (`feature_unavailable`).',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      svcFeeId: t.field({ type: 'UUID', required: true, description: 'Identifier of the fee.' }),
    })),
  },
  write: ({ svcId, svcFeeId }, context) => destroyAdjustedFee(context.db, actorOf(context), svcId, svcFeeId),
});

mutation('regenerateInvoice', 'Invoice', {
  resource: 'invoice',
  description:
    'Makes an invoice anew of a voided one: for its periods and with its dates, final at once, under a number of its own. Taxes, coupons, credit notes and wallets are those of now. Once for each (`already_regenerated`); what is not voided, or a purchase of credits, is refused (`not_regenerable`). Tried together with `voidInvoice`, both dry, it shows what would stand for an invoice that is final.',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      fees: t.field({
        type: [AdjustedFeeInput],
        description:
          'The fees that it has: those of the voided invoice that are named, as they were or changed, and those of further prices. All as they were by default; those that are not listed are dropped.',
      }),
    })),
  },
  write: ({ svcId, fees }, context) => regenerateInvoice(context.db, actorOf(context), svcId, fees),
});
