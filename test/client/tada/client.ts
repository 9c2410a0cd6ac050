// How a client of the graph gets its types from schema.graphql: no document here has a type of its own.
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import type { introspection } from './generated/graphql-env.d.ts';

interface Scalars {
  BigInt: string;
  Decimal: string;
  Percentage: string;
  PreciseDateTime: string;
  Date: string;
  DateTime: string;
  DateOrDateTime: string;
  CountryCode: string;
  EmailAddress: string;
  Locale: string;
  TimeZone: string;
  URL: string;
  JSON: unknown;
  UUID: string;
}

const graphql = initGraphQLTada<{ introspection: introspection; scalars: Scalars }>();

const amounts = graphql(`
  fragment Amounts on Invoice @_unmask {
    number
    status
    currency
    totalAmountCents
  }
`);

export const invoicesOf = graphql(
  `
    query InvoicesOf($externalId: String!, $first: Int) {
      customer(externalId: $externalId) {
        name
        invoices(first: $first) {
          totalCount
          nodes {
            ...Amounts
            issuingDate
          }
        }
      }
    }
  `,
  [amounts],
);

/** What is asked and answered, derived from the document. */
export const asked: VariablesOf<typeof invoicesOf> = { externalId: 'cus_belzona', first: 10 };

/** The sum by currency; every name and type here is checked against the schema. */
export function totals({ customer }: ResultOf<typeof invoicesOf>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { currency, totalAmountCents, status } of customer?.invoices.nodes ?? []) {
    if (status === 'voided') continue;
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(totalAmountCents));
  }
  return sums;
}
