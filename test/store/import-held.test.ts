import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { ImportError, importDocument } from '../../src/store/transfer/import/import.ts';
import { createServerDatabase } from '../support.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const documentOf = (name: string) => ({
  organization: { name: 'Quillo' },
  taxes: [{ code: 'vat', name, rate: 20 }],
  plans: [{ code: 'orchid', name, interval: 'monthly', amount_cents: 100, amount_currency: 'EUR' }],
});

// The embedded server has one connection: nobody else can hold a row.
describe.runIf(process.env.DATABASE_URL)('an import whose rows others hold', () => {
  let server: Awaited<ReturnType<typeof createServerDatabase>>;
  let db: Database;
  let holder: pg.Client;

  beforeAll(async () => {
    server = await createServerDatabase();
    db = await openDatabase({ url: server.url, poolSize: 2 });
    await importDocument(db, documentOf('before'), { now: NOW });
    holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
  });
  afterAll(async () => {
    await holder.end();
    await db.close();
    await server.drop();
  });

  const names = async () => [
    (await db.prisma.tax.findFirstOrThrow()).name,
    (await db.prisma.plan.findFirstOrThrow()).name,
  ];

  it('is tried again as a whole after a deadlock', async () => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM plans FOR UPDATE');
    let attempts = 0;
    const importing = importDocument(db, documentOf('after'), {
      now: NOW,
      onProgress(done) {
        attempts += done === 1 ? 1 : 0;
      },
    });
    await new Promise((done) => setTimeout(done, 400)); // it holds the tax by now, and waits for the plan
    await holder.query("UPDATE taxes SET name = 'held'"); // the import waits longer: it is the one that is undone
    await holder.query('ROLLBACK');
    expect((await importing).updated).toEqual({ taxes: 1, plans: 1 });
    expect(attempts).toBe(2);
    expect(await names()).toEqual(['after', 'after']);
  });

  it('ends with one line where the server waits no longer, and has stored nothing', async () => {
    const database = new URL(server.url).pathname.slice(1);
    await holder.query(`ALTER DATABASE "${database}" SET lock_timeout = '200ms'`);
    const limited = await openDatabase({ url: server.url, poolSize: 1 });
    await holder.query('BEGIN');
    await holder.query('SELECT FROM plans FOR UPDATE');
    const error = await importDocument(limited, documentOf('never'), { now: NOW }).catch((cause: unknown) => cause);
    await holder.query('ROLLBACK');
    await limited.close();
    expect(error).toBeInstanceOf(ImportError);
    expect((error as Error).message).toBe(
      'database: others hold rows that the import writes; nothing is stored, run it again',
    );
    expect(await names()).toEqual(['after', 'after']);
  });
});
