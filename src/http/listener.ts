import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { createGateway } from './gateway.ts';
import { refuse } from './wire/refusal.ts';

// A proxy may send the whole address as target; the gateway is the same for all of them.
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

// What ends where the target begins: no target makes such a host a wrong one.
const HOST = /^[a-z0-9[][\w.:[\]-]{0,254}$/i;

/** Runs a request within what is known of it. */
type Around = (method: string, headers: IncomingHttpHeaders, run: () => void) => void;

const MOST_HOSTS = 100;

/** Whether a host and a target, which begins with a slash, are an address. Of a host that is one with any target it is known. */
function addressTest() {
  const known = new Set<string>();
  return (host: string, target: string): boolean => {
    if (known.has(host)) return true;
    if (!URL.canParse(`http://${host}${target}`)) return false;
    if (known.size >= MOST_HOSTS) known.clear();
    if (HOST.test(host)) known.add(host);
    return true;
  };
}

/** The gateway for node:http. What has no address, because of its Host header or target, is a bad request. */
export function nodeListener(
  gateway: ReturnType<typeof createGateway>,
  around: Around = (_method, _headers, run) => run(),
  inspect: (request: IncomingMessage) => void = () => undefined,
) {
  const isAddress = addressTest();
  return (request: IncomingMessage, response: ServerResponse): void => {
    inspect(request);
    const target = (request.url ?? '/').replace(ORIGIN, '');
    request.url = target.startsWith('/') ? target : `/${target}`;
    if (isAddress(request.headers.host ?? 'localhost', request.url)) {
      around(request.method ?? 'GET', request.headers, () => void gateway.requestListener(request, response));
    } else {
      refuse(response, 400);
    }
  };
}
