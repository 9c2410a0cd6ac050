import { measuredBy } from '../../usage/table/measured-by.ts';
import { checkUnits } from '../default/event.ts';
import { always, field, shape, stamps } from '../document/shape.ts';

/** A usage event. */
export const EVENT = shape({
  name: 'event',
  table: 'events',
  section: 'events',
  key: ['external_subscription_id', 'transaction_id'],
  keyTable: { name: 'event_keys', id: 'event_id' },
  unique: always,
  told: { column: 'measured_by', ...measuredBy('n') },
  fields: [
    field('transaction_id', 'text', { nullable: false }),
    field('external_subscription_id', 'text', { required: true }),
    field('code', 'text', { required: true }),
    field('timestamp', 'time', { nullable: false }),
    field('properties', 'json', { initial: {} }),
    field('precise_total_amount_cents', 'decimal'),
    ...stamps('deleted'),
  ],
  fill: async (drafts, importer) => {
    for (const { row, id } of drafts) {
      row.transaction_id ??= id;
      row.timestamp ??= row.created_at ?? importer.now;
    }
    await checkUnits(drafts, importer);
  },
});
