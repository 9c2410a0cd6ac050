import type { Plugin } from 'graphql-yoga';
import { forbidden } from '../../billing/errors.ts';
import type { Caller } from '../../graphql/context.ts';
import type { Route } from '../../rest/route.ts';
import { type Authenticate, callerOf } from '../wire/authentication.ts';
import { BodyTooLargeError, CLIENT_GONE, ClientGoneError } from '../wire/body.ts';
import { compile, type Endpoint } from '../wire/endpoint.ts';
import { exchangeOf, reportErrors } from '../wire/exchange.ts';
import { emptyResponse } from '../wire/response.ts';
import { fromBillingError, fromGraphQLErrors, isBillingError, restError } from '../wire/rest-error.ts';
import { apiPathOf, type ServerContext, targetOf } from '../wire/target.ts';
import { wireError } from '../wire/wire-error.ts';
import { answerOnce, type IdempotencyOptions } from './idempotent-rest.ts';
import { answerCall } from './rest-call.ts';
import { Router } from './router.ts';

export interface RestOptions extends IdempotencyOptions {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly isUnavailable: (cause: unknown) => boolean;
}

function checkPermission({ keyKind, permits }: Caller, permission: Endpoint['permission']): void {
  if (permits(permission)) return;
  const [resource, mode] = permission.split(':');
  const refused = `${mode}_action_not_allowed_for_${resource}`;
  throw forbidden(keyKind === 'publishable' ? 'publishable_key_not_allowed' : refused);
}

function faultOf(error: unknown, request: Request, { isUnavailable, logger }: RestOptions): Response {
  if (isBillingError(error)) return fromBillingError(error);
  if (error instanceof BodyTooLargeError) {
    const response = restError('payload_too_large');
    response.headers.set('Connection', 'close'); // the rest of the body is not read
    return response;
  }
  if (error instanceof ClientGoneError) return emptyResponse(CLIENT_GONE);
  const { requestId } = exchangeOf(request);
  const shown = [wireError(error, isUnavailable)];
  reportErrors(shown, requestId, logger);
  return fromGraphQLErrors(shown, requestId);
}

const methodsOf = (router: Router, path: string) => {
  const methods = router.at(path).map(({ route }) => route.method as string);
  return methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS'];
};

/** The order of checks: the route exists, 401, 403; the rest is the route's document. */
async function answer(request: Request, path: string, query: string, router: Router, options: RestOptions) {
  const found = router.find(request.method, path);
  if (!found) {
    const methods = request.method === 'OPTIONS' ? methodsOf(router, path) : [];
    return methods.length > 1 ? emptyResponse(204, { Allow: methods.join(', ') }) : restError('object_not_found');
  }
  const { endpoint, params } = found;
  const exchange = exchangeOf(request);
  exchange.operation = endpoint.route.operation;
  try {
    const caller = await callerOf(request, options.authenticate);
    if (!caller) return restError('unauthorized');
    checkPermission(caller, endpoint.permission);
    const call = { endpoint, params, query, request, exchange, caller };
    return await answerOnce(call, path, options, () => answerCall(call, options));
  } catch (error) {
    return faultOf(error, request, options);
  }
}

/** Answers the requests of the REST API by executing the documents of its routes; checks them all at start. */
export function restApi(options: RestOptions): Plugin {
  const router = new Router(options.routes.map((route) => compile(options.schema, route)));
  return {
    async onRequest({ request, serverContext, endResponse }) {
      const target = targetOf(request, serverContext as ServerContext);
      const path = apiPathOf(target);
      if (path === undefined) return;
      const response = await answer(request, path, target.query, router, options);
      endResponse(request.method === 'HEAD' ? new Response(null, response) : response);
    },
  };
}
