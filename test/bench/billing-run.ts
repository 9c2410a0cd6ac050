/**
 * How fast invoices come out when many subscriptions are due at one moment: three charges and some events each, by 1, 2 and 4 workers (a
 * part of the subscriptions each), beside the rules alone on the same data and beside plain INSERTs of the same rows; how a page
 * of invoices is answered meanwhile, and what workers grow by: `npm run bench -- billing-run --subscriptions 100000 --events 100`.
 */
import { parseArgs } from 'node:util';
import { coreRate } from './billing-run/core.ts';
import { makeData } from './billing-run/data.ts';
import { insertRate } from './billing-run/insert.ts';
import { keepVacuumed } from './billing-run/vacuum.ts';
import { measureWorkers } from './billing-run/worker.ts';

const WORKERS = [1, 2, 4];
const SAMPLE = 2000;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      subscriptions: { type: 'string', default: '100000' },
      events: { type: 'string', default: '100' },
      workers: { type: 'string', default: WORKERS.join(',') },
    },
  });
  const [all, events] = [Number(values.subscriptions), Number(values.events)];
  const workers = values.workers.split(',').map(Number);
  const data = await makeData(all, events);
  const endVacuum = await keepVacuumed(data.url);
  try {
    const sample = Math.min(SAMPLE, all);
    const core = await coreRate(data, sample);
    console.log(JSON.stringify({ 'rules alone': Math.round(core), unit: 'invoices a second' }));
    const part = Math.floor(all / workers.length);
    for (const [at, count] of workers.entries()) {
      const told = await measureWorkers(data, { workers: count, from: at * part, to: (at + 1) * part });
      console.log(JSON.stringify({ ...told, 'of rules alone': (told['a second'] / core).toFixed(3) }));
    }
    const inserts = await insertRate(data, sample);
    console.log(JSON.stringify({ 'plain INSERTs': Math.round(inserts), unit: 'invoices a second' }));
  } finally {
    await endVacuum();
    await data.drop();
  }
}
