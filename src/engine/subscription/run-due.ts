import { BillingError, invalid, joined } from '../../billing/errors.ts';
import { ZONE_CHANGE_LIMIT_MS } from '../../billing/period/boundaries.ts';
import type { Instant } from '../../billing/period/calendar.ts';
import type { Span } from '../../billing/timeline/day.ts';
import type { TimelineStep } from '../../billing/timeline/timeline-type.ts';
import type { Actor, SystemActor } from '../../store/access/audit.ts';
import { loadLife } from '../../store/account/load-lives.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import { isEmbedded } from '../../store/database/server-kind.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../../store/database/tenant.ts';
import { taxableCustomers } from '../../store/invoice/invoice-life.ts';
import { staleCustomers } from '../../store/invoice/stale-draft.ts';
import {
  type DueCustomer,
  movedCustomers,
  releaseCustomers,
  settleCustomers,
  settleMoved,
  stillDue,
} from '../../store/job/due-customer.ts';
import { expiringCustomers } from '../../store/job/expiry.ts';
import { type DueLife, dueLives } from '../../store/subscription/due-life.ts';
import { allChanged, type Changed } from '../changed.ts';
import { expireCoupons, expireCustomer } from '../job/expire.ts';
import { live } from '../life/live.ts';
import { refreshDrafts } from '../life/refresh-drafts.ts';
import { settleTaxes } from '../life/settle-taxes.ts';
import type { Trouble } from '../life/trouble.ts';
import { inTransaction } from '../transaction.ts';
import { momentsOf, runAllTogether } from './run-together.ts';

/** Runs what is due of one life at the actor's moment, by the steps of a `DueMoment`, in a transaction of its own. Done again, it changes nothing. */
export function runLife(
  db: TenantClient,
  actor: Actor,
  life: DueLife,
  steps: readonly TimelineStep[],
): Promise<Changed> {
  return inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, [life.customerId]);
    return live({ db, tx, actor }, life, { steps });
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
  readonly steps: readonly TimelineStep[];
}

async function dueOf(tx: TenantTransaction, life: DueLife, span: Span<Date>): Promise<Due[]> {
  const stored = await loadLife(tx, life, span.from);
  return stored ? momentsOf(stored, life.externalIds, span).map(({ at, steps }) => ({ at, life, steps })) : [];
}

const inOrder = (due: Due[]) => due.sort((one, other) => one.at - other.at);

/** Does something for a life. What is refused names the customer among the rest of it. */
async function naming<T>(db: TenantClient, { customerId: id }: DueLife, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof BillingError) || !error.details) throw error;
    const { externalId } = await db.customer.findUniqueOrThrow({ where: { id }, select: { externalId: true } });
    throw joined(invalid({ customer: [`could_not_be_billed: ${externalId}`] }), error);
  }
}

/** What happens by itself between two moments to all customers, in the order in which it happens. */
async function dueBetween(
  db: TenantClient,
  actor: Actor,
  [livedUntil, to]: readonly [Date, Date],
  moved: ReadonlySet<string>,
): Promise<Due[]> {
  const lives = await dueLives(db, actor);
  // Days that have begun in another zone than before are looked at once more.
  const again = new Date(livedUntil.getTime() - ZONE_CHANGE_LIMIT_MS);
  const spanOf = ({ customerId }: DueLife) => ({ from: moved.has(customerId) ? again : livedUntil, livedUntil, to });
  const look = async (tx: TenantTransaction) => {
    const due: Due[] = [];
    for (const life of lives) due.push(...(await naming(db, life, () => dueOf(tx, life, spanOf(life)))));
    return due;
  };
  return inOrder(await transactionOf(db, look, { reads: true }));
}

/**
 * Lets everything happen by itself in an organization that happens between two moments, as if it had happened then. Throws a validation error that
 * names the customer where something cannot happen to one; what happens before that has happened.
 */
export async function runBetween(db: TenantClient, actor: SystemActor, from: Date, to: Date): Promise<Changed> {
  const changed: Changed[] = [];
  const moved = await movedCustomers(db, actor);
  for (const { at, life, steps } of await dueBetween(db, actor, [from, to], moved)) {
    changed.push(await naming(db, life, () => runLife(db, { ...actor, now: new Date(at) }, life, steps)));
  }
  await settleMoved(db, actor, moved);
  const then = { ...actor, now: to };
  for (const id of await staleCustomers(db, then)) changed.push(await refreshDrafts(db, then, id));
  for (const id of await taxableCustomers(db)) changed.push(await taxCustomer(db, then, id));
  for (const id of await expiringCustomers(db, then)) changed.push(await expireCustomer(db, then, id));
  changed.push(await expireCoupons(db, then));
  return allChanged(changed);
}

/** Lets happen to one customer what is due at the actor's moment, also what was missed, in the order in which it would have happened. */
async function runCustomer(db: TenantClient, actor: SystemActor, customer: DueCustomer): Promise<void> {
  const { customerId } = customer;
  const due: Due[] = [];
  for (const life of await dueLives(db, actor, [customerId])) {
    const look = (tx: TenantTransaction) => dueOf(tx, life, { ...customer, to: actor.now });
    due.push(...(await transactionOf(db, look, { reads: true })));
  }
  for (const { at, life, steps } of inOrder(due)) await runLife(db, { ...actor, now: new Date(at) }, life, steps);
  await finishCustomers(db, actor, [customerId]);
}

/** Expires and taxes what is left of customers to whom everything else has happened. */
async function finishCustomers(db: TenantClient, actor: SystemActor, ids: readonly string[]): Promise<void> {
  for (const id of await taxableCustomers(db, ids)) await taxCustomer(db, actor, id);
  for (const id of await expiringCustomers(db, actor, ids)) await expireCustomer(db, actor, id);
}
// Few enough for requests about one of them not to wait for long, and for little to be looked at again where the process dies.
const [TOGETHER, TOGETHER_EMBEDDED] = [50, 5];

/**
 * Lets happen what is due of some customers: together as far as that can be, then one after another, each moment in a transaction of its own. Trouble with one keeps none of the others. Once
 * `isOver`, those to whom nothing has happened are given back.
 */
async function runSome(
  db: TenantClient,
  actor: SystemActor,
  due: readonly DueCustomer[],
  isOver: () => boolean,
): Promise<Trouble[]> {
  const together: readonly string[] = await runAllTogether(db, actor, due, isOver);
  const finished: readonly string[] = await finishCustomers(db, actor, together).then(
    () => together,
    () => [],
  );
  await settleCustomers(
    db,
    actor,
    due.filter(({ customerId }) => finished.includes(customerId)),
  );
  let done = finished.length;
  const left: string[] = [];
  const troubles: Trouble[] = [];
  for (const customer of due) {
    const { customerId } = customer;
    if (finished.includes(customerId)) continue;
    if (done > 0 && isOver()) {
      left.push(customerId);
      continue;
    }
    const work = together.includes(customerId)
      ? finishCustomers(db, actor, [customerId])
      : runCustomer(db, actor, customer);
    // Each by itself: little is looked at again where the process dies.
    await work
      .then(() => settleCustomers(db, actor, [customer]))
      .catch((error: unknown) => troubles.push({ customerId, error }));
    done += 1;
  }
  await releaseCustomers(db, actor, left);
  return troubles;
}

/**
 * Lets happen what is due of some customers. Once `isOver`, those that are left are given back, but for the first: a job is never for nothing.
 */
export async function runCustomers(
  db: TenantClient,
  actor: SystemActor,
  ids: readonly string[],
  isOver: () => boolean,
): Promise<Trouble[]> {
  const due = await stillDue(db, actor, ids);
  const troubles: Trouble[] = [];
  const most = isEmbedded(db) ? TOGETHER_EMBEDDED : TOGETHER;
  let done = 0;
  while (done < due.length && !(done > 0 && isOver())) {
    const together = due.slice(done, done + (isOver() ? 1 : most));
    troubles.push(...(await runSome(db, actor, together, isOver)));
    done += together.length;
  }
  const left = due.slice(done).map(({ customerId }) => customerId);
  await releaseCustomers(db, actor, left);
  return troubles;
}
