import { AlertDirection, AlertType } from '../../generated/prisma/enums.ts';
import { always, choice, field, ref, required, shape, stamps } from '../document/shape.ts';

const ALERT_THRESHOLD = shape({
  name: 'alert_threshold',
  table: 'alert_thresholds',
  key: ['alert_id', 'value', 'recurring'],
  unique: always,
  fields: [
    field('code', 'text'),
    field('value', 'decimal', required),
    field('recurring', 'boolean', { initial: false }),
    ...stamps(),
  ],
  prepare: (drafts) => {
    for (const { row } of drafts) row.recurring ??= false;
  },
});

/** Tells when what is measured of a subscription reaches thresholds. */
export const ALERT = shape({
  name: 'alert',
  table: 'alerts',
  section: 'alerts',
  key: ['external_subscription_id', 'code'],
  unique: always,
  fields: [
    field('external_subscription_id', 'text', required),
    choice('alert_type', AlertType, required),
    choice('direction', AlertDirection, { initial: 'increasing' }),
    field('code', 'text', required),
    field('name', 'text'),
    field('previous_value', 'decimal', { initial: '0' }),
    field('last_processed_at', 'time'),
    ...stamps('updated', 'deleted'),
  ],
  refs: [
    ref(
      'billable_metric_id',
      'billable_metric',
      ['svc_billable_metric_id', 'billable_metric.svc_id'],
      ['billable_metric_code', 'billable_metric.code'],
    ),
  ],
  children: [{ member: 'thresholds', shape: () => ALERT_THRESHOLD, parent: 'alert_id' }],
});
