import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itIsGuarded, NOT_FOUND } from '../guarded.ts';
import { createWalletApp, type WalletApp } from '../wallet-fixture.ts';

const FULL = {
  name: 'Prepaid',
  status: 'active',
  credits_balance: '120',
  consumed_credits: '80',
  balance_cents: 12000,
  metadata: { k: 'v' },
  applies_to: { fee_types: ['charge'], billable_metric_codes: [] },
  recurring_transaction_rules: [
    { trigger: 'interval', interval: 'monthly', paid_credits: '10', status: 'active' },
    { trigger: 'threshold', threshold_credits: '5', paid_credits: '10', status: 'active' },
  ],
};

let app: WalletApp;
let standing: string;
beforeAll(async () => {
  app = await createWalletApp();
  standing = await app.wallet();
});
afterAll(() => app.close());

const terminate = (id: string, key?: string) => app.rest('DELETE', `/wallets/${id}`, undefined, { key });
const rulesOf = (walletId: string) => app.db.prisma.recurringTransactionRule.findMany({ where: { walletId } });
const at = (time: string) => {
  app.clock.now = new Date(time);
};

describe('200', () => {
  it('ends the wallet and its rules, and nothing else', async () => {
    at('2026-06-15T12:00:00.000Z');
    const id = await app.wallet(FULL);
    await app.db.prisma.wallet.update({ where: { id }, data: { balanceCents: 90071992547409931n } });
    expect((await rulesOf(id)).map(({ status }) => status)).toEqual(['active', 'active']);
    const { status, body, text } = await terminate(id);
    expect(status).toBe(200);
    expect(body.wallet).toMatchObject({
      svc_id: id,
      external_customer_id: 'cust_ada',
      billing_entity_code: 'main',
      status: 'terminated',
      terminated_at: '2026-06-15T12:00:00Z',
      credits_balance: '120.0',
      consumed_credits: '80.0',
      metadata: { k: 'v' },
      recurring_transaction_rules: [],
    });
    expect(text).toContain('"balance_cents":90071992547409931');
    for (const rule of await rulesOf(id)) {
      expect(rule).toMatchObject({ status: 'terminated', terminatedAt: app.clock.now });
    }
    expect(await app.db.prisma.walletTransaction.count({ where: { walletId: id } })).toBe(0);
  });
  it('again, it answers the same', async () => {
    at('2026-06-15T12:00:00.000Z');
    const id = await app.wallet(FULL);
    const first = await terminate(id);
    at('2026-06-15T12:00:02.000Z');
    const second = await terminate(id);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(await app.log(id)).toHaveLength(1);
  });
  it('twice at the same time, it happens once', async () => {
    const id = await app.wallet(FULL);
    const answers = await Promise.all(Array.from({ length: 6 }, () => terminate(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await app.log(id)).toHaveLength(1);
  });
  it('keeps the time of a wallet that was terminated before', async () => {
    const id = await app.wallet({ status: 'terminated', terminated_at: '2026-01-02T03:04:05Z' });
    expect((await terminate(id)).body.wallet.terminated_at).toBe('2026-01-02T03:04:05Z');
    expect(await app.log(id)).toEqual([]);
  });
  it('members without a value are null', async () => {
    const { body } = await terminate(await app.wallet({ name: null, code: null }));
    for (const name of ['name', 'code', 'expiration_at', 'last_consumed_credit_at', 'paid_top_up_max_amount_cents']) {
      expect(body.wallet, name).toHaveProperty(name, null);
    }
  });
  it('finds a wallet whatever the letters of its identifier', async () => {
    expect((await terminate((await app.wallet()).toUpperCase())).status).toBe(200);
  });
  it('is written to the log', async () => {
    at('2026-06-15T12:00:00.000Z');
    const id = await app.wallet(FULL);
    const { headers } = await terminate(id);
    const [entry, ...others] = await app.log(id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'wallet.terminated',
      objectType: 'wallet',
      requestId: headers.get('x-request-id'),
      before: { status: 'active', terminatedAt: null },
      after: { status: 'terminated', terminatedAt: '2026-06-15T12:00:00.000Z' },
    });
    const rules = (await rulesOf(id)).map((rule) => rule.id).sort();
    const { terminatedRecurringTransactionRuleIds } = (entry?.after ?? {}) as Record<string, string[]>;
    expect(terminatedRecurringTransactionRuleIds?.toSorted()).toEqual(rules);
  });
});

itIsGuarded(
  () => app,
  'DELETE',
  () => `/wallets/${standing}`,
  'wallet:write',
);

describe('403', () => {
  it('leaves the wallet alone', async () => {
    const id = await app.wallet();
    await terminate(id, await app.makeKey({ kind: 'publishable' }));
    await terminate(id, await app.makeKey({ permissions: { wallet: ['read'] } }));
    expect(await app.row(id)).toMatchObject({ status: 'active', terminatedAt: null });
  });
});

describe('404', () => {
  it.each(['7d0f5a34-1b1e-4c57-9a52-999999999999', 'abc', '42', "1' OR '1'='1"])('%s', async (id) => {
    expect(await terminate(encodeURIComponent(id))).toMatchObject({ status: 404, body: NOT_FOUND });
  });
  it("another organization's wallet", async () => {
    const id = await app.wallet();
    expect(await terminate(id, app.other)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect(await app.row(id)).toMatchObject({ status: 'active', terminatedAt: null });
  });
});
