import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp, freePort, run, untilListening } from '../../process.ts';
import { createServerDatabase, createTestApp, type TestApp } from '../../support.ts';

type Samples = Map<string, number>;

const LABELS = /^(\w+)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/;

/** Reads Prometheus' text format; every line must be a sample, a comment or empty. */
function parse(text: string): Samples {
  const samples: Samples = new Map();
  const types = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name = '', type = ''] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (name) types.set(name, type);
    if (line === '' || line.startsWith('# ')) continue;
    const [, sample = '', labels = '', value = ''] = LABELS.exec(line) ?? [];
    expect(sample, line).not.toBe('');
    const family = sample.replace(/_(bucket|sum|count)$/, '');
    expect(types.has(sample) || types.get(family) === 'histogram', line).toBe(true);
    expect(/^nan$/i.test(value) || !Number.isNaN(Number(value)), line).toBe(true);
    samples.set(
      labels
        ? `${sample}{${labels
            .split(/,(?=\w+=")/)
            .sort()
            .join(',')}}`
        : sample,
      Number(value),
    );
  }
  return samples;
}

const lines: Record<string, unknown>[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
let open: TestApp;
let closed: TestApp;
let plain: TestApp;

beforeAll(async () => {
  open = await createTestApp({ observability: { metrics: {}, slowQuery: 0 }, logger });
  closed = await createTestApp({ db: open.db, observability: { metrics: { token: 'a token of some length' } } });
  plain = await createTestApp({ db: open.db });
});

afterAll(async () => {
  await cleanUp();
  await plain.close();
  await closed.close();
  await open.close();
});

const scrape = async (test: TestApp, token?: string) => {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return test.app.fetch(new Request('http://gateway.test/metrics', { headers }));
};

const read = async () => parse(await (await scrape(open)).text());

/** The sum of the samples of a name whose labels hold all the words. */
const total = (samples: Samples, name: string, ...words: string[]) =>
  [...samples]
    .filter(([key]) => key.replace(/\{.*/, '') === name && words.every((word) => key.includes(word)))
    .reduce((sum, [, value]) => sum + value, 0);

it('requests are counted by door, route, method and status, and operations by name', async () => {
  const before = await read();
  await open.graphql('query Names { plans { nodes { name } } }');
  await open.graphql('query Names { plans { nodes { name } } }');
  await open.graphql('query Missing { plan(code: "none") { name } }');
  await open.graphql('{ plans { totalCount } }', undefined, 'sk_svc_wrong');
  await open.rest('GET', '/customers/nobody/payment_requests');
  await open.rest('GET', '/nothing/of/the/kind');
  const after = await read();
  const grown = (name: string, ...words: string[]) => total(after, name, ...words) - total(before, name, ...words);
  const requests = 'billing_request_seconds_count';
  expect(grown(requests, 'door="graphql"', 'method="POST"', 'status="200"')).toBe(3);
  expect(grown(requests, 'door="graphql"', 'status="401"')).toBe(1);
  expect(grown(requests, 'door="rest"', 'route="listCustomerPaymentRequests"', 'method="GET"')).toBe(1);
  expect(grown(requests, 'door="rest"', 'route="unknown"', 'status="404"')).toBe(1);
  expect(grown(requests, 'door="page"', 'route="/metrics"', 'status="200"')).toBe(1);
  const operations = 'billing_graphql_operation_seconds_count';
  expect(grown(operations, 'operation="Names"', 'type="query"', 'outcome="ok"')).toBe(2);
  expect(grown(operations, 'operation="Missing"', 'outcome="error"')).toBe(1);
  expect(grown(operations)).toBe(3);
  expect(grown('billing_sql_seconds_count', 'kind="select"')).toBeGreaterThan(3);
  expect(after.has('process_resident_memory_bytes')).toBe(true);
  expect(total(after, 'billing_live_streams')).toBe(0);
});

it('the connections of a pool are shown where there is one', async () => {
  const samples = await read();
  const shown = total(samples, 'billing_pool_connections', 'state="total"');
  if (process.env.DATABASE_URL) expect(shown).toBeGreaterThan(0);
  else expect(samples.has('billing_pool_connections{state="total"}')).toBe(false);
});

it('names of operations are bounded, whatever clients call them', async () => {
  for (let index = 0; index < 250; index++) await open.graphql(`query Op${index} { __typename }`);
  const samples = await read();
  const names = [...samples.keys()].filter((key) => key.startsWith('billing_graphql_operation_seconds_count'));
  expect(names.length).toBeLessThanOrEqual(205);
  expect(total(samples, 'billing_graphql_operation_seconds_count', 'operation="other"')).toBeGreaterThanOrEqual(50);
});

it('live operations are counted while they are open', async () => {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'text/event-stream',
    Authorization: `Bearer ${open.key}`,
  };
  const body = JSON.stringify({ query: 'subscription { walletChanged { svcId } }' });
  const response = await open.app.fetch(new Request('http://gateway.test/graphql', { method: 'POST', headers, body }));
  expect(total(await read(), 'billing_live_streams')).toBe(1);
  expect(total(await read(), 'billing_live_operations_total')).toBe(1);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(total(await read(), 'billing_live_streams')).toBe(0);
});

it('metrics are shown to all, to those who have the token, or not at all', async () => {
  expect((await scrape(open)).headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const refused = await scrape(closed);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect((await scrape(closed, 'another token, as long')).status).toBe(401);
  expect((await scrape(closed, closed.key)).status).toBe(401);
  const none = await scrape(plain);
  expect([none.status, await none.text()]).toEqual([404, expect.not.stringContaining('billing_')]);
});

it('slow statements are logged with their operation and without their values', async () => {
  lines.length = 0;
  await Promise.all([
    open.graphql('query Slow { plan(code: "a secret word") { name } }'),
    open.rest('GET', '/customers/another_secret/payment_requests'),
  ]);
  const slow = lines.filter(({ msg }) => msg === 'slow query');
  const ofPlans = slow.filter(({ sql }) => /FROM "public"\."plans"/.test(String(sql)));
  expect(ofPlans.map(({ operation }) => operation)).toEqual(['Slow']);
  expect(ofPlans[0]).toMatchObject({ organizationId: open.organizationId, ms: expect.any(Number) });
  expect(ofPlans[0]?.requestId).toEqual(expect.any(String));
  const ofCustomers = slow.filter(({ sql }) => /FROM "public"\."customers"/.test(String(sql)));
  expect(new Set(ofCustomers.map(({ operation }) => operation))).toEqual(new Set(['listCustomerPaymentRequests']));
  expect(JSON.stringify(slow)).not.toContain('secret');
});

it.runIf(process.env.DATABASE_URL)(
  'the processes of one start are added up, whichever is asked',
  async () => {
    const { url, drop } = await createServerDatabase();
    const environment = { DATABASE_URL: url, WEB_CONCURRENCY: '2', METRICS: 'on', PORT: await freePort() };
    const running = run([], environment);
    const address = await untilListening(running);
    const headers = { Connection: 'close' };
    for (let index = 0; index < 9; index++) await fetch(`${address}/health`, { headers });
    for (let time = 0; time < 3; time++) {
      const samples = parse(await (await fetch(`${address}/metrics`, { headers })).text());
      expect(total(samples, 'billing_request_seconds_count', 'route="/health"', 'status="200"')).toBe(9);
    }
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    await drop();
  },
  60_000,
);
