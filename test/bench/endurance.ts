/**
 * `npm run bench -- endurance [--seconds 60] [--connections 64] [--wallets 1]`: two processes of the gateway on a PostgreSQL of this run's own,
 * under steady load, while that server is restarted in the middle. Says how many requests were answered and how, the times,
 * memory at the start and after each minute, and whether every write that was acknowledged is there. Exits 1 unless errors are 503s in the API's
 * shape, and only around the restart, nothing acknowledged was lost, and the log of writes is unbroken. Needs Debian's PostgreSQL binaries.
 */
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { freePort, run, untilListening } from '../process.ts';
import { type Ask, type Chain, chainOf } from './endurance/log.ts';
import { MEASURABLE, watch, workersOf } from './endurance/memory.ts';
import { startServer } from './endurance/server.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Sample {
  readonly at: number;
  readonly milliseconds: number;
  readonly isWrite: boolean;
  readonly answer: Answer | null;
}

const KEY = 'Authorization';

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

function send(base: string, key: string, method: string, path: string, body?: object): Promise<Answer | null> {
  return new Promise((done) => {
    const headers = { [KEY]: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const sent = request(`${base}${path}`, { method, agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      response.on('error', () => done(null));
    });
    sent.on('error', () => done(null));
    sent.end(body && JSON.stringify(body));
  });
}

const percentile = (values: readonly number[], share: number) => values[Math.floor((values.length - 1) * share)] ?? 0;

function timesOf(samples: readonly Sample[]): string {
  const times = samples.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  return `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`;
}

interface Target {
  readonly base: string;
  readonly key: string;
  readonly fees: readonly string[];
  readonly wallets: readonly string[];
}

/** The requests of one connection in turn: reads of every kind, and every tenth one a write with a key of its own. */
async function drive(target: Target, until: number, index: number, samples: Sample[], written: Set<string>) {
  const { base, key, fees, wallets } = target;
  const wallet = wallets[index % wallets.length];
  for (let round = 0; Date.now() < until; round++) {
    const at = Date.now();
    const name = `k${(index * 7 + round) % 40}`;
    const value = `${index}-${round}`;
    const isWrite = round % 10 === 9;
    const query = { query: '{ invoices(first: 5) { nodes { number totalAmountCents customer { name } } } }' };
    const answer = isWrite
      ? await send(base, key, 'PATCH', `/api/v1/wallets/${wallet}/metadata`, { metadata: { [name]: value } })
      : round % 3 === 0
        ? await send(base, key, 'POST', '/graphql', query)
        : await send(base, key, 'GET', `/api/v1/fees/${fees[round % fees.length]}`);
    // The texts of good answers would fill this process, whose collections would show in the times.
    const kept = answer && answer.status < 500 ? { ...answer, text: '' } : answer;
    samples.push({ at, milliseconds: Date.now() - at, isWrite, answer: kept });
    if (isWrite && answer?.status === 200) written.add(`${name}=${value}`);
    if (answer === null || answer.status >= 500) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function prepare(url: string) {
  const organization = 'Quintavel';
  const imported = await run(['import', 'prisma/demo.json'], { DATABASE_URL: url }).ended;
  if (imported.code !== 0) throw new Error(imported.stderr);
  const made = await run(['keys', 'create', '--organization', organization], { DATABASE_URL: url }).ended;
  return /sk_svc_\S+/.exec(made.stdout)?.[0] ?? '';
}

async function targetOf(base: string, key: string, wallets: number): Promise<Target> {
  const query = `{ fees(first: 100) { nodes { svcId } } wallets(first: ${wallets}, filter: { status: [active] }) { nodes { svcId } } }`;
  const answer = await send(base, key, 'POST', '/graphql', { query });
  const { data } = JSON.parse(answer?.text ?? '{}');
  return {
    base,
    key,
    fees: data.fees.nodes.map((fee: { svcId: string }) => fee.svcId),
    wallets: data.wallets.nodes.map((wallet: { svcId: string }) => wallet.svcId),
  };
}

const isShaped = ({ status, text }: Answer) => {
  const body = JSON.parse(text);
  return status === 503 && (body.status === 503 || body.errors?.[0]?.extensions?.code === 'service_unavailable');
};

function report(samples: readonly Sample[], from: number, back: number): boolean {
  const good = samples.filter(({ answer }) => answer !== null && answer.status < 500);
  const failed = samples.filter(({ answer }) => answer === null || answer.status >= 500);
  const strange = failed.filter(({ answer }) => answer === null || !isShaped(answer));
  const outside = failed.filter(({ at, milliseconds }) => at + milliseconds < from || at > back + 5000);
  for (const { answer } of strange.slice(0, 3))
    console.log(`unexpected: ${answer ? `${answer.status} ${answer.text.slice(0, 300)}` : 'connection broken'}`);
  console.log(
    `${good.length} answered, ${failed.length} failed (${strange.length} not 503 in shape, ${outside.length} away from the restart)`,
  );
  const apart = good.filter(({ at, milliseconds }) => at + milliseconds < from || at > back + 5000);
  const reads = (some: readonly Sample[]) => some.filter(({ isWrite }) => !isWrite);
  const writes = (some: readonly Sample[]) => some.filter(({ isWrite }) => isWrite);
  console.log(`reads ${timesOf(reads(good))}; writes ${timesOf(writes(good))}`);
  console.log(`away from the restart: reads ${timesOf(reads(apart))}; writes ${timesOf(writes(apart))}`);
  return strange.length === 0 && outside.length === 0;
}

/** Whether the log has every write, and is one chain for each wallet. */
async function isLogged({ base, key, wallets }: Target, written: number): Promise<boolean> {
  const ask: Ask = async (query) => {
    const answer = await send(base, key, 'POST', '/graphql', { query });
    return JSON.parse(answer?.text ?? '{}').data ?? {};
  };
  const chains: Chain[] = [];
  for (const wallet of wallets) chains.push(await chainOf(ask, wallet));
  const entries = chains.reduce((sum, chain) => sum + chain.entries, 0);
  const isWhole = chains.every((chain) => chain.isWhole);
  const said = isWhole ? 'each beginning where another ended' : 'with a break in them';
  console.log(`${written} writes acknowledged, ${entries} in the log, ${said}`);
  return isWhole && entries >= written;
}

async function endure(seconds: number, connections: number, wallets: number): Promise<boolean> {
  const server = await startServer();
  const key = await prepare(server.url);
  const gateway = run([], {
    DATABASE_URL: server.url,
    PORT: await freePort(),
    WEB_CONCURRENCY: '2',
    RATE_LIMIT: 'off',
    DATABASE_POOL: '20',
    NODE_OPTIONS: MEASURABLE,
  });
  try {
    const target = await targetOf(await untilListening(gateway), key, wallets);
    const samples: Sample[] = [];
    const written = new Set<string>();
    const until = Date.now() + seconds * 1000;
    const load = Array.from({ length: connections }, (_, index) => drive(target, until, index, samples, written));
    const watched = watch(gateway, workersOf(gateway), Math.floor(seconds / 60));
    await new Promise((resolve) => setTimeout(resolve, seconds * 500));
    const from = Date.now();
    await server.stop('fast');
    await server.start();
    const back = Date.now();
    console.log(`PostgreSQL was away for ${back - from} ms`);
    await Promise.all([watched, ...load]);
    const isGood = report(samples, from, back);
    return (await isLogged(target, written.size)) && isGood;
  } finally {
    gateway.child.kill('SIGTERM');
    const { stdout, stderr } = await gateway.ended;
    const other = (stdout + stderr)
      .split('\n')
      .filter(
        (line) => line && !/57P0|ECONNREFUSED|listens on|GraphiQL:|Make a key|heap of| \.\.\.$|^ {2}done in/.test(line),
      );
    console.log(
      other
        .slice(0, 20)
        .map((line) => line.slice(0, 1500))
        .join('\n'),
    );
    await server.remove();
  }
}

async function main(args: readonly string[]): Promise<void> {
  const options = {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '64' },
    wallets: { type: 'string', default: '1' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const isGood = await endure(Number(values.seconds), Number(values.connections), Number(values.wallets));
  process.exitCode = isGood ? 0 : 1;
}

export { main as run };
