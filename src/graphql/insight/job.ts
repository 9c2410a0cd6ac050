import { retryJob } from '../../engine/job/retry-job.ts';
import { builder } from '../base/builder.ts';
import { actorOf } from '../context.ts';
import { anyOf, moments } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { mutation } from '../write/mutation.ts';

const filter = listFilter('Job', {
  conditions: {
    task: anyOf('JobTask', 'task', 'Only jobs that do one of these things.'),
    status: anyOf('JobStatus', 'status', 'Only jobs in one of these states.'),
    customerId: {
      type: 'UUID',
      description: 'Only jobs for this customer, by the identifier that the service assigned.',
      where: (id: string) => ({ customerIds: { has: id.toLowerCase() } }),
    },
    createdAt: moments('createdAt', 'Only jobs made in this time.'),
  },
});

/** Work that the service does by itself. */
export const Job = defineNode('Job', { resource: 'job', filter, omit: ['queuedAt'] });

listing('jobs', 'Job', {
  resource: 'job',
  description:
    'What the service does by itself for the organization, and how far it is. What is done is kept for a week, what failed for 90 days.',
});

lookupById('job', 'Job', 'job', 'A job.');

mutation('retryJob', 'Job', {
  resource: 'job',
  description: 'Has a job that failed for good tried again, at once.',
  args: builder.args((t) => ({
    svcId: t.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
  })),
  write: ({ svcId }, context) => retryJob(context.db, actorOf(context), svcId),
});
