import { pino } from 'pino';
import { expect, it } from 'vitest';
import { begin, type IdempotencyKeys } from '../../../src/http/wire/idempotency.ts';

const logger = pino({ level: 'silent' });

it('an answer of more than a million characters is not kept, and the name stays taken', async () => {
  const done: [string, number][] = [];
  const keys: IdempotencyKeys = {
    claim: async () => ({ state: 'new', attempt: 'a' }),
    keep: async (_named, _attempt, { body }) => void done.push(['kept', body.length]),
    release: async () => void done.push(['released', 0]),
  };
  const attempt = await begin(keys, { organizationId: 'quillo', key: 'k', fingerprint: 'f' }, logger);
  if (!('keep' in attempt)) throw new Error('nothing was begun');
  await attempt.keep({ status: 200, body: 'x'.repeat(1_000_001) });
  expect(done).toEqual([]);
  await attempt.keep({ status: 200, body: 'x'.repeat(1_000_000) });
  expect(done).toEqual([['kept', 1_000_000]]);
});

it('who tries again is told that the answer is lost', async () => {
  const keys: IdempotencyKeys = {
    claim: async () => ({ state: 'unanswered' }),
    keep: async () => undefined,
    release: async () => undefined,
  };
  const trying = begin(keys, { organizationId: 'quillo', key: 'k', fingerprint: 'f' }, logger);
  await expect(trying).rejects.toMatchObject({ code: 'conflict' });
});
