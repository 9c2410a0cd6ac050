import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDirectory } from '../../../src/store/database/embedded/directory-lock.ts';
import { DataDirectoryError, openEmbedded } from '../../../src/store/database/embedded/embedded.ts';

const SCRIPT = new URL('../lock-holder.ts', import.meta.url).pathname;
const NODE = [process.execPath, '--import', 'tsx', SCRIPT];
const STDIO = ['ignore', 'inherit', 'inherit', 'ipc'] as const;

let base: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'lock-test-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(base, { recursive: true, force: true });
});

const newFolder = () => mkdtemp(join(base, 'f-'));

async function holder(around: readonly string[] = []): Promise<ChildProcess> {
  const [command = '', ...args] = [...around, ...NODE];
  const child = spawn(command, args, { stdio: [...STDIO] });
  children.add(child);
  expect(await once(child, 'message')).toEqual(['ready', undefined]);
  return child;
}

async function order(child: ChildProcess, take?: { folder: string; at: number }): Promise<string> {
  const answer = once(child, 'message');
  child.send({ take });
  return String((await answer)[0]);
}

const taken = (folder: string, after = 0) => ({ folder, at: Date.now() + after });
const isFree = async (folder: string) => {
  const lock = await lockDirectory(folder);
  if (typeof lock !== 'function') return false;
  await lock();
  return true;
};

describe('a folder has one owner', () => {
  it('of two that start at the same moment, 300 times: in new folders, and where another has been before', async () => {
    const both = await Promise.all([holder(), holder()]);
    const used = await newFolder();
    const outcomes: string[][] = [];
    for (let round = 0; round < 300; round++) {
      const folder = round % 2 ? used : await newFolder();
      const at = Date.now() + 8;
      // Up to 2 ms apart, either way round.
      const said = await Promise.all(
        both.map((child, index) => order(child, { folder, at: at + ((round >> 1) % 3) * index })),
      );
      outcomes.push(said.map((text) => text.replace(/\d+/, 'N')).sort());
      await Promise.all(both.map((child) => order(child)));
    }
    expect(new Set(outcomes.map((said) => said.join(', ')))).toEqual(new Set(['held by process N, owner']));
    // What was taken 150 times has not filled up.
    expect((await readdir(used)).length).toBeLessThanOrEqual(2);
    for (const child of both) child.kill();
  }, 120_000);

  it('of ten in one process that begin at once', async () => {
    const folder = await newFolder();
    for (let round = 0; round < 20; round++) {
      const locks = await Promise.all(Array.from({ length: 10 }, () => lockDirectory(folder)));
      const owners = locks.filter((lock) => typeof lock === 'function');
      expect(owners).toHaveLength(1);
      await owners[0]?.();
    }
  });

  it('until that one is killed', async () => {
    const folder = await newFolder();
    const child = await holder();
    expect(await order(child, taken(folder))).toBe('owner');
    expect(await lockDirectory(folder)).toEqual({ heldBy: `process ${child.pid}` });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isFree(folder)).toBe(true);
  });

  it('also while that one is too busy to say so', async () => {
    const folder = await newFolder();
    const child = await holder();
    expect(await order(child, taken(folder))).toBe('owner');
    child.kill('SIGSTOP');
    expect(await lockDirectory(folder)).toEqual({ heldBy: undefined });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isFree(folder)).toBe(true);
  });

  it('whatever has been left in it', async () => {
    const folder = await newFolder();
    for (const name of ['lock', 'lock.1', 'lock.7', 'lock.new.0123456789ab']) await writeFile(join(folder, name), '');
    const release = await lockDirectory(folder);
    expect(release).toBeTypeOf('function');
    expect(await lockDirectory(folder)).toEqual({ heldBy: `process ${process.pid}` });
    expect((await readdir(folder)).sort()).toEqual(['lock', 'lock.7', 'lock.8']);
    await (release as () => Promise<void>)();
  });

  it('by whatever path it is reached, however long', async () => {
    const folder = join(base, 'a'.repeat(120), 'b'.repeat(120));
    await mkdir(folder, { recursive: true });
    const child = await holder();
    expect(await order(child, taken(folder))).toBe('owner');
    expect(await lockDirectory(folder)).toEqual({ heldBy: `process ${child.pid}` });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isFree(folder)).toBe(true);
  });

  // What containers do: process numbers, host names and networks of their own, and one folder.
  const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child', '--net', '--uts', '--mount-proc'];
  const [command = '', ...options] = CONTAINER;
  const mayUnshare = spawnSync(command, [...options, 'true']).status === 0;
  it.runIf(mayUnshare)('of two containers that share it', async () => {
    const folder = await newFolder();
    const both = await Promise.all([holder(CONTAINER), holder(CONTAINER)]);
    for (let round = 0; round < 20; round++) {
      const at = Date.now() + 8;
      const said = await Promise.all(both.map((child) => order(child, { folder, at })));
      expect(said.sort()).toEqual(['held by process 1', 'owner']);
      await Promise.all(both.map((child) => order(child)));
    }
    const [first, second] = both as [ChildProcess, ChildProcess];
    expect(await order(first, taken(folder))).toBe('owner');
    first.kill('SIGKILL');
    await once(first, 'exit');
    // What dies at once is the process around it.
    await expect.poll(() => order(second, taken(folder)), { timeout: 10_000 }).toBe('owner');
    second.kill('SIGKILL');
  });
});

describe('the data directory', () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  it('is for its owner only, and open to nobody else from the start', async () => {
    const folder = join(await newFolder(), 'made', 'here');
    await (await openEmbedded(folder)).close();
    expect([await modeOf(folder), await modeOf(join(folder, 'postgres'))]).toEqual(['700', '700']);
    await chmod(folder, 0o755);
    await chmod(join(folder, 'postgres'), 0o755);
    const { close } = await openEmbedded(folder);
    expect([await modeOf(folder), await modeOf(join(folder, 'postgres'))]).toEqual(['700', '700']);
    await expect(openEmbedded(folder)).rejects.toEqual(
      new DataDirectoryError(`the data directory ${folder} is in use by process ${process.pid}`),
    );
    await close();
  });

  it('that holds other things keeps its mode; the cluster in it is closed', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'notes.txt'), '');
    await (await openEmbedded(folder)).close();
    expect([await modeOf(folder), await modeOf(join(folder, 'postgres'))]).toEqual(['755', '700']);
  });
});
