import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppWithWallets, ENDED, WALLET } from './priced-wallet.ts';
import { everything } from './snapshot.ts';

let app: Awaited<ReturnType<typeof createAppWithWallets>>;
beforeAll(async () => {
  app = await createAppWithWallets();
}, 600_000);
afterAll(() => app?.close());

const LISTS = `changes { dryRun
  charges { totalCount nodes { id properties plan { name } } }
  fixedCharges { totalCount nodes { id units plan { name } } }
  fixedChargeUnitsEvents { totalCount nodes { id units effectiveAt subscription { externalId } } }
  subscriptions { totalCount nodes { id externalId } }
  invoices { totalCount nodes { id number status totalAmountCents prepaidCreditAmountCents fileUrl allFees { units amountCents } } }
  wallets { totalCount nodes { id balanceCents } }
  walletTransactions { totalCount nodes { id amount transactionType } }
  recurringTransactionRules { totalCount nodes { id status terminatedAt } }
  plans { totalCount nodes { id code } }
  appliedCoupons { totalCount } creditNotes { totalCount }
  auditLogs { totalCount nodes { action } }
}`;

const PATH = 'planCode: "family", chargeCode: "api_calls"';
const FILTER = '{values: {region: ["eu"]}, properties: {amount: "2"}, cascadeUpdates: true}';

/** Each mutation, as it is asked for, with what it changes besides: the totals of lists that are not empty. */
const MUTATIONS: readonly (readonly [string, string, string, Record<string, number>])[] = [
  [
    'createChargeFilter',
    `${PATH}, input: ${FILTER}`,
    'id svcId values properties charge { filters { values } }',
    { charges: 4, plans: 1, auditLogs: 1 },
  ],
  [
    'updateCharge',
    `${PATH}, input: {properties: {amount: "0.07"}, cascadeUpdates: true}`,
    'id properties plan { charges { properties } }',
    { charges: 2, plans: 1, auditLogs: 1 },
  ],
  [
    'updateFixedCharge',
    'planCode: "ahead", fixedChargeCode: "desk", input: {units: "5.5", applyUnitsImmediately: true}',
    'id units plan { fixedCharges { units } }',
    {
      ...{ fixedChargeUnitsEvents: 2, subscriptions: 1, invoices: 1, wallets: 1, walletTransactions: 1 },
      ...{ plans: 1, auditLogs: 2 },
    },
  ],
  [
    'updateFixedCharge',
    'planCode: "family", fixedChargeCode: "desk", input: {units: "4", cascadeUpdates: true}',
    'id units',
    { fixedCharges: 2, fixedChargeUnitsEvents: 2, subscriptions: 1, plans: 1, auditLogs: 1 },
  ],
  [
    'createCharge',
    'planCode: "family", input: {code: "extra", billableMetricCode: "api_calls", pricing: {standard: {amount: "1"}}, cascadeUpdates: true}',
    'id code properties plan { charges { code } }',
    { charges: 3, plans: 1, auditLogs: 1 },
  ],
  [
    'destroyCharge',
    'planCode: "family", chargeCode: "extra", input: {cascadeUpdates: true}',
    'id code',
    { charges: 3, plans: 1, auditLogs: 1 },
  ],
  [
    'createFixedCharge',
    'planCode: "ahead", input: {code: "extra", addOnCode: "desk", pricing: {standard: {amount: "1"}}, units: "2"}',
    'id code units',
    { fixedChargeUnitsEvents: 2, subscriptions: 1, plans: 1, auditLogs: 1 },
  ],
  ['destroyFixedCharge', 'planCode: "ahead", fixedChargeCode: "extra"', 'id code', { plans: 1, auditLogs: 1 }],
  ['mergePlanMetadata', 'code: "family", metadata: {a: "1"}', 'id metadata', { auditLogs: 1 }],
  ['deletePlanMetadataKey', 'code: "family", key: "a"', 'id metadata', { auditLogs: 1 }],
  ['mergeWalletMetadata', `svcId: "${WALLET}", metadata: {a: "1"}`, 'id metadata', { auditLogs: 1 }],
  [
    'updateLifetimeUsage',
    'externalId: "sub_used", input: {externalHistoricalUsageAmountCents: "70"}',
    'id lifetimeUsage { externalHistoricalUsageAmountCents totalUsageAmountCents }',
    { auditLogs: 1 },
  ],
  ['terminateWallet', `svcId: "${WALLET}"`, 'id status terminatedAt', { recurringTransactionRules: 1, auditLogs: 1 }],
];

/** What a dry run cannot know: identifiers and numbers, and what belongs to the log. */
const unnamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unnamed);
  if (typeof value !== 'object' || value === null) return value;
  const hidden = ['id', 'svcId', 'number', 'fileUrl', 'auditLogs', 'dryRun'];
  const shown = Object.entries(value).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(shown.map(([name, member]) => [name, unnamed(member)]));
};

const totalsOf = (changes: Record<string, { totalCount: number }>) =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([kind, { totalCount }]) => (totalCount > 0 ? [[kind, totalCount]] : [])),
  );

describe('a dry run', () => {
  it.each(MUTATIONS)('of %s(%s) answers what the write then does, and leaves every row as it was', async (...row) => {
    const [name, args, selection, totals] = row;
    const ask = (dry: boolean) =>
      app.graphql(`mutation ($dry: Boolean) { it: ${name}(${args}, dryRun: $dry) { ${selection} ${LISTS} } }`, { dry });
    const before = await everything(app.db);
    const tried = await ask(true);
    expect(tried.errors).toBeUndefined();
    expect(await everything(app.db)).toEqual(before);
    const done = await ask(false);
    expect(done.errors).toBeUndefined();
    expect(unnamed(tried.data.it)).toEqual(unnamed(done.data.it));
    expect(totalsOf(done.data.it.changes)).toEqual(totals);
    const { auditLogs: _log, ...kept } = totals;
    expect(totalsOf(tried.data.it.changes)).toEqual(kept);
    expect([tried.data.it.changes.dryRun, done.data.it.changes.dryRun]).toEqual([true, false]);
    for (const { number, fileUrl } of tried.data.it.changes.invoices.nodes)
      expect([number, fileUrl]).toEqual(['', null]);
    const nodes = 'query ($dry: ID!, $real: ID!) { dry: node(id: $dry) { id } real: node(id: $real) { id } }';
    const found = await app.graphql(nodes, { dry: tried.data.it.id, real: done.data.it.id });
    expect(found.data).toEqual({ dry: null, real: name.startsWith('destroy') ? null : { id: done.data.it.id } });
  });

  it.each([
    ['updateCharge(planCode: "nope", chargeCode: "api_calls", input: {}'],
    ['updateCharge(planCode: "used", chargeCode: "api_calls", input: {code: "other"}'],
    ['updateCharge(planCode: "orchid", chargeCode: "c_one", input: {code: "c_two"}'],
    ['updateFixedCharge(planCode: "ahead", fixedChargeCode: "desk", input: {units: "-1"}'],
    [
      'updateFixedCharge(planCode: "ahead", fixedChargeCode: "desk", input: {units: "999999999999999", properties: {amount: "1000"}, applyUnitsImmediately: true}',
    ],
    [`createChargeFilter(${PATH}, input: ${FILTER}`],
    [`mergeWalletMetadata(svcId: "${ENDED}", metadata: {a: "1"}`],
    [`mergeWalletMetadata(svcId: "${WALLET}", metadata: {a: 1}`],
    ['updateLifetimeUsage(externalId: "nope", input: {externalHistoricalUsageAmountCents: "1"}'],
    ['terminateWallet(svcId: "nope"'],
  ])('of %s is refused like the write', async (call) => {
    const told = async (more: string) => {
      const { errors = [] } = await app.graphql(`mutation { it: ${call}${more}) { svcId } }`);
      return errors.map(({ message, path, extensions }) => ({ message, path, extensions }));
    };
    const refused = await told('');
    expect(refused).toHaveLength(1);
    expect(await told(', dryRun: true')).toEqual(refused);
  });

  it('is one of all mutations of an operation, in which each sees what those before it did', async () => {
    const change = (units: string, dry: string) =>
      `updateFixedCharge(planCode: "cedar", fixedChargeCode: "desk", input: {units: "${units}"} ${dry}) { units changes { dryRun } }`;
    const before = await everything(app.db);
    const mixed = await app.graphql(`mutation { a: ${change('8', 'dryRun: true')} b: ${change('9', '')} }`);
    expect(mixed.errors).toMatchObject([
      {
        extensions: {
          code: 'validation_errors',
          errors: [{ path: ['dryRun'], code: 'value_is_invalid', message: expect.stringContaining('given: true') }],
        },
      },
    ]);
    const both = await app.graphql(`mutation ($d: Boolean = true) {
      a: ${change('8', 'dryRun: $d')}
      refused: updateCharge(planCode: "orchid", chargeCode: "c_one", input: {code: "c_two"}, dryRun: $d) { code }
      ...More
    }
    fragment More on Mutation {
      b: updateFixedCharge(planCode: "cedar", fixedChargeCode: "desk", input: {invoiceDisplayName: "x"}, dryRun: $d) { units }
    }`);
    expect(both.data).toEqual({ a: { units: '8.0', changes: { dryRun: true } }, refused: null, b: { units: '8.0' } });
    expect(await everything(app.db)).toEqual(before);
  });

  it('is not kept by its name, and a read object has no changes', async () => {
    const send = async (query: string) => {
      const headers = {
        Authorization: `Bearer ${app.key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k1',
      };
      const body = JSON.stringify({ query });
      return (await app.app.fetch(new Request('http://x.test/graphql', { method: 'POST', headers, body }))).json();
    };
    const change = (dry: boolean) => `mutation { updateFixedCharge(planCode: "cedar", fixedChargeCode: "desk",
      input: {units: "11"}, dryRun: ${dry}) { units } }`;
    expect(await send(change(true))).toMatchObject({ data: { updateFixedCharge: { units: '11.0' } } });
    expect(await app.db.prisma.idempotencyKey.count()).toBe(0);
    // The name is still free for the write itself.
    expect(await send(change(false))).toMatchObject({ data: { updateFixedCharge: { units: '11.0' } } });
    expect(await app.db.prisma.idempotencyKey.count()).toBe(1);
    const { data } = await app.graphql(`{ wallet(svcId: "${WALLET}") { code changes { dryRun } } }`);
    expect(data.wallet).toEqual({ code: 'main', changes: null });
  });
});
