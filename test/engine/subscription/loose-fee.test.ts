import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSubscription } from '../../../src/engine/subscription/create-subscription.ts';
import { runBetween } from '../../../src/engine/subscription/run-due.ts';
import { recordEvent } from '../../../src/engine/usage/record-events.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const START = new Date('2026-01-10T00:00:00Z');

let test: TestApp;
let tenant: TenantClient;
beforeAll(async () => {
  test = await createTestApp();
  tenant = forOrganization(test.db.prisma, test.organizationId);
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  const terms = { interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' };
  const seat = {
    ...{ code: 'seat', billable_metric_code: 'seat', charge_model: 'standard', properties: { amount: '7' } },
    ...{ pay_in_advance: true, invoiceable: false },
  };
  const document = {
    taxes: [{ code: 'vat', rate: 20 }],
    billing_entities: [{ code: 'main', is_default: true, tax_codes: ['vat'] }],
    billable_metrics: [{ code: 'seat', name: 'Seats', aggregation_type: 'sum_agg', field_name: 'n', recurring: true }],
    plans: [
      { ...terms, code: 'alone', charges: [seat] },
      { ...terms, code: 'gathered', charges: [{ ...seat, regroup_paid_fees: 'invoice' }] },
    ],
  };
  await importDocument(test.db, document, { organization: name, now: START });
});
afterAll(() => test?.close());

const actorAt = (now: Date) => ({ organizationId: test.organizationId, now, job: 'test' });
const at = (day: string) => new Date(`${day}T12:00:00Z`);
const until = (from: string, to: string) => runBetween(tenant, actorAt(at(to)), at(from), at(to));

/** Five seats of a customer of a plan, from 10 January on. */
async function subscribed(planCode: string): Promise<void> {
  const named = { externalCustomerId: planCode, externalId: planCode };
  await createSubscription(tenant, actorAt(START), { ...named, planCode });
  await recordEvent(tenant, actorAt(START), {
    ...{ transactionId: planCode, code: 'seat', externalSubscriptionId: planCode },
    ...{ timestamp: START, properties: { n: 5 } },
  });
}

/** Fees of the seats that are renewed, in their order: the day their period begins, what they come to, and on which kind of invoice they are. */
async function renewed(externalId: string) {
  const rows = await tenant.fee.findMany({
    where: { subscription: { externalId }, feeType: 'charge', fromDate: { gte: new Date('2026-02-01') } },
    include: { invoice: true },
    orderBy: { fromDate: 'asc' },
  });
  return rows.map(({ fromDate, amountCents, taxesAmountCents, invoice }) => [
    fromDate?.toISOString().slice(0, 10),
    Number(amountCents),
    Number(taxesAmountCents),
    invoice?.invoiceType ?? null,
  ]);
}

it('a renewal of what is not invoiced makes a fee of its own, with its taxes', async () => {
  await subscribed('alone');
  await until('2026-01-11', '2026-03-02');
  expect(await renewed('alone')).toEqual([
    ['2026-02-01', 3500, 700, null],
    ['2026-03-01', 3500, 700, null],
  ]);
});

it('what is paid of it is gathered on an invoice that is paid, once its period is over', async () => {
  await subscribed('gathered');
  await until('2026-01-11', '2026-02-02');
  expect(await renewed('gathered')).toEqual([['2026-02-01', 3500, 700, null]]);
  const where = { subscription: { externalId: 'gathered' }, fromDate: { gte: new Date('2026-02-01') } };
  await tenant.fee.updateMany({ where, data: { paymentStatus: 'succeeded', succeededAt: at('2026-02-03') } });
  await until('2026-02-02', '2026-02-27');
  expect(await renewed('gathered')).toEqual([['2026-02-01', 3500, 700, null]]);
  await until('2026-02-27', '2026-04-02');
  // What nobody has paid stays alone.
  expect(await renewed('gathered')).toEqual([
    ['2026-02-01', 3500, 700, 'advance_charges'],
    ['2026-03-01', 3500, 700, null],
    ['2026-04-01', 3500, 700, null],
  ]);
  const invoices = await tenant.invoice.findMany({ where: { invoiceType: 'advance_charges' } });
  expect(invoices).toMatchObject([
    { status: 'finalized', paymentStatus: 'succeeded', totalAmountCents: 4200n, taxesAmountCents: 700n },
  ]);
});
