import { setTimeout } from 'node:timers/promises';
import type { Data } from './data.ts';
import { load } from './load.ts';
import { startPeer } from './peer.ts';
import { postgresCpu } from './postgres-cpu.ts';
import type { Scenario } from './scenario.ts';

const CONNECTIONS = 64;
const SECONDS = 60;
const IDLE = 10_000; // milliseconds

/** The memory of a gateway that has been idle, and its most in a minute of a scenario at 64 connections. */
export async function memoryOf(node: string, scenario: Scenario, data: Data) {
  const server = await startPeer(node, 'gateway', data);
  try {
    const shot = scenario.shots.gateway;
    if (!shot) throw new Error(`${scenario.name} is not for the gateway`);
    await setTimeout(IDLE);
    const idle = server.memory();
    const postgres = postgresCpu(new URL(data.url).pathname.slice(1));
    const { memory } = await load(server, shot, {
      connections: CONNECTIONS,
      seconds: SECONDS,
      key: data.key,
      postgres,
    });
    return {
      scenario: scenario.name,
      'idle MiB': Math.round(idle),
      'peak MiB': Math.round(memory),
      after: Math.round(server.memory()),
      'peak is x': Number((memory / idle).toFixed(2)),
    };
  } finally {
    await server.stop();
  }
}
