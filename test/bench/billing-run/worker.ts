import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp, freePort, run as start, untilListening } from '../../process.ts';
import { cpuSecondsOf, postgresCpu } from '../gateway/postgres-cpu.ts';
import { type Data, DUE, LIVED_UNTIL } from './data.ts';

interface Part {
  readonly workers: number;
  /** Customers, by their ranks from 0. */
  readonly from: number;
  readonly to: number;
}

const PAGE = JSON.stringify({
  query:
    '{ invoices(first: 20) { nodes { id number status totalAmountCents customer { externalId } fees { nodes { amountCents } } } } }',
});
const READ_EVERY_MS = 50;
const IDLE_READS = 200;

const rssOf = (pid: number | undefined) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
const p99 = (times: number[]) =>
  Math.round([...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN);

/** Reads a page of invoices again and again, as a dashboard does; says how long each took. */
function dashboard(address: string, key: string) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const times: number[] = [];
  const read = async () => {
    const begin = performance.now();
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body: PAGE });
    const text = await response.text();
    if (response.status !== 200 || text.includes('"errors"')) throw new Error(text);
    times.push(performance.now() - begin);
    await pause(READ_EVERY_MS);
  };
  return { times, read };
}

/** Bills a part of the customers by some workers; says how fast, and what others notice. */
export async function measureWorkers({ url, client, key }: Data, { workers, from, to }: Part) {
  const environment = { DATABASE_URL: url, RATE_LIMIT: 'off' };
  const gateway = start([], { ...environment, JOBS: 'off', PORT: await freePort() });
  const { times, read } = dashboard(await untilListening(gateway), key);
  for (let at = 0; at < IDLE_READS; at += 1) await read();
  const idle = p99(times.splice(0).slice(IDLE_READS / 4));
  const ranks = [from + 1, to];
  const due = await client.query(
    `UPDATE due_customers d SET lived_until = $3, due_at = $4 FROM customers c
     WHERE c.id = d.customer_id AND c.sequential_id BETWEEN $1 AND $2`,
    [...ranks, LIVED_UNTIL, DUE],
  );
  if (due.rowCount !== to - from) throw new Error(`${due.rowCount} customers are due`);
  const invoices = async () => Number((await client.query('SELECT count(*) FROM invoices')).rows[0].count);
  const before = await invoices();
  const running = Array.from({ length: workers }, () => start(['worker'], environment));
  const cpu = () => running.reduce((sum, { child }) => sum + (cpuSecondsOf(child.pid ?? 0) ?? 0), 0);
  while ((await invoices()) === before) await pause(20);
  const [begin, first, spentBefore] = [performance.now(), await invoices(), cpu()];
  const server = postgresCpu(new URL(url).pathname.slice(1));
  const sizes: number[] = [];
  const isLeft = async () => {
    const { rows } = await client.query('SELECT EXISTS (SELECT FROM due_customers WHERE due_at <= now()) AS left');
    return rows[0].left as boolean;
  };
  let isOver = false;
  const reading = (async () => {
    while (!isOver) await read();
  })();
  while (await isLeft()) {
    await pause(250);
    sizes.push(Math.max(...running.map(({ child }) => rssOf(child.pid))));
  }
  const seconds = (performance.now() - begin) / 1000;
  isOver = true;
  await reading;
  const made = (await invoices()) - first;
  const told = {
    workers,
    invoices: made,
    seconds: Math.round(seconds),
    'a second': Math.round((made / seconds) * 10) / 10,
    'CPU ms an invoice': ((1000 * (cpu() - spentBefore)) / made).toFixed(1),
    'of PostgreSQL': ((1000 * server.spent()) / made).toFixed(1),
    'MB at a quarter, at the end': [sizes[Math.floor(sizes.length / 4)], sizes.at(-1)].join(', '),
    'page p99 ms idle, meanwhile': `${idle}, ${p99(times)}`,
  };
  await cleanUp();
  return told;
}
