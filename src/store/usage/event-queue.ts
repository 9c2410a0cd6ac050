import { tooManyWaiting } from '../../billing/errors.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { type EventRow, keyOf } from './event-row.ts';

/** What a caller waits for: all its events are stored together or none is. */
interface Part {
  readonly rows: readonly EventRow[];
  readonly keys: readonly string[];
  done(known: readonly number[]): void;
  failed(error: unknown): void;
}

/** Stores parts by one statement; says for each which of its events are stored already. */
export type WriteParts = (parts: readonly (readonly EventRow[])[]) => Promise<readonly (readonly number[])[]>;

export interface QueueBounds {
  /** Statements that are under way at once. */
  readonly flights: number;
  /** Events of one statement, unless one part alone has more. */
  readonly rows: number;
  /** Events that wait, of everybody and of one organization. */
  readonly waiting: number;
  readonly waitingOfOne: number;
}

const BOUNDS: QueueBounds = { flights: 2, rows: 1000, waiting: 20_000, waitingOfOne: 10_000 };

// Whoever meets an event that another stores at the same moment asks again: it is known then.
const MOST_ATTEMPTS = 3;

/**
 * Gathers the events of all callers: what arrives while statements are under way goes into the next one. Each caller is answered
 * when its own events are committed. Of equal events at one moment the first is stored, and the others are known.
 */
export class EventQueue {
  private waiting: Part[] = [];
  private count = 0;
  private readonly counts = new Map<string, number>();
  private readonly writing = new Set<string>();
  private flights = 0;
  private isPlanned = false;

  constructor(
    private readonly write: WriteParts,
    private readonly bounds: QueueBounds = BOUNDS,
  ) {}

  /** Stores events of one organization; answers the places of those that are stored already, of which any lets none be stored. */
  add(rows: readonly EventRow[]): Promise<readonly number[]> {
    const organizationId = rows[0]?.organizationId ?? '';
    const ofOne = this.counts.get(organizationId) ?? 0;
    const { waiting, waitingOfOne } = this.bounds;
    if (this.count + rows.length > waiting || ofOne + rows.length > waitingOfOne) throw tooManyWaiting();
    this.tally(organizationId, rows.length);
    return new Promise((resolve, reject) => {
      const answered = <T>(answer: (value: T) => void) => {
        return (value: T) => {
          this.tally(organizationId, -rows.length);
          answer(value);
        };
      };
      this.waiting.push({ rows, keys: rows.map(keyOf), done: answered(resolve), failed: answered(reject) });
      this.plan();
    });
  }

  /** Events that wait or are under way. */
  size(): number {
    return this.count;
  }

  private tally(organizationId: string, change: number): void {
    this.count += change;
    const left = (this.counts.get(organizationId) ?? 0) + change;
    if (left > 0) this.counts.set(organizationId, left);
    else this.counts.delete(organizationId);
  }

  // Whatever arrives in one turn of the event loop goes together.
  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => {
      this.isPlanned = false;
      while (this.flights < this.bounds.flights && this.depart());
    });
  }

  /** Sends what waits, and says whether there was something. */
  private depart(): boolean {
    const parts = this.board();
    if (parts.length === 0) return false;
    const keys = parts.flatMap((part) => part.keys);
    this.flights += 1;
    void this.fly(parts).finally(() => {
      this.flights -= 1;
      for (const key of keys) this.writing.delete(key);
      this.plan();
    });
    return true;
  }

  /** What goes together: no more rows than a statement takes, and no event that is under way. */
  private board(): Part[] {
    const [boarded, left]: [Part[], Part[]] = [[], []];
    let rows = 0;
    for (const part of this.waiting) {
      const fits = boarded.length === 0 || rows + part.rows.length <= this.bounds.rows;
      if (!fits || part.keys.some((key) => this.writing.has(key))) {
        left.push(part);
        continue;
      }
      boarded.push(part);
      rows += part.rows.length;
      for (const key of part.keys) this.writing.add(key);
    }
    this.waiting = left;
    return boarded;
  }

  private async fly(parts: readonly Part[], attempt = 1): Promise<void> {
    try {
      const known = await this.write(parts.map(({ rows }) => rows));
      for (const [index, part] of parts.entries()) part.done(known[index] ?? []);
    } catch (error) {
      if (isDatabaseUnavailable(error) || (parts.length === 1 && attempt >= MOST_ATTEMPTS)) {
        for (const part of parts) part.failed(error);
      } else {
        // Nothing was stored. What one part fails by does not fail the others.
        const middle = Math.ceil(parts.length / 2);
        const again = parts.length === 1 ? attempt + 1 : 1;
        await this.fly(parts.slice(0, middle), again);
        if (middle < parts.length) await this.fly(parts.slice(middle));
      }
    }
  }
}
