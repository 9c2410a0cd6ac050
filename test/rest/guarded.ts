import { describe, expect, it } from 'vitest';
import type { TestApp } from '../support.ts';

/** The statuses that every endpoint has: 401, and 403 for a publishable key and for one without the permission. */
export function itIsGuarded(app: () => TestApp, method: string, path: () => string, permission: `${string}:${string}`) {
  const [resource, mode] = permission.split(':');
  describe('401', () => {
    it.each([
      ['no key', null],
      ['an unknown key', 'sk_svc_unknown'],
    ])('%s', async (_name, key) => {
      const { status, body } = await app().rest(method, path(), undefined, { key });
      expect(status).toBe(401);
      expect(body).toEqual({ status: 401, error: 'Unauthorized' });
    });
  });
  describe('403', () => {
    it('a publishable key', async () => {
      const key = await app().makeKey({ kind: 'publishable' });
      const { status, body } = await app().rest(method, path(), undefined, { key });
      const allowed = permission === 'plan:read';
      expect(status).toBe(allowed ? 200 : 403);
      if (!allowed) expect(body).toEqual({ status: 403, error: 'Forbidden', code: 'publishable_key_not_allowed' });
    });
    it('a key without the permission', async () => {
      const key = await app().makeKey({ permissions: { [resource === 'tax' ? 'fee' : 'tax']: ['read', 'write'] } });
      const { status, body } = await app().rest(method, path(), undefined, { key });
      expect(status).toBe(403);
      expect(body).toEqual({ status: 403, error: 'Forbidden', code: `${mode}_action_not_allowed_for_${resource}` });
    });
    it('not a key that has just this permission', async () => {
      const key = await app().makeKey({ permissions: { [resource ?? '']: [mode as 'read'] } });
      const { status } = await app().rest(method, path(), undefined, { key });
      expect(status).not.toBe(403);
    });
  });
}

export const NOT_FOUND = { status: 404, error: 'Not Found', code: 'object_not_found' };
