import { randomBytes } from 'node:crypto';
import type { PrismaClient } from '../generated/prisma/client.ts';

/**
 * The gateway's own secret for a purpose, made at random when it is first asked for. However many processes ask at once,
 * the database keeps one and all of them get it.
 */
export async function readSigningSecret(prisma: PrismaClient, purpose: string): Promise<string> {
  const known = await prisma.signingSecret.findUnique({ where: { purpose } });
  if (known) return known.secret;
  const secret = randomBytes(32).toString('base64url');
  await prisma.signingSecret.createMany({ data: [{ purpose, secret }], skipDuplicates: true });
  return (await prisma.signingSecret.findUniqueOrThrow({ where: { purpose } })).secret;
}
