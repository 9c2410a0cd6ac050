import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { createGateway } from './gateway.ts';
import { refuse } from './wire/refusal.ts';

// A proxy may send the whole address as target; the gateway is the same for all of them.
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Runs a request within what is known of it. */
type Around = (method: string, headers: IncomingHttpHeaders, run: () => void) => void;

/** The gateway for node:http. What has no address, because of its Host header or target, is a bad request. */
export function nodeListener(
  gateway: ReturnType<typeof createGateway>,
  around: Around = (_method, _headers, run) => run(),
  inspect: (request: IncomingMessage) => void = () => undefined,
) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    inspect(request);
    const target = (request.url ?? '/').replace(ORIGIN, '');
    request.url = target.startsWith('/') ? target : `/${target}`;
    if (URL.canParse(`http://${request.headers.host ?? 'localhost'}${request.url}`)) {
      around(request.method ?? 'GET', request.headers, () => void gateway.requestListener(request, response));
    } else {
      refuse(response, 400);
    }
  };
}
