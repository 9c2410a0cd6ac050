import type { PrismaClient } from '../generated/prisma/client.ts';
import { originOf, type TenantClient } from './tenant.ts';

const embedded = new WeakSet<PrismaClient>();

/** Notes that a client's database runs in this process. */
export const noteEmbedded = (prisma: PrismaClient): void => void embedded.add(prisma);

/** Whether a database runs in this process. */
export const isEmbeddedClient = (prisma: PrismaClient): boolean => embedded.has(prisma);

/** Whether the database of a client runs in this process, whose other work waits for each of its statements. */
export function isEmbedded(client: TenantClient): boolean {
  const origin = originOf(client);
  return origin !== undefined && isEmbeddedClient(origin.prisma);
}
