import type { Data } from './data.ts';
import { type Figures, load } from './load.ts';
import { startPeer } from './peer.ts';
import { postgresCpu } from './postgres-cpu.ts';
import type { Peer, Scenario } from './scenario.ts';
import type { Server } from './server.ts';

export interface Options {
  readonly connections: readonly number[];
  readonly seconds: number;
  /** How often everybody is measured, one after the other. */
  readonly rounds: number;
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

const rounded = (value: number, digits = 2) => Number(value.toFixed(digits));

function rowOf(
  scenario: Scenario,
  peer: Peer,
  connections: number,
  measured: readonly Figures[],
  own: readonly Figures[],
) {
  const middle = (read: (figures: Figures) => number) => median(measured.map(read));
  const ratios = own.map(({ rate }, round) => rate / (measured[round]?.rate || 1));
  return {
    scenario: scenario.name,
    server: peer,
    connections,
    'requests/s': Math.round(middle(({ rate }) => rate)),
    'p50 ms': middle(({ p50 }) => p50),
    'p99 ms': middle(({ p99 }) => p99),
    'CPU ms each': rounded(middle(({ cpu }) => cpu)),
    'of PostgreSQL': rounded(middle(({ database }) => database)),
    'peak MiB': Math.round(Math.max(...measured.map(({ memory }) => memory))),
    'gateway is x': peer === 'gateway' ? undefined : rounded(median(ratios)),
  };
}

/** Measures everybody in turn: what else the machine does meets all of them, and the ratios are those of neighbours. */
async function measure(
  scenario: Scenario,
  servers: ReadonlyMap<Peer, Server>,
  connections: number,
  data: Data,
  options: Options,
) {
  const measured = new Map<Peer, Figures[]>();
  const seconds = options.seconds * (scenario.slowness ?? 1);
  const postgres = postgresCpu(new URL(data.url).pathname.slice(1));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [peer, server] of servers) {
      const shot = scenario.shots[peer];
      if (!shot) continue;
      const figures = await load(server, shot, { connections, seconds, key: data.key, postgres });
      measured.set(peer, [...(measured.get(peer) ?? []), figures]);
    }
  }
  return [...measured].map(([peer, all]) => rowOf(scenario, peer, connections, all, measured.get('gateway') ?? []));
}

/** The figures of all peers for all scenarios. */
export async function compare(
  node: string,
  peers: readonly Peer[],
  chosen: readonly Scenario[],
  data: Data,
  options: Options,
) {
  const servers = new Map<Peer, Server>();
  try {
    for (const peer of peers) {
      if (chosen.some(({ shots }) => shots[peer])) servers.set(peer, await startPeer(node, peer, data));
    }
    const rows: object[] = [];
    for (const scenario of chosen) {
      for (const connections of options.connections) {
        rows.push(...(await measure(scenario, servers, connections, data, options)));
      }
    }
    return rows;
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}
