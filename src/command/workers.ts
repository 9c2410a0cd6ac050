import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';

const FIRST_DELAY = 500;
const LONGEST_DELAY = 30_000;
// A worker that lived this long had started well: the next crash is restarted at once again.
const STEADY = 60_000;

/**
 * Runs `count` copies of this program that share the port, and restarts those that crash, with a growing delay. When
 * none has ever listened, the first that ends, ends the whole. Resolves with the exit code when all have ended.
 */
export function runWorkers(count: number, logger: Logger, onReady: (port: number) => void): Promise<number> {
  let stopping = false;
  let delay = FIRST_DELAY;
  const listening = new Set<number>();
  const startedAt = new Map<number, number>();
  const alive = new Set<number>();
  const start = () => {
    const { id } = cluster.fork();
    startedAt.set(id, Date.now());
    alive.add(id);
  };
  const stop = () => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  return new Promise((resolve) => {
    let code = 0;
    const ended = () => stopping && alive.size === 0 && resolve(code);
    const restart = (worker: Worker) => {
      if (Date.now() - (startedAt.get(worker.id) ?? 0) > STEADY) delay = FIRST_DELAY;
      logger.error({ worker: worker.process.pid, restartIn: delay }, 'a worker ended');
      setTimeout(() => stopping || start(), delay);
      delay = Math.min(delay * 2, LONGEST_DELAY);
    };
    cluster.on('listening', (worker, { port }) => {
      listening.add(worker.id);
      if (listening.size === count) onReady(port);
    });
    cluster.on('exit', (worker, exitCode) => {
      alive.delete(worker.id);
      if (!stopping && listening.size > 0) restart(worker);
      else if (!stopping) {
        code = exitCode || 1;
        stop();
      }
      ended();
    });
    // Not `once`: a second signal while running requests finish must not kill the process.
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    for (let index = 0; index < count; index++) start();
  });
}
