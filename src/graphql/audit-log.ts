import { builder } from './builder.ts';
import { defineNode } from './node.ts';
import { listing } from './root.ts';

interface AuditLogArgs {
  readonly action?: string | null;
  readonly objectType?: string | null;
  readonly objectId?: string | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
}

defineNode('AuditLog', {
  resource: 'activity_log',
  omit: ['objectId', 'requestId'],
  fields: (t) => ({
    objectId: t.exposeString('objectId', { description: 'Identifier of the object, as the service assigned it.' }),
    requestId: t.exposeString('requestId', {
      description: "The request's id, as answered in `X-Request-Id` and found in the logs.",
    }),
  }),
});

const auditLogArgs = builder.args((t) => ({
  action: t.string({ description: 'Only entries of this action, for example `wallet.terminated`.' }),
  objectType: t.string({ description: 'Only entries about objects of this kind, for example `wallet`.' }),
  objectId: t.string({ description: 'Only entries about the object with this identifier.' }),
  from: t.field({ type: 'DateTime', description: 'Only entries made at this moment or later.' }),
  to: t.field({ type: 'DateTime', description: 'Only entries made before this moment.' }),
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
