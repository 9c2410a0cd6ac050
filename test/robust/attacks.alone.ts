import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cleanUp } from '../process.ts';
import { type Attacked, beside, expectUnharmed, startGateway } from './beside.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const DOCUMENT = {
  customers: [{ external_id: 'cust_ada', name: 'Ada', currency: 'EUR' }],
  plans: [{ code: 'orchid', interval: 'monthly', amount_cents: 100, amount_currency: 'EUR' }],
};
const MEGABYTES = 150; // a request of a megabyte takes some for a while, and what is free is not given back at once

let attacked: Attacked;
beforeAll(async () => {
  attacked = await startGateway(DOCUMENT);
  for (let times = 0; times < 40; times += 1) await read(); // what is compiled late is compiled
  for (let times = 0; times < 4; times += 1) await graphql('{ __typename }', { unknown: listOf(60_000, 'c') });
});
afterAll(cleanUp);

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(body: string, key = attacked.secretKey): Promise<Answer> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${attacked.address}/graphql`, { method: 'POST', headers, body });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const graphql = (query: string, variables: object = {}, key?: string) =>
  send(JSON.stringify({ query, variables }), key);

async function read(): Promise<void> {
  const { text } = await graphql('{ plans(first: 5) { nodes { code } } }');
  expect(JSON.parse(text).data.plans.nodes).toEqual([{ code: 'orchid' }]);
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await run();
  return performance.now() - before;
}

const median = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

const listOf = (length: number, word: string) => Array.from({ length }, (_, n) => `${word}${n}`);

// The machine may be busy with something else for a moment: what a limit did not hold is harmed every time.
describe('the others are answered, and memory is flat, beside', { retry: 2 }, () => {
  it('70,000 wrong values of an enum, with a publishable key, to a query that is compiled', async () => {
    const query = 'query ($of: [PlanInterval!]) { plans(filter: { interval: $of }) { totalCount } }';
    for (let times = 0; times < 3; times += 1) await graphql(query, { of: ['monthly'] }, attacked.publishableKey);
    const body = JSON.stringify({ query, variables: { of: listOf(70_000, 'monthl') } });
    const told = await beside(attacked, async () => {
      const answers: Answer[] = [];
      for (let times = 0; times < 4; times += 1) answers.push(await send(body, attacked.publishableKey));
      return answers;
    });
    for (const { text } of told.result) expect([/"errors"/.test(text), text.length < 20_000]).toEqual([true, true]);
    expectUnharmed(told, MEGABYTES);
  });

  it('documents of nothing but comments, none like another', async () => {
    const query = (n: number, length: number) => `{ plans { totalCount } } #${n}\n${'#\n'.repeat(length / 2)}`;
    const told = await beside(attacked, async () => {
      const statuses = new Set<number>();
      for (let n = 0; n < 24; n += 1) statuses.add((await graphql(query(n, 600_000))).status);
      for (let n = 0; n < 100; n += 1) statuses.add((await graphql(query(n, 90_000))).status);
      return statuses;
    });
    expect(told.result).toEqual(new Set([400, 200]));
    expectUnharmed(told, MEGABYTES);
  });

  it('searches of 900 KB and lists of 100,000 values, twelve at a time', async () => {
    const query = 'query ($f: CustomerFilter) { customers(filter: $f) { totalCount } }';
    const long = JSON.stringify({ query, variables: { f: { search: 'x '.repeat(450_000) } } });
    const many = JSON.stringify({ query, variables: { f: { currency: listOf(90_000, 'c') } } });
    const told = await beside(attacked, async () => {
      const answers = Promise.all(Array.from({ length: 12 }, (_, n) => send(n % 2 ? long : many)));
      await read();
      return answers;
    });
    for (const { text } of told.result) expect(text).toMatch(/value_is_too_long|value_is_out_of_range/);
    expectUnharmed(told, 2 * MEGABYTES); // twelve bodies of a megabyte at once
  });

  it('nine thousand identifiers that name nothing', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const ids = listOf(9000, '').map((n) =>
      Buffer.from(`Plan:7d0f5a34-1b1e-4c57-9a52-${n.padStart(12, '0')}`).toString('base64'),
    );
    const told = await beside(attacked, () => Promise.all(Array.from({ length: 4 }, () => graphql(query, { ids }))));
    for (const { text } of told.result) expect(text).toContain('value_is_out_of_range');
    expectUnharmed(told, MEGABYTES);
  });

  it('560 unknown keys a second: three hundred are told so, the others to wait, and a good key is answered', async () => {
    const quiet: number[] = [];
    while (quiet.length < 20) quiet.push(await timeOf(read));
    const told = await beside(attacked, async () => {
      const answers: Promise<Answer>[] = [];
      const body = '{"query":"{ __typename }"}';
      const until = performance.now() + 2000;
      const guesses = setInterval(() => {
        for (let n = 0; n < 28; n += 1) answers.push(send(body, `sk_svc_${randomBytes(32).toString('base64url')}`));
      }, 50);
      const times: number[] = [];
      while (performance.now() < until) times.push(await timeOf(read));
      clearInterval(guesses);
      return { times, answers: await Promise.all(answers) };
    });
    const { times, answers } = told.result;
    expect(answers.length).toBeGreaterThan(600);
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(300);
    const refused = answers.filter(({ status }) => status !== 401);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(median(times)).toBeLessThan(Math.max(50, 6 * median(quiet))); // 105 ms when each cost a statement
    expectUnharmed(told, MEGABYTES);
  });

  it('60,000 external identifiers of a preview are a clear 422', async () => {
    const subscriptions = { external_ids: listOf(60_000, 's') };
    const body = JSON.stringify({ customer: { external_id: 'cust_ada' }, plan_code: 'orchid', subscriptions });
    const headers = { Authorization: `Bearer ${attacked.secretKey}`, 'Content-Type': 'application/json' };
    const told = await beside(attacked, async () => {
      const answer = await fetch(`${attacked.address}/api/v1/invoices/preview`, { method: 'POST', headers, body });
      return [answer.status, await answer.json()];
    });
    expect(told.result).toEqual([
      422,
      expect.objectContaining({ error_details: { external_ids: ['value_is_out_of_range'] } }),
    ]);
    expectUnharmed(told, MEGABYTES);
  });
});
