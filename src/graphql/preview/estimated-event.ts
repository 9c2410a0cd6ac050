import { invalid, notFound } from '../../billing/errors.ts';
import { ExpressionFault, withComputed } from '../../billing/usage/expression.ts';
import type { UsageEvent } from '../../billing/usage/usage.ts';
import { isMembers } from '../../billing/usage/value.ts';
import type { UsageMoment, UsedSubscription } from '../../store/account/used-subscription.ts';
import { builder } from '../base/builder.ts';

/** An event that is not stored. */
export interface EstimatedEvent {
  readonly code: string;
  readonly externalSubscriptionId?: string | null | undefined;
  readonly transactionId?: string | null | undefined;
  readonly timestamp?: Date | null | undefined;
  readonly properties?: unknown;
  readonly preciseTotalAmountCents?: string | null | undefined;
}

export const EstimatedEventInput = builder.inputType('EstimatedEventInput', {
  description: 'Usage that is not stored, to see what it would cost.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Code of the billable metric.' }),
    externalSubscriptionId: t.string({
      description: 'External identifier of the subscription, which must run now; without it there is none.',
    }),
    transactionId: t.string({ description: 'Names the event in the answer; a name is made up without it.' }),
    timestamp: t.field({ type: 'PreciseDateTime', description: 'When the usage would happen; now without it.' }),
    properties: t.field({
      type: 'JSON',
      description:
        'An object of values of any shape: what the metric aggregates, and what prices and groups depend on.',
    }),
    preciseTotalAmountCents: t.field({ type: 'Decimal', description: 'Amount in minor units, for dynamic charges.' }),
  }),
});

/** The subscription of an event. Throws `object_not_found` where none runs under its name. */
export function runningOf({ used }: UsageMoment, { externalSubscriptionId }: EstimatedEvent): UsedSubscription {
  const found = used.find(({ subscription }) => subscription.externalId === externalSubscriptionId);
  if (!found) throw notFound('subscription');
  return found;
}

function propertiesOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given == null) return {};
  if (!isMembers(given)) throw invalid({ properties: ['value_is_invalid'] }, { properties: { limit: 'an object' } });
  return given;
}

/** The event as rules read it. Throws `properties: ['value_is_invalid']` for what is no object. */
export function usageEventOf(event: EstimatedEvent, now: Date): UsageEvent {
  const { transactionId, timestamp, properties, preciseTotalAmountCents = null } = event;
  return {
    ...(transactionId == null ? {} : { transactionId }),
    timestamp: (timestamp ?? now).getTime(),
    properties: propertiesOf(properties),
    preciseTotalAmountCents,
  };
}

/** The metrics of these codes, as far as events are checked against them. */
export async function metricsOf({ tx }: UsageMoment, codes: readonly string[]) {
  const found = await tx.billableMetric.findMany({
    where: { code: { in: [...new Set(codes)] }, deletedAt: null },
    select: { code: true, fieldName: true, expression: true, aggregationType: true },
  });
  return new Map(found.map((metric) => [metric.code, metric]));
}

/** The event with what its metric computes. Throws what the metric cannot compute, as events that are stored are refused. */
export function computedWith(
  metric: Parameters<typeof withComputed>[0] | undefined,
  code: string,
  event: UsageEvent,
): UsageEvent {
  if (!metric) return event;
  try {
    return { ...event, properties: withComputed(metric, { ...event, code }) };
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    throw invalid({ expression: [`expression_evaluation_failed: ${error.message}`] });
  }
}
