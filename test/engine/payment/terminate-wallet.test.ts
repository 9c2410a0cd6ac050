import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeWalletMetadata } from '../../../src/engine/payment/merge-wallet-metadata.ts';
import { terminateWallet } from '../../../src/engine/payment/terminate-wallet.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { createWalletApp, type WalletApp } from '../../rest/wallet-fixture.ts';

let app: WalletApp;
let tenant: TenantClient;
beforeAll(async () => {
  app = await createWalletApp();
  tenant = forOrganization(app.db.prisma, app.organizationId);
});
afterAll(() => app.close());

it('what the system writes by itself is logged as its own, with the job', async () => {
  const system = { organizationId: app.organizationId, now: app.clock.now, job: 'expire-wallets/1' };
  const id = await app.wallet();
  await mergeWalletMetadata(tenant, system, id, { reason: 'expired' });
  await terminateWallet(tenant, { ...system, now: new Date(system.now.getTime() + 1000) }, id);
  expect(await app.row(id)).toMatchObject({ status: 'terminated', metadata: { reason: 'expired' } });
  const { data } = await app.graphql(
    'query ($id: String) { auditLog(objectId: $id) { nodes { action svcKeyId requestId } } }',
    { id },
  );
  const by = { svcKeyId: '00000000-0000-0000-0000-000000000000', requestId: 'system:expire-wallets/1' };
  expect(data.auditLog.nodes).toEqual([
    { action: 'wallet.terminated', ...by },
    { action: 'wallet.metadata_merged', ...by },
  ]);
});
