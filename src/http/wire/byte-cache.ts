/** Keeps what was used last, up to so many bytes in all: clients choose how much one of them takes. */
export class ByteCache<Value> {
  private readonly kept = new Map<string, { readonly value: Value; readonly bytes: number }>();
  private total = 0;

  constructor(
    private readonly limit: number,
    /** How many bytes a value takes, about. */
    private readonly weigh: (key: string, value: Value) => number,
  ) {}

  get bytes(): number {
    return this.total;
  }

  get(key: string): Value | undefined {
    const entry = this.kept.get(key);
    if (!entry) return undefined;
    this.kept.delete(key);
    this.kept.set(key, entry);
    return entry.value;
  }

  /** What would take an eighth of everything is not kept. */
  set(key: string, value: Value): void {
    this.delete(key);
    const bytes = this.weigh(key, value);
    if (bytes > this.limit / 8) return;
    this.kept.set(key, { value, bytes });
    this.total += bytes;
    for (const oldest of this.kept.keys()) {
      if (this.total <= this.limit) break;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    this.total -= this.kept.get(key)?.bytes ?? 0;
    this.kept.delete(key);
  }
}
