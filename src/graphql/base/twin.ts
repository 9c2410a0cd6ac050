import {
  extendSchema,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { madeId, opaqueId } from './opaque-id.ts';

// An unsaved row must not be of a stored type: Pothos would load its relations from the database. So what a preview shows has
// types of its own, and both kinds implement one interface, by which one fragment serves both. The interfaces and the
// previewed types are made from the stored ones, so that they cannot drift apart.

/** The stored types that a preview shows, with the objects inside them that are a part of them. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Invoice: [
    'customer',
    'metadata',
    'appliedTaxes',
    'appliedInvoiceCustomSections',
    'appliedUsageThresholds',
    'errorDetails',
    'billingPeriods',
    'allFees',
    'feesBySubscription',
    'credits',
    'subscriptions',
  ],
  InvoiceMetadata: [],
  InvoiceAppliedTax: [],
  InvoiceAppliedCustomSection: [],
  AppliedUsageThreshold: ['usageThreshold'],
  UsageThreshold: [],
  InvoiceErrorDetail: [],
  BillingPeriod: [],
  Credit: ['item', 'invoice'],
  Fee: ['item', 'appliedTaxes', 'pricingUnitDetails', 'amountBreakdown', 'presentedUnits'],
  SubscriptionFees: ['subscription', 'fees'],
  FeeAppliedTax: [],
  PricingUnitUsage: [],
  Customer: ['shippingAddress', 'billingConfiguration', 'metadata', 'integrationCustomers'],
  CustomerMetadata: [],
  IntegrationCustomer: [],
  BillingSubscription: ['paymentMethodReference', 'activationRules', 'appliedInvoiceCustomSections'],
  ActivationRule: [],
  AppliedInvoiceCustomSection: ['invoiceCustomSection'],
  InvoiceCustomSection: [],
};

const anyOf = (name: string) => (name in PARTS ? `Any${name}` : name);
const previewOf = (name: string) => (name in PARTS ? `${name}Preview` : name);

function typeText(type: GraphQLOutputType, rename: (name: string) => string): string {
  if (isNonNullType(type)) return `${typeText(type.ofType, rename)}!`;
  if (isListType(type)) return `[${typeText(type.ofType, rename)}]`;
  return rename(type.name);
}

const describe = (text: string | null | undefined) => `"""${(text ?? '').replaceAll('"""', '\\"""')}"""`;

function sharedFields(type: GraphQLObjectType, parts: readonly string[]): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter(
    ({ name, type: shown, args, extensions }) =>
      parts.includes(name) || extensions.ofPreviewed || (isLeafType(getNamedType(shown)) && args.length === 0),
  );
}

const MINTED = 'Opaque identifier, made for this one answer: what is previewed cannot be read by it.';

function twinText(schema: GraphQLSchema, name: string, parts: readonly string[]): string {
  const stored = schema.getType(name);
  if (!isObjectType(stored)) throw new Error(`no type ${name}`);
  const fields = (rename: (name: string) => string, identifier: string) =>
    sharedFields(stored, parts)
      .map(({ name: key, description, type }) => {
        return `${describe(key === 'id' ? identifier : description)}\n${key}: ${typeText(type, rename)}`;
      })
      .join('\n');
  const keyword = schema.getType(previewOf(name))
    ? 'extend type'
    : `${describe(`${stored.description} It is previewed and not stored.`)}\ntype`;
  return `
    ${describe(`${stored.description} Stored or previewed.`)}
    interface ${anyOf(name)} { ${fields(anyOf, 'Opaque identifier.')} }
    extend type ${name} implements ${anyOf(name)}
    ${keyword} ${previewOf(name)} implements ${anyOf(name)} { ${fields(previewOf, MINTED)} }`;
}

// Caches put objects of one identifier together. What an answer shows of a stored customer is what that answer supposes, so it has an
// identifier of its own each time; the previewed invoice has one wherever it stands in its answer.
const mintedId = (type: string, source: { readonly svcId: string }): string =>
  type === 'InvoicePreview' ? opaqueId(type, source.svcId) : madeId(type, source);

/**
 * A preview shows the same things to the same keys: its types stand for the resources of the stored ones. A field that is made of
 * another one says how it is made of a row that is previewed (`ofPreviewed`).
 */
function carryOver(schema: GraphQLSchema, name: string): void {
  const [stored, preview] = [schema.getType(name), schema.getType(previewOf(name))];
  if (!isObjectType(stored) || !isObjectType(preview)) throw new Error(`no type ${name}`);
  preview.extensions = { ...preview.extensions, resource: stored.extensions.resource };
  const fields = stored.getFields();
  for (const field of Object.values(preview.getFields())) {
    const { derivesFrom, ofPreviewed } = fields[field.name]?.extensions ?? {};
    field.extensions = { ...field.extensions, derivesFrom };
    if (ofPreviewed) field.resolve = ofPreviewed as GraphQLFieldResolver<unknown, unknown>;
    if (field.name === 'id') field.resolve = (source) => mintedId(preview.name, source);
  }
}

/** The schema with the types of previews, and the interfaces that they share with the stored ones. */
export function withTwins(schema: GraphQLSchema): GraphQLSchema {
  const text = Object.entries(PARTS).map(([name, parts]) => twinText(schema, name, parts));
  const extended = extendSchema(schema, parse(text.join('\n')));
  for (const name of Object.keys(PARTS)) carryOver(extended, name);
  return extended;
}
