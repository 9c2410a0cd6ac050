import type { TenantClient } from '../../store/database/tenant.ts';
import { completeUntil } from '../../store/usage/event-intake.ts';

/**
 * The moment up to which usage is complete: every event that was acknowledged until then counts, exactly once. What is billed for a
 * period waits until it has passed the period's end.
 */
export const usageCompleteUntil = (db: TenantClient): Promise<Date> => completeUntil(db);
