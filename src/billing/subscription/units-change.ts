import { boundaries } from '../period/boundaries.ts';
import type { Instant } from '../period/calendar.ts';
import type { PeriodTerms } from '../period/terms.ts';

/**
 * When other units of a fixed charge take effect: at once, or with the period of fixed charges that follows the running one.
 * Yearly from 1 January, changed on 15 June: 1 January of the next year. Source: behaviour 2.8, invoicing 6.
 */
export function unitsEffectiveAt(terms: PeriodTerms, at: Instant, immediately: boolean): Instant {
  if (immediately) return at;
  const { fixedChargesTo, nextEndOfPeriod } = boundaries(terms, Math.max(at, terms.startedAt), 'current_usage');
  return (fixedChargesTo ?? nextEndOfPeriod) + 1;
}
