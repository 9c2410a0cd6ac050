import { randomUUID } from 'node:crypto';
import { invalid } from '../../billing/errors.ts';
import { ALONE, inList, type Naming, PlacedFaults } from '../../billing/placed-faults.ts';
import { checkInstant, instantFees } from '../../billing/subscription/estimate.ts';
import { atOneMoment, type UsageMoment, type UsedSubscription } from '../../store/account/used-subscription.ts';
import { builder } from '../base/builder.ts';
import { currencyDetails, currencyOf } from '../base/currency.ts';
import { enumRef } from '../base/enum.ts';
import { requirePermission } from '../base/guard.ts';
import { madeId } from '../base/opaque-id.ts';
import type { Context, Permission } from '../context.ts';
import { FeeItem } from '../invoice/fee-item.ts';
import { frameOf } from './estimate-fees.ts';
import {
  computedWith,
  type EstimatedEvent,
  EstimatedEventInput,
  metricsOf,
  runningOf,
  usageEventOf,
} from './estimated-event.ts';
import { unsavedFees } from './fee.ts';

type Fee = Awaited<ReturnType<typeof unsavedFees>>[number];

const MOST_EVENTS = 100;
const number = (value: { toFixed(): string }) => Number(value.toFixed());

const InstantFee = builder.objectRef<Fee>('InstantFee').implement({
  description: 'What one event costs by itself: no free units, no earlier usage, no taxes. Nothing of it is stored.',
  extensions: { resource: 'fee' },
  fields: (t) => ({
    id: t.id({
      description: 'Opaque identifier, made for this one answer: nothing is read by it.',
      resolve: (fee) => madeId('InstantFee', fee),
    }),
    svcId: t.field({
      type: 'UUID',
      nullable: true,
      description: 'Always null: nothing of it is stored.',
      resolve: () => null,
    }),
    svcChargeId: t.field({
      type: 'UUID',
      description: 'The charge that prices it.',
      resolve: (fee) => fee.svcChargeId ?? '',
    }),
    svcChargeFilterId: t.field({
      type: 'UUID',
      nullable: true,
      description: 'The filter of the charge that prices it; null where none matches.',
      resolve: (fee) => fee.svcChargeFilterId,
    }),
    svcSubscriptionId: t.field({
      type: 'UUID',
      description: 'The subscription that would be billed.',
      resolve: (fee) => fee.svcSubscriptionId ?? '',
    }),
    svcCustomerId: t.field({ type: 'UUID', description: 'Its customer.', resolve: (fee) => fee.svcCustomerId }),
    externalCustomerId: t.exposeString('externalCustomerId', {
      description: "The customer's identifier in the caller's application.",
    }),
    externalSubscriptionId: t.string({
      description: "The subscription's identifier in the caller's application.",
      resolve: (fee) => fee.externalSubscriptionId ?? '',
    }),
    eventTransactionId: t.string({
      description: 'The name of the event.',
      resolve: (fee) => fee.eventTransactionId ?? '',
    }),
    item: t.field({
      type: FeeItem,
      description: 'What the fee is for.',
      resolve: (fee) => fee.item,
    }),
    units: t.field({
      type: 'Decimal',
      description: 'Units of the event, as its metric rounds them.',
      resolve: (fee) => fee.units,
    }),
    eventsCount: t.int({ description: 'Always 1.', resolve: (fee) => fee.eventsCount ?? 1 }),
    amountCents: t.field({ type: 'BigInt', description: 'Amount in minor units.', resolve: (fee) => fee.amountCents }),
    amountCurrency: t.exposeString('amountCurrency', { description: 'Currency of the amounts.' }),
    currencyDetails: t.field({
      ...currencyDetails('amountCurrency'),
      resolve: (fee) => currencyOf(fee.amountCurrency),
    }),
    preciseAmount: t.field({
      type: 'Decimal',
      description: 'Amount before rounding, in currency units.',
      resolve: (fee) => fee.preciseAmount,
    }),
    preciseUnitAmount: t.field({
      type: 'Decimal',
      description: 'Amount of a unit before rounding, in currency units.',
      resolve: (fee) => fee.preciseUnitAmount,
    }),
    amountNumber: t.float({
      description: 'Amount before rounding as a JSON number, which has seventeen digits.',
      resolve: (fee) => number(fee.preciseAmount),
    }),
    unitAmountNumber: t.float({
      description: 'Amount of a unit as a JSON number, which has seventeen digits.',
      resolve: (fee) => number(fee.preciseUnitAmount),
    }),
    taxesAmountCents: t.field({ type: 'BigInt', description: 'Always 0.', resolve: () => 0n }),
    taxesRate: t.field({ type: 'Percentage', description: 'Always 0.', resolve: () => '0' }),
    payInAdvance: t.exposeBoolean('payInAdvance', { description: 'Always true: events are billed at once.' }),
    invoiceable: t.exposeBoolean('invoiceable', { description: 'Whether the charge is invoiced.' }),
    paymentStatus: t.field({
      type: enumRef('FeePaymentStatus'),
      description: 'Always pending.',
      resolve: () => 'pending',
    }),
  }),
});

interface Estimated {
  readonly used: UsedSubscription;
  readonly fees: ReturnType<typeof instantFees>;
}

async function feesOf(
  moment: UsageMoment,
  events: readonly EstimatedEvent[],
  now: Date,
  naming: Naming,
): Promise<Estimated[]> {
  const used = events.map((event) => runningOf(moment, event));
  const metrics = await metricsOf(
    moment,
    events.map(({ code }) => code),
  );
  const faults = new PlacedFaults(naming);
  const estimated = events.flatMap((event, place) => {
    const one = used[place] as UsedSubscription;
    return faults.read(place, () => {
      const { code, transactionId } = event;
      const sent = usageEventOf({ ...event, transactionId: transactionId ?? randomUUID() }, now);
      return { used: one, fees: instantFees(one.subscription, code, computedWith(metrics.get(code), code, sent)) };
    });
  });
  faults.throwAny();
  return estimated;
}

function estimate({ db, now, signal }: Context, events: readonly EstimatedEvent[], isSingle: boolean): Promise<Fee[]> {
  const names = events.flatMap(({ externalSubscriptionId: name }) => (name == null ? [] : [name]));
  return atOneMoment(
    db,
    names,
    async (moment) => {
      const [first] = events;
      if (isSingle && first) checkInstant(runningOf(moment, first).subscription, first.code);
      const estimated = await feesOf(moment, events, now, isSingle ? ALONE : inList('events'));
      const shown = estimated.map(({ used, fees }) => unsavedFees(fees, frameOf(used, now)));
      return (await Promise.all(shown)).flat();
    },
    signal,
  );
}

const estimated = { permission: 'event:write' satisfies Permission };

builder.queryField('estimateInstantFees', (t) =>
  t.field({
    type: [InstantFee],
    nullable: true,
    description:
      'What an event costs by itself, by the standard and percentage charges in advance that measure it. Nothing is stored.',
    args: { event: t.arg({ type: EstimatedEventInput, required: true, description: 'The event.' }) },
    extensions: estimated,
    resolve: (_root, { event }, context) => {
      requirePermission(context, 'fee:read');
      return estimate(context, [event], true);
    },
  }),
);

builder.queryField('estimateInstantFeesOfEvents', (t) =>
  t.field({
    type: [InstantFee],
    nullable: true,
    description:
      'What each of some events costs by itself, in their order; one that is not billed at once costs nothing and is left out.',
    args: { events: t.arg({ type: [EstimatedEventInput], required: true, description: 'The events, 1 to 100.' }) },
    extensions: estimated,
    resolve: (_root, { events }, context) => {
      requirePermission(context, 'fee:read');
      if (events.length === 0) throw invalid({ events: ['no_events'] });
      if (events.length > MOST_EVENTS) {
        throw invalid({ events: ['too_many_events'] }, { events: { limit: `at most ${MOST_EVENTS}` } });
      }
      return estimate(context, events, false);
    },
  }),
);
