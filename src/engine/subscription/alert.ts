import {
  type AlertChange,
  type AlertMembers,
  alertRefusal,
  changedAlert,
  type SentThreshold,
} from '../../billing/customer/alert.ts';
import { type BillingError, type ErrorDetails, invalid, joined, notFound } from '../../billing/errors.ts';
import { dec, decimalText } from '../../billing/money/decimal.ts';
import { inList, PlacedFaults } from '../../billing/placed-faults.ts';
import { differences } from '../../billing/resource/resource.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { idsByCode } from '../../store/catalogue/code-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_ALERT_CODE, UNIQUE_ALERT_METRIC, UNIQUE_ALERT_TYPE, whereUnique } from '../../store/database/unique.ts';
import { newId } from '../../store/database/uuid.ts';
import { type AlertRow, alertOf, alertsOf, replaceThresholds } from '../../store/subscription/alert.ts';
import type { SubscriptionPath } from '../../store/subscription/subscription-entitlement.ts';
import { lockSubscription } from '../../store/subscription/subscription-lock.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/** What an application sends to make an alert. */
export type NewAlert = Omit<AlertMembers, 'name' | 'billableMetricCode' | 'thresholds'> &
  Pick<AlertChange, 'name' | 'billableMetricCode'> & { readonly thresholds: readonly SentThreshold[] };

const RULES = [UNIQUE_ALERT_CODE, UNIQUE_ALERT_TYPE, UNIQUE_ALERT_METRIC];

const membersOf = ({ name, billableMetricCode, ...alert }: NewAlert): AlertMembers => ({
  ...{ ...alert, name: name ?? null, billableMetricCode: billableMetricCode || null },
});

/** What other alerts of the subscription have already; those that are told by the index come at the same moment. */
function takenFaults(alert: AlertMembers, others: readonly AlertMembers[]): BillingError | undefined {
  const isSame = (other: AlertMembers) =>
    other.alertType === alert.alertType && other.billableMetricCode === alert.billableMetricCode;
  const details: ErrorDetails = {
    ...(others.some(({ code }) => code === alert.code) && { code: ['value_already_exist'] }),
    ...(others.some(isSame) && { base: ['alert_already_exists'] }),
  };
  return Object.keys(details).length > 0 ? invalid(details) : undefined;
}

/** Refuses what is wrong with an alert, all at once. */
function check(alert: AlertMembers, others: readonly AlertMembers[]): AlertMembers {
  const refused = [alertRefusal(alert), takenFaults(alert, others)].filter((one) => one !== undefined);
  if (refused.length > 0) throw joined(...refused);
  return alert;
}

const recordOf = ({ thresholds, ...alert }: AlertMembers) => ({
  ...alert,
  thresholds: thresholds.map(({ code, value, recurring }) => ({
    ...{ code: code ?? null, value: decimalText(dec(value)), recurring: recurring ?? false },
  })),
});

async function metricOf(tx: TenantTransaction, actor: Actor, { billableMetricCode: code }: AlertMembers) {
  return code === null ? null : ((await idsByCode(tx, actor, 'billable_metric', [code])).get(code) ?? null);
}

async function logged(tx: TenantTransaction, actor: Actor, verb: string, id: string, before: unknown, after: unknown) {
  return recordAudit(tx, { actor, action: `alert.${verb}`, objectType: 'alert', objectId: id, before, after });
}

async function store(tx: TenantTransaction, actor: Actor, externalId: string, alert: AlertMembers): Promise<Written> {
  const { organizationId, now } = actor;
  const id = newId(now);
  const { alertType, code, name, thresholds } = alert;
  const billableMetricId = await metricOf(tx, actor, alert);
  const data = { alertType, code, name, billableMetricId, externalSubscriptionId: externalId };
  await tx.alert.create({
    data: { id, organizationId, ...data, createdAt: now, updatedAt: now },
    select: { id: true },
  });
  await replaceThresholds(tx, actor, id, thresholds);
  const entry = await logged(tx, actor, 'created', id, null, {
    externalSubscriptionId: externalId,
    ...recordOf(alert),
  });
  return { id, changed: { auditLogs: [entry] } };
}

/** Does a write on the alerts of an external identifier, while nobody else changes its subscription. */
const onAlerts = <T>(
  db: TenantClient,
  actor: Actor,
  path: SubscriptionPath,
  write: (tx: TenantTransaction, rows: readonly AlertRow[], subscriptionId: string) => Promise<T>,
): Promise<T> =>
  whereUnique(RULES, () =>
    inTransaction(db, actor, async (tx) => {
      const { id } = await lockSubscription(tx, actor, path);
      return write(tx, await alertsOf(tx, path.externalId), id);
    }),
  );

/**
 * Makes an alert of a subscription. Of one external identifier a code is there once, and so is a type, of each metric. Throws
 * `object_not_found` for the subscription, one validation error, and `object_not_found` for an unknown metric.
 */
export const createAlert = (db: TenantClient, actor: Actor, path: SubscriptionPath, sent: NewAlert): Promise<Written> =>
  onAlerts(db, actor, path, (tx, rows) => {
    const alert = check(membersOf(sent), rows.map(alertOf));
    return store(tx, actor, path.externalId, alert);
  });

/** Makes several, or none of them. What is wrong is told by places. */
export const createAlerts = (
  db: TenantClient,
  actor: Actor,
  path: SubscriptionPath,
  sent: readonly NewAlert[],
): Promise<{ readonly ids: readonly string[]; readonly changed: Changed }> =>
  onAlerts(db, actor, path, async (tx, rows) => {
    const faults = new PlacedFaults(inList('inputs'));
    const wanted = sent.map(membersOf);
    const others = rows.map(alertOf);
    for (const [place, alert] of wanted.entries()) {
      faults.read(place, () => check(alert, [...others, ...wanted.slice(0, place)]));
    }
    faults.throwAny();
    const written: Written[] = [];
    for (const alert of wanted) written.push(await store(tx, actor, path.externalId, alert));
    return { ids: written.map(({ id }) => id), changed: allChanged(written.map(({ changed }) => changed)) };
  });

const named = (rows: readonly AlertRow[], code: string): AlertRow => {
  const row = rows.find((one) => one.code === code);
  if (!row) throw notFound('alert');
  return row;
};

/**
 * Changes an alert, whose type and last value stay. Thresholds that are sent replace the former ones; what is sent as it is changes nothing
 * and is not logged. Throws `object_not_found` and one validation error.
 */
export const updateAlert = (
  db: TenantClient,
  actor: Actor,
  path: SubscriptionPath & { readonly code: string },
  sent: AlertChange,
): Promise<Written> =>
  onAlerts(db, actor, path, async (tx, rows) => {
    const row = named(rows, path.code);
    const { id } = row;
    const stored = alertOf(row);
    const others = rows.filter((one) => one.id !== id).map(alertOf);
    const alert = check(changedAlert(stored, sent), others);
    const [before, after] = [recordOf(stored), recordOf(alert)];
    const changes = differences(before, after);
    if (Object.keys(changes).length === 0) return { id, changed: {} };
    const data = { code: alert.code, name: alert.name, billableMetricId: await metricOf(tx, actor, alert) };
    await tx.alert.update({ where: { id }, data: { ...data, updatedAt: actor.now }, select: { id: true } });
    if (changes.thresholds) await replaceThresholds(tx, actor, id, alert.thresholds);
    const entry = await logged(tx, actor, 'updated', id, differences(after, before), changes);
    return { id, changed: { auditLogs: [entry] } };
  });

async function end(tx: TenantTransaction, actor: Actor, rows: readonly AlertRow[]): Promise<Changed> {
  const ids = rows.map(({ id }) => id);
  const data = { deletedAt: actor.now, updatedAt: actor.now };
  await tx.alert.updateMany({ where: { id: { in: ids } }, data });
  const entries: string[] = [];
  for (const row of rows) entries.push(await logged(tx, actor, 'deleted', row.id, recordOf(alertOf(row)), null));
  return { auditLogs: entries };
}

/** Deletes an alert, whose code is free again. Throws `object_not_found`. */
export const deleteAlert = (
  db: TenantClient,
  actor: Actor,
  path: SubscriptionPath & { readonly code: string },
): Promise<Written> =>
  onAlerts(db, actor, path, async (tx, rows) => {
    const row = named(rows, path.code);
    return { id: row.id, changed: await end(tx, actor, [row]) };
  });

/** Deletes all alerts of a subscription; the row that is told is the subscription's. Throws `object_not_found`. */
export const deleteAlerts = (db: TenantClient, actor: Actor, path: SubscriptionPath): Promise<Written> =>
  onAlerts(db, actor, path, async (tx, rows, id) => {
    const changed = await end(tx, actor, rows);
    return { id, changed: { ...changed, alerts: rows.map((row) => row.id) } };
  });
