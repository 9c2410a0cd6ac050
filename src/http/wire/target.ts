import type { IncomingMessage, ServerResponse } from 'node:http';

/** Everything under it belongs to the REST API. */
export const PREFIX = '/api/v1';

/** What Yoga hands to its plugins beside the request. */
export interface ServerContext {
  readonly req?: IncomingMessage;
  readonly res?: ServerResponse;
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

/** Slashes at the ends of a path, by hand: a pattern would try every one of them as the beginning of the end. */
function withoutOuterSlashes(path: string): string {
  let [from, to] = [0, path.length];
  while (path[from] === '/') from += 1;
  while (to > from && path[to - 1] === '/') to -= 1;
  return path.slice(from, to);
}

/**
 * The path below the prefix, where it is one of the REST API; undefined elsewhere. Base addresses end in a slash or not, and
 * so do paths: slashes before the prefix, after it and at the end count as one or none. Those in between are kept: an empty
 * segment there is a parameter that is missing, and an encoded slash belongs to its segment.
 */
export function apiPathOf({ path }: Target): string | undefined {
  const plain = `/${withoutOuterSlashes(path)}`;
  if (plain !== PREFIX && !plain.startsWith(`${PREFIX}/`)) return undefined;
  const below = withoutOuterSlashes(plain.slice(PREFIX.length));
  return below === '' ? '' : `/${below}`;
}
