import { document } from '../document.ts';
import type { Route } from '../route.ts';

export const mergeWalletMetadata: Route = {
  method: 'PATCH',
  path: '/wallets/{id}/metadata',
  permission: 'wallet:write',
  operation: 'mergeWalletMetadata',
  document: document(`mutation mergeWalletMetadata($id: UUID!, $metadata: JSON) {
    wallet: mergeWalletMetadata(svcId: $id, metadata: $metadata) { metadata: metadataObject }
  }`),
  lookup: document('query findWallet($id: UUID!) { wallet(svcId: $id) { svcId } }'),
  body: true,
  variables: ({ params, body }) => ({ id: params.id, metadata: (body as { metadata?: unknown }).metadata }),
  answer: ['wallet'],
};
