import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type { Preview } from '../../billing/preview/preview-type.ts';
import { invoiceWork } from '../../billing/preview/work.ts';
import { ThreadPool } from '../../thread/pool.ts';
import { computePreview, type PackedPreview, type PreviewTask, packedTask, unpackedPreview } from './compute.ts';

// Some twenty milliseconds of this thread; the way to another one and back takes two, and starting it a second.
const MOST_WORK_HERE = 5000;

const LONGEST = 60_000;
const MEMORY = 768;
const MOST_WAITING = 40;

function workOf({ request, account, storedEvents, catalogue }: PreviewTask): number {
  const plans = [...account.subscriptions.map(({ plan }) => plan), ...catalogue.plans];
  const pastFees = account.pastInvoices.reduce((sum, { fees }) => sum + fees.length, 0);
  return invoiceWork({ plans, events: storedEvents.count, usage: request.usage ?? [], pastFees });
}

/** Computes previews: small ones at once, large ones in a thread beside the one that answers requests. */
export class Previewer {
  private readonly pool = new ThreadPool<unknown, PackedPreview>({
    file: new URL('./worker.ts', import.meta.url),
    memory: MEMORY,
    atOnce: Math.min(Math.max(availableParallelism() - 1, 1), 2),
    mostWaiting: MOST_WAITING,
    longest: LONGEST,
  });

  /**
   * Throws what `previewInvoice` throws, and what the pool throws. The owner is the organization that asks; the signal, which is
   * made for what is large only, tells that nobody waits for the answer any more.
   */
  async preview(task: PreviewTask, owner: string, signalOf: () => AbortSignal): Promise<Preview> {
    if (workOf(task) <= MOST_WORK_HERE) return computePreview(task);
    // What came before and comes after takes a while too, for what is as large as this.
    await turn();
    const answer = await this.pool.run(packedTask(task), { owner, signal: signalOf() });
    await turn();
    return unpackedPreview(answer);
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
