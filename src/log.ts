import { pino } from 'pino';

/**
 * Writes the lines of one turn of the event loop together: under load there are many, and each write costs more than its line. They
 * are written when the process ends, too, also by an error that nobody caught.
 */
function byTurn(destination: ReturnType<typeof pino.destination>) {
  let lines = '';
  const flush = () => {
    const written = lines;
    lines = '';
    if (written !== '') destination.write(written);
  };
  process.on('exit', () => {
    flush();
    destination.flushSync();
  });
  return {
    write(line: string) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

/** One JSON line an event on stderr. Keys are never written, wherever they stand. */
export const createLogger = (level: string) =>
  pino(
    {
      level,
      base: { pid: process.pid },
      redact: ['authorization', '*.authorization', '*.headers.authorization', 'key', '*.key', 'DATABASE_URL'],
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    byTurn(pino.destination({ dest: 2, sync: true })),
  );
