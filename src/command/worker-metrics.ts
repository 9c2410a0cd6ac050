import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type Registry } from 'prom-client';

// A scrape reaches any one of the processes. It asks the first process, which asks them all and adds up what they say.
type Message =
  | { readonly metrics: 'ask' | 'give'; readonly id: string }
  | { readonly metrics: 'given'; readonly id: string; readonly counts: object[] }
  | { readonly metrics: 'text'; readonly id: string; readonly text: string };

const PATIENCE = 2000; // for a process that is starting or ending; the others are added up without it

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message && 'id' in message;

/** In the first process: answers the workers that ask for everybody's metrics. */
export function addUpMetrics(): void {
  const pending = new Map<string, (counts: object[]) => void>();
  cluster.on('message', (asking, message: unknown) => {
    if (!isMessage(message)) return;
    const { id } = message;
    if (message.metrics === 'given') return void pending.get(id)?.(message.counts);
    if (message.metrics !== 'ask') return;
    const asked = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    const given: object[][] = [];
    const finish = async () => {
      clearTimeout(timer);
      if (!pending.delete(id) || !asking.isConnected()) return;
      asking.send({ metrics: 'text', id, text: await AggregatorRegistry.aggregate(given).metrics() });
    };
    const timer = setTimeout(finish, PATIENCE);
    pending.set(id, (counts) => {
      if (given.push(counts) === asked.length) void finish();
    });
    for (const worker of asked) worker?.send({ metrics: 'give', id });
  });
}

/** In a worker: gives what it has counted when asked, and returns what asks for the sum of all. */
export function gatherMetrics(registry: Registry): () => Promise<string> {
  const waiting = new Map<string, (text: string) => void>();
  const send = (message: Message) => process.send?.(message);
  process.on('message', async (message: unknown) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'text') waiting.get(message.id)?.(message.text);
    if (message.metrics !== 'give') return;
    send({ metrics: 'given', id: message.id, counts: await registry.getMetricsAsJSON() });
  });
  return () =>
    new Promise((resolve, reject) => {
      const id = randomUUID();
      const timer = setTimeout(() => reject(new Error('no metrics came')), 2 * PATIENCE);
      waiting.set(id, (text) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(text);
      });
      send({ metrics: 'ask', id });
    });
}
