import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createKey, keyIdOf } from './store/api-key.ts';
import type { Database } from './store/database.ts';
import { importFile } from './store/transfer/import.ts';
import type { Demo } from './welcome.ts';

const DATA = fileURLToPath(new URL('../prisma/demo.json', import.meta.url));
const SECRET_KEY = 'sk_svc_demo';
const PUBLISHABLE_KEY = 'pk_svc_demo';

const QUERY = '{ invoices(first: 3) { nodes { number status totalAmountCents currency } } }';

/** Operations that GraphiQL opens with. */
export const EXAMPLES: readonly string[] = [
  `# The invoices issued last.\nquery Invoices {\n  invoices(first: 5) {\n    totalCount\n    nodes {\n      number\n      status\n      issuingDate\n      currency\n      totalAmountCents\n      customer {\n        name\n      }\n    }\n  }\n}\n`,
  `# What plans cost.\nquery Plans {\n  plans(first: 5) {\n    nodes {\n      code\n      name\n      amountCents\n      amountCurrency\n      charges {\n        code\n        chargeModel\n        properties\n      }\n    }\n  }\n}\n`,
];

async function load(db: Database, now: Date): Promise<void> {
  await importFile(db, DATA, { now });
  const { id: organizationId } = await db.prisma.organization.findFirstOrThrow({ orderBy: { createdAt: 'asc' } });
  await createKey(db.prisma, { organizationId, kind: 'publishable', name: 'Demo', key: PUBLISHABLE_KEY });
  await createKey(db.prisma, { organizationId, kind: 'secret', name: 'Demo', key: SECRET_KEY });
}

/**
 * Fills an empty embedded database with the demo, and tells of the demo where it is. A database of DATABASE_URL never
 * gets the demo or its keys, which everybody knows.
 */
export async function prepareDemo(db: Database, now: Date): Promise<Demo | undefined> {
  if (db.kind !== 'embedded') return undefined;
  const isEmpty = (await db.prisma.organization.count()) === 0;
  if (isEmpty && (await stat(DATA).catch(() => undefined))) await load(db, now);
  if (!(await keyIdOf(db.prisma, SECRET_KEY))) return undefined;
  const entity = await db.prisma.billingEntity.findFirst({ orderBy: { createdAt: 'asc' }, select: { code: true } });
  const path = `/billing_entities/${encodeURIComponent(entity?.code ?? 'main')}`;
  return { secretKey: SECRET_KEY, publishableKey: PUBLISHABLE_KEY, path, query: QUERY };
}
