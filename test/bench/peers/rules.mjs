// What of a preview is the statements and what the rules: the statements that the gateway sent for one, which are in the file
// STATEMENTS, by `pg` as they are, then the rules over rows that were read at the start, and the answer's text. Nothing is
// validated, and what the database answers is not looked at.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pg from 'pg';
import { previewInvoice } from '../../../src/billing/preview/preview.ts';
import { eventsInMemory } from '../../../src/billing/aggregate/usage-source.ts';
import { writeJson } from '../../../src/http/wire/json.ts';
import { entityInput } from '../../../src/store/account/customer-input.ts';
import { loadPreview } from '../../../src/store/account/preview.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const statements = JSON.parse(readFileSync(process.env.STATEMENTS, 'utf8'));

const db = await openDatabase({ url: process.env.DATABASE_URL });
const names = { planCodes: ['press'], externalSubscriptionIds: [], couponCodes: [], namesIntegrations: false };
const organization = forOrganization(db.prisma, process.env.ORGANIZATION);
const question = () => ({ task: undefined, ask: () => undefined });
const { entities, plans } = (await loadPreview(organization, names, new Date(), question)).rows;
await db.close();

const customer = { id: 'customer', externalId: '', stored: false, finalizeZeroAmountInvoice: 'inherit', taxes: [], currency: 'EUR' };
const account = {
  ...{ billingEntity: entityInput(entities[0]), customer, usage: eventsInMemory([]) },
  ...{ subscriptions: [], pastInvoices: [], coupons: [], creditNotes: [], wallets: [] },
};

async function answer(response) {
  const client = await pool.connect();
  try {
    for (const [at, { sql, values }] of statements.entries()) await client.query({ name: `s${at}`, text: sql, values });
  } finally {
    client.release();
  }
  const text = writeJson(previewInvoice({ planCode: 'press', billingTime: 'calendar', usage: [] }, account, { plans }, Date.now()));
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(text);
}

createServer((_request, response) => {
  answer(response).catch((error) => response.writeHead(500).end(String(error.stack)));
}).listen(Number(process.env.PORT), '127.0.0.1');
