import { camelCase } from '../../billing/name-case.ts';
import { document } from '../document.ts';
import { customer, tax } from '../fragments.ts';
import { pageMeta, pageNumber, pageSize } from '../page.ts';
import type { Route } from '../route.ts';
import { listed, looseBoolean, pairs, said } from '../route-query.ts';

const LISTS = ['account_type[]', 'billing_entity_codes[]', 'countries[]', 'states[]', 'zipcodes[]', 'currencies[]'];

export const findAllCustomers: Route = {
  ...{ method: 'GET', path: '/customers', permission: 'customer:read' },
  operation: 'findAllCustomers',
  document: document(
    `query findAllCustomers(
      $page: Int = 1, $perPage: Int = 100, $externalId: [String!], $searchTerm: String, $accountType: [CustomerAccountType!],
      $billingEntityCodes: [String!], $countries: [CountryCode!], $states: [String!], $zipcodes: [String!],
      $currencies: [String!], $hasTaxIdentificationNumber: Boolean, $customerType: [CustomerType!],
      $hasCustomerType: Boolean, $metadata: [CustomerMetadataCondition!]
    ) {
      list: customers(page: $page, perPage: $perPage, filter: {
        externalId: $externalId, search: $searchTerm, accountType: $accountType, billingEntityCode: $billingEntityCodes,
        country: $countries, state: $states, zipcode: $zipcodes, currency: $currencies,
        hasTaxIdentificationNumber: $hasTaxIdentificationNumber, customerType: $customerType,
        hasCustomerType: $hasCustomerType, metadata: $metadata }) {
        customers: nodes { ...Customer taxes { ...Tax } } meta { ...PageMeta }
      }
    }`,
    customer,
    tax,
    pageMeta,
  ),
  query: [
    ...['page', 'per_page', 'external_id', 'search_term', ...LISTS],
    ...['has_tax_identification_number', 'customer_type', 'has_customer_type', 'metadata'],
  ],
  queryMembers: ['metadata'],
  variables: ({ query }) => ({
    page: pageNumber(query.page),
    perPage: pageSize(query.per_page),
    externalId: query.external_id ? [query.external_id] : undefined,
    searchTerm: query.external_id ? undefined : said(query.search_term),
    ...Object.fromEntries(LISTS.map((name) => [camelCase(name.replace('[]', '')), listed(query[name])])),
    hasTaxIdentificationNumber: looseBoolean(query.has_tax_identification_number),
    customerType: query.customer_type ? [query.customer_type] : undefined,
    hasCustomerType: looseBoolean(query.has_customer_type),
    metadata: pairs(query.metadata),
  }),
  answer: ['list'],
};
