import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { bearerOf } from './authentication.ts';

/** Whether an address is this machine's own, for itself. */
const isLoopback = (address: string | undefined) =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

// What proxies add. They are on this machine more often than their clients are; without them the connection alone decides.
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether a request comes from this machine. Headers can only say that it does not: whoever sends it, writes them. */
export const isLocal = ({
  socket,
  headers,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }) =>
  isLoopback(socket.remoteAddress) && FORWARDED.every((name) => headers[name] === undefined);

/** Takes keys that everybody knows out of requests that come from elsewhere: to those they are no keys. */
export function keepLocal(keys: readonly string[], logger: Logger): (request: IncomingMessage) => void {
  return (request) => {
    const key = bearerOf(request.headers.authorization);
    if (key === undefined || !keys.includes(key) || isLocal(request)) return;
    delete request.headers.authorization;
    const { remoteAddress } = request.socket;
    logger.warn({ remoteAddress }, 'a demo key was refused: it is for this machine only, unless DEMO_KEYS=anywhere');
  };
}
