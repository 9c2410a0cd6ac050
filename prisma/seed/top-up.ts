import type { WalletInput } from '../../src/billing/invoice/credit-input.ts';
import { toCents } from '../../src/billing/money/currency.ts';
import { dec } from '../../src/billing/money/decimal.ts';
import type { TimelineState } from '../../src/billing/timeline/timeline-type.ts';
import type { TransactionRow, WalletRow } from './document.ts';
import type { Happening } from './life.ts';

const withWallet = (state: TimelineState, id: string, change: (wallet: WalletInput) => WalletInput): TimelineState => ({
  ...state,
  wallets: state.wallets.map((wallet) => (wallet.id === id ? change(wallet) : wallet)),
});

function received(wallet: WalletInput, row: TransactionRow): WalletInput {
  const cents = toCents(dec(row.amount), wallet.currency);
  const kind = row.transaction_status === 'granted' ? ('granted' as const) : ('purchased' as const);
  const inbound = { id: row.svc_id, kind, remainingCents: cents, priority: 50, createdAt: Date.parse(row.created_at) };
  return { ...wallet, balanceCents: wallet.balanceCents + cents, inbound: [...wallet.inbound, inbound] };
}

/** Credits that came into a wallet, each when it was settled, and the wallet's end. */
export function topUps(wallet: WalletRow, rank: number): Happening[] {
  const settled = wallet.wallet_transactions.filter((row) => row.transaction_type === 'inbound' && row.settled_at);
  const list = settled.map(
    (row): Happening => ({
      at: Date.parse(String(row.settled_at)),
      rank,
      run: (state) => withWallet(state, wallet.svc_id, (known) => received(known, row)),
    }),
  );
  if (!wallet.terminated_at) return list;
  const run = (state: TimelineState) =>
    withWallet(state, wallet.svc_id, (known) => ({ ...known, status: 'terminated' as const }));
  return [...list, { at: Date.parse(wallet.terminated_at), rank, run }];
}
