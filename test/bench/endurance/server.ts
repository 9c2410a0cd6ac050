/** A PostgreSQL of a run's own, which can be stopped and started. Needs Debian's binaries. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../process.ts';

function postgresBin(): string {
  const versions = readdirSync('/usr/lib/postgresql').sort((one, other) => Number(other) - Number(one));
  return `/usr/lib/postgresql/${versions[0]}/bin`;
}

/** A server in a folder of its own; it refuses to run as root. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'billing-endurance-'));
  const isRoot = userInfo().uid === 0;
  if (isRoot)
    chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'])), Number(execFileSync('id', ['-g', 'postgres'])));
  const bin = postgresBin();
  // Not synchronously: the load goes on while the server is away.
  const execute = (program: string, ...args: string[]) =>
    new Promise<void>((resolve, reject) => {
      const asPostgres = ['runuser', '-u', 'postgres', '--'];
      const [command = '', ...rest] = [...(isRoot ? asPostgres : []), `${bin}/${program}`, ...args];
      const child = spawn(command, rest, { stdio: 'ignore' });
      child.once('error', reject);
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
    });
  const port = await freePort();
  const data = join(folder, 'data');
  await execute('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} -c max_connections=200`;
  const start = () => execute('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  const stop = (mode: string) => execute('pg_ctl', '-D', data, '-m', mode, '-w', 'stop');
  await start();
  const remove = async () => {
    await stop('immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `postgresql://postgres@127.0.0.1:${port}/postgres`, start, stop, remove };
}
