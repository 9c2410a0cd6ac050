import type { PlanInput } from '../../billing/catalogue/plan.ts';
import type { ActivationInput, SubscriptionInput, UnitEvent } from '../../billing/customer/subscription.ts';
import { dec } from '../../billing/money/decimal.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { SubscriptionGetPayload, SubscriptionInclude } from '../generated/prisma/models.ts';
import { inRange } from './in-range.ts';
import { PLAN, planInput, THRESHOLDS, thresholdInput } from './plan-input.ts';

export const SUBSCRIPTION = {
  plan: { include: PLAN },
  billingEntity: { select: { code: true } },
  fixedChargeUnitsEvents: { orderBy: OLDEST_FIRST },
  usageThresholds: THRESHOLDS,
  activationRules: { orderBy: OLDEST_FIRST, take: 1 },
} satisfies SubscriptionInclude;

export type SubscriptionRow = SubscriptionGetPayload<{ include: typeof SUBSCRIPTION }>;

const moment = (date: Date | null) => date?.getTime() ?? null;

function unitEvents({ fixedChargeUnitsEvents }: SubscriptionRow): Record<string, UnitEvent[]> {
  const history: Record<string, UnitEvent[]> = {};
  for (const row of fixedChargeUnitsEvents) {
    const { fixedChargeId, units, effectiveAt, createdAt } = inRange('fixed_charge_units_event', row);
    history[fixedChargeId] ??= [];
    const event = { units: dec(units), timestamp: effectiveAt.getTime(), createdAt: createdAt.getTime() };
    history[fixedChargeId]?.push(event);
  }
  return history;
}

/** The plan as the subscription has it: with its own thresholds where it has some, and with none where they are switched off. */
function planOf({ plan, usageThresholds, progressiveBillingDisabled }: SubscriptionRow): PlanInput {
  const input = planInput(plan);
  if (progressiveBillingDisabled) return { ...input, usageThresholds: [] };
  return usageThresholds.length > 0 ? { ...input, usageThresholds: usageThresholds.map(thresholdInput) } : input;
}

/** There is one kind of rule, and one of it. */
function activationOf({ activationRules: [rule] }: SubscriptionRow): ActivationInput | null {
  return rule ? { timeoutHours: rule.timeoutHours ?? 0, status: rule.status, expiresAt: moment(rule.expiresAt) } : null;
}

/** First start of all subscriptions that share an external identifier: trials count from it. */
function firstStart(rows: readonly SubscriptionRow[], externalId: string): number | null {
  const starts = rows.flatMap((row) =>
    row.externalId === externalId && row.startedAt && row.status !== 'canceled' ? [row.startedAt.getTime()] : [],
  );
  return starts.length > 0 ? Math.min(...starts) : null;
}

/** Stored subscriptions as the rules read them. `rows` holds the ones before and after each, so that links can be followed. */
export function subscriptionInputs(rows: readonly SubscriptionRow[]): SubscriptionInput[] {
  // One that was given up follows nobody.
  const following = rows.filter(({ status }) => status !== 'canceled');
  const followers = new Map(following.map((row) => [row.previousSubscriptionId, row.id]));
  return rows.map((row) => ({
    id: row.id,
    externalId: row.externalId,
    name: row.name,
    plan: planOf(row),
    stored: true,
    status: row.status,
    subscriptionAt: row.subscriptionAt.getTime(),
    startedAt: moment(row.startedAt),
    createdAt: row.createdAt.getTime(),
    endingAt: moment(row.endingAt),
    terminatedAt: moment(row.terminatedAt),
    billingTime: row.billingTime,
    previousId: row.previousSubscriptionId,
    nextId: followers.get(row.id) ?? null,
    billingEntityCode: row.billingEntity?.code ?? null,
    activation: activationOf(row),
    consolidateInvoice: row.consolidateInvoice,
    onTerminationCreditNote: row.onTerminationCreditNote,
    onTerminationInvoice: row.onTerminationInvoice,
    firstStartedAt: firstStart(rows, row.externalId),
    historicalUsageCents: row.externalHistoricalUsageAmountCents,
    unitEvents: unitEvents(row),
  }));
}
