import { notAllowed } from '../../billing/errors.ts';
import { checkClock } from '../../billing/subscription/clock.ts';
import { type Actor, recordAudit, type SystemActor, signatureOf } from '../../store/access/audit.ts';
import { askedAgain } from '../../store/customer/taxes-awaited.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { startsAwaited } from '../../store/usage/due/waiting-due.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { checkVatNumber, type VatChecker } from '../customer/vat-check.ts';
import { recordDailyUsage } from '../job/daily-usage.ts';
import { inTransaction } from '../transaction.ts';
import { billEvents } from './bill-events.ts';
import { runBetween } from './run-due.ts';

/** Asks the register about the numbers that it is asked about by a moment, each once, at its own. */
async function checkAgain(db: TenantClient, actor: SystemActor, checkVat: VatChecker): Promise<void> {
  for (const { id, at } of await askedAgain(db, actor)) await checkVatNumber(db, { ...actor, now: at }, id, checkVat);
}

/**
 * Moves the clock of a test organization on, and lets everything happen that would have happened until then: it is all done when the clock
 * shows the time. `checkVat`: the register of VAT numbers, which those are asked about again that wait for its answer. Of two at one moment one moves it. Throws `method_not_allowed` where the organization has no clock, and a validation error.
 */
export async function advanceClock(
  db: TenantClient,
  actor: Actor,
  to: Date,
  checkVat?: VatChecker | undefined,
): Promise<Written> {
  const { organizationId: id } = actor;
  const { testClockAt: from } = await db.organization.findUniqueOrThrow({ where: { id } });
  if (!from) throw notAllowed('organization_has_no_test_clock');
  checkClock(from.getTime(), to.getTime());
  return alone(id, () => advance(db, actor, [from, to], checkVat));
}

// Clocks that this process moves: who comes meanwhile would do the same work, to be told at the end that it was done.
const moving = new Set<string>();

async function alone<T>(organizationId: string, move: () => Promise<T>): Promise<T> {
  if (moving.has(organizationId)) throw notAllowed('test_clock_was_moved');
  moving.add(organizationId);
  try {
    return await move();
  } finally {
    moving.delete(organizationId);
  }
}

// Events of charges in advance that wait for a subscription are billed as it begins.
async function run(db: TenantClient, job: SystemActor, from: Date, to: Date): Promise<Changed> {
  const changed: Changed[] = [];
  let since = from;
  for (const at of await startsAwaited(db, job, to)) {
    if (at <= since) continue;
    changed.push(await runBetween(db, job, since, at));
    changed.push(await billEvents(db, { ...job, now: at }, { thresholds: false }));
    since = at;
  }
  changed.push(await runBetween(db, job, since, to));
  return allChanged(changed);
}

async function advance(
  db: TenantClient,
  actor: Actor,
  [from, to]: readonly [Date, Date],
  checkVat: VatChecker | undefined,
): Promise<Written> {
  const { organizationId: id, now } = actor;
  const job = { organizationId: id, now, job: `clock/${signatureOf(actor).requestId}` };
  const used = await billEvents(db, { ...job, now: from }, { thresholds: true });
  if (checkVat) await checkAgain(db, { ...job, now: to }, checkVat);
  const ran = await run(db, job, from, to);
  const [trouble] = await recordDailyUsage(db, { ...job, now: to }, { since: from, hasClock: true });
  if (trouble) throw trouble.error;
  return inTransaction(db, actor, async (tx) => {
    const { count } = await tx.organization.updateMany({ where: { id, testClockAt: from }, data: { testClockAt: to } });
    if (count === 0) throw notAllowed('test_clock_was_moved');
    const told = { action: 'organization.clock_advanced', objectType: 'organization', objectId: id };
    const entry = await recordAudit(tx, {
      ...{ actor, ...told, before: { testClockAt: from }, after: { testClockAt: to } },
    });
    return { id, changed: allChanged([used, ran, { auditLogs: [entry] }]) };
  });
}
