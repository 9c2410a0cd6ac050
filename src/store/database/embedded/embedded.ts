import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { quietly, type RunScript, type Step } from '../migration.ts';
import { lockDirectory, type Release } from './directory-lock.ts';

/** A data directory that cannot be used; the message is one line for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** Runs scripts on an embedded server. */
export const scriptsOn =
  (server: PGlite): RunScript =>
  async (sql) =>
    (await server.exec(sql)).at(-1)?.rows ?? [];

// Node's own recursive mkdir never returns where the parent exists and still refuses with ENOENT, as /proc does.
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || (await stat(parent).catch(() => undefined))) throw error;
    await makeFolder(parent);
    await makeFolder(folder);
  }
}

const OWNER_ONLY = 0o700;
const OURS = /^(postgres(\.unfinished)?|lock(\.\w+)*)$/;

/** What is stored is for its owner only. Somebody else's folder that may be written to, as of a volume, keeps its mode. */
const closeToOthers = (folder: string): Promise<void> =>
  chmod(folder, OWNER_ONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });

const holdsOnlyOurs = async (folder: string) => (await readdir(folder)).every((name) => OURS.test(name));

async function takeDirectory(folder: string): Promise<Release> {
  const lock = await lockDirectory(folder);
  if (typeof lock === 'function') return lock;
  throw new DataDirectoryError(`the data directory ${folder} is in use${lock.heldBy ? ` by ${lock.heldBy}` : ''}`);
}

/** The cluster is made beside its final place and moved there when whole: a start killed half-way leaves nothing broken. */
async function makeCluster(cluster: string): Promise<void> {
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: OWNER_ONLY });
  const made = await PGlite.create({ dataDir: unfinished });
  await made.close();
  await rm(join(unfinished, 'postmaster.pid'), { force: true });
  await rename(unfinished, cluster);
}

async function openCluster(folder: string, step: Step): Promise<PGlite> {
  const cluster = join(folder, 'postgres');
  if (await stat(join(cluster, 'PG_VERSION')).catch(() => undefined)) await closeToOthers(cluster);
  else await step(`Creating the embedded database in ${folder}`, () => makeCluster(cluster));
  return step(`Opening the embedded database in ${folder}`, () => PGlite.create({ dataDir: cluster }));
}

/** Opens the embedded PostgreSQL in `folder`, making it on first use. Throws DataDirectoryError when it cannot be used. */
export async function openEmbedded(
  folder: string,
  step: Step = quietly,
): Promise<{ server: PGlite; close(): Promise<void> }> {
  try {
    await makeFolder(resolve(folder));
    // A folder with other things in it may be meant for others too; the cluster inside it is not.
    if (await holdsOnlyOurs(folder)) await closeToOthers(folder);
    const release = await takeDirectory(folder);
    try {
      const server = await openCluster(folder, step);
      const close = () => server.close().finally(release);
      return { server, close };
    } catch (error) {
      await release();
      throw error;
    }
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(`the data directory ${folder} cannot be used: ${reason}`);
  }
}
