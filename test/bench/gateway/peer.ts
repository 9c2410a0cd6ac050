import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Data } from './data.ts';
import type { Peer, Shot } from './scenario.ts';
import { type Server, startServer } from './server.ts';

export const peersFolder = new URL('../peers/', import.meta.url);
const script = (name: string) => new URL(name, peersFolder).pathname;
const TSX = ['--import', 'tsx'];

const ARGS: Readonly<Record<Peer, readonly string[]>> = {
  gateway: [...TSX, 'src/main.ts'],
  fastify: [...TSX, script('fastify.mjs')],
  'fastify, join': [...TSX, script('fastify.mjs')],
  postgraphile: [script('postgraphile.mjs')],
  sql: [script('sql.mjs')],
  rules: [...TSX, script('rules.mjs')],
};

export const everybody = Object.keys(ARGS) as Peer[];

/** Where the statements of a preview are kept for the peer that repeats them. */
export const statementsFile = join(tmpdir(), `bench-statements-${process.pid}.json`);

/** Starts a peer on the database, which may be reached another way. */
export function startPeer(
  node: string,
  peer: Peer,
  { url, organizationId }: Pick<Data, 'url' | 'organizationId'>,
): Promise<Server> {
  return startServer(node, ARGS[peer], {
    DATABASE_URL: url,
    ORGANIZATION: organizationId,
    LOADING: peer === 'fastify, join' ? 'join' : 'query',
    STATEMENTS: statementsFile,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'fatal', // the others write no lines either; a document whose reader hangs up at the end is no news
  });
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
