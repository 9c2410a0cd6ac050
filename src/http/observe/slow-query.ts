import type { Logger } from 'pino';
import { currentActivity, type Statement } from './activity.ts';

const LONGEST_SQL = 4000;

/** Logs statements that take `limit` milliseconds or longer, also those that failed, with the operation they were for. Their values are not logged. */
export function slowQueries(limit: number, logger: Logger) {
  return ({ sql, milliseconds, failed }: Statement): void => {
    if (milliseconds < limit) return;
    const { requestId, operation, caller } = currentActivity()?.exchange ?? {};
    const shown = sql.length > LONGEST_SQL ? `${sql.slice(0, LONGEST_SQL)}...` : sql;
    const organizationId = caller?.organizationId;
    logger.warn({ ms: milliseconds, failed, operation, requestId, organizationId, sql: shown }, 'slow query');
  };
}
