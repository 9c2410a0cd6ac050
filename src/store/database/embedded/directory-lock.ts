import { randomBytes } from 'node:crypto';
import { link, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// A lock is a Unix socket in the folder on which its owner listens. The system stops the listening with the process, however that
// ends, and a connection tells living from dead across containers that share the folder, whose process numbers mean nothing to
// each other. A socket's name outlives it, and what is removed by name may be another's by then. So nothing is taken over: locks
// are numbered, the next number is taken by `link`, which only one can do, and the highest name is never removed.

/** What the process that listens says of itself: `process 12` and its host, each a line; empty where it was too busy to. */
interface Living {
  readonly owner: string;
}

/** Whose a folder is, as far as that one says. */
export interface Held {
  readonly heldBy: string | undefined;
}

/** Gives a folder back. */
export type Release = () => Promise<void>;

const NAME = /^lock\.(\d{1,15})$/;
const UNFINISHED = /^lock\.new\./;
const ANSWER_MILLISECONDS = 1000;
const ATTEMPTS = 20;
// Addresses of sockets are 103 bytes long at most, names in the folder 21.
const LONGEST_FOLDER = 80;

const hasCode = (error: unknown, ...codes: string[]) => codes.includes((error as NodeJS.ErrnoException).code ?? '');

/** Who listens; undefined where nobody does, and 'gone' where there is no such name any more. */
function ask(path: string): Promise<Living | 'gone' | undefined> {
  return new Promise((resolve) => {
    let owner = '';
    const socket = connect(path);
    const answer = () => {
      socket.destroy();
      resolve({ owner: owner.trim() });
    };
    socket.setEncoding('utf8').on('data', (text) => {
      owner += text;
    });
    socket.setTimeout(ANSWER_MILLISECONDS, answer); // a process that is busy has not accepted yet, and lives
    socket.on('end', answer);
    socket.on('error', (error) => {
      if (hasCode(error, 'ECONNREFUSED')) resolve(undefined);
      else if (hasCode(error, 'ENOENT')) resolve('gone');
      else answer();
    });
  });
}

function listenAt(path: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`process ${process.pid}\n${hostname()}\n`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      // A connection that could not be accepted is answered by silence, which says enough.
      server.off('error', reject).on('error', () => undefined);
      resolve(server.unref());
    });
  });
}

const stop = (server: Server) => new Promise<void>((done) => server.close(() => done()));

const numbersIn = async (folder: string): Promise<number[]> =>
  (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);

const highestIn = async (folder: string) => Math.max(0, ...(await numbersIn(folder)));

/** The lock of a number; undefined where another has it, or higher ones were there before and this one had been cleared away. */
async function take(folder: string, number: number): Promise<Server | undefined> {
  const unfinished = join(folder, `lock.new.${randomBytes(6).toString('hex')}`);
  const server = await listenAt(unfinished);
  try {
    await link(unfinished, join(folder, `lock.${number}`));
    if ((await highestIn(folder)) === number) return server;
  } catch (error) {
    // Its name was cleared away by an owner.
    if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
  await stop(server);
  return undefined;
}

// The one before stays, so that whoever reads the folder at this moment sees one of the two.
async function clear(folder: string, own: number): Promise<void> {
  const names = await readdir(folder);
  const left = names.filter((name) => UNFINISHED.test(name) || Number(NAME.exec(name)?.[1] ?? own) < own - 1);
  for (const name of left) await rm(join(folder, name), { force: true });
}

const ownerText = ({ owner }: Living) => {
  const [name, host] = owner.split('\n');
  return name && (host === hostname() || !host ? name : `${name} of ${host}`);
};

async function lockAt(folder: string): Promise<Release | Held> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const highest = await highestIn(folder);
    const living = highest > 0 ? await ask(join(folder, `lock.${highest}`)) : undefined;
    if (living === 'gone') continue;
    if (living) return { heldBy: ownerText(living) || undefined };
    const server = await take(folder, highest + 1);
    if (!server) continue;
    await clear(folder, highest + 1);
    return () => stop(server);
  }
  return { heldBy: undefined };
}

/**
 * Takes a folder for this process, or says who has it. At most one process of a machine has a folder, in whichever containers they
 * run; it is free again when the process ends, however it does.
 */
export async function lockDirectory(folder: string): Promise<Release | Held> {
  const path = resolve(folder);
  if (Buffer.byteLength(path) <= LONGEST_FOLDER) return lockAt(path);
  const short = await mkdtemp(join(tmpdir(), 'lock-'));
  try {
    await symlink(path, join(short, 'f'));
    return await lockAt(join(short, 'f'));
  } finally {
    await rm(short, { recursive: true, force: true });
  }
}
