import { type LookupAddress, lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { get, type RequestOptions } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export interface ImageFetchOptions {
  /** Milliseconds for the whole of it, from the name's look-up to the last byte. */
  readonly milliseconds?: number;
  readonly mostBytes?: number;
  readonly isAllowed?: (address: string) => boolean;
  readonly get?: (url: URL, options: RequestOptions, answer: (message: IncomingMessage) => void) => NodeJS.EventEmitter;
}

const blocked = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  blocked.addSubnet(network, prefix, 'ipv4');
}
// Documentation, and tunnels that carry an IPv4 address inside.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  blocked.addSubnet(network, prefix, 'ipv6');
}
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/** Whether an address belongs to the public internet: no private network, no machine of our own, no tunnel into one. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !blocked.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
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
