import type { Decimal } from '../../billing/money/decimal.ts';
import { unitsEffectiveAt } from '../../billing/subscription/units-change.ts';
import type { Actor } from '../../store/access/audit.ts';
import { PERIOD_COLUMNS, runningTerms } from '../../store/account/period-row.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import type { SubscriptionGetPayload, SubscriptionSelect } from '../../store/generated/prisma/models.ts';

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
  fixedChargeUnitsEvents: { select: { fixedChargeId: true } },
} satisfies SubscriptionSelect;

type Row = SubscriptionGetPayload<{ select: typeof COLUMNS }>;

const startOf = (row: Row) => row.startedAt ?? row.subscriptionAt;

/** The entries of one subscription; one without a history gets the units it has had since its start as the first entry. */
function entries(row: Row, change: UnitsChange, now: Date) {
  const { fixedCharge, before, after, immediately } = change;
  const isKnown = row.fixedChargeUnitsEvents.some(({ fixedChargeId }) => fixedChargeId === fixedCharge.id);
  const start = startOf(row);
  const first = { units: before, effectiveAt: start, createdAt: start < now ? start : now };
  const effectiveAt = new Date(unitsEffectiveAt(runningTerms(row), now.getTime(), immediately));
  return [...(isKnown ? [] : [first]), { units: after, effectiveAt, createdAt: now }];
}

/**
 * Records a change of units in the history of every active subscription directly on the fixed charge's plan: overrides are
 * plans of their own. Pending subscriptions start with the units of that time.
 */
export async function recordUnits(tx: TenantTransaction, actor: Actor, changes: readonly UnitsChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { organizationId, now } = actor;
  const rows = await tx.subscription.findMany({
    where: { planId: { in: changes.map(({ fixedCharge }) => fixedCharge.planId) }, status: 'active' },
    select: COLUMNS,
    orderBy: { id: 'asc' },
  });
  const data = changes.flatMap((change) =>
    rows
      .filter(({ planId }) => planId === change.fixedCharge.planId)
      .flatMap((row) =>
        entries(row, change, now).map(({ units, effectiveAt, createdAt }) => ({
          ...{ id: newId(now), organizationId, fixedChargeId: change.fixedCharge.id, subscriptionId: row.id },
          ...{ units: units.toFixed(), effectiveAt, createdAt },
        })),
      ),
  );
  if (data.length > 0) await tx.fixedChargeUnitsEvent.createMany({ data });
}
