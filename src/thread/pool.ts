import { GivenUpError, type ThreadOptions, WorkThread } from './thread.ts';

export interface PoolOptions extends ThreadOptions {
  /** Tasks that are done at once, each in a thread of its own. */
  readonly atOnce: number;
  /** Tasks that may wait for a thread. */
  readonly mostWaiting: number;
  /** Milliseconds that one task may take, waiting not counted. */
  readonly longest: number;
}

/** More tasks are waiting than there is room for; asking again later helps. */
export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError';
}

/** Whether a task was not done because of the moment: too much to do, or no time left. */
export const isTooBusy = (error: unknown): boolean =>
  error instanceof PoolBusyError ||
  error instanceof GivenUpError ||
  (error instanceof DOMException && error.name === 'AbortError');

export interface Asking {
  /** Whose task it is: who asks for many lets others go before. */
  readonly owner?: string;
  /** Tells that nobody wants the result any more. */
  readonly signal?: AbortSignal;
}

interface Waiting<Thread> {
  readonly owner: string;
  take(thread: Thread): void;
  refuse(error: Error): void;
}

const NEVER = new AbortController().signal;

/** Threads beside the one that answers requests: a few tasks at once, the others in their order. */
export class ThreadPool<Task, Result> {
  private readonly threads: readonly WorkThread<Task, Result>[];
  private readonly free: WorkThread<Task, Result>[];
  private readonly waiting: Waiting<WorkThread<Task, Result>>[] = [];
  private lastOwner = '';

  constructor(private readonly options: PoolOptions) {
    this.threads = Array.from({ length: options.atOnce }, () => new WorkThread<Task, Result>(options));
    this.free = [...this.threads];
  }

  /**
   * What the thread makes of a task. Throws PoolBusyError when too many are waiting, or half of that for one owner, and GivenUpError once the signal says that
   * nobody wants it any more, or its time is over: a task that runs is ended, and one that waits leaves.
   */
  async run(task: Task, { owner = '', signal = NEVER }: Asking = {}): Promise<Result> {
    const thread = await this.acquire(owner, signal);
    const ending = new AbortController();
    const onEnd = () => ending.abort();
    const timer = setTimeout(onEnd, this.options.longest);
    signal.addEventListener('abort', onEnd, { once: true });
    if (signal.aborted) onEnd();
    try {
      return await thread.run(task, ending.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onEnd);
      this.handOn(thread);
    }
  }

  /** Ends the threads; what they were doing fails, and what was waiting for them. */
  async close(): Promise<void> {
    for (const { refuse } of this.waiting.splice(0)) refuse(new PoolBusyError('the threads are closed'));
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private handOn(thread: WorkThread<Task, Result>): void {
    const others = this.waiting.findIndex(({ owner }) => owner !== this.lastOwner);
    const [next] = this.waiting.splice(Math.max(others, 0), 1);
    if (!next) return void this.free.push(thread);
    this.lastOwner = next.owner;
    next.take(thread);
  }

  private isFull(owner: string): boolean {
    const { mostWaiting } = this.options;
    if (this.waiting.length >= mostWaiting) return true;
    return owner !== '' && this.waiting.filter((one) => one.owner === owner).length >= mostWaiting / 2;
  }

  private acquire(owner: string, signal: AbortSignal): WorkThread<Task, Result> | Promise<WorkThread<Task, Result>> {
    if (signal.aborted) throw new GivenUpError('nobody waits for the work any more');
    const thread = this.free.pop();
    if (thread) {
      this.lastOwner = owner;
      return thread;
    }
    if (this.isFull(owner)) throw new PoolBusyError('too much work is waiting');
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const one = {
        owner,
        take: (free: WorkThread<Task, Result>) => end(() => resolve(free)),
        refuse: (error: Error) => end(() => reject(error)),
      };
      const onAbort = () => {
        this.waiting.splice(this.waiting.indexOf(one), 1);
        one.refuse(new GivenUpError('nobody waits for the work any more'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(one);
    });
  }
}
