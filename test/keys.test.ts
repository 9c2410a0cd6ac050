import { describe, expect, it } from 'vitest';
import { CommandError, wantedKey } from '../src/command/keys.ts';

const NOW = new Date('2026-11-28T12:00:00Z');
const wanted = (options: object) => wantedKey({ organization: 'Quillo', kind: 'secret', ...options }, NOW);

describe('keys create', () => {
  it.each([
    [{ expires: '2026-11-28' }, '2026-11-28 is past: the key would be refused from the beginning'],
    [{ expires: '2026-11-28T13:00:00+01:00' }, '2026-11-28T13:00:00+01:00 is past: the key would be refused from the'],
    [{ expires: '2027-02-30' }, '2027-02-30 is not a date (2027-01-31) or date-time with an offset'],
    [{ expires: '' }, ' is not a date'],
    [{ permissions: ' , ' }, '--permissions names none: such a key could do nothing'],
    [{ permissions: 'plan:read:write' }, 'plan:read:write is not a permission'],
    [{ permissions: 'plan:readwrite' }, 'plan:readwrite is not a permission'],
    [{ permissions: 'plan' }, 'plan is not a permission; they are like plan:read,invoice:write'],
    [
      { kind: 'publishable', permissions: 'plan:read,wallet:read' },
      'a publishable key never has wallet:read; it may have plan:read, subscription:read',
    ],
    [{ kind: 'publishable', permissions: 'plan:write' }, 'a publishable key never has plan:write'],
  ])('%j: %s', (options, message) => {
    expect(() => wanted(options)).toThrow(CommandError);
    expect(() => wanted(options)).toThrow(message);
  });

  it('takes what can be used', () => {
    expect(wanted({ expires: '2026-11-29', permissions: 'plan:read invoice:read,invoice:write,plan:read' })).toEqual({
      kind: 'secret',
      expiresAt: new Date('2026-11-29T00:00:00Z'),
      permissions: { plan: ['read'], invoice: ['read', 'write'] },
    });
    expect(wanted({ kind: 'publishable', permissions: 'invoice:read' })).toMatchObject({
      permissions: { invoice: ['read'] },
    });
    expect(wanted({})).toEqual({ kind: 'secret' });
  });
});
