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

/** The same beside a gateway, unless it is off; requests are answered even where nobody can work. */
export async function workBeside(db: Database, options: JobOptions): Promise<Worker | undefined> {
  if (!options.isOn) return undefined;
  return workAt(db, options).catch((err: unknown) => {
    options.logger.error({ err }, 'nobody works at jobs here');
    return undefined;
  });
}

/** Works at jobs and nothing else, until a signal comes. */
export async function workUntilSignal(db: Database, options: JobOptions): Promise<void> {
  const stopped = untilSignal();
  const worker = await workAt(db, options);
  console.log('Working at jobs.');
  options.logger.info({ signal: await stopped }, 'stopping');
  await worker.stop();
}
