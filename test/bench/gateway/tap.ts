import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A statement as a client sent it, with its values as texts. */
export interface Sent {
  readonly sql: string;
  readonly values: readonly (string | null)[];
}

const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

const textAt = (message: Buffer, at: number): [string, number] => {
  const end = message.indexOf(0, at);
  return [message.toString('utf8', at, end), end + 1];
};

function valuesOf(message: Buffer, from: number): (string | null)[] {
  const formats = message.readInt16BE(from); // all of them send texts
  let at = from + 2 + 2 * formats;
  const count = message.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = message.readInt32BE(at);
    const start = at + 4;
    at = start + Math.max(length, 0);
    return length < 0 ? null : message.toString('utf8', start, at);
  });
}

/** Follows what one client says to PostgreSQL. */
function listener(hear: (sent: Sent) => void) {
  const named = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isStarted = false;
  const read = (type: number | undefined, body: Buffer) => {
    const [first, after] = textAt(body, 0);
    const [second, end] = type === PARSE || type === BIND ? textAt(body, after) : ['', 0];
    if (type === QUERY) hear({ sql: first, values: [] });
    if (type === PARSE) named.set(first, second);
    if (type === BIND) hear({ sql: named.get(second) ?? '', values: valuesOf(body, end) });
  };
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isStarted ? 1 : 0; // the first message has no type
      if (rest.length < head + 4) return;
      const length = rest.readInt32BE(head) + head;
      if (rest.length < length) return;
      if (isStarted) read(rest[0], rest.subarray(head + 4, length));
      rest = rest.subarray(length);
      isStarted = true;
    }
  };
}

/** Stands between a client and PostgreSQL, and keeps what is sent while it is told to. */
export async function openTap(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let kept: Sent[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    client.on(
      'data',
      listener((sent) => kept.push(sent)),
    );
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => void [client.destroy(), upstream.destroy()]);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** What was sent since it was last asked. */
    take(): Sent[] {
      const sent = kept;
      kept = [];
      return sent;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
