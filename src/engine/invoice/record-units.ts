import type { Decimal } from '../../billing/money/decimal.ts';
import { unitsEffectiveAt } from '../../billing/subscription/units-change.ts';
import type { Actor } from '../../store/access/audit.ts';
import { PERIOD_COLUMNS, runningTerms } from '../../store/account/period-row.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import type { SubscriptionGetPayload, SubscriptionSelect } from '../../store/generated/prisma/models.ts';
import { addUnitEvents } from '../../store/subscription/subscription-write.ts';
import type { Changed } from '../changed.ts';

/** Other units of a fixed charge, for the subscriptions of its plan. */
export interface UnitsChange {
  readonly fixedCharge: { readonly id: string; readonly planId: string };
  readonly before: Decimal;
  readonly after: Decimal;
  /** Whether they count at once, or from the next period. */
  readonly immediately: boolean;
}

const COLUMNS = {
  ...PERIOD_COLUMNS,
  id: true,
  planId: true,
  status: true,
  fixedChargeUnitsEvents: { select: { fixedChargeId: true } },
} satisfies SubscriptionSelect;

type Row = SubscriptionGetPayload<{ select: typeof COLUMNS }>;

const startOf = (row: Row) => row.startedAt ?? row.subscriptionAt;

/** The entries of one subscription; one without a history gets the units it has had since its start as the first entry. */
function entries(row: Row, change: UnitsChange, now: Date) {
  const { fixedCharge, before, after, immediately } = change;
  const isKnown = row.fixedChargeUnitsEvents.some(({ fixedChargeId }) => fixedChargeId === fixedCharge.id);
  const [start, at] = [startOf(row).getTime(), now.getTime()];
  const first = { units: before, timestamp: start, createdAt: Math.min(start, at) };
  // What is to be paid first stays what it is.
  const timestamp = unitsEffectiveAt(runningTerms(row), at, immediately && row.status === 'active');
  return [...(isKnown ? [] : [first]), { units: after, timestamp, createdAt: at }];
}

/**
 * Records a change of units in the history of every active subscription directly on the fixed charge's plan: overrides are
 * plans of their own. One that waits to be paid has them from its next period on. Pending subscriptions start with the units of that time.
 */
export async function recordUnits(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly UnitsChange[],
): Promise<Changed> {
  if (changes.length === 0) return {};
  const rows = await tx.subscription.findMany({
    where: {
      planId: { in: [...new Set(changes.map(({ fixedCharge }) => fixedCharge.planId))] },
      status: { in: ['active', 'incomplete'] },
    },
    select: COLUMNS,
    orderBy: { id: 'asc' },
  });
  const ofPlan = new Map<string, Row[]>();
  for (const row of rows) {
    const known = ofPlan.get(row.planId);
    if (known) known.push(row);
    else ofPlan.set(row.planId, [row]);
  }
  const histories = changes.flatMap((change) =>
    (ofPlan.get(change.fixedCharge.planId) ?? []).map((row) => ({
      ...{ subscriptionId: row.id, fixedChargeId: change.fixedCharge.id, entries: entries(row, change, actor.now) },
    })),
  );
  const fixedChargeUnitsEvents = await addUnitEvents(tx, actor, histories);
  return { fixedChargeUnitsEvents, subscriptions: histories.map(({ subscriptionId }) => subscriptionId) };
}
