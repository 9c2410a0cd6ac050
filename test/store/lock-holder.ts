// A process that takes folders when it is told to, for directory-lock.test.ts.
import { lockDirectory } from '../../src/store/database/embedded/directory-lock.ts';

interface Order {
  readonly take?: { readonly folder: string; readonly at: number };
}

let release: (() => Promise<void>) | undefined;

async function obey({ take }: Order): Promise<void> {
  await release?.();
  release = undefined;
  if (!take) return void process.send?.('free');
  // Timers come a millisecond early or late: the last bit is waited for.
  await new Promise((done) => setTimeout(done, take.at - Date.now() - 3));
  while (Date.now() < take.at);
  const lock = await lockDirectory(take.folder);
  if (typeof lock === 'function') release = lock;
  process.send?.(typeof lock === 'function' ? 'owner' : `held by ${lock.heldBy}`);
}

process.on('message', (order: Order) => void obey(order));
process.send?.('ready');
