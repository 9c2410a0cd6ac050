import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
} from '@prisma/driver-adapter-utils';
import { DatabaseBusyError } from './unavailable.ts';

/** For whom the database is asked. */
interface Asker {
  readonly organizationId: string;
  /** A transaction in which nothing is written. */
  readonly isReading: boolean;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

/** Runs what asks the database for an organization: it holds connections out of the organization's share. */
export const asOrganization = <T>(organizationId: string, run: () => Promise<T>, isReading = false): Promise<T> =>
  askers.run({ organizationId, isReading }, run);

/** Gives a connection back; done again, it does nothing. */
type Release = () => void;

/** Runs what asks the database for several organizations at once, whose shares do not bound it. */
export const asNobody = <T>(run: () => Promise<T>): Promise<T> => askers.run(undefined, run);

interface Waiting {
  readonly isWriting: boolean;
  take(): void;
}

interface Held {
  all: number;
  writing: number;
  readonly waiting: Set<Waiting>;
}

export interface ShareOptions {
  /** Connections that one organization holds at most; half of them, and one at least, where it writes. */
  readonly most: number;
  /** Milliseconds that a statement waits for a connection of its share. */
  readonly patience: number;
}

const NOTHING: Release = () => undefined;

/**
 * Bounds the connections that each organization holds of a pool: writes that wait for a locked row then keep neither other
 * organizations nor their own organization's reads waiting. What is asked for nobody, such as keys, is not bounded.
 */
export class ConnectionShare {
  private readonly held = new Map<string, Held>();

  constructor(private readonly options: ShareOptions) {}

  /** Waits for a connection of the asker's share. Throws DatabaseBusyError when none becomes free in time. */
  async take(writes: boolean): Promise<Release> {
    const asker = askers.getStore();
    if (!asker) return NOTHING;
    const { organizationId } = asker;
    const isWriting = writes && !asker.isReading;
    const held = this.held.get(organizationId) ?? { all: 0, writing: 0, waiting: new Set<Waiting>() };
    this.held.set(organizationId, held);
    if (!this.isFree(held, isWriting)) await this.wait(held, isWriting);
    else this.count(held, isWriting, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.count(held, isWriting, -1);
      this.handOn(held);
      if (held.all === 0 && held.waiting.size === 0) this.held.delete(organizationId);
    };
  }

  private isFree({ all, writing }: Held, isWriting: boolean): boolean {
    const { most } = this.options;
    return all < most && (!isWriting || writing < Math.ceil(most / 2));
  }

  private count(held: Held, isWriting: boolean, change: number): void {
    held.all += change;
    if (isWriting) held.writing += change;
  }

  // Whoever waits is counted by who lets it go on, so that nobody comes between.
  private handOn(held: Held): void {
    for (const one of held.waiting) {
      if (!this.isFree(held, one.isWriting)) continue;
      held.waiting.delete(one);
      this.count(held, one.isWriting, 1);
      one.take();
    }
  }

  private wait(held: Held, isWriting: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { isWriting, take };
      const timer = setTimeout(() => {
        held.waiting.delete(waiting);
        reject(new DatabaseBusyError('the organization asks too much of the database at once'));
      }, this.options.patience);
      held.waiting.add(waiting);
    });
  }
}

const WRITE = /\b(?:INSERT|UPDATE|DELETE)\b/;

/** Runs a statement on a connection of the share. */
export async function within<T>(share: ConnectionShare, sql: string, send: () => Promise<T>): Promise<T> {
  const release = await share.take(WRITE.test(sql));
  try {
    return await send();
  } finally {
    release();
  }
}

function sharingAdapter(adapter: SqlDriverAdapter, share: ConnectionShare): SqlDriverAdapter {
  const queryRaw: SqlQueryable['queryRaw'] = adapter.queryRaw.bind(adapter);
  const executeRaw: SqlQueryable['executeRaw'] = adapter.executeRaw.bind(adapter);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.queryRaw = (query) => within(share, query.sql, () => queryRaw(query));
  adapter.executeRaw = (query) => within(share, query.sql, () => executeRaw(query));
  adapter.startTransaction = async (level) => {
    const release = await share.take(true);
    try {
      const transaction = await startTransaction(level);
      const [commit, rollback] = [transaction.commit.bind(transaction), transaction.rollback.bind(transaction)];
      transaction.commit = () => commit().finally(release);
      transaction.rollback = () => rollback().finally(release);
      return transaction;
    } catch (error) {
      release();
      throw error;
    }
  };
  return adapter;
}

/** The same driver adapter, whose statements and transactions hold connections of the share. */
export function withShare(
  factory: SqlMigrationAwareDriverAdapterFactory,
  share: ConnectionShare,
): SqlMigrationAwareDriverAdapterFactory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => sharingAdapter(await connect(), share);
  return factory;
}
