import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf } from './postgres-cpu.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  /** Seconds of CPU that the process has used. */
  cpuSeconds(): number;
  /** Memory that is resident, in MiB. */
  memory(): number;
  /** The most memory since `forgetPeak`, in MiB. */
  peakMemory(): number;
  forgetPeak(): void;
  stop(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilListening(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}

const statusOf = ({ pid }: ChildProcess, name: string) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Starts a server for production: `node ARGS` in the project's folder, with PORT in its environment. What a silent one says is written, and read by nobody. */
export async function startServer(
  node: string,
  args: readonly string[],
  env: Record<string, string>,
  { isSilent = false } = {},
): Promise<Server> {
  const port = await freePort();
  const child = spawn(node, args, {
    cwd: root,
    env: { ...process.env, ...env, NODE_ENV: 'production', PORT: String(port) },
    stdio: ['ignore', 'ignore', isSilent ? 'ignore' : 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilListening(url, child);
  return {
    url,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0) ?? 0,
    memory: () => statusOf(child, 'VmRSS'),
    peakMemory: () => statusOf(child, 'VmHWM'),
    forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}
