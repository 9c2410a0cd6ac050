import { anyText, moments } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';

/** How the log is narrowed and ordered. */
export const auditLogFilter = listFilter('AuditLog', {
  conditions: {
    action: anyText('action', 'Only entries of one of these actions, for example `wallet.terminated`.'),
    objectType: anyText('objectType', 'Only entries about objects of one of these kinds, for example `wallet`.'),
    objectId: {
      ...anyText('objectId', 'Only entries about the objects with one of these identifiers.'),
      where: (values: string[]) => ({ objectId: { in: values.map((value) => value.toLowerCase()) } }),
    },
    createdAt: moments('createdAt', 'Only entries made in this time.'),
  },
});
