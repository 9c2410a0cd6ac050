import { invalid } from '../../billing/errors.ts';
import { CURRENCIES } from '../../billing/money/currency.ts';
import type { Context } from '../context.ts';
import { anyCountry, anyOf, anyText, either, moments, needing } from '../list/condition.ts';
import { checkEntityCodes } from '../list/entity-code.ts';
import { type ListArgs, listFilter } from '../list/list-filter.ts';
import { metadataPairs } from '../list/metadata-condition.ts';
import { search } from '../list/search.ts';

const OVERDUE = { paymentOverdue: true, status: 'finalized' };

/** How lists of customers are narrowed and ordered. */
export const customerFilter = listFilter('Customer', {
  renamed: { billingEntityCodes: 'billingEntityCode' },
  conditions: {
    externalId: anyText('externalId', 'Only customers with one of these external identifiers.'),
    currency: anyText('currency', 'Only customers with one of these currencies.'),
    country: anyCountry('Only customers in one of these countries, by ISO 3166 alpha-2 code.'),
    state: anyText('state', 'Only customers in one of these states or regions.'),
    zipcode: anyText('zipcode', 'Only customers with one of these postal codes.'),
    customerType: anyOf('CustomerType', 'customerType', 'Only customers of one of these kinds.'),
    hasCustomerType: either(
      'Only customers that are said to be a company or an individual, or only the others.',
      { customerType: { not: null } },
      { customerType: null },
    ),
    hasTaxIdentificationNumber: either(
      'Only customers with a tax identification number, or only those without one.',
      { AND: [{ taxIdentificationNumber: { not: null } }, { taxIdentificationNumber: { not: '' } }] },
      { OR: [{ taxIdentificationNumber: null }, { taxIdentificationNumber: '' }] },
    ),
    metadata: metadataPairs('Customer', ['a', 'customer']),
    accountType: anyOf('CustomerAccountType', 'accountType', 'Only accounts of one of these kinds.'),
    billingEntityCode: anyText('billingEntity.code', 'Only customers of billing entities with one of these codes.'),
    hasOverdueInvoices: needing(
      'invoice',
      either(
        'Only customers with an overdue invoice, or only those without one.',
        { invoices: { some: OVERDUE } },
        { invoices: { none: OVERDUE } },
      ),
    ),
    hasActiveSubscriptions: needing(
      'subscription',
      either(
        'Only customers with an active subscription, or only those without one.',
        { subscriptions: { some: { status: 'active' } } },
        { subscriptions: { none: { status: 'active' } } },
      ),
    ),
    createdAt: moments('createdAt', 'Only customers created in this time.'),
    search: search('Words in the external identifier, a name, the e-mail address, the legal name or the tax number.'),
  },
  orders: ['name', 'externalId'],
  moneyOrders: ['outstandingBalanceCents', 'overdueBalanceCents'],
  orderNeeds: { outstandingBalanceCents: 'invoice', overdueBalanceCents: 'invoice' },
});

interface Filter {
  readonly billingEntityCode?: readonly string[] | null;
  readonly currency?: readonly string[] | null;
  readonly customerType?: readonly string[] | null;
  readonly hasCustomerType?: boolean | null;
}

/** REST refuses what can find nothing: a code of no billing entity (404), a currency that is none, a kind of customers without a kind. */
export async function checkCustomerFilter({ filter }: ListArgs, context: Context): Promise<void> {
  if (context.checksTypes || !filter) return;
  const { billingEntityCode, currency, customerType, hasCustomerType } = filter as Filter;
  const isKindless = hasCustomerType === false && customerType != null;
  const details = {
    ...(currency?.some((code) => !CURRENCIES.has(code)) && { currencies: ['value_is_invalid'] }),
    ...(isKindless && { has_customer_type: ['value_is_invalid'] }),
  };
  if (Object.keys(details).length > 0) throw invalid(details);
  await checkEntityCodes(billingEntityCode, context);
}
