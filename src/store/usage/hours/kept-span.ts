/** Moments in milliseconds, both ends included; null for no beginning. */
export interface Range {
  readonly from: number | null;
  readonly to: number;
}

/** What of a time is read from what is kept of whole stretches of UTC, and what is left of events at its ends. */
interface Kept {
  readonly cut: readonly Range[];
}

export interface KeptHours extends Kept {
  readonly hours: Range;
  /** Hours among them that are read from events. */
  readonly without: readonly number[];
}

export interface KeptValues extends Kept {
  readonly months: Range | null;
  readonly days: readonly Range[];
  /** The month that goes on after the time: it is read as a whole where nothing happened in it later, else its days and their rest. */
  readonly running: {
    readonly month: number;
    readonly later: Range;
    readonly days: readonly Range[];
    readonly cut: readonly Range[];
  } | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const floor = (at: number, step: number) => Math.floor(at / step) * step;
const ceil = (at: number, step: number) => Math.ceil(at / step) * step;

function monthStart(at: number, later = 0): number {
  const date = new Date(at);
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
const ceilMonth = (at: number) => (monthStart(at) === at ? at : monthStart(at, 1));

const isSome = ({ from, to }: Range) => from === null || from <= to;

/** The whole hours of a time, but those within which one of the moments is. */
export function keptHours({ from, to }: Range, moments: readonly number[]): KeptHours {
  const end = to + 1;
  const within = moments.filter((at) => at > (from ?? Number.NEGATIVE_INFINITY) && at < end);
  const points = [...(from === null ? [] : [from]), ...within, end];
  const without = [...new Set(points.filter((at) => at % HOUR_MS !== 0).map((at) => floor(at, HOUR_MS)))];
  const cut = without.map((hour) => ({
    from: Math.max(hour, from ?? hour),
    to: Math.min(hour + HOUR_MS, end) - 1,
  }));
  const hours = { from: from === null ? null : ceil(from, HOUR_MS), to: floor(end, HOUR_MS) - 1 };
  return { hours, without, cut };
}

/** The whole months and days of a time. */
export function keptValues({ from, to }: Range): KeptValues {
  const end = to + 1;
  const whole = { from: from === null ? null : ceil(from, DAY_MS), to: floor(end, DAY_MS) - 1 };
  const month = monthStart(end);
  const first = from === null ? null : ceilMonth(from);
  if (first !== null && first > month) {
    const head = from === null || !isSome(whole) ? [] : [{ from, to: (whole.from ?? 0) - 1 }];
    const cut = isSome(whole) ? [...head, { from: whole.to + 1, to }] : [{ from, to }];
    return { months: null, days: [whole].filter(isSome), cut: cut.filter(isSome), running: null };
  }
  const before = from === null || first === null ? [] : [{ from: ceil(from, DAY_MS), to: first - 1 }];
  const head = from === null ? [] : [{ from, to: ceil(from, DAY_MS) - 1 }];
  const months = { from: first, to: month - 1 };
  const isCut = end > month;
  return {
    ...{ months: isSome(months) ? months : null, days: before.filter(isSome), cut: head.filter(isSome) },
    running: isCut
      ? {
          ...{ month, later: { from: end, to: monthStart(month, 1) - 1 } },
          days: [{ from: month, to: whole.to }].filter(isSome),
          cut: [{ from: whole.to + 1, to }].filter(isSome),
        }
      : null,
  };
}
