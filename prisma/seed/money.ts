import { DAY_MS } from '../../src/billing/calendar.ts';
import { minorDigits } from '../../src/billing/currency.ts';
import { topUpPrice } from './aside.ts';
import {
  type FeeRow,
  type InvoiceRow,
  type Section,
  type TransactionRow,
  timeText,
  type WalletRow,
} from './document.ts';
import { HORIZON } from './moments.ts';
import { type Person, traitOf } from './people.ts';
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

/** What somebody enters of a fee; the rest is computed. */
type EnteredFee = Pick<FeeRow, 'svc_id' | 'units' | 'precise_unit_amount' | 'item' | 'add_on_code' | 'applied_taxes'>;

const isOf = (person: Person) => `cus_${person.id}`;

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

function entered(
  person: Person,
  svc_id: string,
  invoice_type: InvoiceRow['invoice_type'],
  created_at: string,
  currency: string,
  fees: EnteredFee[],
  status: InvoiceRow['status'] = 'finalized',
): InvoiceRow {
  return {
    svc_id,
    invoice_type,
    external_customer_id: isOf(person),
    created_at,
    currency,
    status,
    fees,
  } as unknown as InvoiceRow;
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
    code: name === 'wallet' ? 'main' : name.replace('wallet_', ''),
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

const fee = (
  id: string,
  add_on_code: string,
  units: string,
  precise_unit_amount: string,
  taxes: readonly string[],
): EnteredFee => ({
  svc_id: idOf('fee', id, add_on_code),
  add_on_code,
  units,
  precise_unit_amount,
  item: { type: 'add_on' },
  applied_taxes: taxes.map((tax_code) => ({ tax_code })),
});

function addOneOff(section: Section, person: Person): void {
  const id = idOf('one-off', person.id);
  const at = timeText(Date.parse(`${person.since}T14:00:00Z`) + 40 * DAY_MS);
  const customer = section.customers.find(({ external_id }) => external_id === isOf(person));
  const taxes = customer?.currency === 'EUR' ? ['vat_fr'] : ['sales_ny'];
  const fees = [fee(id, 'onboarding', '1.0', '1200', taxes), fee(id, 'audit_report', '2.5', '349.99', taxes)];
  section.invoices.push(entered(person, id, 'one_off', at, customer?.currency ?? 'EUR', fees));
}

/** Invoices in states that last a moment in life: made by hand for the last days before the end of the demo. */
function addUnfinished(section: Section, people: readonly Person[]): void {
  const states = ['failed', 'pending', 'open', 'generating'] as const;
  for (const [index, status] of states.entries()) {
    const person = people[index];
    if (!person) continue;
    const id = idOf('unfinished', status);
    const fees = status === 'generating' ? [] : [fee(id, 'audit_report', '1.0', '350', [])];
    section.invoices.push(entered(person, id, 'one_off', `2026-11-2${index + 1}T10:00:00Z`, 'EUR', fees, status));
  }
  const person = people.at(-1);
  const id = idOf('add-on', 'first');
  if (person)
    section.invoices.push(
      entered(person, id, 'add_on', '2026-05-04T10:00:00Z', 'EUR', [fee(id, 'audit_report', '1.0', '350', ['vat_fr'])]),
    );
}

/** Coupons, wallets and entered invoices of people whose customers are in the section. */
export function addMoney(section: Section, people: readonly Person[]): void {
  for (const person of people) {
    const coupon = traitOf(person, 'coupon');
    const created_at = timeText(Date.parse(`${person.since}T08:30:00Z`));
    if (coupon) {
      section.applied_coupons.push({
        svc_id: idOf('applied_coupon', person.id),
        coupon_code: String(coupon[0]),
        external_customer_id: isOf(person),
        created_at,
        updated_at: created_at,
      });
    }
    for (const [name, kind] of Object.entries(KINDS))
      if (person.traits.has(name)) addWallet(section, person, name, kind);
    if (person.traits.has('wallet_granted')) addClosedWallet(section, person);
    if (person.traits.has('one_off')) addOneOff(section, person);
  }
  addUnfinished(
    section,
    people.filter(({ entity, plan }) => entity === 'quintavel_fr' && plan === 'starter'),
  );
}
