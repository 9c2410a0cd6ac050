import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Data } from './data.ts';
import type { Peer, Shot } from './scenario.ts';
import { type Server, startServer } from './server.ts';

export const peersFolder = new URL('../peers/', import.meta.url);
const script = (name: string) => new URL(name, peersFolder).pathname;
const TSX = ['--import', 'tsx'];

const ARGS: Readonly<Record<Peer, readonly string[]>> = {
  gateway: ['--max-semi-space-size=16', '--heap-growing-percent=20', ...TSX, 'src/main.ts'], // as `npm start` does
  fastify: [...TSX, script('fastify.mjs')],
  'fastify, join': [...TSX, script('fastify.mjs')],
  postgraphile: [script('postgraphile.mjs')],
  sql: [script('sql.mjs')],
  rules: [...TSX, script('rules.mjs')],
};

export const everybody = Object.keys(ARGS) as Peer[];

// Requests are counted, and none is refused.
const MOST_REQUESTS = 1_000_000_000;

/** Where the statements of a preview are kept for the peer that repeats them. */
export const statementsFile = join(tmpdir(), `bench-statements-${process.pid}.json`);

/** Starts a peer on the database, which may be reached another way. */
export function startPeer(
  node: string,
  peer: Peer,
  { url, organizationId }: Pick<Data, 'url' | 'organizationId'>,
): Promise<Server> {
  const env = {
    DATABASE_URL: url,
    ORGANIZATION: organizationId,
    LOADING: peer === 'fastify, join' ? 'join' : 'query',
    STATEMENTS: statementsFile,
    // As it is run, with keys, permissions, limits and a line in the log for each request, which the others have none of.
    RATE_LIMIT: String(MOST_REQUESTS),
    LOG_LEVEL: 'info',
    // What jobs do beside requests is measured by `billing-run`.
    JOBS: 'off',
  };
  return startServer(node, ARGS[peer], env, { isSilent: peer === 'gateway' });
}

/** The body of an answer: JSON that was read, or bytes. */
export async function answerOf({ url }: Server, { method, path, body }: Shot, key: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  const response = await fetch(url + path, { method, headers, body });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  const answer: unknown = /json/.test(response.headers.get('content-type') ?? '')
    ? await response.json()
    : await response.arrayBuffer();
  const { errors } = answer as { errors?: unknown };
  if (errors) throw new Error(`${path}: ${JSON.stringify(errors)}`);
  return answer;
}
