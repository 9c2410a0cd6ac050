import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { differenceText, verifyLife } from '../../../src/engine/life/verify-life.ts';
import { createKey } from '../../../src/store/access/api-key.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { billedLives } from '../../../src/store/subscription/billed-life.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

// The credit note of a subscription that ended while the invoice of its period was a draft, which is computed again.

const plan = (code: string, amount_cents: number) => ({
  ...{ code, name: code, interval: 'monthly', amount_cents, amount_currency: 'EUR', pay_in_advance: true },
});

let test: TestApp;
let key: string;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

let made = 0;
beforeEach(async () => {
  made += 1;
  const data = { name: `Drafts ${made}`, testClockAt: new Date('2023-01-11T08:00:00Z') };
  const { id: organizationId } = await test.db.prisma.organization.create({ data });
  key = (await createKey(test.db.prisma, { organizationId, kind: 'secret' })).key;
  const document = {
    taxes: [{ code: 'vat', name: 'VAT', rate: 20 }],
    billing_entities: [{ code: 'main', is_default: true, tax_codes: ['vat'] }],
    plans: [plan('basic', 3100), plan('more', 6200)],
    customers: [{ external_id: 'ada', currency: 'EUR', billing_configuration: { invoice_grace_period: 5 } }],
  };
  await importDocument(test.db, document, { organization: data.name, now: new Date('2023-01-01T00:00:00Z') });
  await subscribe('basic');
  await advance('2023-01-13T12:00:00Z');
});

async function told(method: string, path: string, body?: object) {
  const answer = await test.rest(method, path, body, { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const subscribe = (plan_code: string) =>
  told('POST', '/subscriptions', {
    subscription: { external_customer_id: 'ada', external_id: 'ada-sub', plan_code },
  });
async function ask(query: string, variables: object = {}) {
  const { data, errors } = await test.graphql(query, variables, key);
  expect(errors).toBeUndefined();
  return data;
}
const advance = (to: string) =>
  ask('mutation ($to: DateTime!) { advanceClock(input: { to: $to }) { testClockAt } }', { to });

/** The starting invoice, with what its note gives back; and what the upgrade's invoice is due with. */
async function bills() {
  const rows = await test.db.prisma.invoice.findMany({
    where: { organization: { name: `Drafts ${made}` } },
    include: { fees: true, creditNotes: { include: { items: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const [starting, ...others] = rows;
  if (!starting) throw new Error('no invoice');
  const notes = starting.creditNotes.map((note) => [
    ...[note.status, Number(note.totalAmountCents), Number(note.creditAmountCents)],
    note.items.every(({ feeId }) => starting.fees.some(({ id }) => id === feeId)),
  ]);
  const due = others.map((one) => [one.status, Number(one.creditNotesAmountCents), Number(one.totalAmountCents)]);
  return { id: starting.id, fee: starting.fees[0]?.id, notes, due };
}

/** What the check of the organization's invoices tells. */
async function verified(): Promise<string[]> {
  const { id: organizationId } = await test.db.prisma.organization.findUniqueOrThrow({
    where: { name: `Drafts ${made}` },
  });
  const tenant = forOrganization(test.db.prisma, organizationId);
  const actor = { organizationId, now: new Date(), job: 'verify' };
  const told: string[] = [];
  for (const life of await billedLives(tenant, actor)) {
    told.push(...(await verifyLife(tenant, actor, life)).differences.map(differenceText));
  }
  return told;
}

it('stands on the new fee, and is taken off once all is final', async () => {
  await subscribe('more');
  const { id, notes } = await bills();
  expect(notes).toEqual([['draft', 2280, 2280, true]]);
  await told('PUT', `/invoices/${id}/refresh`);
  await told('PUT', `/invoices/${id}/refresh`);
  expect((await bills()).notes).toEqual([['draft', 2280, 2280, true]]);
  await advance('2023-01-25T12:00:00Z');
  expect(await bills()).toMatchObject({
    notes: [['finalized', 2280, 2280, true]],
    // 19 of 31 days of 6200 at 20 %.
    due: [['finalized', 2280, 2280]],
  });
  expect(await verified()).toEqual([]);
  // As it was left where the fee was lost.
  const { id: noteId, number } = await test.db.prisma.creditNote.findFirstOrThrow({ where: { invoiceId: id } });
  const none = { totalAmountCents: 0n, creditAmountCents: 0n, subTotalExcludingTaxesAmountCents: 0n };
  await test.db.prisma.creditNote.update({ where: { id: noteId }, data: { ...none, taxesAmountCents: 0n } });
  await test.db.prisma.creditNoteItem.updateMany({ where: { creditNoteId: noteId }, data: { feeId: null } });
  expect(await verified()).toContain(
    `${number.slice(0, -6)} ${number}.totalAmountCents: 0, not 2280: what is given back of the invoice comes to something else`,
  );
});

it('follows the price of the plan, which the clock has the draft computed again for', async () => {
  await subscribe('more');
  await told('PUT', '/plans/basic', { plan: { amount_cents: 6200 } });
  await advance('2023-01-14T12:00:00Z');
  expect((await bills()).notes).toEqual([['draft', 4560, 4560, true]]);
  await advance('2023-01-25T12:00:00Z');
  expect(await bills()).toMatchObject({
    notes: [['finalized', 4560, 4560, true]],
    due: [['finalized', 4560, 0]],
  });
  expect(await verified()).toEqual([]);
});

it('follows a fee that is changed by hand, to nothing and back', async () => {
  const units = async (of: string) => {
    const { id, fee } = await bills();
    const query = `mutation ($id: UUID!, $fee: UUID!, $units: Decimal!) {
      createAdjustedFee(svcId: $id, input: { svcFeeId: $fee, units: $units }) { svcId }
    }`;
    await ask(query, { id, fee, units: of });
    return (await bills()).notes;
  };
  const asItWas = async () => {
    const { id, fee } = await bills();
    const query = 'mutation ($id: UUID!, $fee: UUID!) { destroyAdjustedFee(svcId: $id, svcFeeId: $fee) { svcId } }';
    await ask(query, { id, fee });
    return (await bills()).notes;
  };
  await told('DELETE', '/subscriptions/ada-sub');
  // Without the day of its end: 18 of 21 days.
  expect((await bills()).notes).toEqual([['draft', 2160, 2160, true]]);
  expect(await units('0')).toEqual([['draft', 0, 0, true]]);
  expect(await asItWas()).toEqual([['draft', 2160, 2160, true]]);
  expect(await units('2')).toEqual([['draft', 4320, 4320, true]]);
  await advance('2023-01-25T12:00:00Z');
  expect((await bills()).notes).toEqual([['finalized', 4320, 4320, true]]);
  expect(await verified()).toEqual([]);
});
