import { invalid } from '../errors.ts';

/** The refusal of every change to a terminated wallet. */
export const walletIsTerminated = () =>
  invalid({ wallet_id: ['wallet_is_terminated'] }, { wallet_id: { name: 'svc_id' } });
