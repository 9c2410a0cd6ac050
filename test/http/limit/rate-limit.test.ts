import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { limitOperations } from '../../../src/http/limit/limit.ts';
import { rateLimit, type Standing } from '../../../src/http/limit/rate-limit.ts';
import { RateLimiter, type RateLimiterOptions } from '../../../src/store/access/rate-limit.ts';
import { databaseCounter } from '../../../src/store/access/rate-limit-counter.ts';
import { createTestApp, statementsOf, type TestApp } from '../../support.ts';
import { standInGateway } from '../stand-in.ts';

const opened: RateLimiter[] = [];
function limiter(options: Partial<RateLimiterOptions>) {
  const made = new RateLimiter({ limit: 10, onDown: () => undefined, ...options });
  opened.push(made);
  return made;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const allowedOf = async (from: readonly RateLimiter[], key: string, times: number, points = 1) => {
  const all = Array.from({ length: times }, (_, index) => from[index % from.length]?.spend(key, points));
  return (await Promise.all(all)).filter((standing) => standing?.isAllowed).length;
};

describe('the headers', () => {
  const standing = (of: Partial<Standing>): Standing => ({
    isAllowed: true,
    limit: 60,
    remaining: 42,
    endsIn: 1001,
    ...of,
  });
  const gateway = (of: Partial<Standing>, spent: [string, number][] = []) => {
    const spend = async (key: string, points: number) => {
      spent.push([key, points]);
      return standing(of);
    };
    const authenticate = async (key: string) =>
      key === 'full'
        ? { organizationId: 'quillo', keyId: 'full', keyKind: 'secret' as const, permits: () => true }
        : undefined;
    const pageSizes = { first: 20, mostFirst: 100, perPage: 100, mostPerPage: 1000 };
    const limits = { depth: 9, aliases: 500, tokens: 9000, directives: 9, cost: 100_000, pageSizes };
    return standInGateway({ authenticate, plugins: [limitOperations(limits), rateLimit({ authenticate, spend })] })
      .send;
  };
  const post = (query: string) => ({ method: 'POST', body: JSON.stringify({ query }) });
  const limits = (headers: Headers) =>
    ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) => headers.get(name));

  it('are on every answer that a key is known for, and nowhere else', async () => {
    const send = gateway({});
    for (const path of [
      '/api/v1/echo/a',
      '/api/v1/nothing',
      '//api/v1//echo/a/',
      '/api/v1/boom',
      '/graphql?query={__typename}',
      '/graphql?query={',
    ]) {
      expect(limits((await send(path)).headers), path).toEqual(['60', '42', '2', null]);
    }
    expect(limits((await send('/api/v1/echo/a', { key: null })).headers)).toEqual([null, null, null, null]);
    expect(limits((await send('/api/v1/echo/a', { key: 'wrong' })).headers)).toEqual([null, null, null, null]);
    expect(limits((await send('/health')).headers)).toEqual([null, null, null, null]);
  });

  it('tell when to come again, in the words of the door', async () => {
    const send = gateway({ isAllowed: false, remaining: 0 });
    const rest = await send('/api/v1/echo/a');
    expect([rest.status, ...limits(rest.headers)]).toEqual([429, '60', '0', '2', '2']);
    expect(rest.body).toEqual({ status: 429, error: 'Too Many Requests', code: 'rate_limit_exceeded' });
    const graphql = await send('/graphql', post('{ __typename }'));
    expect([graphql.status, ...limits(graphql.headers)]).toEqual([429, '60', '0', '2', '2']);
    const errors = [{ message: 'Too Many Requests', extensions: { code: 'rate_limit_exceeded' } }];
    expect(graphql.body).toEqual({ errors });
  });

  it('count a point a request, and another for every hundred of an operation', async () => {
    const spent: [string, number][] = [];
    const send = gateway({}, spent);
    await send('/api/v1/echo/a');
    await send('/graphql', post('{ plan(code: "pro.v2") { code } }'));
    const plans = Array.from({ length: 250 }, (_, n) => `p${n}: plan(code: "pro.v2") { code }`);
    expect((await send('/graphql', post(`{ ${plans.join(' ')} }`))).body.extensions.cost.requested).toBe(250);
    expect(spent).toEqual([1, 1, 1, 2].map((points) => ['quillo:full', points]));
  });
});

describe('a key', () => {
  it('has its points, and no other key has less for it', async () => {
    const one = limiter({ limit: 3 });
    const remaining = [];
    for (const _ of [1, 2, 3]) remaining.push((await one.spend('a', 1)).remaining);
    expect(remaining).toEqual([2, 1, 0]);
    const refused = await one.spend('a', 1);
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0, limit: 3 });
    expect(refused.endsIn).toBeGreaterThan(50_000);
    expect(refused.endsIn).toBeLessThanOrEqual(60_000);
    expect((await one.spend('b', 1)).isAllowed).toBe(true);
  });

  it('spends all that was asked for or nothing', async () => {
    const one = limiter({ limit: 10 });
    expect((await one.spend('a', 8)).remaining).toBe(2);
    expect(await one.spend('a', 3)).toMatchObject({ isAllowed: false, remaining: 2 });
    expect(await one.spend('a', 2)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(await limiter({ limit: 10 }).spend('a', 500)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it('has no more however many requests come at once', async () => {
    for (const limit of [1, 7, 250, 1000]) expect(await allowedOf([limiter({ limit })], 'a', limit + 50)).toBe(limit);
  });
});

const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const hasRedis = await new Promise<boolean>((resolve) => {
  const client = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 1000 });
  client.on('error', () => undefined);
  const answer = (is: boolean) => {
    client.disconnect();
    resolve(is);
  };
  client.ping().then(
    () => answer(true),
    () => answer(false),
  );
});

describe.runIf(hasRedis)('Redis', () => {
  it('counts for every process, to the point', async () => {
    for (const limit of [5, 1000]) {
      const processes = [limiter({ limit, redisUrl }), limiter({ limit, redisUrl })];
      expect(await allowedOf(processes, randomUUID(), limit + 60)).toBe(limit);
    }
  });
});

describe('a count that is down', () => {
  it('lets requests through, is told of once, and soon costs nothing', async () => {
    const causes: unknown[] = [];
    const one = limiter({ redisUrl: 'redis://127.0.0.1:1', onDown: (cause) => causes.push(cause) });
    expect(await allowedOf([one], 'a', 5)).toBe(5);
    expect(await allowedOf([one], 'b', 5)).toBe(5);
    const before = performance.now();
    expect(await allowedOf([one], 'c', 20)).toBe(10);
    expect(performance.now() - before).toBeLessThan(100);
    expect(causes).toHaveLength(1);
  });
});

describe('the database', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it('counts for every process, to the point, and begins anew when the window is over', async () => {
    const { prisma } = test.db;
    for (const limit of [5, 1000]) {
      const processes = [limiter({ limit, prisma }), limiter({ limit, prisma })];
      expect(await allowedOf(processes, randomUUID(), limit + 60)).toBe(limit);
    }
    const counter = databaseCounter(prisma);
    expect(await counter.add('k', 3)).toEqual({ spent: 3, endsIn: expect.any(Number) });
    const { spent, endsIn } = await counter.add('k', 2);
    expect(spent).toBe(5);
    expect(endsIn).toBeGreaterThan(50_000);
    await prisma.rateLimit.update({ where: { key: 'k' }, data: { endsAt: new Date(Date.now() - 1000) } });
    expect((await counter.add('k', 2)).spent).toBe(2);
  });

  it('is asked again when the window is over, and not before', async () => {
    const { prisma } = test.db;
    let now = 0;
    const one = limiter({ limit: 2, prisma, clock: () => now });
    expect(await allowedOf([one], 'again', 5)).toBe(2);
    await prisma.rateLimit.update({ where: { key: 'again' }, data: { endsAt: new Date(Date.now() - 1000) } });
    const sql = await statementsOf(test.db, () => one.spend('again', 1));
    expect(sql).toEqual([]);
    now = 61_000;
    expect(await one.spend('again', 1)).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  it('is asked once for many requests', async () => {
    const one = limiter({ limit: 6000, prisma: test.db.prisma });
    const sql = await statementsOf(test.db, async () => {
      for (let n = 0; n < 120; n++) await one.spend('lease', 1);
    });
    expect(sql.filter((text) => /rate_limits/.test(text))).toHaveLength(2);
  });

  it('is behind the whole gateway', async () => {
    const logger = pino({ level: 'silent' });
    const app = createApp({ db: test.db, logger, protection: { rateLimit: { limit: 3 } } });
    const ask = async (path: string, init: RequestInit = {}) =>
      app.fetch(
        new Request(`http://gateway.test${path}`, {
          ...init,
          headers: { Authorization: `Bearer ${test.key}`, 'Content-Type': 'application/json' },
        }),
      );
    const query = JSON.stringify({ query: '{ plans(first: 3) { nodes { code } } }' });
    const statuses = [
      (await ask('/api/v1/plans/none/charges/none')).status,
      (await ask('/graphql', { method: 'POST', body: query })).status,
      (await ask('/api/v1/plans/none/charges/none')).status,
      (await ask('/api/v1/plans/none/charges/none')).status,
      (await ask('/graphql', { method: 'POST', body: query })).status,
    ];
    await app.close();
    expect(statuses).toEqual([404, 200, 404, 429, 429]);
  });
});

it('a REST request spends more for what lists of its body hold, as the same does in GraphQL', async () => {
  const test = await createTestApp({ protection: { rateLimit: { limit: 300 } } });
  const input = (length: number) => ({
    ...{ customer: { currency: 'EUR' }, plan_code: 'orchid' },
    usage: [{ metric_code: 'calls', events: Array.from({ length }, () => ({ properties: {} })) }],
  });
  const spentBy = async (length: number) => {
    const { headers, status } = await test.rest('POST', '/invoices/preview', input(length));
    return [status, 300 - Number(headers.get('x-ratelimit-remaining'))];
  };
  expect(await spentBy(10)).toEqual([404, 1]);
  expect(await spentBy(1000)).toEqual([404, 1 + 1 + 50]);
  for (let times = 0; times < 4; times += 1) await spentBy(1000);
  const refused = await test.rest('POST', '/invoices/preview', input(1000));
  expect([refused.status, refused.body]).toEqual([
    429,
    { status: 429, error: 'Too Many Requests', code: 'rate_limit_exceeded' },
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await test.rest('GET', '/plans/none')).status).not.toBe(429);
  await test.close();
});
