import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Worker, WorkerOptions } from '../jobs/worker.ts';
import type { Database } from '../store/database/database.ts';

export interface JobOptions extends Pick<WorkerOptions, 'checkVat' | 'concurrency'> {
  /** Whether a gateway works at jobs. */
  readonly isOn: boolean;
  readonly logger: Logger;
}

/** Answers the first signal to stop. */
export const untilSignal = () =>
  new Promise<string>((resolve) => {
    // Not `once`: a second signal while running requests or jobs finish must not kill the process.
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => resolve(name));
  });

/** Works at jobs. Loaded here only: the other commands do without the queue. */
async function workAt(db: Database, { logger, checkVat, concurrency }: JobOptions): Promise<Worker> {
  const { Worker } = await import('../jobs/worker.ts');
  // The embedded database has one connection: a job beside another would only wait for it.
  return Worker.start({ db, logger, checkVat, concurrency: db.kind === 'embedded' ? 1 : (concurrency ?? 1) });
}

const AGAIN_AFTER = 15_000;

/** Works at jobs until it is stopped, and waits for those that run. */
export interface JobsBeside {
  stop(): Promise<void>;
}

/** The same beside a gateway, unless it is off; requests are answered also while nobody can work, which is tried again. */
export function workBeside(db: Database, options: JobOptions): JobsBeside {
  const stopping = new AbortController();
  const { signal } = stopping;
  const start = async (): Promise<Worker | undefined> => {
    while (options.isOn && !signal.aborted) {
      try {
        return await workAt(db, options);
      } catch (err) {
        options.logger.error({ err }, 'nobody works at jobs here');
        await pause(AGAIN_AFTER, undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  const started = start();
  return {
    stop: async () => {
      stopping.abort();
      await (await started)?.stop();
    },
  };
}

/** Works at jobs and nothing else, until a signal comes. */
export async function workUntilSignal(db: Database, options: JobOptions): Promise<void> {
  const stopped = untilSignal();
  // Whoever waits for an answer goes first where processors are few.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const worker = await workAt(db, options);
  console.log('Working at jobs.');
  options.logger.info({ signal: await stopped }, 'stopping');
  await worker.stop();
}
