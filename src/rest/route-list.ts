import { camelCase } from '../billing/name-case.ts';
import { document } from './document.ts';
import { pageMeta, pageNumber, pageSize } from './page.ts';
import type { Route, RouteRequest } from './route.ts';
import { customerLookup, listed, looseBoolean, pairs, said } from './route-query.ts';

type Sent = RouteRequest['query'][string];

/** A query parameter of a list, beside those of its page. */
export interface ListParameter {
  /** The member of the graph's filter that it is, or one inside of that: `status`, `issuingDate.from`. */
  readonly member: string;
  /** The type of the member. */
  readonly type: string;
  read(sent: Sent): unknown;
}

const parameter =
  (type: string, read: ListParameter['read']) =>
  (member: string): ListParameter => ({ member, type, read });

const alone = (sent: Sent) => (sent ? [sent] : undefined);

/** Of a parameter that ends in `[]`: what may be any of several values. */
export const several = (member: string, type = 'String') => parameter(`[${type}!]`, listed)(member);
/** One value of what the graph takes several of. */
export const one = (member: string, type = 'String') => parameter(`[${type}!]`, alone)(member);
export const text = parameter('String', said);
export const date = parameter('Date', said);
export const moment = parameter('DateTime', said);
export const amount = parameter('BigInt', said);
export const yesOrNo = parameter('Boolean', looseBoolean);
/** Pairs of metadata; needs to be named in `queryMembers`. */
export const metadata = (type: string) => parameter(`[${type}!]`, pairs)('metadata');

type Parameters = Readonly<Record<string, ListParameter>>;

interface List {
  /** What its objects are called in the path and in the answer: `credit_notes`. */
  readonly name: string;
  readonly permission: string;
  /** What is shown of each object: a fragment of this name, with those that it needs. */
  readonly shown: readonly [fragment: string, ...texts: string[]];
  /** What it is narrowed to where nothing is asked, in the graph's words: `status: [finalized]`. */
  readonly always?: string;
  /** The order, where it is not newest first. */
  readonly orderBy?: string;
  readonly parameters: Parameters;
}

const variableOf = (name: string) => camelCase(name.replace('[]', ''));

/** The graph's filter of parameters, those of one member together. */
function filterText(parameters: Parameters, others: readonly (string | undefined)[]): string {
  const members = new Map<string, string[]>();
  for (const [name, { member }] of Object.entries(parameters)) {
    const [outer = '', inner] = member.split('.');
    members.set(outer, [...(members.get(outer) ?? []), `${inner ? `${inner}: ` : ''}$${variableOf(name)}`]);
  }
  const told = [...members].map(([member, values]) => {
    const isRange = Object.values(parameters).some((known) => known.member.startsWith(`${member}.`));
    return `${member}: ${isRange ? `{ ${values.join(', ')} }` : values.join()}`;
  });
  return [...others.filter((other) => other !== undefined), ...told].join(', ');
}

const codesOfDates = (parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { type }]) =>
      type === 'Date' || type === 'DateTime' ? [[name, 'invalid_date'] as const] : [],
    ),
  );

const OF_CUSTOMER = '/customers/{external_customer_id}';

function listRoute({ name, permission, shown, always, orderBy, parameters }: List, isOfCustomer: boolean): Route {
  const [fragment, ...texts] = shown;
  const operation = `findAll${isOfCustomer ? 'Customer' : ''}${camelCase(`_${name}`)}`;
  const declared = Object.entries(parameters).map(([known, { type }]) => `, $${variableOf(known)}: ${type}`);
  const customer = isOfCustomer ? 'customer(externalId: $externalCustomerId) { svcId }' : '';
  const ofCustomer = isOfCustomer ? 'everExternalCustomerId: [$externalCustomerId]' : undefined;
  return {
    method: 'GET',
    path: `${isOfCustomer ? OF_CUSTOMER : ''}/${name}`,
    permission,
    operation,
    document: document(
      `query ${operation}(
        ${isOfCustomer ? '$externalCustomerId: String!, ' : ''}$page: Int = 1, $perPage: Int = 100${declared.join('')}
      ) {
        ${customer}
        list: ${camelCase(name)}(
          page: $page, perPage: $perPage, ${orderBy ? `orderBy: ${orderBy}, ` : ''}
          filter: { ${filterText(parameters, [always, ofCustomer])} }
        ) {
          ${name}: nodes { ...${fragment} }
          meta { ...PageMeta }
        }
      }`,
      ...texts,
      pageMeta,
    ),
    query: ['page', 'per_page', ...Object.keys(parameters)],
    ...('metadata' in parameters && { queryMembers: ['metadata'] }),
    formFaults: codesOfDates(parameters),
    ...(isOfCustomer && { lookup: customerLookup }),
    variables: ({ params, query }) => ({
      ...(isOfCustomer && { externalCustomerId: params.external_customer_id }),
      page: pageNumber(query.page),
      perPage: pageSize(query.per_page),
      ...Object.fromEntries(
        Object.entries(parameters).map(([known, { read }]) => [variableOf(known), read(query[known])]),
      ),
    }),
    answer: ['list'],
  };
}

/** All objects of a kind, `GET /invoices`. */
export const listOf = (list: List): Route => listRoute(list, false);

/** Those of a customer, `GET /customers/{external_customer_id}/invoices`: also of deleted ones that had the identifier before. */
export const listOfCustomer = (list: List): Route => listRoute(list, true);
