import { expect, test, vi } from 'vitest';
import type { PrismaClient } from '../../../src/store/generated/prisma/client.ts';
import { keepLater, onKeepingFailed } from '../../../src/store/usage/hours/keep-usage.ts';

test('that usage could not be kept is told once for each metric and subscription, with its cause', async () => {
  const cause = new Error('no room');
  const asked = vi.fn(() => Promise.reject(cause));
  const prisma = { $queryRaw: asked } as unknown as PrismaClient;
  const told: unknown[] = [];
  onKeepingFailed(prisma, (error, of) => told.push([error, of]));
  const of = (code: string) => ({ organizationId: 'o', externalSubscriptionId: 's', code });
  for (const code of ['calls', 'calls', 'users', 'calls']) {
    keepLater(prisma, of(code));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(asked).toHaveBeenCalledTimes(4);
  expect(told).toEqual([
    [cause, of('calls')],
    [cause, of('users')],
  ]);
});
