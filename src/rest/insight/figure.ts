import { document } from '../document.ts';
import type { Route } from '../route.ts';

interface Figure {
  readonly operation: string;
  readonly path: string;
  /** The field of the graph's figures with what is shown of it, as the answer has it. */
  readonly selection: string;
  readonly isOfCustomer?: boolean;
}

/** The endpoint of figures by months, of as many months as there are where nobody says how many. */
export function figure({ operation, path, selection, isOfCustomer }: Figure): Route {
  const [declared, given] = isOfCustomer
    ? [', $externalCustomerId: String', ', externalCustomerId: $externalCustomerId']
    : ['', ''];
  return {
    ...{ method: 'GET', path: `/analytics/${path}`, permission: 'analytic:read', operation },
    document: document(
      `query ${operation}($currency: String, $months: Int = 120${declared}) {
        analytics(currency: $currency, months: $months${given}) { ${selection} }
      }`,
    ),
    query: ['currency', 'months', ...(isOfCustomer ? ['external_customer_id'] : [])],
    variables: ({ query }) => ({
      currency: query.currency,
      months: query.months === '' ? undefined : query.months,
      ...(isOfCustomer && { externalCustomerId: query.external_customer_id }),
    }),
    answer: ['analytics'],
  };
}
