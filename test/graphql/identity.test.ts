import { type GraphQLObjectType, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { modelOf } from '../../src/graphql/base/builder.ts';
import { schema } from '../../src/graphql/schema.ts';
import { getDatamodel } from '../../src/store/generated/pothos.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

const DOCUMENT = {
  taxes: [{ code: 'vat', name: 'VAT', rate: 20 }],
  billing_entities: [{ code: 'main', name: 'Main', is_default: true, tax_codes: ['vat'] }],
  plans: [{ code: 'orchid', name: 'Orchid', interval: 'monthly', amount_cents: 5000, amount_currency: 'EUR' }],
  customers: [{ external_id: 'ada', name: 'Ada Stores', currency: 'EUR' }],
};

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  await importDocument(app.db, DOCUMENT, { organization: name, now: new Date('2026-06-11T12:00:00Z') });
});

afterAll(() => app?.close());

const { models } = getDatamodel().datamodel;
// GraphQL's root of live operations is called like a model.
const types = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => type !== schema.getSubscriptionType());
const rows = types.filter(({ name, extensions }) => models[modelOf(name)] || extensions.pothosPrismaModel);

const implementsNode = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node');

function hasId(type: GraphQLObjectType): boolean {
  const { id } = type.getFields();
  return isNonNullType(id?.type) && getNamedType(id.type).name === 'ID';
}

it('every type whose objects are rows is a node', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((type) => !hasId(type)).map(String)).toEqual([]);
  // A key is shown by what it did; it is nothing that keys look for. What a subscription has of a feature is reckoned of two rows.
  const unread = rows.filter((type) => !implementsNode(type)).map(String);
  expect(unread.sort()).toEqual(['ApiKey', 'SubscriptionEntitlement']);
});

it('every type with an identifier of the service has an opaque one', () => {
  const known = types.filter((type) => 'svcId' in type.getFields());
  expect(known.length).toBeGreaterThan(60);
  expect(known.filter((type) => !hasId(type)).map(String)).toEqual([]);
});

const PREVIEW = `query ($input: InvoicePreviewInput!) { invoicePreview(input: $input) {
  __typename id again: id svcId customer { __typename id svcId } allFees { id appliedTaxes { id } } credits { id invoice { id } }
  subscriptions { id } billingPeriods { id } appliedTaxes { id } } }`;

it('what is previewed has identifiers of this one answer, by which nothing is read', async () => {
  const input = {
    planCode: 'orchid',
    customer: { externalId: 'ada' },
    coupons: [{ code: 'less', couponType: 'fixed_amount', amountCents: '10', amountCurrency: 'EUR' }],
  };
  const [first, second] = [await app.graphql(PREVIEW, { input }), await app.graphql(PREVIEW, { input })];
  expect(first.errors).toBeUndefined();
  const idsOf = ({ data }: typeof first): string[] => JSON.stringify(data).match(/(?<="id":")[^"]+/g) ?? [];
  const { invoicePreview } = first.data;
  expect(invoicePreview.again).toBe(invoicePreview.id);
  expect(invoicePreview.customer.svcId).toBe(second.data.invoicePreview.customer.svcId);
  const ids = idsOf(first).filter((id) => id !== invoicePreview.id);
  expect(ids.length).toBeGreaterThan(3);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => idsOf(second).includes(id))).toEqual([]);
  for (const { invoice } of invoicePreview.credits) expect(invoice.id).toBe(invoicePreview.id);
  const nodes = await app.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: idsOf(first) });
  expect(nodes.data.nodes.filter(Boolean)).toEqual([]);
});
