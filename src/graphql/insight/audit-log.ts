import { jobIdOf } from '../../store/access/audit.ts';
import { builder } from '../base/builder.ts';
import { columnOf } from '../base/column.ts';
import { replacedBy } from '../base/deprecation.ts';
import { requirePermission } from '../base/guard.ts';
import type { Resource } from '../context.ts';
import { findTogether } from '../list/find-together.ts';
import { defineNode } from '../list/node.ts';
import { listing } from '../list/root.ts';
import { ApiKey, apiKeyOf } from './api-key.ts';
import { AuditChange, auditChanges } from './audit-change.ts';
import { auditLogFilter } from './audit-log-filter.ts';
import { Job } from './job.ts';

interface AuditLogArgs {
  readonly action?: string | null;
  readonly objectType?: string | null;
  readonly objectId?: string | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
}

// Kinds of objects that are parts of another resource; the others are resources themselves.
const PARTS: Readonly<Record<string, Resource>> = {
  ...{ charge: 'plan', charge_filter: 'plan', fixed_charge: 'plan' },
  alert: 'subscription',
};

/** What a key must be able to read to see what an entry of the log tells of an object. Kinds that are not known are for keys that may read everything. */
export const auditedResource = (objectType: string): Resource => PARTS[objectType] ?? (objectType as Resource);

defineNode('AuditLog', {
  filter: auditLogFilter,
  resource: 'activity_log',
  omit: ['objectId', 'requestId', 'before', 'after'],
  fields: (t) => ({
    before: t.field({
      type: 'JSON',
      nullable: true,
      description: `${columnOf('AuditLog', 'before').documentation} For keys that may read the object.`,
      select: { objectType: true, before: true },
      resolve: ({ objectType, before }, _args, context) => {
        requirePermission(context, `${auditedResource(objectType)}:read`);
        return before;
      },
    }),
    after: t.field({
      type: 'JSON',
      nullable: true,
      description: `${columnOf('AuditLog', 'after').documentation} For keys that may read the object.`,
      select: { objectType: true, after: true },
      resolve: ({ objectType, after }, _args, context) => {
        requirePermission(context, `${auditedResource(objectType)}:read`);
        return after;
      },
    }),
    changes: t.field({
      type: [AuditChange],
      description:
        'What differs between `before` and `after`, value by value; of a new object all its values. For keys that may read the object.',
      select: { objectType: true, before: true, after: true },
      resolve: ({ objectType, before, after }, _args, context) => {
        requirePermission(context, `${auditedResource(objectType)}:read`);
        return auditChanges(before, after);
      },
    }),
    key: t.field({
      type: ApiKey,
      nullable: true,
      description: 'The API key that was used; null where the service wrote by itself, and where the key is gone.',
      select: { keyId: true },
      resolve: ({ keyId }, _args, context) => apiKeyOf(keyId, context),
    }),
    job: t.field({
      type: Job,
      nullable: true,
      description:
        'The job in which the service wrote by itself; null where a key was used, and once the job is forgotten.',
      select: { requestId: true },
      resolve: ({ requestId }, _args, context, info) => {
        const id = jobIdOf(requestId);
        return id === undefined ? null : findTogether(context, info, 'Job', id);
      },
    }),
    objectId: t.exposeString('objectId', { description: 'Identifier of the object, as the service assigned it.' }),
    requestId: t.exposeString('requestId', {
      description: "The request's id, as answered in `X-Request-Id` and found in the logs.",
    }),
  }),
});

const inFilter = (description: string) => ({ description, deprecationReason: replacedBy('filter') });

const auditLogArgs = builder.args((t) => ({
  action: t.string(inFilter('Only entries of this action, for example `wallet.terminated`.')),
  objectType: t.string(inFilter('Only entries about objects of this kind, for example `wallet`.')),
  objectId: t.string(inFilter('Only entries about the object with this identifier.')),
  from: t.field({ type: 'DateTime', ...inFilter('Only entries made at this moment or later.') }),
  to: t.field({ type: 'DateTime', ...inFilter('Only entries made before this moment.') }),
}));

function condition({ action, objectType, objectId, from, to }: AuditLogArgs): object {
  const createdAt = { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) };
  const equal = Object.entries({ action, objectType, objectId: objectId?.toLowerCase() }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return { ...Object.fromEntries(equal), ...(from || to ? { createdAt } : {}) };
}

listing('auditLog', 'AuditLog', {
  resource: 'activity_log',
  description: 'What was written, by which key and when. Entries are only ever added.',
  args: auditLogArgs,
  where: condition,
});
