import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<Ended>;
}

const children = new Set<ChildProcess>();
const folders: string[] = [];

/** Runs the program as an operator does, with nothing of this process's configuration. */
export function run(args: readonly string[], environment: Record<string, string> = {}): Running {
  const { DATABASE_URL: _, NODE_OPTIONS: __, VITEST: ___, ...inherited } = process.env;
  const env = { ...inherited, NODE_ENV: 'production', LOG_LEVEL: 'error', ...environment };
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...args], { cwd: root, env, stdio: 'pipe' });
  children.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((done) => {
    child.on('close', (code) => {
      children.delete(child);
      done({ code, stdout, stderr });
    });
  });
  return { child, output: () => stdout + stderr, ended };
}

/** Waits until the program says that it listens; throws what it printed when it ends before. */
export async function untilListening(running: Running): Promise<string> {
  const ended = running.ended.then(({ stdout, stderr }) => {
    throw new Error(`ended before it listened: ${stdout}${stderr}`);
  });
  ended.catch(() => undefined);
  for (;;) {
    const address = /listens on (\S+)/.exec(running.output())?.[1];
    if (address) return address;
    await Promise.race([new Promise((done) => setTimeout(done, 50)), ended]);
  }
}

/** A port that is free now. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return String(port);
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'billing-process-'));
  folders.push(folder);
  return folder;
}

/** Ends what still runs and removes the folders. */
export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}
