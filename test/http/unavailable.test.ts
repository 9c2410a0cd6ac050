import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeInvoice, makeSeller } from '../invoice-rows.ts';
import { createWalletApp, type WalletApp } from '../rest/wallet-fixture.ts';
import type { Answer } from '../support.ts';

let test: WalletApp;
let wallet: string;
let invoice: string;
let fileAddress: string;

const sql = (text: string) => test.db.prisma.$executeRawUnsafe(text);

beforeAll(async () => {
  test = await createWalletApp();
  wallet = await test.wallet();
  invoice = await makeInvoice(test.db, await makeSeller(test.db, test.organizationId), { number: 'QUI-1' });
  fileAddress = (await test.rest('POST', `/invoices/${invoice}/download`)).body.invoice.file_url;
  await sql(`CREATE SEQUENCE failures`);
  // Fails as often as is asked for: a sequence counts on where a transaction is undone.
  await sql(`CREATE FUNCTION fail(state text, often bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('failures') <= often THEN RAISE EXCEPTION 'no' USING ERRCODE = state; END IF;
      RETURN true;
    END $$`);
  await sql(`CREATE FUNCTION fail_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM fail(TG_ARGV[0], TG_ARGV[1]::bigint); RETURN NEW; END $$`);
});
afterAll(() => test.close());

const undo: string[] = [];
afterEach(async () => {
  for (const text of undo.splice(0).reverse()) await sql(text);
});

/** Lets writes to a table fail with an SQLSTATE: always, or the first few. */
async function failWrites(table: string, state: string, often = 1_000_000): Promise<void> {
  await sql(`ALTER SEQUENCE failures RESTART`);
  await sql(`CREATE TRIGGER failing BEFORE INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION fail_row('${state}', '${often}')`);
  undo.push(`DROP TRIGGER failing ON ${table}`);
}

/** Lets reads of a table fail with an SQLSTATE: always, or the first few. */
async function failReads(table: string, state: string, often = 1_000_000): Promise<void> {
  await sql(`ALTER SEQUENCE failures RESTART`);
  await sql(`ALTER TABLE ${table} RENAME TO hidden_${table}`);
  await sql(`CREATE VIEW ${table} AS
    SELECT h.* FROM hidden_${table} h, (SELECT fail('${state}', ${often}) AS is_fine OFFSET 0) f WHERE f.is_fine`);
  undo.push(`ALTER TABLE hidden_${table} RENAME TO ${table}`, `DROP VIEW ${table}`);
}

const told = ({ status, headers }: Answer) => [status, headers.get('retry-after')];
const LATER = [503, '2'];

const merge = (headers: Record<string, string> = {}) =>
  test.rest('PATCH', `/wallets/${wallet}/metadata`, { metadata: { a: String(Math.random()) } }, { headers });

const TERMINATE = 'mutation ($id: UUID!) { terminateWallet(svcId: $id) { status } }';

const STATES = [
  ...['53100', '53200', '53300', '53000', '25006', '40001', '40P01', '55P03', '58030', '58000'],
  ...['57014', '57P01', '57P02', '57P03', '08006', '08003'],
];

describe.each(STATES)('a database that says %s', (state) => {
  it('is a 503 with Retry-After to writes, also named ones, and leaves nothing behind', async () => {
    await failWrites('audit_logs', state);
    expect(told(await merge())).toEqual(LATER);
    const name = { 'Idempotency-Key': `merge-${state}` };
    expect(told(await merge(name))).toEqual(LATER);
    await undone();
    expect((await merge(name)).status).toBe(200);
  });

  it('is a 503 with Retry-After where names of writes are kept', async () => {
    await failWrites('idempotency_keys', state);
    expect(told(await merge({ 'Idempotency-Key': `name-${state}` }))).toEqual(LATER);
  });

  it('is a 503 with Retry-After to reads, compiled or not, to keys and to downloads', async () => {
    await failReads('wallets', state);
    const list = '{ wallets(first: 1) { nodes { name } } }';
    for (const query of [list, list, list, `{ wallet(svcId: "${wallet}") { name } }`]) {
      expect(told(await test.graphql(query))).toEqual(LATER);
    }
    await undone();
    const key = await test.makeKey();
    await failReads('api_keys', state);
    expect(told(await test.rest('PATCH', `/wallets/${wallet}/metadata`, {}, { key }))).toEqual(LATER);
    expect(told(await test.graphql(list, {}, key))).toEqual(LATER);
    await undone();
    await failReads('invoices', state);
    expect(told(await test.rest('POST', `/invoices/${invoice}/download`))).toEqual(LATER);
    const { status, headers } = await test.app.fetch(new Request(fileAddress));
    expect([status, headers.get('retry-after')]).toEqual(LATER);
  });
});

async function undone(): Promise<void> {
  for (const text of undo.splice(0).reverse()) await sql(text);
}

describe.each(['40001', '40P01'])('a conflict, %s', (state) => {
  it('is tried again as a whole, in a transaction and for a single statement', async () => {
    await failWrites('audit_logs', state, 2);
    const before = (await test.log(wallet)).length;
    expect((await merge()).status).toBe(200);
    await sql(`ALTER SEQUENCE failures RESTART`);
    expect((await merge({ 'Idempotency-Key': `again-${state}` })).status).toBe(200);
    expect((await test.log(wallet)).length).toBe(before + 2);
    await sql(`ALTER SEQUENCE failures RESTART`);
    const other = await test.wallet();
    const { data, errors } = await test.graphql(TERMINATE, { id: other });
    expect(errors).toBeUndefined();
    expect(data.terminateWallet.status).toBe('terminated');
  });

  it('is tried again for reads', async () => {
    await failReads('wallets', state, 2);
    expect((await test.graphql('{ wallets(first: 1) { nodes { name } } }')).errors).toBeUndefined();
  });
});

it('a fault of another kind is still a 500, and is not tried again', async () => {
  await failWrites('audit_logs', 'XX000', 1);
  const { status, headers } = await merge();
  expect([status, headers.get('retry-after')]).toEqual([500, null]);
});

/** For the connections to come; those that are open are ended. */
async function changeServer(database: string, value: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query(`ALTER DATABASE "${database}" SET default_transaction_read_only = ${value}`);
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
  await client.end();
}

describe('/ready', () => {
  const ready = async () => {
    const response = await test.app.fetch(new Request('http://gateway.test/ready'));
    return { status: response.status, later: response.headers.get('retry-after'), body: await response.json() };
  };
  const READY = { status: 200, later: null, body: { status: 'ready' } };
  const READ_ONLY = { status: 503, later: '2', body: { status: 'not ready', reason: 'writes_do_not_work' } };
  const settled = { timeout: 10_000, interval: 200 };

  it('says that writes do not work while the database only reads', async () => {
    await expect.poll(ready, settled).toEqual(READY);
    const [row] = await test.db.prisma.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`;
    const change = (value: string) =>
      test.db.kind === 'embedded'
        ? sql(`SET SESSION default_transaction_read_only = ${value}`)
        : changeServer(`${row?.name}`, value);
    await change('on');
    await expect.poll(ready, settled).toEqual(READ_ONLY);
    expect(told(await merge())).toEqual(LATER);
    expect((await test.graphql('{ wallets(first: 1) { nodes { name } } }')).errors).toBeUndefined();
    await change('off');
    await expect.poll(ready, settled).toEqual(READY);
  });

  it('says so for a while after a full disk has refused a write', async () => {
    await expect.poll(ready, settled).toEqual(READY);
    await failWrites('audit_logs', '53100');
    expect(told(await merge())).toEqual(LATER);
    await undone();
    expect(await ready()).toEqual(READ_ONLY);
    await expect.poll(ready, settled).toEqual(READY);
  });
});
