import type { Instant } from '../../src/billing/period/calendar.ts';
import { advance } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState } from '../../src/billing/timeline/timeline-type.ts';
import type { InvoiceRow } from './document.ts';
import { finalRun } from './moments.ts';

/** One thing that happened to a customer. At one moment a lower rank is first. */
export interface Happening {
  readonly at: Instant;
  readonly rank: number;
  readonly run: (state: TimelineState) => TimelineState;
}

/** What is known of a customer's life after it: the state, and when each invoice became final. */
export interface Life {
  readonly state: TimelineState;
  readonly finalizedAt: ReadonlyMap<string, Instant>;
  /** The rows of invoices that no subscription made, by the name the timeline gave them. */
  readonly asides: ReadonlyMap<string, InvoiceRow>;
}

/** Drafts whose day comes before a moment become final on it, one day after another. */
function finalizeUntil(state: TimelineState, until: Instant, zone: string): TimelineState {
  const due = state.invoices
    .filter(({ status }) => status === 'draft')
    .map((draft) => finalRun(draft.expectedFinalizationDate, zone));
  const at = Math.min(...due);
  if (at >= until) return state;
  return finalizeUntil(advance(state, { at, do: 'finalize_drafts', onlyDue: true }).state, until, zone);
}

/** What comes of the happenings before a moment in their order, drafts becoming final on their days. */
export function live(
  happenings: readonly Happening[],
  start: TimelineState,
  zone: string,
  asides: Life['asides'],
  until: Instant,
): Life {
  const finalizedAt = new Map<string, Instant>();
  let state = start;
  const note = (at: (state: TimelineState) => Instant) => {
    for (const { id, status } of state.invoices) {
      if (status === 'finalized' && !finalizedAt.has(id)) finalizedAt.set(id, at(state));
    }
  };
  const lived = happenings.filter(({ at }) => at < until);
  for (const { at, run } of [...lived, { at: until, run: (last: TimelineState) => last }]) {
    const before = new Set(state.invoices.filter(({ status }) => status === 'draft').map(({ id }) => id));
    state = finalizeUntil(state, at, zone);
    for (const { id, status, expectedFinalizationDate } of state.invoices) {
      if (before.has(id) && status !== 'draft') finalizedAt.set(id, finalRun(expectedFinalizationDate, zone));
    }
    state = run(state);
    note(() => at);
  }
  return { state, finalizedAt, asides };
}
