import { usageCompleteUntil } from '../../engine/usage/usage-position.ts';
import { builder } from '../base/builder.ts';
import type { Permission } from '../context.ts';

builder.queryField('usageCompleteUntil', (t) =>
  t.field({
    type: 'PreciseDateTime',
    nullable: true,
    description:
      'The moment up to which usage is complete: every event that was acknowledged until then counts, exactly once. A period is ready to be billed once it has passed.',
    extensions: { permission: 'event:read' satisfies Permission, price: 50 },
    resolve: (_root, _args, { db }) => usageCompleteUntil(db),
  }),
);
