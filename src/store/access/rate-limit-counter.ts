import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { PrismaClient } from '../generated/prisma/client.ts';

/** What has been spent of a key's window, over all processes that count together. */
export interface Count {
  readonly spent: number;
  /** Milliseconds until the window ends. */
  readonly endsIn: number;
}

/** Counts points within windows. A window begins with the first point and lasts `WINDOW_SECONDS`. */
export interface Counter {
  add(key: string, points: number): Promise<Count>;
  close(): Promise<void>;
}

const WINDOW_SECONDS = 60;

const PREFIX = 'billing_gateway_rate';

/** Counts for this process alone. */
export function memoryCounter(): Counter {
  const limiter = new RateLimiterMemory({ keyPrefix: PREFIX, points: 1, duration: WINDOW_SECONDS });
  return {
    async add(key, points) {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      return { spent: consumedPoints, endsIn: msBeforeNext };
    },
    close: async () => undefined,
  };
}

async function openRedis(url: string) {
  const { Redis } = await import('ioredis'); // most gateways have none
  const client = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  });
  client.on('error', () => undefined); // who counts is told by the failing call
  const limiter = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: PREFIX,
    points: 1,
    duration: WINDOW_SECONDS,
  });
  return { client, limiter };
}

/** Counts for every process on one Redis. */
export function redisCounter(url: string): Counter {
  const opening = openRedis(url);
  return {
    async add(key, points) {
      const { consumedPoints, msBeforeNext } = await (await opening).limiter.penalty(key, points);
      return { spent: consumedPoints, endsIn: msBeforeNext };
    },
    close: async () => (await opening).client.disconnect(),
  };
}

/** Counts for every process on one PostgreSQL, by its clock: one statement a call, one row a key. */
export function databaseCounter(prisma: PrismaClient): Counter {
  return {
    async add(key, points) {
      const [row] = await prisma.$queryRaw<{ spent: number; endsIn: number }[]>`
        INSERT INTO rate_limits AS known (key, points, ends_at)
        VALUES (${key}, ${points}::integer, now() + ${WINDOW_SECONDS}::integer * interval '1 second')
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN known.ends_at <= now() THEN EXCLUDED.points ELSE known.points + EXCLUDED.points END,
          ends_at = CASE WHEN known.ends_at <= now() THEN EXCLUDED.ends_at ELSE known.ends_at END
        RETURNING points AS spent, ceil(extract(epoch FROM ends_at - now()) * 1000)::integer AS "endsIn"`;
      if (!row) throw new Error('the count was not returned');
      return row;
    },
    close: async () => undefined,
  };
}
