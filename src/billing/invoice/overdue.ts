import { addDays, type Instant, type LocalDate, startOfDay } from '../period/calendar.ts';

/**
 * When an invoice that is not paid becomes overdue: as the day after its due date begins where the customer is. Source: engine-money 1.7.
 * For example one that is due on 2026-03-03 in Paris, at 2026-03-03T23:00:00Z.
 */
export const overdueFrom = (dueDate: LocalDate, zone: string): Instant => startOfDay(addDays(dueDate, 1), zone);
