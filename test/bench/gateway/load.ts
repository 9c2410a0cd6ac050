import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import type { postgresCpu } from './postgres-cpu.ts';
import type { Shot } from './scenario.ts';
import type { Server } from './server.ts';

interface Result {
  readonly requests: { readonly average: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
  readonly '2xx': number;
  readonly duration: number;
}

type Autocannon = (options: object) => Promise<Result>;

export interface Figures {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of the server's CPU a request. */
  readonly cpu: number;
  /** And of PostgreSQL's; 0 where it is on another machine. */
  readonly database: number;
  /** MiB. */
  readonly memory: number;
}

// Seconds: after one of them the engine still compiles what a single connection runs.
const WARMING = 3;
// Milliseconds.
const SETTLING = 500;

// Enough for every connection to ask for rows of its own, and few enough to be kept ready.
const SHOTS = 512;

export interface Loading {
  readonly connections: number;
  readonly seconds: number;
  readonly key: string;
  readonly postgres: ReturnType<typeof postgresCpu>;
}

/** Fires the requests over so many connections for so many seconds, after a moment of warming up. Throws where not every answer is a 2xx. */
export async function load(server: Server, shot: (n: number) => Shot, options: Loading): Promise<Figures> {
  const autocannon: Autocannon = createRequire(new URL('../peers/package.json', import.meta.url))('autocannon');
  const { connections, seconds, key, postgres } = options;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' };
  // Not in sequence: neighbours are on the same page of the disk.
  const requests = Array.from({ length: SHOTS }, (_, at) => ({ ...shot((at * 7919) % 100_003), headers }));
  const fire = (duration: number) => {
    let begun = 0;
    // Every connection has rows of its own, else all would ask for the same at one time. It builds its requests when it begins, while
    // the answers to those before it wait: few each, and none but these.
    const share = Math.max(1, Math.floor(SHOTS / connections));
    const setupClient = (client: { setRequests(requests: readonly object[]): void }) => {
      const from = (begun++ * share) % SHOTS;
      client.setRequests(requests.slice(from, from + share));
    };
    return autocannon({
      url: server.url,
      connections,
      duration,
      requests: requests.slice(0, 1),
      setupClient,
      timeout: 60,
    });
  };
  await fire(WARMING);
  await setTimeout(SETTLING); // what was in the air when the warming ended is answered to nobody
  server.forgetPeak();
  postgres.begin();
  const before = server.cpuSeconds();
  const result = await fire(seconds);
  const spent = server.cpuSeconds() - before;
  const spentByPostgres = postgres.spent();
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} did not come`);
  }
  return {
    rate: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (spent * 1000) / Math.max(1, result['2xx']),
    database: (spentByPostgres * 1000) / Math.max(1, result['2xx']),
    memory: server.peakMemory(),
  };
}
