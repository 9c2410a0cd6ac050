/** What the gateway's processes hold, resident and on the heap. */
import { readFileSync } from 'node:fs';
import type { Running } from '../../process.ts';

interface Memory {
  readonly resident: number;
  /** What is in use after a collection: garbage that waits for its turn says nothing about leaks. */
  readonly heap: number;
}

// A process cannot be made to collect from outside: this is loaded into each, and answers a signal.
const ANSWERING = `
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    console.log('heap of ' + process.pid + ': ' + process.memoryUsage().heapUsed);
  });
}`;

/** NODE_OPTIONS of processes that are to be measured. */
export const MEASURABLE = `--import=data:text/javascript,${encodeURIComponent(ANSWERING)}`;

const MEBIBYTE = 1024 ** 2;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function heapOf({ output }: Running, pid: number): Promise<number> {
  const told = () => [...output().matchAll(new RegExp(`heap of ${pid}: (\\d+)\\n`, 'g'))];
  const before = told().length;
  process.kill(pid, 'SIGUSR2');
  for (let waited = 0; told().length === before; waited += 20) {
    if (waited > 10_000) throw new Error(`process ${pid} does not tell its memory`);
    await pause(20);
  }
  return Number(told().at(-1)?.[1]) / MEBIBYTE;
}

async function memoryOf(gateway: Running, pid: number): Promise<Memory> {
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return { resident, heap: await heapOf(gateway, pid) };
}

/** The gateway's processes that answer requests. */
export function workersOf({ child }: Running): number[] {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    .trim()
    .split(/\s+/)
    .map(Number);
  return children.filter((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('main.ts'));
}

/** Says what the processes hold at the start and after each minute; collecting more often would show in the times. */
export async function watch(gateway: Running, pids: readonly number[], minutes: number): Promise<void> {
  const start = Date.now();
  for (let minute = 0; minute <= minutes; minute++) {
    await pause(start + minute * 60_000 - Date.now());
    const held: Memory[] = [];
    for (const pid of pids) held.push(await memoryOf(gateway, pid));
    const parts = held.map(({ resident, heap }) => `${Math.round(resident)} (heap ${heap.toFixed(1)})`);
    console.log(`minute ${minute}: ${parts.join(' + ')} MB`);
  }
}
