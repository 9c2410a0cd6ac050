import { inspect } from 'node:util';
import { parentPort } from 'node:worker_threads';
import type { Answer } from './thread.ts';

/** Lets a thread answer its tasks. `handOver` names the buffers of a result that are moved instead of copied. */
export function answerWith<Task, Result>(
  work: (task: Task) => Result | Promise<Result>,
  handOver: (result: Result) => readonly ArrayBuffer[] = () => [],
): void {
  parentPort?.on('message', async (task: Task) => {
    try {
      const result = await work(task);
      parentPort?.postMessage({ result } satisfies Answer<Result>, [...handOver(result)]);
    } catch (error) {
      parentPort?.postMessage({ fault: inspect(error) } satisfies Answer<Result>);
    }
  });
}
