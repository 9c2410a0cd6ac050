import { minorDigits } from '../../src/billing/money/currency.ts';
import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { topUpPrice } from './aside.ts';
import { type InvoiceRow, type Section, type TransactionRow, timeText, type WalletRow } from './document.ts';
import { entered, isOf } from './entered.ts';
import { HORIZON } from './moments.ts';
import type { Person } from './people.ts';
import { idOf } from './random.ts';

interface WalletKind {
  readonly rate: string;
  readonly priority: number;
  /** Credits of a top-up, by digits of the currency after the point. */
  readonly credits: (digits: number) => number;
  readonly members?: Partial<WalletRow>;
}

const KINDS: Readonly<Record<string, WalletKind>> = {
  wallet: { rate: '1', priority: 50, credits: (digits) => (digits === 0 ? 90_000 : 500) },
  wallet_granted: { rate: '0.5', priority: 10, credits: () => 300 },
  wallet_charge: { rate: '1', priority: 20, credits: () => 120, members: { applies_to: { fee_types: ['charge'] } } },
  wallet_messages: {
    rate: '0.25',
    priority: 5,
    credits: () => 160,
    members: { applies_to: { billable_metric_codes: ['messages'] }, expiration_at: '2027-06-30T00:00:00Z' },
  },
};

/** The invoice of a purchase of credits, as it was entered. */
function topUpInvoice(person: Person, id: string, transaction: TransactionRow, currency: string): InvoiceRow {
  const units = transaction.credit_amount;
  const fee = {
    svc_id: idOf('fee', id),
    units,
    precise_unit_amount: topUpPrice(
      BigInt(Math.round(Number(transaction.amount) * 10 ** minorDigits(currency))),
      units,
      currency,
    ),
    item: { type: 'credit', svc_item_id: transaction.svc_id },
  };
  return entered(person, id, 'credit', transaction.created_at, currency, [fee]);
}

function transactionRow(
  wallet: string,
  rank: number,
  at: number,
  credits: number,
  rate: string,
  bought: boolean,
): TransactionRow {
  const created_at = timeText(at);
  const row: TransactionRow = {
    svc_id: idOf('transaction', wallet, rank),
    transaction_type: 'inbound',
    status: 'settled',
    transaction_status: bought ? 'purchased' : 'granted',
    credit_amount: `${credits}.0`,
    amount: String(credits * Number(rate)),
    settled_at: created_at,
    created_at,
  };
  return bought
    ? { ...row, source: rank > 1 ? 'interval' : 'manual', svc_invoice_id: idOf('top-up', wallet, rank) }
    : row;
}

const codeOf = (name: string) => (name === 'wallet' ? 'main' : name.replace('wallet_', ''));

/** Codes of the wallets a customer has. */
export const walletCodes = (person: Person): string[] =>
  Object.keys(KINDS)
    .filter((name) => person.traits.has(name))
    .map(codeOf);

function addWallet(section: Section, person: Person, name: string, kind: WalletKind): void {
  const start = Date.parse(`${person.since}T10:00:00Z`);
  const id = idOf('wallet', person.id, name);
  const currency = section.customers.find(({ external_id }) => external_id === isOf(person))?.currency ?? 'EUR';
  const credits = kind.credits(minorDigits(currency));
  const isBought = name !== 'wallet_granted';
  const transactions = [0, 1, 2, 3, 4, 5, 6].flatMap((rank) => {
    const at = start + rank * 120 * DAY_MS;
    if (at >= HORIZON) return [];
    return [transactionRow(id, rank, at, rank === 0 ? credits / 2 : credits, kind.rate, isBought && rank > 0)];
  });
  const created_at = timeText(start);
  section.wallets.push({
    svc_id: id,
    code: codeOf(name),
    name: name === 'wallet' ? 'Prepaid' : 'Prepaid, limited',
    external_customer_id: isOf(person),
    currency,
    rate_amount: kind.rate,
    priority: kind.priority,
    ...kind.members,
    metadata: { cost_center: `CC-${person.id.length}00`, approved_by: null },
    recurring_transaction_rules: ruleOf(id, kind, credits, created_at),
    wallet_transactions: transactions,
    created_at,
    updated_at: created_at,
  });
  for (const row of transactions.filter(({ svc_invoice_id }) => svc_invoice_id)) {
    section.invoices.push(topUpInvoice(person, String(row.svc_invoice_id), row, currency));
  }
}

const ruleOf = (wallet: string, kind: WalletKind, credits: number, created_at: string) => [
  kind.priority === 50
    ? {
        svc_id: idOf('rule', wallet),
        trigger: 'threshold',
        method: 'fixed',
        threshold_credits: '20',
        paid_credits: String(credits),
        created_at,
      }
    : {
        svc_id: idOf('rule', wallet),
        trigger: 'interval',
        interval: 'monthly',
        method: 'target',
        target_ongoing_balance: '100',
        created_at,
      },
];

/** A wallet that was emptied and closed, beside the one in use. */
function addClosedWallet(section: Section, person: Person): void {
  const start = Date.parse(`${person.since}T08:00:00Z`) - DAY_MS;
  const id = idOf('wallet', person.id, 'closed');
  const created_at = timeText(start);
  section.wallets.push({
    svc_id: id,
    code: 'trial',
    name: 'Trial credits',
    external_customer_id: isOf(person),
    currency: 'EUR',
    rate_amount: '1',
    priority: 1,
    status: 'terminated',
    terminated_at: timeText(start + 90 * DAY_MS),
    wallet_transactions: [transactionRow(id, 0, start, 30, '1', false)],
    created_at,
    updated_at: created_at,
  });
}

/** The wallets of a person, with what came into them and the invoices of what was bought. */
export function addWallets(section: Section, person: Person): void {
  for (const [name, kind] of Object.entries(KINDS)) if (person.traits.has(name)) addWallet(section, person, name, kind);
  if (person.traits.has('wallet_granted')) addClosedWallet(section, person);
}
