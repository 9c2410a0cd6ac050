import { afterAll, beforeAll, expect, it } from 'vitest';
import { ZERO } from '../../../src/billing/money/decimal.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import type { Change, MadeInvoice } from '../../../src/billing/subscription/change.ts';
import { creditNote, type IssuingAccount, issue, withCreditNote } from '../../../src/billing/subscription/issuer.ts';
import { terminationCreditNote } from '../../../src/billing/subscription/termination.ts';
import { afterChanges } from '../../../src/billing/timeline/apply.ts';
import { advance, newTimeline } from '../../../src/billing/timeline/timeline.ts';
import { applyChanges, newIds, type Rows } from '../../../src/engine/invoice/apply-changes.ts';
import { inTransaction } from '../../../src/engine/transaction.ts';
import { loadAccount } from '../../../src/store/account/load-account.ts';
import { forOrganization, type TenantClient, type TenantTransaction } from '../../../src/store/database/tenant.ts';
import { HeldCounters, holdCounters } from '../../../src/store/invoice/invoice-counter.ts';
import { counterOwners, ranksOf, takeNumber } from '../../../src/store/invoice/invoice-number.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const STARTED = '2026-06-01T00:00:00Z';

let test: TestApp;
let tenant: TenantClient;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
  tenant = forOrganization(test.db.prisma, test.organizationId);
});
afterAll(() => test.close());

const coupon = (code: string, amount_cents: number, more: object) => ({
  ...{
    code,
    name: code,
    coupon_type: 'fixed_amount',
    amount_cents,
    amount_currency: 'EUR',
    expiration: 'no_expiration',
  },
  ...more,
});

/** 100.00 a month in advance at 20 %, with two coupons, a credit note of 4.00 and two wallets to pay with. */
async function customer(code: string, gracePeriod: number): Promise<void> {
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  const invoice_number = `OLD-${code}`;
  const wallet = (rank: number, balance: number) => ({
    ...{ external_customer_id: code, code: `${code}-${rank}`, currency: 'EUR', rate_amount: '1', priority: rank },
    ...{ balance_cents: balance, credits_balance: String(balance / 100) },
    wallet_transactions: [
      {
        ...{ transaction_type: 'inbound', status: 'settled', transaction_status: 'granted', settled_at: STARTED },
        ...{ amount: String(balance / 100), credit_amount: String(balance / 100), remaining_amount_cents: balance },
      },
    ],
  });
  await importDocument(
    test.db,
    {
      taxes: [{ code: 'vat', rate: 20 }],
      billing_entities: [{ code: 'main', is_default: true, tax_codes: ['vat'], document_number_prefix: 'MAI' }],
      plans: [{ code, amount_cents: 10000, amount_currency: 'EUR', interval: 'monthly', pay_in_advance: true }],
      coupons: [
        coupon(`${code}-once`, 500, { frequency: 'once' }),
        coupon(`${code}-twice`, 700, { frequency: 'recurring', frequency_duration: 2 }),
      ],
      customers: [{ external_id: code, currency: 'EUR', billing_configuration: { invoice_grace_period: gracePeriod } }],
      subscriptions: [
        {
          ...{ external_id: code, external_customer_id: code, plan_code: code, status: 'active' },
          ...{ subscription_at: STARTED, started_at: STARTED, created_at: STARTED },
        },
      ],
      applied_coupons: ['once', 'twice'].map((kind) => ({
        ...{ external_customer_id: code, coupon_code: `${code}-${kind}`, status: 'active' },
      })),
      invoices: [{ external_customer_id: code, number: invoice_number, status: 'finalized', currency: 'EUR' }],
      credit_notes: [
        {
          ...{ invoice_number, number: `CN-${code}`, status: 'finalized', credit_status: 'available', currency: 'EUR' },
          ...{ total_amount_cents: 400, credit_amount_cents: 400, balance_amount_cents: 400 },
        },
      ],
      wallets: [wallet(1, 3000), wallet(2, 90000)],
    },
    { organization: name, now: NOW },
  );
}

interface Open extends Rows {
  readonly account: IssuingAccount;
}

async function open(tx: TenantTransaction, code: string): Promise<Open> {
  const actor = { organizationId: test.organizationId, now: NOW, job: 'test' };
  const { id } = await tx.customer.findFirstOrThrow({ where: { externalId: code } });
  const account = await loadAccount(tx, id, [code], NOW);
  if (!account) throw new Error('no account');
  const owner = { customerId: id, billingEntityId: account.billingEntity.id };
  const held = await holdCounters(tx, actor, counterOwners(owner, { documentNumbering: 'per_billing_entity' }));
  return { tx, actor, owner, held, account: { ...account, ranks: ranksOf(held, owner) } };
}

const run = <T>(code: string, write: (rows: Open) => Promise<T>) =>
  inTransaction(tenant, { organizationId: test.organizationId, now: NOW, job: 'test' }, async (tx) =>
    write(await open(tx, code)),
  );

/** The invoice that starts the subscription; a draft of it that is computed again is not there yet for itself. */
function starting({ account: whole }: Open, draftId?: string): Change[] {
  const at = NOW.getTime();
  const account = { ...whole, pastInvoices: whole.pastInvoices.filter(({ id }) => id !== draftId) };
  const subscriptions = account.subscriptions.map((one) =>
    billedSubscription(account, one, at, 'subscription_starting'),
  );
  return issue(account, { at, subscriptions, final: draftId !== undefined }, newIds(NOW));
}

const invoiceOf = (changes: readonly Change[]): MadeInvoice => {
  const made = changes.find((change) => change.kind === 'invoice_made');
  if (!made) throw new Error('no invoice');
  return made.invoice;
};

const shown = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)));

it('customers of an entity that numbers by customer do not wait for each other', async () => {
  const owner = { customerId: 'one', billingEntityId: 'all' };
  const own = { billingEntityId: 'all', ownerId: 'one' };
  expect(counterOwners(owner, { documentNumbering: 'per_customer' })).toEqual([own]);
  const all = { billingEntityId: 'all', ownerId: 'all' };
  expect(counterOwners(owner, { documentNumbering: 'per_billing_entity' })).toEqual([own, all]);
  // What is not held counts all the same: entities may go over to numbers of their own.
  const counters = new HeldCounters([{ ...own, rank: 4, invoices: 4 }]);
  const numbering = { number: 'A-001-005', sequentialId: 5, billingEntitySequentialId: null, selfBilled: false };
  takeNumber(counters, owner, numbering);
  takeNumber(counters, owner, { ...numbering, sequentialId: 6 });
  expect(ranksOf(counters, owner)).toEqual({ forCustomer: 6, forEntity: 0 });
  expect(() => takeNumber(counters, owner, { ...numbering, billingEntitySequentialId: 1 })).toThrow('without holding');
  expect(counters.takeMoves()).toEqual([
    { ...own, rank: 6, invoices: 2 },
    { ...all, rank: 0, invoices: 2 },
  ]);
  expect(counters.takeMoves()).toEqual([]);
});

it('what a final invoice uses is the same in values and in rows', async () => {
  await customer('ada', 0);
  const { changes, account } = await run('ada', async (rows) => {
    const issued = starting(rows);
    await applyChanges(rows, issued);
    return { changes: issued, account: rows.account };
  });
  expect(changes.map(({ kind }) => kind)).toEqual([
    ...['invoice_made', 'number_taken', 'coupon_used', 'coupon_used', 'credit_note_used', 'wallet_used', 'wallet_used'],
  ]);
  const { customer: who, billingEntity, coupons, creditNotes, wallets, ranks } = account;
  const start = newTimeline({ customer: who, billingEntity, plans: [], coupons, creditNotes, wallets, ranks });
  const values = afterChanges(start, changes);
  // Only what can still be used is loaded; what the coupons gave is counted from the lines of credit.
  const left = {
    coupons: values.coupons.filter(({ status }) => status === 'active'),
    creditNotes: values.creditNotes.filter(({ balanceCents }) => balanceCents > 0n),
    wallets: values.wallets.map((one) => ({ ...one, inbound: one.inbound.filter((top) => top.remainingCents > 0n) })),
    ranks: values.ranks,
  };
  await run('ada', async ({ account: { coupons, creditNotes, wallets, ranks } }) => {
    expect(shown({ coupons, creditNotes, wallets, ranks })).toEqual(shown(left));
  });
  // 10000 less 1200 of coupons, with 20 % of tax 10560, less a note of 400 and wallets of 3000 and 7160.
  const invoice = await tenant.invoice.findUniqueOrThrow({ where: { id: invoiceOf(changes).id } });
  expect(invoice).toMatchObject({ number: 'MAI-001-002', prepaidCreditAmountCents: 10160n, totalAmountCents: 0n });
  const balances = await tenant.wallet.findMany({
    where: { customer: { externalId: 'ada' } },
    orderBy: { priority: 'asc' },
  });
  expect(balances.map(({ balanceCents }) => balanceCents)).toEqual([0n, 82840n]);
});

it('a draft that becomes final is replaced, with its number, its credits and its credit note', async () => {
  await customer('bob', 3);
  const draft = await run('bob', async (rows) => {
    const changes = starting(rows);
    expect(changes.map(({ kind }) => kind)).toEqual(['invoice_made']);
    await applyChanges(rows, changes);
    return invoiceOf(changes);
  });
  await tenant.subscription.updateMany({
    where: { externalId: 'bob' },
    data: { status: 'terminated', terminatedAt: new Date('2026-06-15T12:00:00Z') },
  });
  const noteOf = ({ account }: Open) => {
    const [subscription] = account.subscriptions;
    const past = account.pastInvoices.find(({ id }) => id === draft.id);
    if (!subscription || !past) throw new Error('nothing to credit');
    const at = Date.parse('2026-06-15T12:00:00Z');
    const note = terminationCreditNote(billedSubscription(account, subscription, at, 'subscription_terminating'));
    if (!note) throw new Error('no note');
    const origin = { at, id: newIds(NOW).creditNote(), subscriptionId: subscription.id, mode: 'credit' as const };
    return { note: creditNote(account, past, note, origin), past };
  };
  const note = await run('bob', async (rows) => {
    const made = noteOf(rows);
    await applyChanges(rows, [{ kind: 'credit_note_made', note: made.note }]);
    const loaded = await loadAccount(rows.tx, rows.owner.customerId, ['bob'], NOW);
    const row = loaded?.pastInvoices.find(({ id }) => id === draft.id);
    const { creditNoteRank, creditedItems, creditNotesMadeCents } = withCreditNote(made.past, made.note);
    expect(shown(row)).toMatchObject(shown({ creditNoteRank, creditedItems, creditNotesMadeCents }));
    return made.note;
  });
  expect(note).toMatchObject({ number: 'MAI-DRAFT-CN001', status: 'draft', subTotalExcludingTaxesAmountCents: 5000n });
  await tenant.invoice.update({ where: { id: draft.id }, data: { readyToBeRefreshed: true } });
  const final = await run('bob', async (rows) => {
    const changes = starting(rows, draft.id);
    const [made, ...others] = changes;
    const invoice = { ...invoiceOf([...(made ? [made] : [])]), id: draft.id };
    const [fee] = invoice.fees;
    if (!fee) throw new Error('no fee');
    const finalNote = { ...note, number: `${invoice.number}-CN001`, status: 'finalized' as const };
    const items = note.items.map((item) => ({ ...item, feeKey: fee.key }));
    const moved = others.map((change) => (change.kind === 'wallet_used' ? { ...change, invoiceId: draft.id } : change));
    const recomputed = { kind: 'invoice_recomputed' as const, invoice };
    await applyChanges(rows, [recomputed, ...moved, { kind: 'credit_note_recomputed', note: { ...finalNote, items } }]);
    return invoice;
  });
  const itemsOf = () => tenant.creditNoteItem.findMany({ where: { creditNoteId: note.id } });
  const row = await tenant.invoice.findUniqueOrThrow({
    where: { id: draft.id },
    include: { fees: true, credits: true, billingPeriods: true, creditNotes: { include: { items: true } } },
  });
  const feeId = row.fees[0]?.id;
  expect(row).toMatchObject({
    ...{ number: final.number, status: 'finalized', sequentialId: 2, finalizedAt: NOW, readyToBeRefreshed: false },
    ...{ fees: [{ amountCents: 10000n }], credits: [{}, {}, {}], billingPeriods: [{}] },
    creditNotes: [{ number: `${final.number}-CN001`, status: 'finalized', items: [{ feeId, amountCents: 5000n }] }],
  });
  expect(await tenant.invoice.count({ where: { customer: { externalId: 'bob' } } })).toBe(2);
  // Where the invoice bills the fee no more, nothing is left of the note.
  const nothing = { ...note, status: 'finalized' as const, items: [{ feeKey: 'gone', preciseAmountCents: ZERO }] };
  await run('bob', (rows) => applyChanges(rows, [{ kind: 'credit_note_recomputed', note: nothing }]));
  expect(await itemsOf()).toMatchObject([{ feeId: null, amountCents: 0n }]);
});

it('what a step of the timeline decides is applied to rows as to values', async () => {
  const at = Date.parse('2026-06-15T12:00:00Z');
  await customer('cleo', 0);
  const after = await run('cleo', async (rows) => {
    const { account } = rows;
    const { customer: who, billingEntity, subscriptions, coupons, creditNotes, wallets, ranks } = account;
    const known = { customer: who, billingEntity, coupons, creditNotes, wallets, ranks };
    const state = { ...newTimeline({ ...known, plans: [] }), subscriptions };
    const [subscription] = subscriptions;
    if (!subscription) throw new Error('no subscription');
    const how = { invoice: 'skip', creditNote: 'refund' } as const;
    const step = advance(state, { at, do: 'terminate', subscriptionId: subscription.id, ...how });
    expect(step.changes.map(({ kind }) => kind)).toEqual(['subscription_changed']);
    expect(step.state.changes).toEqual([]);
    await applyChanges(rows, step.changes);
    return step.state;
  });
  await run('cleo', async ({ account: { subscriptions } }) => {
    expect(subscriptions[0]?.status).toBe('terminated');
    expect(shown(subscriptions)).toEqual(shown(after.subscriptions));
  });
});
