import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('engine', import.meta.url));

/** Starts ClickHouse's engine, which it installs first where it is not, for all tests of the run. */
export async function setup(): Promise<() => Promise<void>> {
  if (!existsSync(join(folder, 'node_modules/chdb'))) {
    console.log('installing the engine of ClickHouse (546 MB) into test/clickhouse/engine');
    const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
  }
  const data = await mkdtemp(join(tmpdir(), 'clickhouse-'));
  const engine = spawn(process.execPath, ['server.mjs', data], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => engine.once('exit', () => resolve()));
  const [port] = await new Promise<string[]>((resolve, reject) => {
    createInterface(engine.stdout).once('line', (line) => resolve([line]));
    engine.once('exit', (code) => reject(new Error(`the engine ended with ${code}`)));
  });
  process.env.EVENTS_URL = `clickhouse://127.0.0.1:${port}`;
  return async () => {
    engine.stdin.end();
    await ended;
    await rm(data, { recursive: true, force: true });
  };
}
