import { conflict } from '../../billing/errors.ts';
import type { Database } from '../database/database.ts';
import type { Stop } from '../database/notification.ts';

/** Models whose rows the database tells of. */
export type ChangingModel = 'Invoice' | 'Wallet' | 'PaymentRequest';

/** A row that was made or changed; what it is now is read when it is shown. */
export interface Change {
  readonly organizationId: string;
  readonly model: ChangingModel;
  readonly id: string;
  readonly customerId: string;
}

/** Why no more changes come. `service_unavailable`: some may have been missed; `too_slow`: too many were waiting. */
export type EndCode = 'service_unavailable' | 'too_slow';

class ChangesEndedError extends Error {
  override readonly name = 'ChangesEndedError';
  /** By this word it is known as the database's, not the client's, fault. */
  readonly kind: string;
  constructor(readonly code: EndCode) {
    super(code);
    this.kind = code === 'service_unavailable' ? 'ConnectionClosed' : code;
  }
}

const CHANNEL = 'billing_changes';
const MOST_WAITING = 1000;
const MOST_SUBSCRIBERS = 1000; // of one organization, in one process

/** The changes that one subscriber has not read yet. A row that changes again while it waits is read once. */
export class ChangeQueue implements AsyncIterableIterator<Change> {
  private readonly waiting = new Map<string, Change>();
  private reader: ((result: Promise<IteratorResult<Change>> | IteratorResult<Change>) => void) | undefined;
  private ending: EndCode | 'done' | undefined;

  constructor(
    readonly accepts: (change: Change) => boolean,
    private readonly onClose: (queue: ChangeQueue) => void,
  ) {}

  push(change: Change): void {
    if (this.ending || !this.accepts(change)) return;
    if (this.reader) this.give({ value: change, done: false });
    else if (this.waiting.size >= MOST_WAITING && !this.waiting.has(change.id)) this.end('too_slow');
    else this.waiting.set(change.id, change);
  }

  /** What waits is dropped; the reader gets a ChangesEndedError. */
  end(code: EndCode): void {
    if (this.ending) return;
    this.waiting.clear();
    this.onClose(this);
    this.ending = code;
    if (this.reader) this.give(this.last());
  }

  next(): Promise<IteratorResult<Change>> {
    if (this.ending) return this.last();
    for (const [id, change] of this.waiting) {
      this.waiting.delete(id);
      return Promise.resolve({ value: change, done: false });
    }
    return new Promise((resolve) => {
      this.reader = resolve;
    });
  }

  return(): Promise<IteratorResult<Change>> {
    this.onClose(this);
    this.ending = 'done';
    this.waiting.clear();
    this.give({ value: undefined, done: true });
    return this.last();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private give(result: Promise<IteratorResult<Change>> | IteratorResult<Change>): void {
    this.reader?.(result);
    this.reader = undefined;
  }

  private last(): Promise<IteratorResult<Change>> {
    const code = this.ending;
    this.ending = 'done';
    if (code !== 'done' && code !== undefined) return Promise.reject(new ChangesEndedError(code));
    return Promise.resolve({ value: undefined, done: true });
  }
}

// Anybody who may connect to the database may tell something on the channel.
function readChange(payload: string): Change | undefined {
  try {
    const { o, t, id, c } = JSON.parse(payload) as Record<'o' | 'id' | 'c', string> & { t: ChangingModel };
    return { organizationId: o, model: t, id, customerId: c };
  } catch {
    return undefined;
  }
}

/**
 * Hands the database's changes to the subscribers of their organization. One connection a process listens, from the first
 * subscriber on. When it is lost every queue ends, so that nobody takes silence for rest; the next subscriber connects again.
 */
export class Changes {
  private readonly queues = new Map<string, Set<ChangeQueue>>();
  private listening: Promise<Stop> | undefined;
  private closed = false;

  constructor(private readonly db: Pick<Database, 'listen'>) {}

  /** Subscribers at the moment. */
  get size(): number {
    return [...this.queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The changes of an organization from now on. Throws when the database cannot be listened to. */
  async subscribe(organizationId: string, accepts: (change: Change) => boolean): Promise<ChangeQueue> {
    await this.connect();
    const queues = this.queues.get(organizationId) ?? new Set();
    if (this.closed) throw new ChangesEndedError('service_unavailable');
    if (queues.size >= MOST_SUBSCRIBERS) throw conflict('Too many live operations');
    const queue = new ChangeQueue(accepts, (ended) => {
      queues.delete(ended);
      if (queues.size === 0 && this.queues.get(organizationId) === queues) this.queues.delete(organizationId);
    });
    this.queues.set(organizationId, queues.add(queue));
    return queue;
  }

  /** Ends every queue and takes no more subscribers. `close` ends the connection that listens. */
  end(): void {
    this.closed = true;
    this.endQueues();
  }

  async close(): Promise<void> {
    const { listening } = this;
    this.end();
    this.listening = undefined;
    const stop = await listening?.catch(() => undefined);
    await stop?.();
  }

  private connect(): Promise<Stop> {
    if (this.closed) return Promise.reject(new ChangesEndedError('service_unavailable'));
    if (this.listening) return this.listening;
    const listening = this.db.listen(CHANNEL, {
      onMessage: (payload) => this.receive(payload),
      onLost: () => this.listening === listening && this.lose(),
    });
    this.listening = listening;
    listening.catch(() => {
      if (this.listening === listening) this.listening = undefined;
    });
    return listening;
  }

  private receive(payload: string): void {
    const change = readChange(payload);
    for (const queue of (change && this.queues.get(change.organizationId)) ?? []) queue.push(change as Change);
  }

  private lose(): void {
    this.listening = undefined;
    this.endQueues();
  }

  private endQueues(): void {
    for (const queues of [...this.queues.values()]) for (const queue of [...queues]) queue.end('service_unavailable');
  }
}
