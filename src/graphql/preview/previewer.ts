import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { invalid } from '../../billing/errors.ts';
import type { Preview } from '../../billing/preview/preview-type.ts';
import { invoiceWork } from '../../billing/preview/work.ts';
import { type Asking, PoolBusyError, ThreadPool } from '../../thread/pool.ts';
import { TooLargeError } from '../../thread/thread.ts';
import { computePreview, type PackedPreview, type PreviewTask, packedTask, unpackedPreview } from './compute.ts';

// Some twenty milliseconds of this thread; the way to another one and back takes two, and starting it a second.
const MOST_WORK_HERE = 5000;

const LONGEST = 60_000;
const MEMORY = 768;
const MOST_WAITING = 40;
// Usage waits for a thread in this one's memory: so many groups of it at most, of some kilobytes each, or one preview's.
const MOST_HELD = 100_000;

const groupsOf = ({ usage }: PreviewTask): number =>
  Object.values(usage.groups).reduce((sum, groups) => sum + groups.length, 0);

function workOf(task: PreviewTask): number {
  const { request, account, catalogue } = task;
  const plans = [...account.subscriptions.map(({ plan }) => plan), ...catalogue.plans];
  const pastFees = account.pastInvoices.reduce((sum, { fees }) => sum + fees.length, 0);
  return invoiceWork({ plans, groups: groupsOf(task), usage: request.usage ?? [], pastFees });
}

/** Computes previews: small ones at once, large ones in a thread beside the one that answers requests. */
export class Previewer {
  private readonly pool: ThreadPool<unknown, PackedPreview>;
  private readonly mostHeld: number;
  private held = 0;

  /** `memory`: megabytes that a thread may hold; `mostHeld`: groups of usage that may wait. */
  constructor({ memory = MEMORY, mostHeld = MOST_HELD } = {}) {
    this.mostHeld = mostHeld;
    this.pool = new ThreadPool({
      file: new URL('./worker.ts', import.meta.url),
      memory,
      atOnce: Math.min(Math.max(availableParallelism() - 1, 1), 2),
      mostWaiting: MOST_WAITING,
      longest: LONGEST,
    });
  }

  /**
   * Throws what `previewInvoice` throws, what the pool throws, and a validation error for what no thread can hold. The owner is the
   * organization that asks; the signal, which is made for what is large only, tells that nobody waits for the answer any more.
   */
  async preview(task: PreviewTask, owner: string, signalOf: () => AbortSignal): Promise<Preview> {
    if (workOf(task) <= MOST_WORK_HERE) return computePreview(task);
    // What came before and comes after takes a while too, for what is as large as this.
    await turn();
    const answer = await this.away(task, { owner, signal: signalOf() });
    await turn();
    return unpackedPreview(answer);
  }

  private async away(task: PreviewTask, asking: Asking): Promise<PackedPreview> {
    const groups = groupsOf(task);
    if (this.held > 0 && this.held + groups > this.mostHeld) throw new PoolBusyError('too much usage is waiting');
    this.held += groups;
    try {
      return await this.pool.run(packedTask(task), asking);
    } catch (error) {
      throw error instanceof TooLargeError ? invalid({ usage: ['value_is_too_long'] }) : error;
    } finally {
      this.held -= groups;
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
