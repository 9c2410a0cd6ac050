import type { Instant } from '../../billing/period/calendar.ts';
import { dueMoments, dueSteps } from '../../billing/timeline/day.ts';
import type { Actor, SystemActor } from '../../store/access/audit.ts';
import { loadLife } from '../../store/account/load-account.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../../store/database/tenant.ts';
import { taxableCustomers } from '../../store/invoice/invoice-life.ts';
import { staleCustomers } from '../../store/invoice/stale-draft.ts';
import { type DueCustomer, releaseCustomers, settleCustomers, stillDue } from '../../store/job/due-customer.ts';
import { expiringCustomers } from '../../store/job/expiry.ts';
import { type DueLife, dueLives } from '../../store/subscription/due-life.ts';
import { answeredUsage, NO_USAGE } from '../../store/usage/stored-usage.ts';
import { allChanged, type Changed } from '../changed.ts';
import { expireCoupons, expireCustomer } from '../job/expire.ts';
import { live } from '../life/live.ts';
import { refreshDrafts } from '../life/refresh-drafts.ts';
import { settleTaxes } from '../life/settle-taxes.ts';
import type { Trouble } from '../life/trouble.ts';
import { inTransaction } from '../transaction.ts';

/** Runs what is due of one life at the actor's moment, in a transaction of its own. Done again, it changes nothing. */
export function runLife(db: TenantClient, actor: Actor, life: DueLife): Promise<Changed> {
  return inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, [life.customerId]);
    return live({ db, tx, actor }, life, { steps: dueSteps(actor.now.getTime()) });
  });
}

/** Taxes what waited for it of a customer, where what it waited for was ended by something else than an answer. */
function taxCustomer(db: TenantClient, actor: Actor, customerId: string): Promise<Changed> {
  return inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, [customerId]);
    return settleTaxes({ db, tx, actor }, customerId);
  });
}

interface Due {
  readonly at: Instant;
  readonly life: DueLife;
}

/** The moments after `from` and up to `to` at which something happens by itself to a life. */
async function momentsOf(tx: TenantTransaction, life: DueLife, from: Date, to: Date): Promise<Due[]> {
  const stored = await loadLife(tx, life, life.externalIds, from);
  if (!stored) return [];
  // Numbers are not taken here: which they are follows from what others are billed in between.
  const ranks = { forCustomer: 0, forEntity: 0 };
  const state = { ...stored, plans: [], events: [], changes: [], usage: answeredUsage(NO_USAGE), ranks };
  return dueMoments(state, from.getTime(), to.getTime()).map((at) => ({ at, life }));
}

const inOrder = (due: Due[]) => due.sort((one, other) => one.at - other.at);

/** What happens by itself between two moments to all customers, in the order in which it happens. */
async function dueBetween(db: TenantClient, actor: Actor, from: Date, to: Date): Promise<Due[]> {
  const lives = await dueLives(db, actor);
  const look = async (tx: TenantTransaction) => {
    const due: Due[] = [];
    for (const life of lives) due.push(...(await momentsOf(tx, life, from, to)));
    return due;
  };
  return inOrder(await transactionOf(db, look, { reads: true }));
}

/** Lets everything happen by itself in an organization that happens between two moments, as if it had happened then. */
export async function runBetween(db: TenantClient, actor: SystemActor, from: Date, to: Date): Promise<Changed> {
  const changed: Changed[] = [];
  for (const { at, life } of await dueBetween(db, actor, from, to)) {
    changed.push(await runLife(db, { ...actor, now: new Date(at) }, life));
  }
  const then = { ...actor, now: to };
  for (const id of await staleCustomers(db, then)) changed.push(await refreshDrafts(db, then, id));
  for (const id of await taxableCustomers(db)) changed.push(await taxCustomer(db, then, id));
  for (const id of await expiringCustomers(db, then)) changed.push(await expireCustomer(db, then, id));
  changed.push(await expireCoupons(db, then));
  return allChanged(changed);
}

/** Lets happen to one customer what is due at the actor's moment, also what was missed, in the order in which it would have happened. */
async function runCustomer(
  db: TenantClient,
  actor: SystemActor,
  { customerId, livedUntil }: DueCustomer,
): Promise<void> {
  const due: Due[] = [];
  for (const life of await dueLives(db, actor, [customerId])) {
    const look = (tx: TenantTransaction) => momentsOf(tx, life, livedUntil, actor.now);
    due.push(...(await transactionOf(db, look, { reads: true })));
  }
  for (const { at, life } of inOrder(due)) await runLife(db, { ...actor, now: new Date(at) }, life);
  if ((await taxableCustomers(db, [customerId])).length > 0) await taxCustomer(db, actor, customerId);
  if ((await expiringCustomers(db, actor, [customerId])).length > 0) await expireCustomer(db, actor, customerId);
}

// Few enough for little to be looked at again where the process dies.
const SETTLED_TOGETHER = 10;

/**
 * Lets happen what is due of some customers, one after the other; each moment in a transaction of its own. Trouble with one keeps none of the
 * others. Once `isOver`, those that are left are given back, but for the first: a job is never for nothing.
 */
export async function runCustomers(
  db: TenantClient,
  actor: SystemActor,
  ids: readonly string[],
  isOver: () => boolean,
): Promise<Trouble[]> {
  const due = await stillDue(db, actor, ids);
  const troubles: Trouble[] = [];
  let settled: string[] = [];
  for (const [place, customer] of due.entries()) {
    const { customerId } = customer;
    if (place > 0 && isOver()) {
      await releaseCustomers(
        db,
        actor,
        due.slice(place).map((left) => left.customerId),
      );
      break;
    }
    await runCustomer(db, actor, customer).then(
      () => settled.push(customerId),
      (error: unknown) => troubles.push({ customerId, error }),
    );
    if (settled.length < SETTLED_TOGETHER) continue;
    await settleCustomers(db, actor, settled);
    settled = [];
  }
  await settleCustomers(db, actor, settled);
  return troubles;
}
