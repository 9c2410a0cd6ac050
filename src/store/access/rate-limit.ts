import type { PrismaClient } from '../generated/prisma/client.ts';
import { type Counter, databaseCounter, memoryCounter, redisCounter } from './rate-limit-counter.ts';

/** How a key stands after a request has been counted. */
export interface Standing {
  readonly isAllowed: boolean;
  readonly limit: number;
  /** Points that are left in this window, as far as this process knows. */
  readonly remaining: number;
  /** Milliseconds until the window ends and all points are there again. */
  readonly endsIn: number;
}

export interface RateLimiterOptions {
  /** Points of a key in a minute. */
  readonly limit: number;
  /** Where processes count together; a server's database where it is absent, this process alone where both are. */
  readonly redisUrl?: string | undefined;
  readonly prisma?: PrismaClient | undefined;
  /** Told once when counting together begins to fail, until it works again. */
  readonly onDown: (cause: unknown) => void;
  /** Milliseconds that pass evenly; for tests. */
  readonly clock?: () => number;
}

interface Lease {
  /** Points that are counted as spent already and that this process may give out. */
  balance: number;
  /** Points that nobody has taken yet. */
  left: number;
  endsAt: number;
  taking?: Promise<void> | undefined;
}

// A lease is a hundredth of the limit, and no more than what is asked for once a tenth is left: near its end the limit is
// exact to the point, whichever process is asked.
const LEASES = 100;
const LEASED_UNTIL = 10;
const MOST_LEASES = 10_000;
const PATIENCE = 500;
const REST_AFTER_FAILURE = 5000;

const within = <T>(promise: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no count within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/**
 * Counts the points that keys spend in a minute. Processes take them by leases, so that most requests cost no statement;
 * all together never give out more than the limit. While the common count is down, every process counts for itself.
 */
export class RateLimiter {
  private readonly shared: Counter;
  private readonly own = memoryCounter();
  private readonly leases = new Map<string, Lease>();
  private readonly clock: () => number;
  private restsUntil = 0;
  private isDown = false;

  constructor(private readonly options: RateLimiterOptions) {
    const { redisUrl, prisma } = options;
    this.clock = options.clock ?? (() => performance.now());
    this.shared = redisUrl ? redisCounter(redisUrl) : prisma ? databaseCounter(prisma) : memoryCounter();
  }

  /** Spends points of a key. Not allowed, it spends nothing. More points than the limit count as the whole limit. */
  async spend(key: string, wanted: number): Promise<Standing> {
    const { limit } = this.options;
    const points = Math.min(wanted, limit);
    let lease = this.leaseOf(key);
    while (lease.balance < points && lease.left > 0) {
      lease.taking ??= this.take(lease, key, points - lease.balance);
      await lease.taking;
      lease = this.leaseOf(key);
    }
    const isAllowed = lease.balance >= points;
    if (isAllowed) lease.balance -= points;
    const endsIn = Math.max(lease.endsAt - this.clock(), 0);
    return { isAllowed, limit, remaining: lease.balance + lease.left, endsIn };
  }

  async close(): Promise<void> {
    await this.shared.close();
  }

  private leaseOf(key: string): Lease {
    const known = this.leases.get(key);
    if (known && (known.taking || known.endsAt > this.clock())) return known;
    if (this.leases.size >= MOST_LEASES) this.leases.clear();
    const lease = { balance: 0, left: this.options.limit, endsAt: Number.POSITIVE_INFINITY };
    this.leases.set(key, lease);
    return lease;
  }

  private async take(lease: Lease, key: string, needed: number): Promise<void> {
    const { limit } = this.options;
    const isEarly = lease.left > limit / LEASED_UNTIL;
    const asked = Math.min(Math.max(needed, isEarly ? Math.floor(limit / LEASES) : 0), limit);
    try {
      const { spent, endsIn } = await this.count(key, asked);
      lease.balance += Math.max(asked - Math.max(spent - limit, 0), 0);
      lease.left = Math.max(limit - spent, 0);
      lease.endsAt = this.clock() + Math.max(endsIn, 1);
    } finally {
      lease.taking = undefined;
    }
  }

  private async count(key: string, points: number) {
    if (this.restsUntil > this.clock()) return this.own.add(key, points);
    try {
      const count = await within(this.shared.add(key, points), PATIENCE);
      this.isDown = false;
      return count;
    } catch (cause) {
      this.restsUntil = this.clock() + REST_AFTER_FAILURE;
      if (!this.isDown) this.options.onDown(cause);
      this.isDown = true;
      return this.own.add(key, points);
    }
  }
}
