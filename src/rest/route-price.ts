import { camelCase, snakeCase } from '../billing/name-case.ts';
import { document } from './document.ts';
import { PAGE, pageMeta, pageOf } from './page.ts';
import type { Route } from './route.ts';

interface Price {
  /** The graph's type: bodies and answers have it as `fixed_charge`, the list as `fixed_charges`. */
  readonly type: string;
  readonly fragment: string;
}

/** The endpoints that list, make, read and delete prices of a plan, which are named by their code on it. */
export function priceRoutes({ type, fragment }: Price): Route[] {
  const name = snakeCase(type);
  const field = camelCase(name);
  const path = `/plans/{code}/${name}s`;
  const one = `${path}/{${name}_code}`;
  const ofPlan = document('query findPlan($code: String!) { plan(code: $code) { svcId } }');
  const find = (query: string, shown: string) =>
    `query ${query}($code: String!, $${field}Code: String!) {
      plan(code: $code) { ${name}: ${field}(code: $${field}Code) { ${shown} } }
    }`;
  const named = (params: Readonly<Record<string, string>>) => ({
    ...{ code: params.code, [`${field}Code`]: params[`${name}_code`] },
  });
  return [
    {
      ...{ method: 'GET', path, permission: 'plan:read', operation: `findAllPlan${type}s`, query: PAGE },
      document: document(
        `query findAllPlan${type}s($code: String!, $page: Int = 1, $perPage: Int = 100) {
          plan(code: $code) {
            list: ${field}sConnection(page: $page, perPage: $perPage, orderBy: { field: created_at, direction: asc }) {
              ${name}s: nodes { ...${type} }
              meta { ...PageMeta }
            }
          }
        }`,
        fragment,
        pageMeta,
      ),
      variables: ({ params, query }) => ({ code: params.code, ...pageOf(query) }),
      answer: ['plan', 'list'],
    },
    {
      ...{ method: 'POST', path, permission: 'plan:write', operation: `createPlan${type}`, root: name, lookup: ofPlan },
      document: document(
        `mutation createPlan${type}($code: String!, $input: Create${type}Input!) {
          ${name}: create${type}(planCode: $code, input: $input) { ...${type} }
        }`,
        fragment,
      ),
      variables: ({ params, body }) => ({ code: params.code, input: body }),
    },
    {
      ...{ method: 'GET', path: one, permission: 'plan:read', operation: `findPlan${type}` },
      document: document(find(`findPlan${type}`, `...${type}`), fragment),
      variables: ({ params }) => named(params),
      answer: ['plan'],
    },
    {
      ...{ method: 'DELETE', path: one, permission: 'plan:write', operation: `destroyPlan${type}`, body: true },
      document: document(
        `mutation destroyPlan${type}($code: String!, $${field}Code: String!, $input: CascadeInput) {
          ${name}: destroy${type}(planCode: $code, ${field}Code: $${field}Code, input: $input) { ...${type} }
        }`,
        fragment,
      ),
      lookup: document(find(`look${type}`, 'svcId')),
      variables: ({ params, body }) => ({ ...named(params), input: (body as Record<string, unknown>)[name] }),
    },
  ];
}
