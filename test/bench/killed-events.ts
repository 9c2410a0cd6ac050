/**
 * What becomes of events that are sent to a gateway which is killed again and again:
 * `DATABASE_URL=postgresql://... npm run bench -- killed-events --events 1000000 --kills 20`.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { cleanUp } from '../process.ts';
import { faultsOf, sendUnderKills } from '../robust/killed-events.ts';

const OPTIONS = { events: { type: 'string', default: '1000000' }, kills: { type: 'string', default: '20' } } as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const server = new URL(process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres');
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  const name = `bench_killed_${randomBytes(4).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  try {
    const trial = { events: Number(values.events), kills: Number(values.kills), log: console.log };
    const outcome = await sendUnderKills({ ...trial, environment: { DATABASE_URL: url.href } });
    const { usage: _, expected: __, ...told } = outcome;
    console.log(told);
    const faults = faultsOf(outcome);
    console.log(faults.length === 0 ? 'All is as it must be.' : faults);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await cleanUp();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}
