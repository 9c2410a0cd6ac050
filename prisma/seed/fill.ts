import { fromCents } from '../../src/billing/money/currency.ts';
import type { Instant } from '../../src/billing/period/calendar.ts';
import { creditNoteRows } from './credit-note-row.ts';
import {
  type CustomerRow,
  type InvoiceRow,
  type Row,
  type Section,
  type SubscriptionRow,
  type TransactionRow,
  timeText,
  type WalletRow,
} from './document.ts';
import { cents, storedText } from './fee-row.ts';
import { invoiceRows } from './invoice-row.ts';
import type { Life } from './life.ts';
import { Names } from './names.ts';
import { idOf } from './random.ts';
import { planRowOf, replay } from './replay.ts';

function fillSubscription(section: Section, row: SubscriptionRow, life: Life): void {
  const lived = life.state.subscriptions.find(({ id }) => id === row.svc_id);
  if (!lived) return;
  const { startedAt, terminatedAt } = lived;
  row.status = lived.status;
  if (startedAt !== null) row.started_at = timeText(startedAt);
  if (terminatedAt !== null) row.terminated_at = timeText(terminatedAt);
  const next = section.subscriptions.find(({ svc_previous_subscription_id: id }) => id === row.svc_id);
  if (next) row.next_plan_code = next.plan_code;
  const previous = section.subscriptions.find(({ svc_id }) => svc_id === row.svc_previous_subscription_id);
  if (previous) row.previous_plan_code = previous.plan_code;
  fillUnits(section, row);
}

/** The history of units begins with what the plan says. */
function fillUnits(section: Section, row: SubscriptionRow): void {
  const fixed = planRowOf(section, row).fixed_charges ?? [];
  const at = row.started_at ?? row.created_at;
  const first = fixed.map(({ code, units }) => ({
    fixed_charge_code: code,
    units: `${units}.0`,
    effective_at: at,
    created_at: row.created_at,
  }));
  const later = (row.fixed_charge_units_events ?? []).filter(({ created_at }) => created_at > row.created_at);
  if (first.length > 0) row.fixed_charge_units_events = [...first, ...later];
}

function outboundRows(wallet: WalletRow, life: Life, names: Names): TransactionRow[] {
  return life.state.invoices.flatMap((made) =>
    made.walletUses
      .filter(({ walletId }) => walletId === wallet.svc_id)
      .map((use): TransactionRow => {
        const at = timeText(life.finalizedAt.get(made.id) ?? made.billedAt);
        return {
          svc_id: idOf('transaction', wallet.svc_id, made.id),
          transaction_type: 'outbound',
          status: 'settled',
          transaction_status: 'invoiced',
          amount: storedText(fromCents(use.amountCents, wallet.currency)),
          credit_amount: storedText(use.creditAmount),
          settled_at: at,
          svc_invoice_id: names.invoice(made.id),
          created_at: at,
        };
      }),
  );
}

function fillWallet(wallet: WalletRow, life: Life, names: Names): void {
  const lived = life.state.wallets.find(({ id }) => id === wallet.svc_id);
  if (!lived) return;
  const inbound = wallet.wallet_transactions.filter(({ transaction_type }) => transaction_type === 'inbound');
  const outbound = outboundRows(wallet, life, names);
  for (const row of inbound) {
    const known = lived.inbound.find(({ id }) => id === row.svc_id);
    if (known) row.remaining_amount_cents = cents(known.remainingCents);
  }
  wallet.wallet_transactions = [...inbound, ...outbound];
  wallet.balance_cents = cents(lived.balanceCents);
  wallet.ongoing_balance_cents = cents(lived.balanceCents);
  const credits = fromCents(lived.balanceCents, wallet.currency).div(lived.rateAmount);
  wallet.credits_balance = storedText(credits);
  wallet.credits_ongoing_balance = storedText(credits);
  const used = outbound.reduce((sum, { credit_amount }) => sum.plus(credit_amount), credits.minus(credits));
  wallet.consumed_credits = storedText(used);
  const last = outbound.at(-1)?.created_at;
  if (last) Object.assign(wallet, { last_consumed_credit_at: last, last_balance_sync_at: last });
}

function fillCoupons(section: Section, life: Life): void {
  for (const row of section.applied_coupons) {
    const lived = life.state.coupons.find(({ id }) => id === row.svc_id);
    if (!lived) continue;
    row.status = lived.status;
    if (lived.periodsRemaining !== null) row.frequency_duration_remaining = lived.periodsRemaining;
    const last = life.state.invoices.findLast(({ credits }) => credits.some(({ sourceId }) => sourceId === row.svc_id));
    if (lived.status === 'terminated' && last) row.terminated_at = timeText(last.billedAt);
  }
}

/** Members that are decided after the calculation, and stay when it is done again. */
const DECIDED = [
  'voided_at',
  'metadata',
  'error_details',
  'payment_dispute_lost_at',
  'applied_invoice_custom_sections',
];

function keepDecided(row: InvoiceRow, before: InvoiceRow | undefined): InvoiceRow {
  for (const member of DECIDED) if (before?.[member] !== undefined) row[member] = before[member];
  return row;
}

/** Replays one customer up to a moment and writes what the core computed into the section. */
export function fillCustomer(section: Section, customer: CustomerRow, until?: Instant): void {
  const life = replay(section, customer, until);
  const names = new Names(customer, life.asides);
  const before = new Map(section.invoices.map((row) => [row.svc_id, row]));
  const isOther = (row: Row | InvoiceRow) => row.external_customer_id !== customer.external_id;
  const rows = invoiceRows(section, customer, life).map((row) => keepDecided(row, before.get(row.svc_id)));
  section.invoices = [...section.invoices.filter(isOther), ...rows];
  section.credit_notes = [...section.credit_notes.filter(isOther), ...creditNoteRows(customer, life)];
  for (const row of section.subscriptions) fillSubscription(section, row, life);
  for (const wallet of section.wallets) fillWallet(wallet, life, names);
  fillCoupons(section, life);
}
