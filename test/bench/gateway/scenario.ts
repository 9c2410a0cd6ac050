import { createdAt, type Data, idOf, ORGANIZATIONS } from './data.ts';

export type Peer = 'gateway' | 'fastify' | 'fastify, join' | 'postgraphile' | 'sql' | 'rules';

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
  /** Rows that a statement may read of all tables; more says that it has no index. */
  readonly reads: number;
  /** Who reads more than that by its own nature, however it is asked. */
  readonly excused?: Peer;
}

const INVOICE = `svcId number status issuingDate currency feesAmountCents taxesAmountCents totalAmountCents
  customer { svcId externalId name email }
  fees: allFees { svcId feeType amountCents taxesAmountCents amountCurrency }
  appliedTaxes { svcId taxCode taxName amountCents }`;

const PEER_INVOICE = `svcId: rowId number status issuingDate currency feesAmountCents taxesAmountCents totalAmountCents
  customer: customerByCustomerId { svcId: rowId externalId name email }
  fees: feesByInvoiceId { nodes { svcId: rowId feeType amountCents taxesAmountCents amountCurrency } }
  appliedTaxes: invoiceAppliedTaxesByInvoiceId { nodes { svcId: rowId taxCode taxName amountCents } }`;

const post = (path: string, body: object): Shot => ({ method: 'POST', path, body: JSON.stringify(body) });
const get = (path: string): Shot => ({ method: 'GET', path });
export const graphql = (query: string, variables: object = {}) => post('/graphql', { query, variables });

/** The data of an answer. Amounts are texts in GraphQL and numbers elsewhere. */
const dataOf = (body: unknown): unknown => {
  const data = Object.values((body as { data?: object }).data ?? {})[0] ?? body;
  return JSON.parse(JSON.stringify(data, (name, value) => (name.endsWith('Cents') ? String(value) : value)));
};

/** A signed address is made by the gateway alone. */
const unsigned = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === 'file_url' ? null : value)));

/** What PostGraphile is asked for a page of the organization's list, in the order that one index gives. */
const peerList = (organizationId: string, args: string, selection: string) =>
  `{ invoices: allInvoices(condition: { organizationId: "${organizationId}" }, orderBy: [CREATED_AT_DESC, ROW_ID_ASC] ${args}) { ${selection} } }`;

/** What scenarios need of the servers before they can be asked. */
export interface Prepared {
  /** Signed addresses of documents, below the gateway's own. */
  readonly fileUrls: readonly string[];
  /** The places before the deep page: the gateway's, PostGraphile's. */
  readonly cursor: string;
  readonly peerCursor: string;
  /** How many rows come before the deep page. */
  readonly deep: number;
}

/** The queries that find the places before the deep page. */
export const placeBefore = ({ own, organizationId }: Data) => {
  const deep = Math.min(19_980, own - 20);
  return {
    deep,
    gateway: graphql(`{ invoices(page: ${deep}, perPage: 1) { pageInfo { endCursor } } }`),
    postgraphile: graphql(peerList(organizationId, `first: 1, offset: ${deep - 1}`, 'pageInfo { endCursor }')),
  };
};

const LIST_READS = 500; // 20 invoices, of each a customer, three fees and a tax; and what an index finds once more

function lists({ organizationId, own }: Data, { cursor, peerCursor, deep }: Prepared): Scenario[] {
  const last = (own - deep) * ORGANIZATIONS; // before the deep page
  const nodes = `nodes { ${INVOICE} }`;
  const page = (path: string) => () => get(path);
  const ofPeer = (args: string, selection: string) => () => graphql(peerList(organizationId, args, selection));
  return [
    {
      name: 'GraphQL 20 invoices',
      reads: LIST_READS,
      shots: {
        gateway: () => graphql(`{ invoices(first: 20) { ${nodes} } }`),
        fastify: page('/invoices/20'),
        'fastify, join': page('/invoices/20'),
        sql: page('/invoices/20'),
        postgraphile: ofPeer(', first: 20', `nodes { ${PEER_INVOICE} }`),
      },
      shared: dataOf,
    },
    {
      name: 'GraphQL 20 invoices, page 1000',
      reads: LIST_READS,
      excused: 'postgraphile', // it compares with the place in a way that no index begins at
      shots: {
        gateway: () =>
          graphql(`query Page($after: String) { invoices(first: 20, after: $after) { ${nodes} } }`, { after: cursor }),
        sql: page(`/invoicesAfter/${createdAt(last)}/${idOf('invoice', last)}`),
        postgraphile: ofPeer(`, first: 20, after: "${peerCursor}"`, `nodes { ${PEER_INVOICE} }`),
      },
      shared: dataOf,
    },
    {
      name: 'GraphQL total',
      reads: own + 100,
      shots: {
        gateway: () => graphql('{ invoices(first: 0) { totalCount } }'),
        sql: page('/total'),
        postgraphile: ofPeer('', 'totalCount'),
      },
      shared: dataOf,
    },
    {
      name: 'GraphQL search',
      reads: Number.POSITIVE_INFINITY, // the gateway's own affair: nobody else is asked
      shots: {
        gateway: (n) =>
          graphql(
            'query Search($words: String) { invoices(first: 20, filter: { search: $words }) { nodes { svcId } } }',
            {
              words: `BEN-${(n % own) * ORGANIZATIONS}`,
            },
          ),
      },
    },
  ];
}

/** All that is measured. */
export function scenarios(data: Data, prepared: Prepared): Scenario[] {
  const { own } = data;
  const invoice = (n: number) => idOf('invoice', (n % own) * ORGANIZATIONS);
  const fee = (n: number) => idOf('fee', (n % own) * ORGANIZATIONS * 3 + (n % 3));
  const one = `query Invoice($id: UUID!) { invoice(svcId: $id) { ${INVOICE} } }`;
  const peerOne = `query Invoice($id: UUID!) { invoice: invoiceByRowId(rowId: $id) { ${PEER_INVOICE} } }`;
  const previewed = { customer: { name: 'Inkwell', currency: 'EUR' }, plan_code: 'press', billing_time: 'calendar' };
  const byHand = (shot: (n: number) => Shot) => ({ fastify: shot, 'fastify, join': shot, sql: shot });
  return [
    {
      name: 'GraphQL invoice',
      reads: 50,
      shots: {
        gateway: (n) => graphql(one, { id: invoice(n) }),
        ...byHand((n) => get(`/invoice/${invoice(n)}`)),
        postgraphile: (n) => graphql(peerOne, { id: invoice(n) }),
      },
      shared: dataOf,
    },
    ...lists(data, prepared),
    {
      name: 'REST fee',
      reads: 50,
      shots: { gateway: (n) => get(`/api/v1/fees/${fee(n)}`), ...byHand((n) => get(`/fee/${fee(n)}`)) },
      shared: (body) => body,
    },
    {
      name: 'REST 100 payment requests',
      slowness: 3,
      reads: 10_000, // requests are counted and cut, entities of fifty organizations fit into one block
      shots: {
        gateway: (n) => get(`/api/v1/customers/customer_0/payment_requests?page=${1 + (n % 10)}&per_page=100`),
        sql: (n) => get(`/requests/${n % 10}`),
      },
      shared: unsigned,
    },
    {
      name: 'REST preview',
      reads: 500,
      shots: { gateway: () => post('/api/v1/invoices/preview', previewed), rules: () => get('/preview') },
    },
    {
      name: 'PDF',
      reads: 500,
      shots: { gateway: (n) => get(prepared.fileUrls[n % prepared.fileUrls.length] ?? '') },
    },
  ];
}
