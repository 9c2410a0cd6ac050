// Codes of Prisma, PostgreSQL and Node that say the database could not be reached or takes no more connections.
const CODES = new Set([
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'],
  // 57014 is a statement that ran into its time limit: it may go through when the server has less to do.
  ...['57014', '57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT', 'EPIPE'],
]);
const KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
const TEXT =
  /timeout exceeded when trying to connect|Connection terminated|encountered a connection error|Client was closed|Can't reach database|PGlite is closed/i;

/** Whether an error says that the database cannot be reached, at any depth of its causes. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const { code, kind, message, cause, meta } = error as Record<string, unknown>;
  if (CODES.has(String(code)) || KINDS.has(String(kind))) return true;
  if (typeof message === 'string' && TEXT.test(message)) return true;
  const adapterError = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return isDatabaseUnavailable(cause, depth + 1) || isDatabaseUnavailable(adapterError, depth + 1);
}
