import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** A data directory that cannot be used; the message is one line for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

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
    await mkdir(folder);
  }
}

/** Takes the directory for this process. A lock left by a process that is gone is taken over: nothing of it is lost. */
async function lockDirectory(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock');
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = await open(path, 'wx');
      await file.write(`${process.pid}\n`);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
      if (pid !== process.pid && Number.isInteger(pid) && isAlive(pid)) {
        throw new DataDirectoryError(`the data directory ${folder} is in use by process ${pid}`);
      }
      await rm(path, { force: true });
    }
  }
  throw new DataDirectoryError(`the data directory ${folder} is in use`);
}

/** The cluster is made beside its final place and moved there when whole: a start killed half-way leaves nothing broken. */
async function ensureCluster(cluster: string): Promise<void> {
  if (await stat(join(cluster, 'PG_VERSION')).catch(() => undefined)) return;
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const made = await PGlite.create({ dataDir: unfinished });
  await made.close();
  await rm(join(unfinished, 'postmaster.pid'), { force: true });
  await rename(unfinished, cluster);
}

/** Opens the embedded PostgreSQL in `folder`, making it on first use. Throws DataDirectoryError when it cannot be used. */
export async function openEmbedded(folder: string): Promise<{ server: PGlite; close(): Promise<void> }> {
  try {
    await makeFolder(resolve(folder));
    const unlock = await lockDirectory(folder);
    const cluster = join(folder, 'postgres');
    await ensureCluster(cluster);
    const server = await PGlite.create({ dataDir: cluster });
    const close = async () => {
      await server.close();
      await unlock();
    };
    return { server, close };
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(`the data directory ${folder} cannot be used: ${reason}`);
  }
}
