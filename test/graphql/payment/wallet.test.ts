import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWalletApp, type WalletApp } from '../../rest/wallet-fixture.ts';

const MERGE = 'mutation ($id: UUID!, $pairs: JSON) { mergeWalletMetadata(svcId: $id, metadata: $pairs) { metadata } }';
const TERMINATE = `mutation ($id: UUID!) {
  terminateWallet(svcId: $id) { svcId status terminatedAt recurringTransactionRules { svcId } customer { externalId } }
}`;
const RULES = [{ trigger: 'interval', interval: 'monthly', paid_credits: '10', status: 'active' }];

let app: WalletApp;
beforeAll(async () => {
  app = await createWalletApp();
});
afterAll(() => app.close());

/** What is wrong by code; where it stands is told of every input by the tests of errors. */
const codes = (errors: { extensions?: Record<string, unknown> }[] | undefined) =>
  errors?.map(({ extensions: { errors: _, ...rest } = {} }) => rest);

/** What a write leaves behind, without what tells one wallet and one request from another. */
async function traces(id: string) {
  // Words are made of the code.
  const { code, words, createdAt, updatedAt, id: _id, ...row } = { ...(await app.row(id)) } as Record<string, unknown>;
  const rules = await app.db.prisma.recurringTransactionRule.findMany({
    where: { walletId: id },
    select: { status: true, terminatedAt: true },
  });
  const log = (await app.log(id)).map(({ action, before, after }) => {
    const { terminatedRecurringTransactionRuleIds: ids, ...rest } = after as Record<string, unknown[]>;
    return { action, before, after: { ...rest, rules: ids?.length } };
  });
  return { row, rules, log };
}

describe('a mutation and its REST endpoint leave the same rows', () => {
  it('mergeWalletMetadata', async () => {
    const more = { metadata: { a: '1', b: '2' } };
    const [one, two] = [await app.wallet(more), await app.wallet(more)];
    const pairs = { b: null, c: '3', __proto__x: 'x' };
    const answer = await app.graphql(MERGE, { id: one, pairs });
    const { body } = await app.rest('PATCH', `/wallets/${two}/metadata`, { metadata: pairs });
    expect(answer.data.mergeWalletMetadata).toEqual(body);
    const left = await traces(one);
    expect(left).toEqual(await traces(two));
    expect(left.log).toHaveLength(1);
  });
  it('terminateWallet', async () => {
    const more = { recurring_transaction_rules: RULES, metadata: { k: 'v' } };
    const [one, two] = [await app.wallet(more), await app.wallet(more)];
    const { data } = await app.graphql(TERMINATE, { id: one });
    const { body } = await app.rest('DELETE', `/wallets/${two}`);
    expect(data.terminateWallet).toEqual({
      svcId: one,
      status: body.wallet.status,
      terminatedAt: body.wallet.terminated_at,
      recurringTransactionRules: [],
      customer: { externalId: 'cust_ada' },
    });
    const left = await traces(one);
    expect(left).toEqual(await traces(two));
    expect(left.rules).toEqual([{ status: 'terminated', terminatedAt: app.clock.now }]);
  });
});

describe('refusals', () => {
  it.each(['7d0f5a34-1b1e-4c57-9a52-999999999999', 'abc'])('no wallet %s', async (id) => {
    for (const query of [MERGE, TERMINATE]) {
      const { data, errors } = await app.graphql(query, { id, pairs: { a: 7 } });
      expect(Object.values(data)).toEqual([null]);
      expect(codes(errors)).toEqual([{ code: 'object_not_found' }]);
    }
  });
  it("another organization's wallet", async () => {
    const id = await app.wallet({ metadata: { k: 'v' } });
    for (const query of [MERGE, TERMINATE]) {
      expect(codes((await app.graphql(query, { id, pairs: { k: 'x' } }, app.other)).errors)).toEqual([
        { code: 'object_not_found' },
      ]);
    }
    expect(await app.row(id)).toMatchObject({ status: 'active', metadata: { k: 'v' } });
  });
  it('metadata that may not be stored', async () => {
    const id = await app.wallet();
    const { errors } = await app.graphql(MERGE, { id, pairs: { ok: 'y', bad: 7 } });
    expect(codes(errors)).toEqual([
      { code: 'validation_errors', errorDetails: { 'metadata.bad': ['value_is_invalid'] } },
    ]);
    const literal = `mutation { mergeWalletMetadata(svcId: "${id}", metadata: {__proto__: "x", n: null}) { metadata } }`;
    expect((await app.graphql(literal)).text).toContain('"__proto__":"x"');
    const list = `mutation { mergeWalletMetadata(svcId: "${id}", metadata: ["x"]) { metadata } }`;
    expect(codes((await app.graphql(list)).errors)).toEqual([
      { code: 'validation_errors', errorDetails: { metadata: ['value_is_invalid'] } },
    ]);
  });
  it('metadata of a terminated wallet', async () => {
    const id = await app.wallet({ status: 'terminated', terminated_at: '2026-01-01T00:00:00Z' });
    expect(codes((await app.graphql(MERGE, { id, pairs: { a: 'b' } })).errors)).toEqual([
      { code: 'validation_errors', errorDetails: { wallet_id: ['wallet_is_terminated'] } },
    ]);
  });
  it('keys that may not write', async () => {
    const id = await app.wallet();
    const reader = await app.makeKey({ permissions: { wallet: ['read'] } });
    const publishable = await app.makeKey({ kind: 'publishable' });
    for (const query of [MERGE, TERMINATE]) {
      expect(codes((await app.graphql(query, { id, pairs: { a: 'b' } }, reader)).errors)).toEqual([
        { code: 'forbidden', reason: 'write_action_not_allowed_for_wallet' },
      ]);
      expect(codes((await app.graphql(query, { id, pairs: { a: 'b' } }, publishable)).errors)).toEqual([
        { code: 'forbidden', reason: 'publishable_key_not_allowed' },
      ]);
    }
    expect(await app.row(id)).toMatchObject({ status: 'active', metadata: null });
  });
});

describe('many mutations in one operation', () => {
  it('are done in their order', async () => {
    const id = await app.wallet();
    const { data, errors } = await app.graphql(
      `mutation ($id: UUID!) {
        a: mergeWalletMetadata(svcId: $id, metadata: {k: "1"}) { metadata }
        b: mergeWalletMetadata(svcId: $id, metadata: {k: "2"}) { metadata }
        c: terminateWallet(svcId: $id) { status }
        d: mergeWalletMetadata(svcId: $id, metadata: {k: "3"}) { metadata }
      }`,
      { id },
    );
    expect(data).toEqual({
      a: { metadata: { k: '1' } },
      b: { metadata: { k: '2' } },
      c: { status: 'terminated' },
      d: null,
    });
    expect(errors).toMatchObject([{ path: ['d'] }]);
    expect((await app.log(id)).map(({ action }) => action)).toEqual([
      'wallet.metadata_merged',
      'wallet.metadata_merged',
      'wallet.terminated',
    ]);
  });
});
