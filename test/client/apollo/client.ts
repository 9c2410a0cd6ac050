// An app's Apollo Client over the graph, with the types that graphql-codegen makes of document.graphql.
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import {
  ChargesDocument,
  CustomersDocument,
  InvoicesDocument,
  type InvoicesQuery,
  type InvoicesQueryVariables,
  PreviewDocument,
  UpdateChargeDocument,
} from './generated/graphql.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface Settings {
  readonly fetch: Fetch;
  readonly key: string;
  readonly possibleTypes: Record<string, string[]>;
}

const pages = relayStylePagination(['filter', 'orderBy']);

const open = ({ fetch, key, possibleTypes }: Settings) =>
  new ApolloClient({
    link: new HttpLink({
      uri: 'http://gateway.test/graphql',
      fetch,
      headers: { Authorization: `Bearer ${key}`, 'apollo-require-preflight': 'true' },
    }),
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: { Query: { fields: { customers: pages, invoices: pages } } },
    }),
    clientAwareness: { name: 'pages', version: '1.2.3' },
  });

/** All invoices, read a page at a time, as the last page leaves them on the screen. */
async function readInvoices(client: ApolloClient, variables: InvoicesQueryVariables): Promise<InvoicesQuery> {
  let page = (await client.query({ query: InvoicesDocument, variables })).data;
  const list = client.watchQuery({ query: InvoicesDocument, variables });
  const shown = list.subscribe(() => undefined);
  while (page?.invoices.pageInfo.hasNextPage) {
    page = (await list.fetchMore({ variables: { after: page.invoices.pageInfo.endCursor } })).data;
  }
  shown.unsubscribe();
  const all = client.readQuery({ query: InvoicesDocument, variables });
  if (!all) throw new Error('The cache does not hold the list.');
  return all;
}

/** The identifiers of all customers in the order of the list, read a page at a time. */
async function readCustomers(client: ApolloClient, first: number): Promise<string[]> {
  const readPage = async (after: string | null) => {
    const { data } = await client.query({
      query: CustomersDocument,
      variables: { first, after },
      fetchPolicy: 'network-only',
    });
    return data?.customers.pageInfo;
  };
  let page = await readPage(null);
  while (page?.hasNextPage) page = await readPage(page.endCursor);
  const all = client.readQuery({ query: CustomersDocument, variables: { first } });
  return all?.customers.edges.map(({ node }) => node.externalId) ?? [];
}

/** Sets a minimum by a mutation, and tells what a list that was read before shows then. */
async function raiseMinimum(client: ApolloClient, planCode: string, chargeCode: string, minimum: bigint) {
  const variables = { planCode };
  await client.query({ query: ChargesDocument, variables });
  const before = client.readQuery({ query: ChargesDocument, variables })?.plan?.charges[0]?.minAmountCents;
  await client.mutate({
    mutation: UpdateChargeDocument,
    variables: { planCode, chargeCode, input: { minAmountCents: String(minimum) } },
  });
  const after = client.readQuery({ query: ChargesDocument, variables })?.plan?.charges[0]?.minAmountCents;
  return [before, after].map((amount) => (amount === undefined ? undefined : BigInt(amount)));
}

const preview = async (client: ApolloClient, planCode: string): Promise<string | undefined> =>
  (await client.query({ query: PreviewDocument, variables: { input: { planCode } } })).data?.invoicePreview
    ?.totalAmountCents;

/** What a cache cannot take apart: an object whose `id` was not asked for. */
const readWithoutId = (client: ApolloClient) =>
  client.query({ query: gql`{ invoices(first: 1) { nodes { number } } }` });

export { open, preview, raiseMinimum, readCustomers, readInvoices, readWithoutId };
