import { type LookupAddress, lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { get, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface ImageFetchOptions {
  /** Milliseconds for the whole of it, from the name's look-up to the last byte. */
  readonly milliseconds?: number;
  readonly mostBytes?: number;
  readonly isAllowed?: (address: string) => boolean;
  readonly get?: (url: URL, options: RequestOptions, answer: (message: IncomingMessage) => void) => NodeJS.EventEmitter;
}

// All that is given out of IPv6; what is not is no address of anybody.
const GIVEN_OUT = ipaddr.parseCIDR('2000::/3');

/** Whether an address belongs to the public internet: no private network, no machine of our own, no tunnel into one. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GIVEN_OUT));
}

// The connection is made to the very addresses that were checked: a name cannot change its mind in between.
function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const refused = found?.find(({ address }) => !isAllowed(address));
      const [first] = found ?? [];
      if (error || refused || !first) {
        callback(error ?? new Error(`${hostname} is not an allowed address`), '', 0);
      } else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function bodyOf(message: IncomingMessage, mostBytes: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = () => {
      message.destroy();
      resolve(null);
    };
    if (message.statusCode !== 200 || Number(message.headers['content-length'] ?? 0) > mostBytes) return refuse();
    message.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostBytes) refuse();
      else chunks.push(chunk);
    });
    message.once('error', reject);
    message.once('end', () => resolve(Buffer.concat(chunks)));
  });
}

/**
 * Fetches an image over https: bounded in time and size, without redirects, from public addresses only. Null for an answer
 * that is none; throws when there is no answer. Which hosts are asked is the caller's business.
 */
export function imageFetch(options: ImageFetchOptions = {}): (url: URL) => Promise<Uint8Array | null> {
  const { milliseconds = 3000, mostBytes = 2 * 1024 ** 2, isAllowed = isPublicAddress } = options;
  return async (url) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (url.protocol !== 'https:' || (isIP(host) > 0 && !isAllowed(host))) return null;
    return new Promise((resolve, reject) => {
      const request = (options.get ?? get)(
        url,
        {
          lookup: checkedLookup(isAllowed),
          signal: AbortSignal.timeout(milliseconds),
          agent: false,
          headers: { Accept: 'image/png, image/jpeg', 'Accept-Encoding': 'identity' },
        },
        (message) => bodyOf(message, mostBytes).then(resolve, reject),
      );
      request.once('error', reject);
    });
  };
}
