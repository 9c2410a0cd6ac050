import type { AggregationType } from '../../billing/catalogue/metric.ts';
import { notFound } from '../../billing/errors.ts';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import { checkInstant, checkNumber, estimatedFees } from '../../billing/subscription/estimate.ts';
import { atOneMoment, type UsedSubscription } from '../../store/account/used-subscription.ts';
import { builder } from '../base/builder.ts';
import { requirePermission } from '../base/guard.ts';
import type { Context, Permission } from '../context.ts';
import {
  computedWith,
  type EstimatedEvent,
  EstimatedEventInput,
  metricsOf,
  runningOf,
  usageEventOf,
} from './estimated-event.ts';
import { type FeeFrame, unsavedFees } from './fee.ts';

type FeeView = Awaited<ReturnType<typeof unsavedFees>>[number];

// Its fields are laid over it when the schema is made: see twin.ts.
const FeePreview = builder.objectRef<FeeView>('FeePreview').implement({
  description: 'A fee as it would be issued. It is previewed and not stored.',
});

/** How fees of a subscription are shown that are on no invoice. */
export const frameOf = ({ subscription, account, ...used }: UsedSubscription, now: Date): FeeFrame => ({
  ...{ now, invoiceId: null, customerId: used.customerId, externalCustomerId: used.externalCustomerId },
  ...{ currency: subscription.plan.currency, selfBilled: account.customer.partner === true },
  subscriptionId: (id) => id,
  externalSubscriptionId: () => subscription.externalId,
});

async function estimate({ db, now, signal }: Context, event: EstimatedEvent): Promise<FeeView[]> {
  const { code, externalSubscriptionId } = event;
  return atOneMoment(
    db,
    externalSubscriptionId == null ? [] : [externalSubscriptionId],
    async (moment) => {
      const used = runningOf(moment, event);
      const metric = (await metricsOf(moment, [code])).get(code);
      if (!metric) throw notFound('billable_metric');
      const sent = usageEventOf(event, now);
      const aggregation = metric.aggregationType.replace(/_agg$/, '') as AggregationType;
      checkNumber({ fieldName: metric.fieldName, aggregation }, sent);
      checkInstant(used.subscription, code);
      const supposed = computedWith(metric, code, sent);
      const fees = (account: CustomerAccount) => estimatedFees(account, used.subscription, code, supposed);
      return unsavedFees(fees(await moment.answered(used, fees)), frameOf(used, now));
    },
    signal,
  );
}

builder.queryField('estimateFees', (t) =>
  t.field({
    type: [FeePreview],
    nullable: true,
    description:
      'What an event would be billed for at once, on top of what is used already: one fee for each charge in advance that measures it, with taxes. Nothing is stored.',
    args: { event: t.arg({ type: EstimatedEventInput, required: true, description: 'The event.' }) },
    extensions: { permission: 'event:write' satisfies Permission, price: 50 },
    resolve: (_root, { event }, context) => {
      requirePermission(context, 'fee:read');
      return estimate(context, event);
    },
  }),
);
