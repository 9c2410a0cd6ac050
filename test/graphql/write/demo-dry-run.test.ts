import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, openDemoDatabase, type TestApp } from '../../support.ts';
import { everything } from './snapshot.ts';

const NOW = new Date('2026-11-27T12:00:00Z');

let app: TestApp;
let keys: string[] = [];
let organizations: string[] = [];
beforeAll(async () => {
  const demo = await openDemoDatabase();
  organizations = demo.organizations;
  app = await createTestApp({ db: demo.db, now: () => NOW });
  keys = await Promise.all(organizations.map((organizationId) => app.makeKey({ organizationId })));
}, 600_000);
afterAll(async () => {
  await app?.close();
  await app?.db.close();
});

const CHANGES = `changes {
  dryRun
  auditLogs { totalCount nodes { action } }
  plans { nodes { code } }
  charges { totalCount nodes { code properties } }
  appliedCoupons { nodes { svcId amountCents } }
  creditNotes { nodes { svcId balanceAmountCents } }
  wallets { nodes { svcId balanceCents } }
  walletTransactions { totalCount nodes { amount transactionType } }
  recurringTransactionRules { totalCount nodes { svcId status terminatedAt } }
  subscriptions(page: 1, perPage: 1000) { totalCount nodes { externalId } }
  fixedChargeUnitsEvents(page: 1, perPage: 1000) { totalCount nodes { units effectiveAt subscription { externalId } fixedCharge { code units } } }
  fixedCharges(page: 1, perPage: 1000) { totalCount nodes { svcId code units plan { code } } }
  invoices(page: 1, perPage: 50) { totalCount nodes {
    id number status invoiceType issuingDate paymentDueDate currency totalAmountCents feesAmountCents taxesAmountCents
    couponsAmountCents creditNotesAmountCents prepaidCreditAmountCents subTotalExcludingTaxesAmountCents taxesRate
    customer { externalId } subscriptions { externalId } billingPeriods { subscriptionFromDatetime invoicingReason }
    allFees { amountCents preciseAmountCents units feeType item { name } appliedTaxes { taxCode amountCents } amountDetails }
    appliedTaxes { taxCode amountCents } credits { amountCents item { code } } createdAt updatedAt fileUrl
  } }
}`;

const UPDATE = `mutation ($plan: String!, $code: String!, $i: UpdateFixedChargeInput!, $dry: Boolean) {
  updateFixedCharge(planCode: $plan, fixedChargeCode: $code, input: $i, dryRun: $dry) { id code units ${CHANGES} }
}`;

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
const withoutNames = (answer: any) => ({
  ...answer,
  id: '',
  changes: {
    ...answer.changes,
    ...{ dryRun: null, auditLogs: null },
    // When an invoice was changed is told by Prisma's clock, which is not the test's.
    invoices: answer.changes.invoices.nodes.map((invoice: object) => ({
      ...invoice,
      ...{ id: '', number: '', fileUrl: '', updatedAt: '' },
    })),
  },
});

it('shows of every fixed charge of the demo what the write then does, and leaves every row as it was', {
  timeout: 300_000,
}, async () => {
  let issued = 0;
  for (const [index, organizationId] of organizations.entries()) {
    const key = keys[index];
    const charges = await app.db.prisma.fixedCharge.findMany({
      where: { organizationId, deletedAt: null, parentId: null, plan: { parentId: null, deletedAt: null } },
      include: { plan: true },
    });
    for (const { code, plan, units } of charges) {
      for (const applyUnitsImmediately of [true, false]) {
        const i = {
          units: units.mul(applyUnitsImmediately ? 3 : 7).toFixed(),
          applyUnitsImmediately,
          cascadeUpdates: true,
        };
        const variables = { plan: plan.code, code, i };
        const before = await everything(app.db);
        const tried = await app.graphql(UPDATE, { ...variables, dry: true }, key);
        expect(tried.errors).toBeUndefined();
        expect(await everything(app.db)).toEqual(before);
        const done = await app.graphql(UPDATE, variables, key);
        expect(done.errors).toBeUndefined();
        const [dry, real] = [tried.data.updateFixedCharge, done.data.updateFixedCharge];
        expect(withoutNames(dry)).toEqual(withoutNames(real));
        expect([dry.changes.dryRun, real.changes.dryRun]).toEqual([true, false]);
        expect(dry.changes.auditLogs.totalCount).toBe(0);
        expect(real.changes.auditLogs.totalCount).toBe(real.changes.invoices.totalCount + 1);
        for (const invoice of dry.changes.invoices.nodes) expect([invoice.number, invoice.fileUrl]).toEqual(['', null]);
        for (const invoice of real.changes.invoices.nodes) expect(invoice.number).not.toBe('');
        issued += real.changes.invoices.totalCount;
        // The object of a dry run is none that a client keeps.
        const nodes = await app.graphql(
          'query ($a: ID!, $b: ID!) { a: node(id: $a) { id } b: node(id: $b) { id } }',
          { a: dry.id, b: real.id },
          key,
        );
        expect(nodes.data).toEqual({ a: null, b: { id: real.id } });
      }
    }
  }
  expect(issued).toBeGreaterThan(5);
});
