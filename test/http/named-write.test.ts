import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { routes } from '../../src/rest/index.ts';
import type { Example } from '../../src/rest/openapi/openapi.ts';
import { createKey } from '../../src/store/access/api-key.ts';
import type { Database } from '../../src/store/database/database.ts';
import { REFUSED } from '../rest/refused.ts';
import { inExampleOrder } from '../rest/sample.ts';
import { openDemoDatabase } from '../support.ts';

const EXAMPLES = new URL('../../src/rest/openapi/examples.json', import.meta.url);
const named = inExampleOrder(routes).filter(({ method }) => method !== 'GET');

let db: Database;
let app: App;
let key: string;
let examples: Record<string, Example>;
beforeAll(async () => {
  examples = JSON.parse(await readFile(EXAMPLES, 'utf8'));
  const demo = await openDemoDatabase();
  db = demo.db;
  const id = String(examples.terminateWallet?.params?.svc_id);
  const { organizationId } = await db.prisma.wallet.findUniqueOrThrow({ where: { id } });
  key = (await createKey(db.prisma, { organizationId, kind: 'secret' })).key;
  // The demo has no fee on no invoice: the line of a draft is made one, as for the examples.
  const loose = String(examples.updateFee?.params?.svc_id);
  await db.prisma.fee.update({ where: { id: loose }, data: { invoiceId: null } });
  // And no invoice of which the taxes had failed.
  const untaxed = String(examples.retryInvoice?.params?.svc_id);
  await db.prisma.invoice.update({ where: { id: untaxed }, data: { status: 'failed', taxStatus: 'failed' } });
  app = createApp({ db, now: () => new Date('2026-11-27T12:00:00Z'), logger: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await app.close();
  await db.close();
});

const queries = [
  ...['previewInvoice', 'evaluateBillableMetricExpression', 'eventEstimateFees', 'eventEstimateInstantFees'],
  'eventBatchEstimateInstantFees',
];

// The demo lives in real time.
const CLOCK = 'advanceTestClock';
const unnamed = [...queries, ...Object.keys(REFUSED), CLOCK];

describe('every write that may be named', () => {
  it('says in its own transaction that it is done', async () => {
    const [written, logged]: [string[], string[]] = [[], []];
    for (const { operation, method, path } of named) {
      const { params = {}, request } = examples[operation] ?? {};
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'X-Request-Id': operation };
      const body = request === undefined ? null : JSON.stringify(request);
      const response = await app.fetch(
        new Request(`http://gateway.test/api/v1${target}`, {
          ...{ method, body, headers: { ...headers, 'Idempotency-Key': operation } },
        }),
      );
      const status = operation === CLOCK ? 405 : (REFUSED[operation]?.status ?? 200);
      expect([operation, response.status, await response.text()]).toEqual([operation, status, expect.any(String)]);
      const changes = await db.prisma.auditLog.count({ where: { requestId: operation } });
      const kept = await db.prisma.idempotencyKey.findFirst({ where: { key: operation } });
      // The name of a query is not taken, nor that of what was refused.
      expect([operation, kept !== null]).toEqual([operation, !unnamed.includes(operation)]);
      if (kept?.writtenAt) written.push(operation);
      if (changes > 0) logged.push(operation);
    }
    const reading = [...unnamed, 'downloadInvoice'];
    const writing = named.map(({ operation }) => operation).filter((name) => !reading.includes(name));
    expect(written).toEqual(writing);
    // Events are their own log; the method of the example is the default one already, and its one alert is deleted before all are.
    const unlogged = ['createEvent', 'createBatchEvents', 'paymentMethodSetAsDefault', 'deleteAllSubscriptionAlerts'];
    expect(logged).toEqual(writing.filter((name) => !unlogged.includes(name)));
  });
});
