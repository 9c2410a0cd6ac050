import { describe, expect, it } from 'vitest';
import { auditChanges } from '../../../src/graphql/insight/audit-change.ts';

describe('auditChanges', () => {
  it('tells what differs, value by value', () => {
    const before = { name: 'a', rate: '1.0', filters: [{ values: { region: ['eu'] } }], empty: [], same: { x: 1 } };
    const after = {
      name: 'b',
      rate: '1.0',
      filters: [{ values: { region: ['eu', 'us'] } }],
      empty: [1],
      same: { x: 1 },
      on: true,
    };
    expect(auditChanges(before, after)).toEqual([
      { path: ['name'], before: 'a', after: 'b' },
      { path: ['empty'], before: '[]', after: null },
      { path: ['filters', '0', 'values', 'region', '1'], before: null, after: 'us' },
      { path: ['empty', '0'], before: null, after: '1' },
      { path: ['on'], before: null, after: 'true' },
    ]);
  });
  it('tells all values of what is new or gone, and nothing of what is the same', () => {
    expect(auditChanges(null, { a: { b: null } })).toEqual([]);
    expect(auditChanges(null, { a: '1' })).toEqual([{ path: ['a'], before: null, after: '1' }]);
    expect(auditChanges({ a: '1' }, null)).toEqual([{ path: ['a'], before: '1', after: null }]);
    expect(auditChanges({ __proto__: null, a: 1 }, { a: 1 })).toEqual([]);
  });
});
