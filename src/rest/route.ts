import type { DocumentNode } from 'graphql';

/** What a route reads from the wire. `params` are the decoded path segments by their names in `path`. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  /** What was sent of the parameters that the route names in `query`, by their names: a list where the name ends in `[]`. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The value under the body's `root` key, or the whole body where the route has none; undefined without a body. */
  readonly body: unknown;
}

/**
 * One REST endpoint: a GraphQL document whose aliases are the names of the specification.
 *
 * How a request is answered, in this order: 401; 403 by `permission`; the body is read (400 where it is not JSON, 422
 * where a string cannot be stored); a missing or empty `root` is a 400; variables that do not fit the document are a
 * 422. Before the plugin answers 400 or 422 it executes `lookup`, so that an unknown path object is a 404 first. What
 * the resolvers throw is answered by its code.
 *
 * The body is handed on with its own snake_case names: the plugin gives each input object of the document the members
 * it knows (`min_amount_cents` becomes `minAmountCents`) and drops the others. Values of scalars are passed as sent.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's prefix, for example `/plans/{code}/charges/{charge_code}`. */
  readonly path: string;
  /** `resource:mode`; checked at start. */
  readonly permission: string;
  /** The operation's name in the contract. */
  readonly operation: string;
  /** One named operation with its fragments; for GET a query. Validated at start. */
  readonly document: DocumentNode;
  /** Names of the query parameters; all others are ignored. */
  readonly query?: readonly string[];
  /** Other names that published clients send, each with the parameter it stands for and comes before; no description shows them. */
  readonly queryAliases?: Readonly<Record<string, string>>;
  /** Query parameters, or other names of them, that may be sent a member at a time (`group[region]=eu`): the route reads all of them as JSON. */
  readonly queryMembers?: readonly string[];
  variables(request: RouteRequest): Record<string, unknown>;
  /** Key that the body must have, with an object that is not empty. */
  readonly root?: string;
  /** Whether the object under `root` also stands in the answer without it, or is taken without it too: clients of either form are answered. */
  readonly bare?: 'answer' | 'both';
  /** Whether the whole body is a JSON object; an absent one is empty. Routes with a `root` need not say so. */
  readonly body?: boolean;
  /** Members of the body that are refused with 400 where an object stands for a list, or a list for an object. */
  readonly containers?: Readonly<Record<string, 'list' | 'object'>>;
  /** The place of a member of the body that holds Unix seconds, a number or digits, below its `root`: `events.timestamp`. To the document it is a moment. */
  readonly unixTime?: string;
  /**
   * Members of the body that are objects by keys, which the document takes as lists: for each level what the key and what is under it are
   * called there. `[['feature_code', 'privileges'], ['privilege_code', 'value']]`.
   */
  readonly keyed?: Readonly<Record<string, readonly (readonly [key: string, under: string])[]>>;
  /** By its name, the code of a member whose form is wrong; `value_is_invalid` for all others. */
  readonly formFaults?: Readonly<Record<string, string>>;
  /** Members beside `root` that no account may send, each with the code of the 403 that answers it. */
  readonly forbidden?: Readonly<Record<string, string>>;
  /** Whether what is wrong with the objects of the body's list is told by their places: `{"1": {"code": [...]}}`. */
  readonly tellsPlaces?: boolean;
  /** Whether what is refused of its body has a fate that is kept, also where nothing was executed. */
  readonly keepsRefused?: boolean;
  /** A query over the path objects with variables named as the path's parameters in camelCase; needed by routes with a body. */
  readonly lookup?: DocumentNode;
  /** What `lookup` is asked with, where the body names the object and not the path. */
  readonly looksUp?: (request: RouteRequest) => Record<string, unknown>;
  /** Whether it is a 405 where what is named is in no state for it; `code` says why. */
  readonly dependsOnState?: boolean;
  /** The way from the data to the body: `['plan', 'charge']` answers `data.plan.charge`. Default: the data itself. */
  readonly answer?: readonly string[];
  /** Whether success says nothing but that it is one: the answer has no body. */
  readonly empty?: boolean;
  /** Status of success; 200 by default. */
  readonly status?: number;
  /**
   * How several objects are taken at once, all or none: where the body has this list with something in it, what stands under `root` is not
   * looked at. What is wrong is told by places, with what was sent there.
   */
  readonly batch?: Pick<Route, 'document' | 'variables'> & { readonly list: string };
}

/** The route of several objects at once; undefined where it takes one. `variables` read the whole body. */
export function batchRoute({ batch, root: _root, ...route }: Route): Route | undefined {
  if (!batch) return undefined;
  const { document, variables } = batch;
  return { ...route, document, variables, body: true, tellsPlaces: true };
}
