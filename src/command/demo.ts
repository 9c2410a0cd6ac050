import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FIRST_QUERY } from '../graphql/guide.ts';
import { createKey, keyIdOf } from '../store/access/api-key.ts';
import type { Database } from '../store/database/database.ts';
import { quietly, type Step } from '../store/database/migration.ts';
import type { PrismaClient } from '../store/generated/prisma/client.ts';
import { importFile } from '../store/transfer/import/import.ts';
import type { Demo } from './welcome.ts';

const DATA = fileURLToPath(new URL('../../prisma/demo.json', import.meta.url));
const SECRET_KEY = 'sk_svc_demo';
const PUBLISHABLE_KEY = 'pk_svc_demo';

/** Keys that everybody knows. */
export const DEMO_KEYS: readonly string[] = [SECRET_KEY, PUBLISHABLE_KEY];

/** Whose data the demo keys open. */
const ORGANIZATION = 'Quintavel';
const PATH = '/customers/cus_belzona/payment_requests';

/** The data with its keys, or nothing: a start that is killed half-way leaves no demo that nobody can open. */
async function load(db: Database, now: Date): Promise<void> {
  const addKeys = async (tx: Pick<PrismaClient, 'organization' | 'apiKey'>) => {
    const { id: organizationId } = await tx.organization.findUniqueOrThrow({ where: { name: ORGANIZATION } });
    await createKey(tx, { organizationId, kind: 'publishable', name: 'Demo', key: PUBLISHABLE_KEY });
    await createKey(tx, { organizationId, kind: 'secret', name: 'Demo', key: SECRET_KEY });
  };
  await importFile(db, DATA, { now, addTo: addKeys });
}

/**
 * Fills an empty embedded database with the demo, and tells of the demo where it is. A database of DATABASE_URL never
 * gets the demo or its keys, which everybody knows.
 */
export async function prepareDemo(db: Database, now: Date, step: Step = quietly): Promise<Demo | undefined> {
  if (db.kind !== 'embedded') return undefined;
  const isEmpty = (await db.prisma.organization.count()) === 0;
  const isNew = isEmpty && (await stat(DATA).catch(() => undefined)) !== undefined;
  if (isNew) await step('Loading the demo data', () => load(db, now));
  if (!(await keyIdOf(db.prisma, SECRET_KEY))) return undefined;
  return { isNew, secretKey: SECRET_KEY, publishableKey: PUBLISHABLE_KEY, path: PATH, query: FIRST_QUERY };
}
