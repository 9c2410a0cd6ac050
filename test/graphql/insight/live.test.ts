import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../../src/app.ts';
import { serve } from '../../../src/command/serve.ts';
import { createKey, revokeKey } from '../../../src/store/access/api-key.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import type { Listener } from '../../../src/store/database/notification.ts';
import { Changes } from '../../../src/store/insight/changes.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createServerDatabase, openTestDatabase } from '../../support.ts';
import { type Make, rowMaker } from '../rows.ts';

// biome-ignore lint/suspicious/noExplicitAny: events of any shape
type Event = { data?: any; errors?: { message: string; extensions?: Record<string, unknown> }[] };

const logger = pino({ level: 'silent' });

/** Two gateways: on a server two processes' worth of connections to one database, else two over the embedded one. */
async function openTwice(): Promise<{ dbs: [Database, Database]; close(): Promise<void> }> {
  if (!process.env.DATABASE_URL) {
    const db = await openTestDatabase();
    return { dbs: [db, db], close: () => db.close() };
  }
  const { url, drop } = await createServerDatabase();
  const dbs: [Database, Database] = [
    await openDatabase({ url, poolSize: 3 }),
    await openDatabase({ url, poolSize: 3 }),
  ];
  const close = async () => {
    for (const db of dbs) await db.close();
    await drop();
  };
  return { dbs, close };
}

/** Opens a stream. `event` waits for the next one; `pings` for a comment; null when the stream has ended. */
async function open(
  app: Pick<App, 'fetch'>,
  key: string,
  query: string,
  accept = 'text/event-stream',
  address = 'http://gateway.test',
) {
  const headers = { 'Content-Type': 'application/json', Accept: accept, Authorization: `Bearer ${key}` };
  const request = new Request(`${address}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  const response = await app.fetch(request);
  const reader = response.body?.getReader();
  let text = '';
  const block = async (): Promise<string | null> => {
    while (!text.includes('\n\n')) {
      const read = await reader?.read();
      if (!read || read.done) return null;
      text += new TextDecoder().decode(read.value);
    }
    const end = text.indexOf('\n\n');
    const found = text.slice(0, end);
    text = text.slice(end + 2);
    return found;
  };
  const event = async (): Promise<Event | null> => {
    for (;;) {
      const found = await block();
      if (found === null || found.startsWith('event: complete')) return null;
      if (found.startsWith('event: next')) return JSON.parse(found.replace(/^event: next\ndata: /, ''));
    }
  };
  return { response, event, block, close: async () => reader?.cancel() };
}

const soon = <T>(promise: Promise<T>, milliseconds = 600): Promise<T | 'nothing'> =>
  Promise.race([promise, new Promise<'nothing'>((resolve) => setTimeout(() => resolve('nothing'), milliseconds))]);

const INVOICES = 'subscription { invoiceChanged { svcId status totalAmountCents allFees { svcId } } }';

describe('live operations', () => {
  let two: Awaited<ReturnType<typeof openTwice>>;
  let apps: [App, App];
  let organizationId: string;
  let key: string;
  let make: Make;
  let otherKey: string;
  let makeOther: Make;

  const organization = async (name: string) => {
    const { id } = await two.dbs[0].prisma.organization.create({ data: { name } });
    return { id, key: (await createKey(two.dbs[0].prisma, { organizationId: id, kind: 'secret' })).key };
  };

  beforeAll(async () => {
    two = await openTwice();
    apps = [createApp({ db: two.dbs[0], logger }), createApp({ db: two.dbs[1], logger })];
    ({ id: organizationId, key } = await organization('Quillo'));
    make = rowMaker(two.dbs[1], organizationId);
    const other = await organization('Brightwater');
    otherKey = other.key;
    makeOther = rowMaker(two.dbs[1], other.id);
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
    await two.close();
  });

  it('tell of what another process writes, with every digit, as it is now', async () => {
    const stream = await open(apps[0], key, INVOICES);
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    const { id } = await make('Invoice', { status: 'draft', totalAmountCents: 9007199254740993n });
    const made = await stream.event();
    expect(made?.errors).toBeUndefined();
    expect(made?.data.invoiceChanged).toMatchObject({ svcId: id, status: 'draft', allFees: [] });
    await two.dbs[1].prisma.invoice.update({ where: { id }, data: { status: 'finalized' } });
    expect((await stream.event())?.data.invoiceChanged).toMatchObject({ svcId: id, status: 'finalized' });
    await stream.close();
  });

  it('keep the digits of amounts', async () => {
    const stream = await open(apps[0], key, 'subscription { invoiceChanged { totalAmountCents } }');
    await make('Invoice', { status: 'draft', totalAmountCents: 9007199254740993n });
    let found = await stream.block();
    while (found?.startsWith(':')) found = await stream.block();
    expect(found).toContain('"9007199254740993"}');
    await stream.close();
  });

  it('tell of a mutation through the other gateway', async () => {
    const { id } = await make('Wallet', { status: 'active' });
    const stream = await open(apps[0], key, 'subscription { walletChanged { svcId status } }');
    const body = JSON.stringify({ query: `mutation { terminateWallet(svcId: "${id}") { status } }` });
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
    await apps[1].fetch(new Request('http://gateway.test/graphql', { method: 'POST', headers, body }));
    expect((await stream.event())?.data).toEqual({ walletChanged: { svcId: id, status: 'terminated' } });
    await stream.close();
  });

  it('tell of nothing of another organization', async () => {
    const stream = await open(apps[0], otherKey, INVOICES);
    const event = stream.event();
    await make('Invoice', { status: 'draft' });
    expect(await soon(event)).toBe('nothing');
    const { id } = await makeOther('Invoice', { status: 'draft' });
    expect((await event)?.data.invoiceChanged.svcId).toBe(id);
    await stream.close();
  });

  it('tell of the object and the customer asked for, and of no other kind', async () => {
    const customer = await make('Customer', { externalId: 'cus_live' });
    const { id } = await make('PaymentRequest', { customerId: customer.id });
    const one = await open(
      apps[0],
      key,
      `subscription { paymentRequestChanged(svcId: "${id.toUpperCase()}") { svcId } }`,
    );
    const theirs = await open(
      apps[0],
      key,
      'subscription { paymentRequestChanged(externalCustomerId: "cus_live") { svcId customer { externalId } } }',
    );
    await make('PaymentRequest', {});
    await make('Invoice', { status: 'draft', customerId: customer.id });
    await two.dbs[1].prisma.paymentRequest.update({ where: { id }, data: { email: 'a@example.com' } });
    const shown = { svcId: id, customer: { externalId: 'cus_live' } };
    expect((await one.event())?.data).toEqual({ paymentRequestChanged: { svcId: id } });
    expect((await theirs.event())?.data).toEqual({ paymentRequestChanged: shown });
    await one.close();
    await theirs.close();
    const unknown = await open(apps[0], key, 'subscription { walletChanged(externalCustomerId: "nobody") { svcId } }');
    expect((await unknown.event())?.errors?.[0]?.extensions?.code).toBe('object_not_found');
  });

  it('leave out invoices that lists leave out, rows that did not change, writes that were undone and imports', async () => {
    const { id: hidden } = await make('Invoice', { status: 'generating' });
    const { id: shown } = await make('Invoice', { status: 'draft' });
    await new Promise((resolve) => setTimeout(resolve, 100)); // until they have been told
    const stream = await open(apps[0], key, INVOICES);
    const event = stream.event();
    const { prisma } = two.dbs[1];
    await prisma.invoice.update({ where: { id: hidden }, data: { sequentialId: 7 } });
    await prisma.$executeRaw`UPDATE invoices SET number = number WHERE id = ${shown}::uuid`;
    const undone = prisma.$transaction(async (tx) => {
      await tx.invoice.update({ where: { id: shown }, data: { number: 'UNDONE' } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const document = {
      organization: { name: 'Quillo' },
      customers: [{ external_id: 'cus_imported', currency: 'EUR' }],
      invoices: [{ number: 'IMP-1', external_customer_id: 'cus_imported', currency: 'EUR', status: 'draft' }],
    };
    const { created } = await importDocument(two.dbs[1], document, { now: new Date() });
    expect(created.invoices).toBe(1);
    expect(await soon(event)).toBe('nothing');
    await prisma.invoice.update({ where: { id: hidden }, data: { status: 'finalized' } });
    expect((await event)?.data.invoiceChanged.svcId).toBe(hidden);
    await stream.close();
  });

  it('are refused without the permission, and show of other resources what the key may see', async () => {
    const permissions = { invoice: ['read'] };
    const { key: narrow } = await createKey(two.dbs[0].prisma, { organizationId, kind: 'secret', permissions });
    const refused = await open(apps[0], narrow, 'subscription { walletChanged { svcId } }');
    expect((await refused.event())?.errors?.[0]?.extensions).toMatchObject({
      code: 'forbidden',
      reason: 'read_action_not_allowed_for_wallet',
    });
    expect(await refused.event()).toBeNull();
    const stream = await open(apps[0], narrow, 'subscription { invoiceChanged { svcId customer { name } } }');
    await make('Invoice', { status: 'draft' });
    expect((await stream.event())?.errors?.[0]?.extensions?.reason).toBe('read_action_not_allowed_for_customer');
    await stream.close();
    const nobody = await open(apps[0], 'sk_svc_unknown', INVOICES);
    expect(nobody.response.status).toBe(401);
  });

  it('end when the key is revoked', async () => {
    const made = await createKey(two.dbs[0].prisma, { organizationId, kind: 'secret' });
    const stream = await open(apps[0], made.key, INVOICES);
    await revokeKey(two.dbs[0].prisma, made.id, new Date());
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await make('Invoice', { status: 'draft' });
    expect(await stream.event()).toMatchObject({ errors: [{ extensions: { code: 'unauthorized' } }] });
    expect(await stream.event()).toBeNull();
  });

  it('end when the client goes, also before anything was read', async () => {
    const gone = new AbortController();
    const app = createApp({ db: two.dbs[0], logger, observability: { metrics: {} } });
    const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream', Authorization: `Bearer ${key}` };
    const body = JSON.stringify({ query: INVOICES });
    const init = { method: 'POST', headers, body, signal: gone.signal };
    const read = async () => (await app.fetch(new Request('http://gateway.test/metrics'))).text();
    await app.fetch(new Request('http://gateway.test/graphql', init));
    expect(await read()).toContain('billing_live_streams 1\n');
    gone.abort();
    expect(await read()).toContain('billing_live_streams 0\n');
    await app.close();
  });

  it.each(['text/event-stream', '*/*'])(
    'outlive the time of a request, and end when the server stops: %s',
    async (accept) => {
      const app = createApp({ db: two.dbs[0], logger });
      const times = { requestTimeout: 300, shutdownTimeout: 5000 };
      const server = await serve({ app, host: '127.0.0.1', port: 0, logger, ...times });
      const stream = await open({ fetch }, key, INVOICES, accept, `http://127.0.0.1:${server.port}`);
      await new Promise((resolve) => setTimeout(resolve, 800));
      const { id } = await make('Invoice', { status: 'draft' });
      expect((await stream.event())?.data.invoiceChanged.svcId).toBe(id);
      const begun = performance.now();
      const stopped = server.close();
      expect((await stream.event())?.errors?.[0]?.extensions?.code).toBe('service_unavailable');
      expect(await stream.event()).toBeNull();
      await stopped;
      expect(performance.now() - begun).toBeLessThan(2000);
    },
  );

  it('need a client that takes events', async () => {
    // More than an organization may have open in one process: none of them stays.
    for (let time = 0; time < 1100; time++) {
      const { response } = await open(apps[0], key, INVOICES, 'application/json');
      expect(response.status).toBe(406);
      if (time === 0)
        expect(await response.json()).toMatchObject({ errors: [{ extensions: { reason: 'not_acceptable' } }] });
      else await response.body?.cancel();
    }
    const stream = await open(apps[0], key, INVOICES);
    expect(stream.response.status).toBe(200);
    await stream.close();
  });

  it('end with the gateway, and say so', async () => {
    const app = createApp({ db: two.dbs[0], logger });
    const stream = await open(app, key, INVOICES);
    app.endStreams();
    expect((await stream.event())?.errors?.[0]?.extensions?.code).toBe('service_unavailable');
    expect(await stream.event()).toBeNull();
    const late = await open(app, key, INVOICES);
    expect((await late.event())?.errors?.[0]?.extensions?.code).toBe('service_unavailable');
    await app.close();
  });

  it.runIf(process.env.DATABASE_URL)('end when the listening connection breaks, and can be opened again', async () => {
    const app = createApp({ db: two.dbs[0], logger });
    const stream = await open(app, key, INVOICES);
    await two.dbs[1].prisma.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
    expect((await stream.event())?.errors?.[0]?.extensions?.code).toBe('service_unavailable');
    const again = await open(app, key, INVOICES);
    const { id } = await make('Invoice', { status: 'draft' });
    expect((await again.event())?.data.invoiceChanged.svcId).toBe(id);
    await again.close();
    await app.close();
  });
});

describe('queues of changes', () => {
  const listening = () => {
    const listeners: Listener[] = [];
    let stopped = 0;
    const changes = new Changes({
      listen: async (_channel, listener) => {
        listeners.push(listener);
        return async () => void stopped++;
      },
    });
    const tell = (o: string, id: string) =>
      listeners.at(-1)?.onMessage(JSON.stringify({ o, t: 'Invoice', id, c: 'c' }));
    return { changes, listeners, tell, stopped: () => stopped };
  };

  it('are one for each subscriber, over one connection', async () => {
    const { changes, listeners, tell, stopped } = listening();
    const queues = await Promise.all([1, 2].map(() => changes.subscribe('a', () => true)));
    tell('b', 'x');
    tell('a', 'y');
    listeners[0]?.onMessage('no JSON');
    for (const queue of queues) expect((await queue.next()).value).toMatchObject({ id: 'y' });
    expect(listeners).toHaveLength(1);
    await queues[0]?.return();
    expect(changes.size).toBe(1);
    await changes.close();
    expect([changes.size, stopped()]).toEqual([0, 1]);
    await expect(queues[1]?.next()).rejects.toMatchObject({ code: 'service_unavailable' });
    const ended = listening();
    await ended.changes.subscribe('a', () => true);
    ended.changes.end();
    await ended.changes.close();
    expect(ended.stopped()).toBe(1);
    expect(await queues[1]?.next()).toEqual({ value: undefined, done: true });
  });

  it('hold a row once, and are bounded', async () => {
    const { changes, tell } = listening();
    const queue = await changes.subscribe('a', () => true);
    for (let time = 0; time < 5000; time++) tell('a', `row ${time % 1000}`);
    expect(await queue.next()).toMatchObject({ done: false, value: { id: 'row 0' } });
    tell('a', 'row 0');
    tell('a', 'one too many');
    expect(changes.size).toBe(0);
    await expect(queue.next()).rejects.toMatchObject({ code: 'too_slow' });
  });

  it('end when the connection is lost; the next subscriber connects again', async () => {
    const { changes, listeners } = listening();
    const queue = await changes.subscribe('a', () => true);
    const waiting = queue.next();
    listeners[0]?.onLost();
    await expect(waiting).rejects.toMatchObject({ code: 'service_unavailable' });
    const next = await changes.subscribe('a', () => true);
    listeners[0]?.onLost();
    expect([listeners.length, changes.size]).toEqual([2, 1]);
    await next.return();
  });

  it('say when the database cannot be listened to, and try again', async () => {
    let attempts = 0;
    const changes = new Changes({
      listen: async () => {
        attempts++;
        if (attempts === 1) throw new Error('refused');
        return async () => undefined;
      },
    });
    await expect(changes.subscribe(randomUUID(), () => true)).rejects.toThrow('refused');
    await changes.subscribe(randomUUID(), () => true);
    expect(attempts).toBe(2);
  });
});
