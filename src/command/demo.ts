import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FIRST_QUERY } from '../graphql/guide.ts';
import { createKey, keyIdOf } from '../store/access/api-key.ts';
import type { Database } from '../store/database/database.ts';
import { quietly, type Step } from '../store/database/migration.ts';
import type { PrismaClient } from '../store/generated/prisma/client.ts';
import { importFile } from '../store/transfer/import/import.ts';
import { EXAMPLES } from './examples.ts';
import { TRIAL as TRIAL_TABS } from './trial.ts';
import type { Demo } from './welcome.ts';

const DATA = fileURLToPath(new URL('../../prisma/demo.json', import.meta.url));
const SECRET_KEY = 'sk_svc_demo';
const PUBLISHABLE_KEY = 'pk_svc_demo';
const TRIAL_KEY = 'sk_svc_trial';

/** Keys that everybody knows. */
export const DEMO_KEYS: readonly string[] = [SECRET_KEY, PUBLISHABLE_KEY, TRIAL_KEY];

/** Whose data the demo keys open. */
const ORGANIZATION = 'Quintavel';
/** An empty organization for who wants to try the writes: its time stands still until somebody moves it. */
const TRIAL = { name: 'Trial', testClockAt: new Date('2026-01-01T00:00:00Z') };
const PATH = '/customers/cus_belzona/payment_requests';

/** Makes the organization to try things in, with its key. */
export async function addTrial(tx: Pick<PrismaClient, 'organization' | 'apiKey'>): Promise<void> {
  const { id: organizationId } = await tx.organization.create({ data: TRIAL });
  await createKey(tx, { organizationId, kind: 'secret', name: 'Demo', key: TRIAL_KEY });
}

/** The data with its keys, or nothing: a start that is killed half-way leaves no demo that nobody can open. */
async function load(db: Database, now: Date): Promise<void> {
  const addKeys = async (tx: Pick<PrismaClient, 'organization' | 'apiKey'>) => {
    const { id: organizationId } = await tx.organization.findUniqueOrThrow({ where: { name: ORGANIZATION } });
    await createKey(tx, { organizationId, kind: 'publishable', name: 'Demo', key: PUBLISHABLE_KEY });
    await createKey(tx, { organizationId, kind: 'secret', name: 'Demo', key: SECRET_KEY });
    await addTrial(tx);
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
  const trialKey = (await keyIdOf(db.prisma, TRIAL_KEY)) ? TRIAL_KEY : undefined; // a folder of before has none
  return { isNew, secretKey: SECRET_KEY, publishableKey: PUBLISHABLE_KEY, trialKey, path: PATH, query: FIRST_QUERY };
}

/** What GraphiQL opens with: its tabs, and keys where there is a demo. */
export const forVisitors = (demo: Demo | undefined) => ({
  ...{ demoKey: demo?.secretKey, examples: EXAMPLES },
  trial: demo?.trialKey ? { key: demo.trialKey, examples: TRIAL_TABS } : undefined,
});
