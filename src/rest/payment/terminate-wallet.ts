import { document } from '../document.ts';
import { wallet } from '../fragments.ts';
import type { Route } from '../route.ts';

export const terminateWallet: Route = {
  method: 'DELETE',
  path: '/wallets/{svc_id}',
  permission: 'wallet:write',
  operation: 'terminateWallet',
  document: document(
    'mutation terminateWallet($svcId: UUID!) { wallet: terminateWallet(svcId: $svcId) { ...Wallet } }',
    wallet,
  ),
  variables: ({ params }) => ({ svcId: params.svc_id }),
};
