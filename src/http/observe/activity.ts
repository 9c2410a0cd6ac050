import { AsyncLocalStorage } from 'node:async_hooks';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Exchange, exchangeOf } from '../wire/exchange.ts';
import { apiPathOf, type ServerContext, targetOf } from '../wire/target.ts';

/** The request that the code of the moment works for, as far as it is known. */
export interface Activity {
  exchange?: Exchange;
  /** Where spans belong that are begun now; of the tracing's own type. */
  trace?: unknown;
}

/** A statement as the database tells of it. */
export interface Statement {
  readonly sql: string;
  readonly milliseconds: number;
  readonly failed?: true;
}

const activities = new AsyncLocalStorage<Activity>();

/** Statements, which know nothing of requests, ask here whose they are. */
export const currentActivity = (): Activity | undefined => activities.getStore();

export const withActivity = <T>(activity: Activity, run: () => T): T => activities.run(activity, run);

const PAGES = new Set([
  '/health',
  '/ready',
  '/health/live',
  '/metrics',
  '/',
  '/docs',
  '/openapi.json',
  '/schema.graphql',
]);

export interface Place {
  readonly door: 'graphql' | 'rest' | 'page';
  /** The REST operation, or an address of a small set; never the client's own words. */
  readonly route: string;
}

/** Through which door a request came, and to what. */
export function placeOf(request: Request, context: unknown): Place {
  const target = targetOf(request, context as ServerContext);
  const { path } = target;
  if (path === '/graphql' || path === '/graphql/') return { door: 'graphql', route: '/graphql' };
  if (apiPathOf(target) !== undefined) return { door: 'rest', route: exchangeOf(request).operation ?? 'unknown' };
  return { door: 'page', route: PAGES.has(path) ? path : 'other' };
}

/** Notes the exchange of each request, and the name of an operation that the request itself does not name. */
export function noteActivity(): Plugin {
  const name = ({ args }: { args: Parameters<NonNullable<Plugin['onExecute']>>[0]['args'] }) => {
    const request: Request | undefined = args.contextValue.request;
    const operation = request && getOperationAST(args.document, args.operationName)?.name?.value;
    if (operation) exchangeOf(request).operation ??= operation.slice(0, 100);
  };
  return {
    onRequest({ request }) {
      const activity = currentActivity();
      if (activity) activity.exchange = exchangeOf(request);
    },
    onExecute: name,
    onSubscribe: name,
  };
}
