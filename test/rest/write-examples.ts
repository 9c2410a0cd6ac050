// `npm run openapi:examples` asks the demo each endpoint once and keeps what was sent and answered: the examples of the
// description. The demo is loaded into a database of its own, so that the writes touch nothing else.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { prepareDemo } from '../../src/command/demo.ts';
import { routes } from '../../src/rest/index.ts';
import type { Example } from '../../src/rest/openapi/openapi.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { scriptsOn } from '../../src/store/database/embedded.ts';
import { migrate } from '../../src/store/database/migration.ts';
import type { Event } from '../../src/store/generated/prisma/client.ts';

const FILE = fileURLToPath(new URL('../../src/rest/openapi/examples.json', import.meta.url));
const SERVER = 'https://billing.example.com';

type Asked = Omit<Example, 'response'>;

const price = { amount: '0.12' };

async function priced({ prisma }: Database, organizationId: string) {
  const filter = await prisma.chargeFilter.findFirstOrThrow({
    where: { organizationId, charge: { chargeModel: 'standard', plan: { parentId: null } } },
    orderBy: { createdAt: 'asc' },
    include: { charge: { include: { plan: true, billableMetric: { include: { filters: true } } } } },
  });
  const fixed = await prisma.fixedCharge.findFirstOrThrow({
    where: { organizationId, plan: { parentId: null } },
    orderBy: { createdAt: 'asc' },
    include: { plan: true },
  });
  const subscription = await prisma.subscription.findFirstOrThrow({
    where: { organizationId, status: 'active', plan: { charges: { some: { chargeModel: 'graduated' } } } },
    orderBy: { createdAt: 'asc' },
    include: { plan: { include: { charges: { where: { chargeModel: 'graduated' } } } } },
  });
  const [key] = filter.charge.billableMetric.filters;
  const path = { code: filter.charge.plan.code, charge_code: filter.charge.code };
  const values = { [key?.key ?? '']: key?.values.slice(0, 2) };
  return {
    createChargeFilter: {
      params: path,
      request: { filter: { invoice_display_name: 'Two at one price', properties: price, values } },
    },
    getChargeFilter: { params: { ...path, filter_id: filter.id } },
    updateCharge: { params: path, request: { charge: { invoice_display_name: 'Usage', properties: price } } },
    updateFixedCharge: {
      params: { code: fixed.plan.code, fixed_charge_code: fixed.code },
      request: { fixed_charge: { invoice_display_name: 'Support', units: '12', apply_units_immediately: false } },
    },
    getSubscriptionCharge: {
      params: { external_id: subscription.externalId, charge_code: subscription.plan.charges[0]?.code },
    },
  } satisfies Record<string, Asked>;
}

/** An event like one that is stored, of another identifier. */
const usage = ({ code, externalSubscriptionId, timestamp, properties }: Event, name: string) => ({
  ...{ transaction_id: `example-${name}`, external_subscription_id: externalSubscriptionId, code },
  ...{ timestamp: timestamp.getTime() / 1000, properties },
});

async function issued({ prisma }: Database, organizationId: string) {
  const ofUsage = { feeType: 'charge', amountCents: { gt: 0 } } as const;
  const invoice = await prisma.invoice.findFirstOrThrow({
    where: { organizationId, status: 'finalized', fees: { some: ofUsage }, credits: { some: {} } },
    orderBy: [{ fees: { _count: 'asc' } }, { id: 'asc' }],
  });
  const fee = await prisma.fee.findFirstOrThrow({
    where: { organizationId, invoiceId: invoice.id, ...ofUsage },
    orderBy: { id: 'asc' },
  });
  const wallet = await prisma.wallet.findFirstOrThrow({
    where: { organizationId, status: 'active' },
    orderBy: { createdAt: 'asc' },
  });
  const request = await prisma.paymentRequest.findFirstOrThrow({
    where: { organizationId },
    orderBy: { createdAt: 'asc' },
    include: { customer: true },
  });
  const entity = await prisma.billingEntity.findFirstOrThrow({ where: { organizationId, isDefault: true } });
  const plan = await prisma.plan.findFirstOrThrow({
    where: { organizationId, parentId: null },
    orderBy: [{ charges: { _count: 'asc' } }, { createdAt: 'asc' }],
  });
  const event = await prisma.event.findFirstOrThrow({
    where: { organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const customer = { name: 'Harbour & Sons', currency: plan.amountCurrency, country: 'FR', timezone: 'Europe/Paris' };
  return {
    downloadInvoice: { params: { id: invoice.id } },
    previewInvoice: { request: { customer, plan_code: plan.code, billing_time: 'anniversary' } },
    mergeWalletMetadata: {
      params: { id: wallet.id },
      request: { metadata: { cost_centre: 'C-12', reviewed_by: null } },
    },
    terminateWallet: { params: { svc_id: wallet.id } },
    getFee: { params: { svc_id: fee.id } },
    getBillingEntity: { params: { code: entity.code } },
    listCustomerPaymentRequests: {
      params: { external_customer_id: request.customer.externalId },
      query: { page: 1, per_page: 1 },
    },
    createEvent: { request: { event: usage(event, 'a') } },
    createBatchEvents: { request: { events: [usage(event, 'b'), usage(event, 'c')] } },
    findAllEvents: { query: { page: 1, per_page: 1, external_subscription_id: event.externalSubscriptionId } },
    evaluateBillableMetricExpression: {
      request: {
        expression: 'round(event.properties.seconds / 60, 2)',
        event: { code: 'calls', timestamp: 1_767_225_600, properties: { seconds: 100 } },
      },
    },
    findEvent: { params: { transaction_id: event.transactionId } },
  } satisfies Record<string, Asked>;
}

function addressOf(path: string, { params = {}, query = {} }: Asked): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/api/v1${filled}${search.size > 0 ? `?${search}` : ''}`;
}

async function examplesOf(db: Database): Promise<Record<string, Example>> {
  const demo = await prepareDemo(db, new Date());
  if (!demo) throw new Error('the demo is missing');
  const { id } = await db.prisma.organization.findFirstOrThrow({ where: { name: 'Quintavel' } });
  const asked: Record<string, Asked> = { ...(await issued(db, id)), ...(await priced(db, id)) };
  const app = createApp({ db, logger: pino({ level: 'silent' }), publicUrl: SERVER });
  const headers = { Authorization: `Bearer ${demo.secretKey}`, 'Content-Type': 'application/json' };
  const examples: Record<string, Example> = {};
  for (const { operation, method, path } of routes) {
    const example = asked[operation];
    if (!example) throw new Error(`${operation} has no example`);
    const body = example.request === undefined ? null : JSON.stringify(example.request);
    const response = await app.fetch(new Request(`${SERVER}${addressOf(path, example)}`, { method, headers, body }));
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation}: ${text}`);
    examples[operation] = { ...example, response: JSON.parse(text) };
  }
  await app.close();
  return examples;
}

const embedded = await PGlite.create();
await migrate(scriptsOn(embedded));
const db = await openDatabase({ embedded });
const signature = /signature=[\w-]+/g;
const text = `${JSON.stringify(await examplesOf(db), null, 1)}\n`;
await writeFile(FILE, text.replaceAll(signature, 'signature=signed'));
await db.close();
await embedded.close();
