import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { type App, createApp } from '../../../src/app.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import type { Json } from '../../billing/vectors/vector-type.ts';
import { embeddedTemplate } from '../../template.ts';

/** The gateway over one database for all lives, with a register of VAT numbers that answers as it is told. */
export interface LifeGateway {
  readonly app: App;
  readonly db: Database;
  readonly register: { answer: 'valid' | 'unavailable' };
  graphql(key: string, query: string, variables: Json): Promise<{ readonly data?: Json; readonly errors?: unknown }>;
}

/** Runs with a gateway over a database: the one that is given, or an empty embedded one of its own. */
export async function withGateway<T>(run: (gateway: LifeGateway) => Promise<T>, given?: Database): Promise<T> {
  const { db, close } = given ? { db: given, close: async () => {} } : await embedded();
  const register: LifeGateway['register'] = { answer: 'unavailable' };
  const app = createApp({ db, logger: pino({ level: 'silent' }), checkVat: async () => register.answer });
  try {
    return await run({ app, db, register, graphql: asking(app) });
  } finally {
    await app.close();
    await close();
  }
}

async function embedded() {
  const template = new Blob([new Uint8Array(await readFile(await embeddedTemplate()))]);
  const server = await PGlite.create({ loadDataDir: template });
  const db = await openDatabase({ embedded: server });
  const close = async () => {
    await db.close();
    await server.close();
  };
  return { db, close };
}

const asking =
  (app: App): LifeGateway['graphql'] =>
  async (key, query, variables) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
    const body = JSON.stringify({ query, variables });
    const response = await app.fetch(new Request('http://gateway.test/graphql', { method: 'POST', headers, body }));
    return (await response.json()) as { data?: Json; errors?: unknown };
  };
