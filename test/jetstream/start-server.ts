import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('data', () => socket.destroy());
    socket.once('error', () => resolve(false));
  });

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Starts a NATS server with JetStream of its own, else takes the one on this machine's usual port. */
export async function setup(): Promise<() => Promise<void>> {
  if (spawnSync('nats-server', ['--version']).status !== 0) {
    if (!(await answers(4222))) {
      throw new Error('these tests need NATS: the program nats-server (Debian has the package), or one on port 4222');
    }
    process.env.NATS_SERVER = 'nats://127.0.0.1:4222';
    return async () => undefined;
  }
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'jetstream-')), await freePort()];
  const args = ['--jetstream', '--store_dir', folder, '--addr', '127.0.0.1', '--port', String(port)];
  const server = spawn('nats-server', args, { stdio: 'ignore' });
  for (let times = 0; times < 100 && !(await answers(port)); times += 1) await wait(100);
  process.env.NATS_SERVER = `nats://127.0.0.1:${port}`;
  return async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}
