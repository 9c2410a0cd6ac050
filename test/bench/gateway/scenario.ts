import { type Data, idOf } from './data.ts';

export type Peer = 'gateway' | 'fastify' | 'fastify, join' | 'postgraphile' | 'sql';

/** One HTTP request as it is sent again and again. */
export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** The same answer, asked of those who can give it. */
export interface Scenario {
  readonly name: string;
  /** Times as long as the others it is measured: long enough for an answer to every connection. */
  readonly slowness?: number;
  /** The n-th request; every one asks for another row. */
  readonly shots: Partial<Record<Peer, (n: number) => Shot>>;
  /** The part of an answer that is the same from everybody but PostGraphile, which has shapes of its own. */
  readonly shared?: (body: unknown) => unknown;
}

const INVOICE = `svcId number status issuingDate currency feesAmountCents taxesAmountCents totalAmountCents
  customer { svcId externalId name email }
  fees { svcId feeType amountCents taxesAmountCents amountCurrency }
  appliedTaxes { svcId taxCode taxName amountCents }`;

const PEER_INVOICE = `svcId: rowId number status issuingDate currency feesAmountCents taxesAmountCents totalAmountCents
  customer: customerByCustomerId { svcId: rowId externalId name email }
  fees: feesByInvoiceId { nodes { svcId: rowId feeType amountCents taxesAmountCents amountCurrency } }
  appliedTaxes: invoiceAppliedTaxesByInvoiceId { nodes { svcId: rowId taxCode taxName amountCents } }`;

const post = (path: string, body: object): Shot => ({ method: 'POST', path, body: JSON.stringify(body) });
const get = (path: string): Shot => ({ method: 'GET', path });
const graphql = (query: string, variables: object = {}) => post('/graphql', { query, variables });

const dataOf = (body: unknown): unknown => Object.values((body as { data?: object }).data ?? {})[0] ?? body;

const byHand = (shot: (n: number) => Shot) => ({ fastify: shot, 'fastify, join': shot, sql: shot });

/** The six scenarios. `fileUrls` are signed addresses of documents, below the gateway's own. */
export function scenarios({ invoices }: Data, fileUrls: readonly string[]): Scenario[] {
  const invoice = (n: number) => idOf('invoice', 1 + (n % invoices));
  const fee = (n: number) => idOf('fee', 1 + (n % (invoices * 3)));
  const one = `query Invoice($id: UUID!) { invoice(svcId: $id) { ${INVOICE} } }`;
  const peerOne = `query Invoice($id: UUID!) { invoice: invoiceByRowId(rowId: $id) { ${PEER_INVOICE} } }`;
  const peerList = `{ invoices: allInvoices(first: 20, orderBy: CREATED_AT_DESC) { nodes { ${PEER_INVOICE} } } }`;
  const customer = { name: 'Inkwell', currency: 'EUR' };
  return [
    {
      name: 'GraphQL invoice',
      shots: {
        gateway: (n) => graphql(one, { id: invoice(n) }),
        ...byHand((n) => get(`/invoice/${invoice(n)}`)),
        postgraphile: (n) => graphql(peerOne, { id: invoice(n) }),
      },
      shared: dataOf,
    },
    {
      name: 'GraphQL 20 invoices',
      shots: {
        gateway: () => graphql(`{ invoices(first: 20) { nodes { ${INVOICE} } } }`),
        ...byHand(() => get('/invoices/20')),
        postgraphile: () => graphql(peerList),
      },
      shared: dataOf,
    },
    {
      name: 'REST fee',
      shots: { gateway: (n) => get(`/api/v1/fees/${fee(n)}`), ...byHand((n) => get(`/fee/${fee(n)}`)) },
      shared: (body) => body,
    },
    {
      name: 'REST 100 payment requests',
      slowness: 5,
      shots: { gateway: (n) => get(`/api/v1/customers/customer_1/payment_requests?page=${1 + (n % 10)}&per_page=100`) },
    },
    {
      name: 'REST preview',
      shots: {
        gateway: () => post('/api/v1/invoices/preview', { customer, plan_code: 'press', billing_time: 'calendar' }),
      },
    },
    { name: 'PDF', shots: { gateway: (n) => get(fileUrls[n % fileUrls.length] ?? '') } },
  ];
}
