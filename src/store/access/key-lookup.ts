import type { ApiKey, PrismaClient } from '../generated/prisma/client.ts';

/** A key, and what time it is for its organization where that has a clock of its own. */
export type KeyRow = ApiKey & { readonly organization: { readonly testClockAt: Date | null } };

const include = { organization: { select: { testClockAt: true } } } as const;

const MOST_AT_ONCE = 500;
const PAUSE_MILLISECONDS = 50;
const UNKNOWN_MILLISECONDS = 2000;
const MOST_REMEMBERED = 10_000;

interface Waiting {
  readonly keyHash: string;
  resolve(row: KeyRow | null): void;
  reject(error: unknown): void;
}

/**
 * Finds the rows of keys by their hashes. Who guesses keys sends new ones all the time: those that were not known a moment
 * ago are looked up together, one statement at a time and twenty a second while nothing is found, so that guessing costs
 * the database nothing, and a good key is never refused for it: a new one waits a twentieth of a second at most.
 */
export class KeyLookup {
  private readonly good = new Set<string>();
  private readonly unknown = new Map<string, number>();
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(private readonly prisma: PrismaClient) {}

  async find(keyHash: string): Promise<KeyRow | null> {
    if (this.good.has(keyHash)) {
      return this.note(keyHash, await this.prisma.apiKey.findUnique({ where: { keyHash }, include }));
    }
    if ((this.unknown.get(keyHash) ?? 0) > performance.now()) return null;
    return new Promise<KeyRow | null>((resolve, reject) => {
      this.waiting.push({ keyHash, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, MOST_AT_ONCE);
      const found = await this.findTogether(some);
      if (!found) await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
    this.isRunning = false;
  }

  /** Whether any of them is a key. */
  private async findTogether(some: readonly Waiting[]): Promise<boolean> {
    try {
      const keyHash = { in: [...new Set(some.map((one) => one.keyHash))] };
      const rows = await this.prisma.apiKey.findMany({ where: { keyHash }, include });
      const byHash = new Map(rows.map((row) => [row.keyHash, row]));
      for (const one of some) one.resolve(this.note(one.keyHash, byHash.get(one.keyHash) ?? null));
      return rows.length > 0;
    } catch (error) {
      for (const one of some) one.reject(error);
      return false;
    }
  }

  private note(keyHash: string, row: KeyRow | null): KeyRow | null {
    if (row) {
      if (this.good.size >= MOST_REMEMBERED) this.good.clear();
      this.good.add(keyHash);
    } else {
      this.good.delete(keyHash);
      if (this.unknown.size >= MOST_REMEMBERED) this.unknown.clear();
      this.unknown.set(keyHash, performance.now() + UNKNOWN_MILLISECONDS);
    }
    return row;
  }
}
