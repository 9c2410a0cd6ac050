import { camelCase, snakeCase } from '../billing/name-case.ts';
import { document } from './document.ts';
import { pageMeta, pageNumber, pageSize } from './page.ts';
import type { Route, RouteRequest } from './route.ts';

/** A query parameter of a list, beside those of its page. */
interface ListParameter {
  /** The type of the document's variable, and where it goes: `['[String!]', 'filter: { code: $codes }']`. */
  readonly type: string;
  readonly argument: string;
  read(value: RouteRequest['query'][string]): unknown;
}

/** What the five endpoints of a resource are made of. All their names follow from the type's and the path. */
interface Resource {
  /** The graph's type, for example `AddOn`: bodies and answers have it as `add_on`, the permission too. */
  readonly type: string;
  /** Where they stand; its last segment is what the list is called: `/add_ons`. */
  readonly path: string;
  /** One object, as a fragment that is called as the type. */
  readonly fragment: string;
  /** The order of the list, where it is not newest first. */
  readonly orderBy?: string;
  /** What its operations are called, where that is not `findAll<path>` and `find<type>`. */
  readonly operations?: { readonly list: string; readonly find: string };
  /** Whether the list is answered as a whole, and not by pages. */
  readonly isWhole?: boolean;
  /** Whether objects stay: none is deleted. */
  readonly isKept?: boolean;
  /** Whether writes also answer the object without its root, and changes take it so. */
  readonly isBare?: boolean;
  readonly listParameters?: Readonly<Record<string, ListParameter>>;
  /** Of what is sent, as a route has them. */
  readonly formFaults?: Route['formFaults'];
  readonly dependsOnState?: boolean;
}

const LOOKUP = 'svcId';
/** As many as one list shows. */
const WHOLE = 1000;

/** A list that is answered as a whole. */
function wholeList({ type, path, fragment, orderBy, operations }: Resource): Route {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const operation = operations?.list ?? `findAll${camelCase(`_${name}`)}`;
  const ordered = orderBy ? `, orderBy: { field: ${orderBy} }` : '';
  return {
    ...{ method: 'GET', path, permission: `${snakeCase(type)}:read`, operation },
    document: document(
      `query ${operation} { list: ${camelCase(name)}(perPage: ${WHOLE}${ordered}) { ${name}: nodes { ...${type} } } }`,
      fragment,
    ),
    variables: () => ({}),
    answer: ['list'],
  };
}

function list(resource: Resource): Route {
  if (resource.isWhole) return wholeList(resource);
  const { type, path, fragment, orderBy, listParameters = {} } = resource;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const operation = `findAll${camelCase(`_${name}`)}`;
  const parameters = Object.entries(listParameters);
  const declared = parameters.map(([parameter, { type: of }]) => `, $${variableOf(parameter)}: ${of}`).join('');
  const narrowed = parameters.map(([, { argument }]) => `, ${argument}`).join('');
  const ordered = orderBy ? `, orderBy: { field: ${orderBy} }` : '';
  return {
    method: 'GET',
    path,
    permission: `${snakeCase(type)}:read`,
    operation,
    document: document(
      `query ${operation}($page: Int = 1, $perPage: Int = 100${declared}) {
        list: ${camelCase(name)}(page: $page, perPage: $perPage${narrowed}${ordered}) {
          ${name}: nodes { ...${type} }
          meta { ...PageMeta }
        }
      }`,
      fragment,
      pageMeta,
    ),
    query: ['page', 'per_page', ...parameters.map(([parameter]) => parameter)],
    variables: ({ query }) => ({
      page: pageNumber(query.page),
      perPage: pageSize(query.per_page),
      ...Object.fromEntries(parameters.map(([parameter, { read }]) => [variableOf(parameter), read(query[parameter])])),
    }),
    answer: ['list'],
  };
}

const variableOf = (parameter: string) => camelCase(parameter.replace('[]', ''));

/** The endpoints that list, read, create, change and delete objects of a resource, which are named by their code. */
export function resourceRoutes(resource: Resource): Route[] {
  const { type, path, fragment, operations, isKept, isBare } = resource;
  const name = snakeCase(type);
  const [read, write] = [`${name}:read`, `${name}:write`];
  const field = camelCase(name);
  const one = `${path}/{code}`;
  const { formFaults, dependsOnState } = resource;
  const sent = { root: name, ...(formFaults && { formFaults }), ...(dependsOnState && { dependsOnState }) };
  const lookup = document(`query look($code: String!) { ${field}(code: $code) { ${LOOKUP} } }`);
  const ofOperation = (kind: string, verb: string, declared: string, given: string) => {
    const operation = verb === 'find' ? (operations?.find ?? `find${type}`) : `${verb}${type}`;
    const asked = verb === 'find' ? field : operation;
    return {
      operation,
      document: document(`${kind} ${operation}(${declared}) { ${name}: ${asked}(${given}) { ...${type} } }`, fragment),
    };
  };
  const kept: Route[] = [
    list(resource),
    {
      ...{ method: 'POST', path, permission: write, ...sent, ...(isBare && { bare: 'answer' }) },
      ...ofOperation('mutation', 'create', `$input: Create${type}Input!`, 'input: $input'),
      variables: ({ body }) => ({ input: body }),
    },
    {
      ...{ method: 'GET', path: one, permission: read },
      ...ofOperation('query', 'find', '$code: String!', 'code: $code'),
      variables: ({ params }) => ({ code: params.code }),
    },
    {
      ...{ method: 'PUT', path: one, permission: write, ...sent, lookup, ...(isBare && { bare: 'both' }) },
      ...ofOperation('mutation', 'update', `$code: String!, $input: Update${type}Input!`, 'code: $code, input: $input'),
      variables: ({ params, body }) => ({ code: params.code, input: body }),
    },
  ];
  if (isKept) return kept;
  return [
    ...kept,
    {
      ...{ method: 'DELETE', path: one, permission: write },
      ...ofOperation('mutation', 'destroy', '$code: String!', 'code: $code'),
      variables: ({ params }) => ({ code: params.code }),
    },
  ];
}

/** The endpoints that replace, merge and delete the metadata of objects of a resource. */
export function metadataRoutes({ type, path }: Pick<Resource, 'type' | 'path'>): Route[] {
  const name = snakeCase(type);
  const permission = `${name}:write`;
  const whole = `${path}/{code}/metadata`;
  const lookup = document(`query look($code: String!) { ${camelCase(name)}(code: $code) { ${LOOKUP} } }`);
  const merging = ({ params, body }: RouteRequest) => ({
    ...{ code: params.code, metadata: (body as { metadata?: unknown }).metadata },
  });
  const ofOperation = (operation: string, mutation: string, declared: string, given: string) => ({
    ...{ permission, operation, answer: [name] },
    document: document(
      `mutation ${operation}($code: String!${declared}) {
        ${name}: ${mutation}(code: $code${given}) { metadata }
      }`,
    ),
  });
  const pairs = [', $metadata: JSON', ', metadata: $metadata'] as const;
  return [
    {
      ...{ method: 'POST', path: whole, body: true, lookup, variables: merging },
      ...ofOperation(`replace${type}Metadata`, `replace${type}Metadata`, ...pairs),
    },
    {
      ...{ method: 'PATCH', path: whole, body: true, lookup, variables: merging },
      ...ofOperation(`merge${type}Metadata`, `merge${type}Metadata`, ...pairs),
    },
    {
      ...{ method: 'DELETE', path: `${whole}/{key}` },
      ...ofOperation(`delete${type}MetadataKey`, `delete${type}MetadataKey`, ', $key: String!', ', key: $key'),
      variables: ({ params }) => ({ code: params.code, key: params.key }),
    },
    {
      ...{ method: 'DELETE', path: whole, variables: ({ params }) => ({ code: params.code }) },
      ...ofOperation(`deleteAll${type}Metadata`, `delete${type}Metadata`, '', ''),
    },
  ];
}
