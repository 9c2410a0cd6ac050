// Prepares the demo in a folder and dies at the moment its first key is to be written; for demo-keys.test.ts.
import { prepareDemo } from '../../src/command/demo.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import type { PrismaClient } from '../../src/store/generated/prisma/client.ts';

const db = await openDatabase({ dataDir: process.argv[2] ?? '' });
const die = async (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};
const prisma = db.prisma.$extends({ query: { apiKey: { create: die } } }) as unknown as PrismaClient;
await prepareDemo({ ...db, prisma }, new Date());
console.log('was not killed');
