import { refuse, withCodes, within } from '../../errors.ts';
import { isBlank, MOST_CODE_LENGTH } from '../charge-update.ts';

/** A charge or a fixed charge that is to have a code on its plan. */
export interface Coded {
  readonly code?: string | null | undefined;
  /** The code of what it prices; undefined where its own must be sent. */
  readonly base: string | undefined;
  /** Where it stands in what was sent. */
  readonly at: readonly (string | number)[];
}

const CODE_LIMIT = { limit: `at most ${MOST_CODE_LENGTH} characters` };

/** `calls`, or after `calls` and `calls_4` the code `calls_5`. */
function freeCode(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  const ranks = [...taken].map((code) => (code.startsWith(`${base}_`) ? code.slice(base.length + 1) : ''));
  const used = ranks.filter((rank) => /^[1-9]\d{0,8}$/.test(rank)).map(Number);
  return `${base}_${Math.max(1, ...used) + 1}`;
}

/**
 * Codes of new prices of a plan: those that were sent, and for others the code of what is priced, with a number where it is taken; none
 * where one must be sent. What is not to be stored is said by the second part, a check for each. Source: engine-catalogue 10.1.
 */
export function priceCodes(
  prices: readonly Coded[],
  stored: Iterable<string>,
): { readonly codes: readonly string[]; readonly checks: readonly (() => void)[] } {
  const taken = new Set(stored);
  const faults = prices.map(({ code, base }) => {
    if (code == null || isBlank(code)) return base === undefined ? ['value_is_mandatory'] : [];
    if (code.length > MOST_CODE_LENGTH) return ['value_is_too_long'];
    if (taken.has(code)) return ['value_already_exist'];
    taken.add(code);
    return [];
  });
  const codes = prices.map(({ code, base = '' }) => {
    if (code != null && !isBlank(code)) return code;
    const free = freeCode(base, taken);
    taken.add(free);
    return free;
  });
  const checks = prices.map(({ at }, index) => () => {
    within(at, () => refuse(withCodes({ code: faults[index] ?? [] }), { code: CODE_LIMIT }));
  });
  return { codes, checks };
}

/** A price of a plan whose code is to be another one. */
export interface Recoded {
  readonly before: string;
  readonly after: string;
  readonly at: readonly (string | number)[];
}

/** Refuses codes that two of the prices of a plan would have. A check for each. */
export function codeChecks(prices: readonly Recoded[]): readonly (() => void)[] {
  const taken = new Set(prices.filter(({ before, after }) => before === after).map(({ after }) => after));
  return prices.map(({ before, after, at }) => {
    const isTaken = before !== after && taken.has(after);
    taken.add(after);
    return () =>
      within(at, () => refuse(withCodes({ code: isTaken ? ['value_already_exist'] : [] }), { code: CODE_LIMIT }));
  });
}

/** A copy of a price on an override, whose code follows its parent's. */
export interface FollowingCode {
  readonly id: string;
  readonly code: string;
  readonly wanted: string;
}

/**
 * The codes that copies of one override get: those that they follow to, where no other price of the override has them or keeps them.
 * `codes` are all codes of the override.
 */
export function followedCodes(copies: readonly FollowingCode[], codes: readonly string[]): ReadonlyMap<string, string> {
  let moving = copies.filter(({ code, wanted }) => code !== wanted);
  for (;;) {
    const left = new Set(moving.map(({ code }) => code));
    const taken = new Set(codes.filter((code) => !left.has(code)));
    const free = moving.filter(({ wanted }) => !taken.has(wanted) && taken.add(wanted));
    if (free.length === moving.length) break;
    moving = free;
  }
  const next = new Map(moving.map(({ id, wanted }) => [id, wanted]));
  return new Map(copies.map(({ id, code }) => [id, next.get(id) ?? code]));
}

/** Codes for new copies on an override: those of their parents, with a number where they are taken. */
export function copiedCodes(wanted: readonly string[], codes: readonly string[]): readonly string[] {
  const taken = new Set(codes);
  return wanted.map((code) => {
    const free = freeCode(code, taken);
    taken.add(free);
    return free;
  });
}
