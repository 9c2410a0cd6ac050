import { deleteCustomer } from '../../engine/customer/delete-customer.ts';
import { upsertCustomer } from '../../engine/customer/upsert-customer.ts';
import { checkVatNumber } from '../../engine/customer/vat-check.ts';
import { storedZone, ZONE_COLUMNS, ZONE_PATHS } from '../../store/account/period-row.ts';
import { BY_CODE, OLDEST_FIRST } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { firstOf, SAME_ROW } from '../base/column.ts';
import { derivesFrom } from '../base/guard.ts';
import { actorOf, refusesIgnored } from '../context.ts';
import { connection, defineNode } from '../list/node.ts';
import { listing, lookup } from '../list/root.ts';
import { paymentRequestFilter } from '../payment/payment-request-filter.ts';
import { customerUsage } from '../usage/usage-field.ts';
import { mutation } from '../write/mutation.ts';
import { applicableSections, SECTION_ORDER } from './applicable-section.ts';
import { BILLING_CONFIGURATION, BillingConfiguration } from './billing-configuration.ts';
import { customerFigures } from './customer-figure.ts';
import { checkCustomerFilter, customerFilter } from './customer-filter.ts';
import { sentCustomer, UpsertCustomerInput } from './customer-input.ts';

const SHIPPING = {
  shippingAddressLine1: true,
  shippingAddressLine2: true,
  shippingCity: true,
  shippingState: true,
  shippingCountry: true,
  shippingZipcode: true,
} as const;

type Shipping = { readonly [Name in keyof typeof SHIPPING]: string | null };

const ShippingAddress = builder.objectRef<Shipping>('ShippingAddress').implement({
  description: 'Where goods are sent.',
  fields: (t) => ({
    addressLine1: t.exposeString('shippingAddressLine1', {
      nullable: true,
      description: 'First line of the shipping address.',
    }),
    addressLine2: t.exposeString('shippingAddressLine2', {
      nullable: true,
      description: 'Second line of the shipping address.',
    }),
    city: t.exposeString('shippingCity', { nullable: true, description: 'City.' }),
    state: t.exposeString('shippingState', { nullable: true, description: 'State or region.' }),
    country: t.expose('shippingCountry', {
      type: 'CountryCode',
      nullable: true,
      description: 'ISO 3166 alpha-2 country code.',
    }),
    zipcode: t.exposeString('shippingZipcode', { nullable: true, description: 'Postal code.' }),
  }),
});

const BY_KEY = { orderBy: [{ key: 'asc' as const }, { id: 'asc' as const }] };
// What customers are ordered by; they are shown by currency.
const BALANCES = ['outstandingBalanceCents', 'overdueBalanceCents'];
const under = { foreignKey: 'customerId' } as const;

defineNode('CustomerMetadata', { resource: 'customer', omit: ['customer', 'customerId'] });
defineNode('IntegrationCustomer', {
  resource: 'customer',
  omit: ['customer', 'customerId'],
  filled: { type: '', integrationCode: '', externalCustomerId: '' },
});

defineNode('Customer', {
  filter: customerFilter,
  resource: 'customer',
  omit: [...Object.keys(SHIPPING), ...Object.keys(BILLING_CONFIGURATION), ...BALANCES, 'vatUnanswered'],
  fields: (t) => ({
    applicableTimezone: t.field({
      type: 'TimeZone',
      description: "The customer's time zone, else the billing entity's.",
      extensions: { ...derivesFrom('billing_entity').extensions, ...firstOf(ZONE_PATHS) },
      select: ZONE_COLUMNS,
      resolve: storedZone,
    }),
    billingEntityCode: t.string({
      description: 'Code of the entity that bills the customer.',
      extensions: firstOf(['billingEntity.code']),
      select: { billingEntity: { select: { code: true } } },
      resolve: (customer) => customer.billingEntity.code,
    }),
    shippingAddress: t.field({
      type: ShippingAddress,
      description: 'Where goods are sent; its members are null where unset.',
      extensions: SAME_ROW,
      select: SHIPPING,
      resolve: (customer) => customer,
    }),
    billingConfiguration: t.field({
      type: BillingConfiguration,
      description: 'How the customer is billed; null members follow the billing entity.',
      extensions: SAME_ROW,
      select: BILLING_CONFIGURATION,
      resolve: (customer) => customer,
    }),
    ...customerFigures(t),
    ...customerUsage(t),
    taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }),
    selectedInvoiceCustomSections: t.relation('selectedInvoiceCustomSections', { query: SECTION_ORDER }),
    applicableInvoiceCustomSections: applicableSections(t),
    metadata: t.relation('metadata', { query: BY_KEY }),
    integrationCustomers: t.relation('integrationCustomers', { query: { orderBy: OLDEST_FIRST } }),
    paymentMethods: t.relation('paymentMethods', { query: { where: { deletedAt: null }, orderBy: OLDEST_FIRST } }),
    subscriptions: connection(t, 'Customer', 'subscriptions', {
      model: 'Subscription',
      resource: 'subscription',
      ...under,
    }),
    invoices: connection(t, 'Customer', 'invoices', { model: 'Invoice', resource: 'invoice', ...under }),
    fees: connection(t, 'Customer', 'fees', { model: 'Fee', resource: 'fee', ...under }),
    creditNotes: connection(t, 'Customer', 'creditNotes', { model: 'CreditNote', resource: 'credit_note', ...under }),
    wallets: connection(t, 'Customer', 'wallets', { model: 'Wallet', resource: 'wallet', ...under }),
    walletTransactions: connection(t, 'Customer', 'walletTransactions', {
      model: 'WalletTransaction',
      resource: 'wallet_transaction',
      ...under,
    }),
    payments: connection(t, 'Customer', 'payments', { model: 'Payment', resource: 'payment', ...under }),
    appliedCoupons: connection(t, 'Customer', 'appliedCoupons', {
      model: 'AppliedCoupon',
      resource: 'applied_coupon',
      ...under,
    }),
    paymentRequests: connection(t, 'Customer', 'paymentRequests', {
      model: 'PaymentRequest',
      resource: 'payment_request',
      ...under,
      ...paymentRequestFilter,
    }),
  }),
});

const externalIdArgs = builder.args((t) => ({
  externalId: t.string({ required: true, description: "The customer's identifier in the caller's application." }),
}));

lookup('customer', 'Customer', {
  resource: 'customer',
  description: "A customer by the caller's own identifier.",
  args: externalIdArgs,
  query: ({ externalId }) => ({ where: { externalId, deletedAt: null } }),
});

listing('customers', 'Customer', {
  resource: 'customer',
  description: 'Customers.',
  check: checkCustomerFilter,
});

mutation('upsertCustomer', 'Customer', {
  resource: 'customer',
  description:
    'Creates the customer of an external identifier, or changes the one who has it. The currency, the kind of account and the billing entity stay ' +
    'once the customer has a subscription, an invoice, a wallet or a coupon of an amount.',
  args: builder.args((t) => ({
    input: t.field({ type: UpsertCustomerInput, required: true, description: 'The customer.' }),
  })),
  write: async ({ input }, context) => {
    const actor = actorOf(context);
    const manner = { ...refusesIgnored(context), asksRegister: context.checkVat !== undefined };
    const written = await upsertCustomer(context.db, actor, sentCustomer(input), manner);
    // What is only tried is nobody's affair outside.
    if (context.checkVat && !context.dryRun) await checkVatNumber(context.db, actor, written.id, context.checkVat);
    return written;
  },
});

mutation('destroyCustomer', 'Customer', {
  resource: 'customer',
  description:
    'Deletes a customer. The external identifier is free again, for another customer. Subscriptions, wallets and applied coupons end; invoices stay, ' +
    'drafts too.',
  args: externalIdArgs,
  write: ({ externalId }, context) => deleteCustomer(context.db, actorOf(context), externalId),
});
