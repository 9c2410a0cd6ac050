import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FailedKeys } from '../../src/http/limit/failed-keys.ts';
import { KeyRing } from '../../src/store/access/api-key.ts';
import type { TestApp } from '../support.ts';
import { createFullApp } from './full-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app?.close());

/** The longest that nothing else was answered while it ran, in milliseconds. */
async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await run();
  await new Promise((done) => setTimeout(done, 20));
  delay.disable();
  return delay.max / 1e6;
}

const guess = () => `sk_svc_${randomBytes(32).toString('base64url')}`;

it('tens of thousands of wrong values do not stop the process, through either door', async () => {
  const coupons = (name: string) => Array.from({ length: 30_000 }, (_, n) => ({ [name]: `fixed_amoun${n}` }));
  const query = 'query ($s: [InvoiceStatus!]) { invoices(filter: { status: $s }) { totalCount } }';
  for (let n = 0; n < 3; n += 1) await app.graphql(query, { s: ['draft'] }); // compiled by now
  const s = Array.from({ length: 60_000 }, (_, n) => `finalize${n}`);
  const statuses: number[] = [];
  const blocked = await longestBlock(async () => {
    const wrong = await app.graphql(query, { s });
    expect(wrong.errors?.length).toBeLessThanOrEqual(51);
    const preview = await app.rest('POST', '/invoices/preview', { plan_code: 'x', coupons: coupons('coupon_type') });
    statuses.push(preview.status);
  });
  expect(statuses).toEqual([422]);
  expect(blocked).toBeLessThan(1500); // 14 s before; reading 2 MB of JSON is a part of it
});

it('guessed keys cost a statement for many, and a good key is found among them', async () => {
  const seen: string[] = [];
  app.db.onStatement(({ sql }) => /SELECT.*"api_keys"/s.test(sql) && seen.push(sql));
  const keys = new KeyRing(app.db.prisma, 'strict', () => new Date());
  const asked = [...Array.from({ length: 600 }, guess), app.key];
  const before = performance.now();
  const found = await Promise.all(asked.map((key) => keys.holderOf(key)));
  expect(found.filter(Boolean)).toHaveLength(1);
  expect(found.at(-1)?.organizationId).toBe(app.organizationId);
  expect(performance.now() - before).toBeLessThan(5000);
  await new Promise((done) => setTimeout(done, 20));
  expect(seen.length).toBeLessThanOrEqual(4);
  seen.length = 0;
  expect(await keys.holderOf(asked[0] ?? '')).toBeUndefined(); // is still known not to be one
  expect(seen).toEqual([]);
  await keys.close();
});

it('an address has three hundred wrong keys a minute', () => {
  let now = 0;
  const failed = new FailedKeys(() => now);
  const count = (address: string, times: number) => Array.from({ length: times }, () => failed.count(address)).at(-1);
  expect(count('203.0.113.7', 300)).toBeUndefined();
  expect(count('203.0.113.7', 1)).toBe(60);
  expect(count('::ffff:203.0.113.7', 1)).toBe(60);
  expect(count('203.0.113.8', 1)).toBeUndefined();
  count('2001:db8:1:2::1', 300);
  expect(count('2001:db8:1:2:ffff::9', 1)).toBe(60);
  now = 60_001;
  expect(count('203.0.113.7', 1)).toBeUndefined();
});

it('nodes: a hundred identifiers at most, and those that name nothing cost a statement together', async () => {
  const ids = (length: number) =>
    Array.from({ length }, (_, n) =>
      Buffer.from(`Plan:7d0f5a34-1b1e-4c57-9a52-${String(n).padStart(12, '0')}`).toString('base64'),
    );
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const plan = await app.graphql('{ plan(code: "fuzzed") { id } }');
  const { id } = plan.data.plan;
  const seen: string[] = [];
  app.db.onStatement(({ sql }) => /"plans"/.test(sql) && seen.push(sql));
  const { data } = await app.graphql(query, { ids: [...ids(99), id] });
  expect(data.nodes).toEqual([...Array(99).fill(null), { id }]);
  await new Promise((done) => setTimeout(done, 20));
  expect(seen.length).toBeLessThanOrEqual(3);
  const refused = await app.graphql(query, { ids: ids(101) });
  expect(refused.errors?.[0]?.extensions?.errorDetails).toEqual({ ids: ['value_is_out_of_range'] });
});

it('the answer of a preview is not kept, however it is named', async () => {
  const headers = { 'Idempotency-Key': 'preview-1' };
  const body = { plan_code: 'fuzzed', customer: { external_id: 'cust_ada' } };
  for (let n = 0; n < 2; n += 1) {
    const answer = await app.rest('POST', '/invoices/preview', body, { headers });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
  }
  expect(await app.db.prisma.idempotencyKey.count()).toBe(0);
});
