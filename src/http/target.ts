import type { IncomingMessage } from 'node:http';

/** What Yoga hands to its plugins beside the request. */
export interface ServerContext {
  readonly req?: IncomingMessage;
}

/** The path and the query of a request as they were sent: no dot segment resolved, nothing decoded. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

export function targetOf(request: Request, context: ServerContext | undefined): Target {
  const raw = context?.req?.url ?? request.url;
  const [target = ''] = raw.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#');
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
