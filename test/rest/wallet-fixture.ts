import { randomUUID } from 'node:crypto';
import type { AppOptions } from '../../src/app.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

const START = new Date('2026-06-15T12:00:00.000Z');

const base = (name: string) => ({
  organization: { name },
  billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
  customers: [{ external_id: 'cust_ada', name: 'Ada', currency: 'EUR' }],
});

export interface WalletApp extends TestApp {
  /** A key of another organization. */
  readonly other: string;
  /** The clock, which stands still unless it is set. */
  readonly clock: { now: Date };
  /** Imports a wallet of Ada's and tells its identifier. */
  wallet(more?: object): Promise<string>;
  /** The wallet's row. */
  row(id: string): Promise<{ status: string; terminatedAt: Date | null; metadata: unknown }>;
  /** The log about an object, oldest first. */
  log(objectId: string): Promise<{ action: string; before: unknown; after: unknown; requestId: string }[]>;
}

/** An app with a customer and as many wallets as a test asks for. */
export async function createWalletApp(options: Partial<AppOptions> = {}): Promise<WalletApp> {
  const clock = { now: START };
  const test = await createTestApp({ now: () => clock.now, ...options });
  const { prisma } = test.db;
  const { name } = await prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  const load = (document: object, organization: string) =>
    importDocument(test.db, document, { organization, now: clock.now });
  await load(base(name), name);
  await load(base('Brackenfell'), 'Brackenfell');
  const foreign = await prisma.organization.findUniqueOrThrow({ where: { name: 'Brackenfell' } });
  const wallet = async (more: object = {}) => {
    const svc_id = randomUUID();
    const plain = { svc_id, external_customer_id: 'cust_ada', currency: 'EUR', rate_amount: '1', code: svc_id };
    await load({ organization: { name }, wallets: [{ ...plain, ...more }] }, name);
    return svc_id;
  };
  return {
    ...test,
    clock,
    wallet,
    other: await test.makeKey({ organizationId: foreign.id }),
    row: (id) => prisma.wallet.findUniqueOrThrow({ where: { id } }),
    log: (objectId) =>
      prisma.auditLog.findMany({ where: { objectId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
  };
}
