const WINDOW_MILLISECONDS = 60_000;
const MOST_FAILURES = 300;
const MOST_ADDRESSES = 10_000;

interface Window {
  failures: number;
  readonly endsAt: number;
}

/** IPv6 networks are given out by their first half: whoever has one address has all of them. */
const networkOf = (address: string) => {
  const plain = address.replace(/^::ffff:/i, '');
  return plain.includes(':') ? plain.split(':').slice(0, 4).join(':') : plain;
};

/** Counts keys that open nothing by where they come from, a minute at a time, in this process alone. */
export class FailedKeys {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Counts one. The seconds after which to try again where there were too many; undefined as long as there were not. */
  count(address: string | undefined): number | undefined {
    const key = networkOf(address ?? '');
    const known = this.windows.get(key);
    const now = this.clock();
    const window = known && known.endsAt > now ? known : { failures: 0, endsAt: now + WINDOW_MILLISECONDS };
    window.failures += 1;
    if (!known && this.windows.size >= MOST_ADDRESSES) this.windows.clear();
    this.windows.set(key, window);
    return window.failures > MOST_FAILURES ? Math.max(Math.ceil((window.endsAt - now) / 1000), 1) : undefined;
  }
}
