import { readdir, readFile } from 'node:fs/promises';
import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Model, typeName } from '../../src/graphql/base/builder.ts';
import { type Context, RESOURCES } from '../../src/graphql/context.ts';
import { auditedResource } from '../../src/graphql/insight/audit-log.ts';
import { schema } from '../../src/graphql/schema.ts';
import { recordAudit } from '../../src/store/access/audit.ts';
import { forOrganization } from '../../src/store/database/tenant.ts';
import { getDatamodel } from '../../src/store/generated/pothos.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { type Row, rowMaker } from './rows.ts';

type Field = GraphQLField<unknown, Context>;

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const types = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !roots.includes(type) && !type.name.startsWith('__'),
);
const resourceOf = (type: unknown) => (type as GraphQLObjectType).extensions?.resource as string | undefined;
const guardsOf = ({ extensions }: Field) => (extensions.guardedBy ?? []) as readonly string[];
const all = types.flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
const placeOf = ({ type, field }: (typeof all)[number]) => `${type.name}.${field.name}`;

// Whether there is a metric, a subscription, a charge and a final invoice.
const FATE = ['billable_metric:read', 'subscription:read', 'plan:read', 'fee:read', 'invoice:read'];

/** The decision: values that are made from another resource's rows, and whose. Objects are guarded by their own type. */
const DERIVED = {
  'AppliedCoupon.couponDeletedAt': ['coupon:read'],
  'AppliedCoupon.couponExpirationAt': ['coupon:read'],
  'AppliedCoupon.couponName': ['coupon:read'],
  'AppliedCoupon.couponStatus': ['coupon:read'],
  'AppliedCoupon.remainingAmountCents': ['invoice:read'],
  'BillingSubscription.currencyDetails': ['plan:read'],
  'BillingSubscription.entitlements': ['plan:read', 'feature:read'],
  'BillingSubscription.planAmountCents': ['plan:read'],
  'BillingSubscription.planAmountCurrency': ['plan:read'],
  'BillingSubscriptionPreview.currencyDetails': ['plan:read'],
  'BillingSubscriptionPreview.planAmountCents': ['plan:read'],
  'BillingSubscriptionPreview.planAmountCurrency': ['plan:read'],
  'CreditNote.fileUrl': ['customer:read', 'fee:read'],
  'CreditNote.selfBilled': ['invoice:read'],
  'Customer.applicableInvoiceCustomSections': ['invoice_custom_section:read', 'billing_entity:read'],
  'Customer.applicableTimezone': ['billing_entity:read'],
  'Customer.creditNotesBalances': ['credit_note:read'],
  'Customer.monthlyRecurringRevenues': ['subscription:read', 'plan:read'],
  'Customer.outstandingBalances': ['invoice:read'],
  'Customer.overdueBalances': ['invoice:read'],
  'CustomerPreview.applicableTimezone': ['billing_entity:read'],
  'Event.fate': FATE,
  'Event.fateReasons': FATE,
  'Event.fees': ['fee:read', ...FATE.filter((permission) => permission !== 'fee:read')],
  'Fee.explanation': ['invoice:read', 'subscription:read', 'plan:read', 'billable_metric:read'],
  'Invoice.explanationUrl': ['customer:read', 'fee:read', 'subscription:read', 'plan:read', 'billable_metric:read'],
  'Invoice.fileUrl': ['customer:read', 'fee:read'],
  'InvoicePreview.explanationUrl': [
    ...['customer:read', 'fee:read', 'subscription:read', 'plan:read', 'billable_metric:read'],
  ],
  'InvoicePreview.fileUrl': ['customer:read', 'fee:read'],
  'MetricRevenue.billableMetricName': ['billable_metric:read'],
  ...Object.fromEntries(
    [
      ...['addressLine1', 'addressLine2', 'billingConfiguration', 'city', 'country', 'currencyDetails'],
      ...['defaultCurrency', 'documentNumberPrefix', 'documentNumbering', 'email', 'emailSettings', 'euTaxManagement'],
      ...['finalizeZeroAmountInvoice', 'legalName', 'legalNumber', 'netPaymentTerm', 'state'],
      ...['taxIdentificationNumber', 'timezone', 'zipcode'],
    ].map((name) => [`Organization.${name}`, ['billing_entity:read']]),
  ),
  'PaymentRequest.recipient': ['customer:read'],
  'PlanEntitlement.featureDescription': ['feature:read'],
  'PlanEntitlement.featureName': ['feature:read'],
  'PlanEntitlement.privileges': ['feature:read'],
  'PlanRevenue.planName': ['plan:read'],
  ...Object.fromEntries(
    ['featureDescription', 'featureName', 'overrides', 'privileges'].map((name) => [
      `SubscriptionEntitlement.${name}`,
      ['plan:read', 'feature:read'],
    ]),
  ),
  'WalletTransaction.runningBalanceCents': ['wallet:read'],
  'WalletTransaction.runningCreditsBalance': ['wallet:read'],
  'WalletTransactionAggregates.sums': ['wallet:read'],
};

/** What is reckoned from other rows and is the object's own: moments of the subscription, by its plan's interval and its customer's zone. */
const OWN = [
  'BillingSubscription.currentBillingPeriodStartedAt',
  'BillingSubscription.currentBillingPeriodEndingAt',
  'BillingSubscription.trialEndedAt',
];

const models = (
  getDatamodel() as unknown as {
    datamodel: { models: Record<string, { fields: { name: string; kind: string; type: string }[] }> };
  }
).datamodel.models;

const isName = (column: string) => /^(id|code|externalId|number|.*Id)$/.test(column);

/** The resources whose rows a selection reads more of than names. */
function sourcesOf(model: string, selection: object): string[] {
  return Object.entries(selection).flatMap(([name, inner]) => {
    const field = models[model]?.fields.find((one) => one.name === name);
    if (field?.kind === 'object') return inner === true ? [own(field.type)] : sourcesOf(field.type, inner.select ?? {});
    return isName(name) ? [] : [own(model)];
  });
}
const own = (model: string) => resourceOf(schema.getType(typeName(model as Model))) ?? `nothing guards ${model}`;

describe('what is derived from another resource needs its permission', () => {
  it('by this table', () => {
    const found = all.filter(({ field }) => {
      const shown = resourceOf(getNamedType(field.type));
      return guardsOf(field).some((permission) => permission !== `${shown}:read`);
    });
    expect(Object.fromEntries(found.map((one) => [placeOf(one), guardsOf(one.field)]).sort())).toEqual(DERIVED);
  });

  it('wherever a field reads columns of another resource', () => {
    const modelOf = (type: GraphQLObjectType) =>
      Object.keys(models).find((model) => typeName(model as Model) === type.name);
    let read = 0;
    const missing = all.flatMap((one) => {
      const { type, field } = one;
      const model = modelOf(type);
      const selection = field.extensions.pothosPrismaSelect;
      if (!model || typeof selection !== 'object' || selection === null || OWN.includes(placeOf(one))) return [];
      read += 1;
      const sources = new Set(sourcesOf(model, selection).filter((resource) => resource !== resourceOf(type)));
      const needed = [...sources].map((resource) => `${resource}:read`);
      return needed.every((permission) => guardsOf(field).includes(permission)) ? [] : [[placeOf(one), needed]];
    });
    expect(missing).toEqual([]);
    expect(read).toBeGreaterThan(200);
  });

  it('and so does every object of another resource, stored or previewed', () => {
    const unguarded = all.filter(({ type, field }) => {
      const shown = resourceOf(getNamedType(field.type));
      return shown !== undefined && shown !== resourceOf(type) && !guardsOf(field).includes(`${shown}:read`);
    });
    expect(unguarded.map(placeOf)).toEqual([]);
    const previews = types.filter(({ name }) => name.endsWith('Preview'));
    expect(previews.length).toBeGreaterThan(15);
    for (const preview of previews) {
      const stored = schema.getType(preview.name.replace(/Preview$/, ''));
      expect([preview.name, resourceOf(preview)]).toEqual([preview.name, resourceOf(stored)]);
      for (const field of Object.values(preview.getFields()).filter(({ name }) => !['mode', 'hash'].includes(name))) {
        const twin = (stored as GraphQLObjectType).getFields()[field.name] as Field;
        expect([preview.name, field.name, guardsOf(field as Field)]).toEqual([
          preview.name,
          field.name,
          guardsOf(twin),
        ]);
      }
    }
  });
});

let app: TestApp;
const rows = new Map<string, Row>();
const keys = new Map<string, string>();

beforeAll(async () => {
  app = await createTestApp();
  for (const lacking of RESOURCES) {
    const others = RESOURCES.filter((resource) => resource !== lacking);
    const permissions = Object.fromEntries(others.map((resource) => [resource, ['read', 'write']]));
    keys.set(lacking, await app.makeKey({ permissions }));
  }
  const make = rowMaker(app.db, app.organizationId);
  const shapes: Record<string, object> = { Invoice: { status: 'finalized' }, PaymentRequest: { email: null } };
  for (const model of Object.keys(models)) {
    const type = schema.getType(typeName(model as Model));
    if (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node') && model !== 'Organization') {
      rows.set(type.name, await make(model, shapes[model] as Record<string, unknown>));
    }
  }
});
afterAll(() => app?.close());

const selectionOf = (field: Field): string => {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return field.name;
  const args = field.args.filter(({ type: of }) => String(of).endsWith('!')).map(({ name }) => `${name}: "x"`);
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} { __typename }`;
};

const cases = all
  .filter(({ type }) => type.getInterfaces().some(({ name }) => name === 'Node') && type.name !== 'Organization')
  .flatMap(({ type, field }) => guardsOf(field).map((permission) => [type.name, field.name, permission] as const));

describe('at the door', () => {
  it('many are tried', () => expect(cases.length).toBeGreaterThan(60));

  it.each(cases)('%s.%s is shown to nobody without %s', async (type, name, permission) => {
    const row = rows.get(type);
    const field = (schema.getType(type) as GraphQLObjectType).getFields()[name] as Field;
    const id = Buffer.from(`${type}:${row?.id}`).toString('base64');
    const query = `query ($id: ID!) { node(id: $id) { ... on ${type} { ${selectionOf(field)} } } }`;
    const [resource = ''] = permission.split(':');
    for (const _ of ['first', 'compiled']) {
      const { data, errors } = await app.graphql(query, { id }, keys.get(resource));
      expect(data.node?.[name] ?? null).toBeNull();
      expect(errors?.map(({ extensions }) => extensions)).toEqual([
        { code: 'forbidden', reason: `read_action_not_allowed_for_${resource}` },
      ]);
      const whole = await app.graphql(query, { id });
      // What the argument names is not there, or runs no more.
      const codes = whole.errors?.map(({ extensions }) => extensions?.code) ?? [];
      expect(codes.filter((code) => code !== 'object_not_found' && code !== 'method_not_allowed')).toEqual([]);
      expect(whole.data.node).not.toBeNull();
    }
  });

  it('`node` finds nothing of types that are parts of others or previewed', async () => {
    const ids = ['Credit', 'UsageThreshold', 'InvoicePreview', 'FeePreview', 'CustomerMetadata'].map((type) =>
      Buffer.from(`${type}:${app.organizationId}`).toString('base64'),
    );
    const { data, errors } = await app.graphql('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect([data, errors]).toEqual([{ nodes: ids.map(() => null) }, undefined]);
  });
});

describe('the log', () => {
  it('tells of objects only to keys that may read them', async () => {
    const actor = { organizationId: app.organizationId, keyId: app.organizationId, requestId: 'r', now: new Date() };
    const kinds = { wallet: 'wallet', charge: 'plan', charge_filter: 'plan', fixed_charge: 'plan', invoice: 'invoice' };
    await forOrganization(app.db.prisma, app.organizationId).$transaction(async (tx) => {
      for (const objectType of Object.keys(kinds)) {
        const values = { before: { name: 'secret' }, after: { name: 'secret' } };
        await recordAudit(tx, { actor, action: `${objectType}.written`, objectType, objectId: 'x', ...values });
      }
    });
    const query = 'query ($kind: String) { auditLog(objectType: $kind) { nodes { action before after } } }';
    for (const [kind, resource] of Object.entries(kinds)) {
      for (const _ of ['first', 'compiled']) {
        const { data, errors, text } = await app.graphql(query, { kind }, keys.get(resource));
        expect(data.auditLog.nodes).toMatchObject([{ action: `${kind}.written`, before: null, after: null }]);
        expect(new Set(errors?.map(({ extensions }) => extensions?.reason))).toEqual(
          new Set([`read_action_not_allowed_for_${resource}`]),
        );
        expect(text).not.toContain('secret');
        const whole = await app.graphql(query, { kind });
        expect([whole.errors, whole.data.auditLog.nodes[0].after]).toEqual([undefined, { name: 'secret' }]);
      }
    }
  });

  it('knows every kind that is written', async () => {
    const folder = new URL('../../src/', import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter(
      (name) => /^(store|engine)\/.*\.ts$/.test(name) && !/generated/.test(name),
    );
    const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
    const kinds = texts.flatMap((text) => [...text.matchAll(/objectType: '(\w+)'/g)].map(([, kind = '']) => kind));
    expect(kinds.length).toBeGreaterThan(4);
    expect(kinds.filter((kind) => !RESOURCES.includes(auditedResource(kind)))).toEqual([]);
  });
});

describe('figures', () => {
  const FIELDS = {
    grossRevenue: ['invoice'],
    invoicedUsage: ['fee'],
    invoicedUsageByBillableMetric: ['fee'],
    billedUsage: ['fee'],
    invoiceCollection: ['invoice'],
    overdueBalances: ['invoice'],
    monthlyRecurringRevenue: ['subscription', 'plan'],
    revenueByPlan: ['fee'],
    revenueByBillableMetric: ['fee'],
    receivables: ['invoice'],
    walletBalances: ['wallet'],
  };

  it('are all tried', () => {
    const type = schema.getType('Analytics') as GraphQLObjectType;
    expect(Object.keys(FIELDS).sort()).toEqual(Object.keys(type.getFields()).sort());
  });

  it.each(Object.entries(FIELDS))(
    '%s of one customer needs to read %j, of all it does not',
    async (name, resources) => {
      for (const resource of resources) {
        const narrow = keys.get(resource);
        const one = await app.graphql(`{ analytics(externalCustomerId: "x") { ${name} { currency } } }`, {}, narrow);
        expect(one.errors?.[0]?.extensions).toEqual({
          code: 'forbidden',
          reason: `read_action_not_allowed_for_${resource}`,
        });
        expect((await app.graphql(`{ analytics { ${name} { currency } } }`, {}, narrow)).errors).toBeUndefined();
      }
    },
  );
});

describe('a preview', () => {
  const PARTS = {
    customer: '{ externalId metadata { key } }',
    fee: '{ amountCents }',
    subscription: '{ externalId planCode }',
  };
  const FIELD: Record<string, string> = { customer: 'customer', fee: 'allFees', subscription: 'subscriptions' };
  const document = (part: keyof typeof PARTS) =>
    `query ($input: InvoicePreviewInput!) { invoicePreview(input: $input) { totalAmountCents ${FIELD[part]} ${PARTS[part]} } }`;

  it.each(Object.keys(PARTS) as (keyof typeof PARTS)[])('shows its %s to keys that may read such', async (part) => {
    const { prisma } = app.db;
    const code = `plan_${part}`;
    const organizationId = app.organizationId;
    await prisma.billingEntity.updateMany({ where: { organizationId }, data: { timezone: 'UTC' } });
    await prisma.plan.create({
      data: { organizationId, code, name: code, interval: 'monthly', amountCents: 100n, amountCurrency: 'EUR' },
    });
    const input = { planCode: code, customer: { currency: 'EUR' } };
    const whole = await app.graphql(document(part), { input });
    expect(whole.errors).toBeUndefined();
    const { data, errors, text } = await app.graphql(document(part), { input }, keys.get(part));
    expect(errors?.[0]?.extensions).toEqual({ code: 'forbidden', reason: `read_action_not_allowed_for_${part}` });
    expect(data.invoicePreview).toBeNull();
    expect(text).not.toContain('"externalId"');
  });
});
