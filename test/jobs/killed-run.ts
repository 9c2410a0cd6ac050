import { type ChildProcess, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { openDatabase } from '../../src/store/database/database.ts';
import { run, temporaryFolder } from '../process.ts';
import { createServerDatabase } from '../support.ts';
import { DAY_MS } from './fixture.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Trial {
  readonly customers: number;
  readonly workers: number;
  /** Kills at most, one a second. */
  readonly kills: number;
}

/** A worker that is killed and replaced. */
class Victim {
  private child: ChildProcess | undefined;
  working = false;

  constructor(
    private readonly url: string,
    private readonly program: string,
  ) {}

  start(): void {
    const env = { ...process.env, DATABASE_URL: this.url, VITEST: undefined, NODE_OPTIONS: undefined };
    const child = spawn(process.execPath, [this.program], { cwd: ROOT, env });
    this.child = child;
    this.working = false;
    child.stdout.on('data', () => {
      this.working = this.child === child;
    });
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    this.working = false;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once('close', done));
    child.kill(signal);
    await ended;
  }
}

/** Makes one file of the worker: it begins in a third of the time, or those that are killed each second would do nothing but begin. */
async function bundledWorker(): Promise<string> {
  const outfile = join(ROOT, `node_modules/.cache/killed-worker-${process.pid}.mjs`);
  const entry = join(ROOT, 'test/jobs/killed-worker.ts');
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, packages: 'external' },
    ...{ platform: 'node', format: 'esm', target: 'node20' },
  });
  return outfile;
}

const document = (customers: number) => {
  const names = Array.from({ length: customers }, (_, at) => `c${at}`);
  const since = new Date(Date.now() - 60 * DAY_MS).toISOString();
  return {
    organization: { name: 'Quillo' },
    billing_entities: [{ code: 'main', name: 'Main', is_default: true, document_numbering: 'per_billing_entity' }],
    plans: [{ code: 'weekly', interval: 'weekly', amount_cents: 3000, amount_currency: 'EUR' }],
    customers: names.map((external_id) => ({ external_id, currency: 'EUR' })),
    subscriptions: names.map((name) => ({
      ...{ external_id: `s-${name}`, external_customer_id: name, plan_code: 'weekly', status: 'active' },
      ...{ subscription_at: since, started_at: since, created_at: since },
    })),
  };
};

/** The first moments of Mondays after one moment and up to another. */
const mondays = (from: number, to: number): number =>
  Array.from({ length: Math.ceil((to - from) / DAY_MS) }, (_, day) => Math.floor(to / DAY_MS) - day).filter(
    (day) => day * DAY_MS > from && new Date(day * DAY_MS).getUTCDay() === 1,
  ).length;

/** Has missed weeks billed by workers of which one is killed each second; answers what was made, and what is left behind. */
export async function billUnderKills({ customers, workers, kills }: Trial) {
  const { url, drop } = await createServerDatabase();
  const file = join(await temporaryFolder(), 'document.json');
  await writeFile(file, JSON.stringify(document(customers)));
  const imported = await run(['import', file, '--organization', 'Quillo'], { DATABASE_URL: url }).ended;
  if (imported.code !== 0) throw new Error(imported.stderr);
  const { prisma, close } = await openDatabase({ url, poolSize: 3 });
  const from = new Date(Date.now() - 15 * DAY_MS);
  const missed = () => prisma.dueCustomer.updateMany({ data: { livedUntil: from, dueAt: from } });
  const isDone = async () =>
    (await prisma.dueCustomer.count({
      where: { OR: [{ dueAt: { lte: new Date() } }, { takenUntil: { not: null } }] },
    })) === 0 && (await prisma.job.count({ where: { status: { in: ['waiting', 'running'] } } })) === 0;
  const program = await bundledWorker();
  const victims = Array.from({ length: workers }, () => new Victim(url, program));
  try {
    await missed();
    for (const victim of victims) victim.start();
    let killed = 0;
    while (!(await isDone())) {
      await pause(1000);
      const working = victims.filter((victim) => victim.working);
      const victim = working[Math.floor(Math.random() * working.length)];
      if (killed >= kills || !victim) continue;
      await victim.end('SIGKILL');
      victim.start();
      killed += 1;
    }
    const expected = mondays(from.getTime(), Date.now());
    const read = () =>
      prisma.invoice.findMany({
        select: {
          customerId: true,
          number: true,
          sequentialId: true,
          billingEntitySequentialId: true,
          issuingDate: true,
        },
        orderBy: { billingEntitySequentialId: 'asc' },
      });
    const invoices = await read();
    const jobs = await prisma.job.groupBy({ by: ['status'], _count: true });
    await missed();
    while (!(await isDone())) await pause(200);
    const again = await read();
    for (const victim of victims) await victim.end('SIGTERM');
    const [locks] = await prisma.$queryRaw<{ held: number }[]>`
      SELECT count(*)::int AS held FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;
    return { invoices, again, expected, killed, jobs, held: locks?.held };
  } finally {
    for (const victim of victims) await victim.end('SIGKILL');
    await rm(program);
    await close();
    await drop();
  }
}

type Outcome = Awaited<ReturnType<typeof billUnderKills>>;

/** What is not as it must be; nothing where all is. */
export function faultsOf({ invoices, again, expected, jobs, held }: Outcome, customers: number): string[] {
  const byCustomer = new Map<string, Outcome['invoices']>();
  for (const invoice of invoices) {
    byCustomer.set(invoice.customerId, [...(byCustomer.get(invoice.customerId) ?? []), invoice]);
  }
  const own = [...byCustomer.values()].map((list) =>
    list.sort((one, other) => (one.sequentialId ?? 0) - (other.sequentialId ?? 0)),
  );
  const faults = {
    'every customer is billed': own.length === customers,
    'every invoice is there once': own.every((list) => list.length === expected),
    'numbers of a customer are without gap': own.every((list) =>
      list.every(({ sequentialId }, at) => sequentialId === at + 1),
    ),
    'weeks are in order': own.every((list) =>
      list.every(({ issuingDate }, at) => at === 0 || (list[at - 1]?.issuingDate ?? 0) < (issuingDate ?? 0)),
    ),
    'numbers of the entity are without gap': invoices.every(
      ({ billingEntitySequentialId }, at) => billingEntitySequentialId === at + 1,
    ),
    'no number is given twice': new Set(invoices.map(({ number }) => number)).size === invoices.length,
    'a repeated run bills nothing': again.length === invoices.length,
    'no job failed': jobs.every(({ status }) => status === 'done'),
    'no lock is left': held === 0,
  };
  return Object.entries(faults).flatMap(([fault, isRight]) => (isRight ? [] : [fault]));
}
