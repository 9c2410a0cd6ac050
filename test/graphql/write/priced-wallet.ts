import { randomUUID } from 'node:crypto';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createPricedApp, NOW } from '../../rest/priced.ts';

/** A wallet in use, which a rule tops up. */
export const WALLET = randomUUID();
/** A wallet that is terminated. */
export const ENDED = randomUUID();

/** The gateway over the priced plans, whose customer has two wallets. */
export async function createAppWithWallets(): ReturnType<typeof createPricedApp> {
  const app = await createPricedApp();
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const wallet = { external_customer_id: 'cust_ada', currency: 'EUR', rate_amount: '1' };
  const rule = { trigger: 'threshold', threshold_credits: '10', paid_credits: '20' };
  const wallets = [
    {
      ...{ ...wallet, svc_id: WALLET, code: 'main', balance_cents: 3000, credits_balance: '30' },
      recurring_transaction_rules: [rule],
    },
    { ...wallet, svc_id: ENDED, code: 'ended', status: 'terminated', terminated_at: NOW.toISOString() },
  ];
  await importDocument(app.db, { organization: { name }, wallets }, { organization: name, now: NOW });
  return app;
}
