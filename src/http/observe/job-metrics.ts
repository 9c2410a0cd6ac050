import { Gauge, type Registry } from 'prom-client';

/** How the work of all organizations stands. Ages are in seconds. */
export interface JobFigures {
  readonly jobs: readonly {
    readonly task: string;
    readonly state: string;
    readonly count: number;
    readonly age: number;
  }[];
  readonly due: { readonly count: number; readonly age: number };
}

/** What is asked for at one moment, by whoever asks, is read once. */
function together<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  return () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
}

/** Figures of the database, of which every process tells the same: of several one counts. */
export function jobGauges(registry: Registry, jobs: () => Promise<JobFigures>): void {
  const figures = together(jobs);
  const ofJobs = (name: string, help: string, value: (one: JobFigures['jobs'][number]) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['task', 'state'] as const, registers: [registry], aggregator: 'max' as const },
      async collect() {
        this.reset();
        for (const one of (await figures())?.jobs ?? []) this.set({ task: one.task, state: one.state }, value(one));
      },
    });
  const ofDue = (name: string, help: string, value: (due: JobFigures['due']) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry], aggregator: 'max' as const },
      async collect() {
        const known = await figures();
        if (known) this.set(value(known.due));
      },
    });
  const states = 'waiting, retrying after a failure, running, or failed for good';
  ofJobs('billing_jobs', `Jobs that are not done: ${states}.`, ({ count }) => count);
  ofJobs('billing_job_age_seconds', 'Age of the oldest of these jobs.', ({ age }) => age);
  ofDue('billing_due_customers', 'Customers of whom something is due and that no job has.', ({ count }) => count);
  ofDue(
    'billing_due_customers_age_seconds',
    'For how long something is due of the one that waits longest.',
    ({ age }) => age,
  );
}
