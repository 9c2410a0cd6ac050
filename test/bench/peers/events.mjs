// The least that a server of events can do: with a database it stores each by an INSERT of its own, without one it reads the body and answers.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';

const { DATABASE_URL: connectionString, ORGANIZATION: organization, INSERT: insert } = process.env;
const pool = insert && new pg.Pool({ connectionString, max: 10 });

async function store({ transaction_id, external_subscription_id, code, timestamp, properties }) {
  const values = [randomUUID(), organization, transaction_id, external_subscription_id, code, timestamp, properties];
  await pool.query({ name: 'one', text: insert, values });
}

createServer(async (request, response) => {
  if (request.method !== 'POST') return response.end();
  const { event } = JSON.parse(await text(request));
  if (pool) await store(event);
  response.setHeader('Content-Type', 'application/json');
  return response.end(JSON.stringify({ event }));
}).listen(Number(process.env.PORT), '127.0.0.1');
