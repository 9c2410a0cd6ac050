// SQLSTATEs of a server that cannot do now what it can do at another time: whole classes by their first two characters.
// 08 a connection, 53 its resources (connections, memory, a full disk), 58 its system (reading and writing files).
const CLASSES = new Set(['08', '53', '58']);
const STATES = new Set([
  // It shuts down, starts or has ended the connection; a statement was cancelled or ran into its time limit.
  ...['57P01', '57P02', '57P03', '57P05', '57014', '25P03'],
  // It takes no writes (a standby, a maintenance), a lock is held for too long, others changed the same.
  ...['25006', '55P03', '55006', '40001', '40P01', '40003', '40000'],
]);
// Codes of Prisma and Node that say the same, or that the database could not be reached.
const CODES = new Set([
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'],
]);
const CONFLICT = 'TransactionWriteConflict';
const KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections', CONFLICT]);
const TEXT =
  /timeout exceeded when trying to connect|Connection terminated|encountered a connection error|Client was closed|Can't reach database|PGlite is closed/i;

const DEEPEST = 5;

/** An error of the database is wrapped by the adapter, by Prisma and by whoever passes it on. */
function someCause(error: unknown, test: (cause: Record<string, unknown>) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST) return false;
  const one = error as Record<string, unknown>;
  if (test(one)) return true;
  const { driverAdapterError } = (one.meta ?? {}) as { driverAdapterError?: unknown };
  return someCause(one.cause, test, depth + 1) || someCause(driverAdapterError, test, depth + 1);
}

const isState = (text: string) => text.length === 5 && (STATES.has(text) || CLASSES.has(text.slice(0, 2)));

const codesOf = ({ code, originalCode }: Record<string, unknown>) => [String(code), String(originalCode)];

/** More is asked of the database than one client may ask of it at once; asking again later helps. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
}

/** Whether an error says that the database cannot do now what it can at another time, at any depth of its causes. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  someCause(
    error,
    (cause) =>
      cause instanceof DatabaseBusyError ||
      codesOf(cause).some((code) => CODES.has(code) || isState(code)) ||
      KINDS.has(String(cause.kind)) ||
      (typeof cause.message === 'string' && TEXT.test(cause.message)),
  );

const CONFLICTS = new Set(['40001', '40P01', 'P2034']);

/** Whether two transactions were in each other's way: one of them was undone as a whole, and may succeed when it is repeated. */
export const isConflict = (error: unknown): boolean =>
  someCause(error, (cause) => cause.kind === CONFLICT || codesOf(cause).some((code) => CONFLICTS.has(code)));

/** Whether it failed because of what others do at the same time: a conflict, or a row that they hold for too long. */
export const isHeldByOthers = (error: unknown): boolean =>
  isConflict(error) || someCause(error, (cause) => codesOf(cause).includes('55P03'));

const NO_WRITES = new Set(['53100', '25006', '58030']);

/** Whether an error says that nothing can be written: a full disk, a server that only reads, a disk that fails. */
export const isWriteRefused = (error: unknown): boolean =>
  someCause(error, (cause) => codesOf(cause).some((code) => NO_WRITES.has(code)));

/** Whether an error says that what was to be put away is in use (55006). */
export const isInUse = (error: unknown): boolean => someCause(error, (cause) => codesOf(cause).includes('55006'));

/** Whether an error says that a row is there already, which the database keeps unique. */
export const isTaken = (error: unknown): boolean =>
  someCause(error, (cause) => cause.kind === 'UniqueConstraintViolation' || codesOf(cause).includes('23505'));
