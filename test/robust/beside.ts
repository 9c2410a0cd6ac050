import { readFile, writeFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { createKey } from '../../src/store/access/api-key.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { freePort, type Running, run, temporaryFolder, untilListening } from '../process.ts';

/** A gateway in a process of its own, on an embedded database with a document. */
export interface Attacked {
  readonly running: Running;
  readonly address: string;
  readonly pid: number;
  readonly secretKey: string;
  readonly publishableKey: string;
}

/**
 * Starts a gateway over the document, in the database of `url` or an embedded one, to which `fill` adds what it wants before.
 * `cleanUp` of process.ts ends it.
 */
export async function startGateway(
  document: object,
  environment: Record<string, string> = {},
  url?: string,
  fill: (db: Database) => Promise<void> = async () => undefined,
): Promise<Attacked> {
  const place = url === undefined ? { dataDir: await temporaryFolder() } : { url };
  const db = await openDatabase(place);
  await importDocument(db, { organization: { name: 'Quillo' }, ...document }, { now: new Date() });
  const { id } = await db.prisma.organization.findUniqueOrThrow({ where: { name: 'Quillo' } });
  const keyOf = async (kind: 'secret' | 'publishable') =>
    (await createKey(db.prisma, { organizationId: id, kind })).key;
  const [secretKey, publishableKey] = [await keyOf('secret'), await keyOf('publishable')];
  await fill(db);
  await db.close();
  const where: Record<string, string> = place.dataDir ? { DATA_DIR: place.dataDir } : { DATABASE_URL: url ?? '' };
  const running = run([], { ...where, PORT: await freePort(), ...environment });
  const address = await untilListening(running);
  return { running, address, pid: running.child.pid ?? 0, secretKey, publishableKey };
}

/** What a process holds in memory and what it has held at most, in megabytes; undefined where the system does not tell. */
async function memoryOf(pid: number): Promise<{ readonly now: number; readonly most: number } | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  return { now: read('VmRSS'), most: read('VmHWM') };
}

/** How the gateway did while something else ran. */
export interface Beside<T> {
  readonly result: T;
  /** Milliseconds of an answer of /health, without those in which other programs had the processors. */
  readonly worst: number;
  readonly p99: number;
  readonly asked: number;
  /** Milliseconds for which other programs had the processors, in all. */
  readonly waited: number;
  /** Milliseconds that its main thread ran or waited for a processor: by so much at most a timer of it may be late. */
  readonly occupied: number;
  /** Megabytes that the process had more: at its most, and afterwards. */
  readonly grownAtMost: number;
  readonly grown: number;
}

const PAUSE_MS = 20;

/** Asks /health every 20 ms while the attack runs, and looks at the memory of the process before and after. */
export async function beside<T>(
  { address, pid }: Pick<Attacked, 'address' | 'pid'>,
  attack: () => Promise<T>,
): Promise<Beside<T>> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined); // what it has held at most begins anew
  const before = await memoryOf(pid);
  const workerData = { url: `${address}/health`, pause: PAUSE_MS, pid };
  const probe = new Worker(new URL('./health-probe.mjs', import.meta.url), { workerData });
  const told = new Promise<{ times: number[]; waited: number; ran: number }>((resolve, reject) => {
    probe.once('message', resolve);
    probe.once('error', reject);
  });
  told.catch(() => undefined);
  await new Promise((done) => setTimeout(done, 5 * PAUSE_MS));
  const result = await attack();
  await new Promise((done) => setTimeout(done, 5 * PAUSE_MS));
  probe.postMessage('end');
  const { times, waited, ran } = await told;
  times.sort((one, other) => one - other);
  const after = await memoryOf(pid);
  const grown = (name: 'now' | 'most') => (before && after ? after[name] - before.now : 0);
  const at = (share: number) => times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? Number.NaN;
  return {
    ...{ result, worst: at(1), p99: at(0.99), asked: times.length, waited, occupied: ran + waited },
    ...{ grownAtMost: grown('most'), grown: grown('now') },
  };
}

/**
 * Holds that the others were answered in time, and that the process has not grown beyond so many megabytes. `slowness`: how many
 * times as long as usual the machine takes.
 */
export function expectUnharmed(told: Beside<unknown>, megabytes: number, slowness = 1): void {
  const { worst, asked, grownAtMost } = told;
  if (process.env.SHOW_BESIDE) console.log({ ...told, result: undefined });
  expect(asked).toBeGreaterThan(2);
  expect(worst).toBeLessThan(200 * slowness);
  expect(grownAtMost).toBeLessThan(megabytes);
}
