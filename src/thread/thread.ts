import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** The file that the thread runs: it calls `answerWith`. */
  readonly file: URL;
  /** Megabytes of objects that it may hold; with more it is ended, and what it was doing fails. */
  readonly memory: number;
}

/** What a thread answers to one task. */
export type Answer<Result> = { readonly result: Result } | { readonly fault: string };

// Starting a thread takes a second, keeping one about fifty megabytes.
const IDLE = 10 * 60_000;

// The threads are TypeScript like the rest; a thread does not take the loader of the program over, so it registers its own.
const START = `Promise.resolve(require('node:worker_threads').workerData).then(async ({ loader, file }) => {
  (await import(loader)).register();
  await import(file);
});`;
const LOADER = import.meta.resolve('tsx/esm/api');

/** What a task is told that was given up: its time was over, or nobody waits for it any more. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

/** A task needed more memory than a thread may hold: asking again does not help. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

const isOutOfMemory = (error: unknown) => (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** A thread that does one task at a time. It is started when needed and given up after ten minutes without work. */
export class WorkThread<Task, Result> {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: ThreadOptions) {}

  /** Throws when the task fails, TooLargeError when it needs more memory than it may: the thread ends, the next task has a new one. The signal ends it, and the thread with it: GivenUpError. */
  async run(task: Task, signal: AbortSignal): Promise<Result> {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    const { worker } = this;
    try {
      const answer = await this.ask(worker, task, signal);
      if ('fault' in answer) throw new Error(answer.fault);
      return answer.result;
    } finally {
      worker.unref();
      this.idle = setTimeout(() => void this.close(), IDLE).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private start(): Worker {
    const { file, memory } = this.options;
    const workerData = { loader: LOADER, file: file.href };
    const resourceLimits = { maxOldGenerationSizeMb: memory };
    const worker = new Worker(START, { eval: true, execArgv: [], workerData, resourceLimits });
    const forget = () => {
      if (this.worker === worker) this.worker = undefined;
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    return worker;
  }

  private ask(worker: Worker, task: Task, signal: AbortSignal): Promise<Answer<Result>> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        if (this.worker === worker) this.worker = undefined;
        void worker.terminate();
      };
      const end = (settle: () => void) => {
        signal.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        settle();
      };
      const onMessage = (answer: Answer<Result>) => end(() => resolve(answer));
      const onError = (error: unknown) =>
        end(() => reject(isOutOfMemory(error) ? new TooLargeError('the work needs too much memory') : error));
      const onExit = () => end(() => reject(new GivenUpError('the work was given up')));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      signal.addEventListener('abort', onAbort, { once: true });
      worker.ref();
      worker.postMessage(task);
      if (signal.aborted) onAbort();
    });
  }
}
