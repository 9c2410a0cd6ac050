import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localDate, startOfDay } from '../../src/billing/calendar.ts';
import { previewInvoice } from '../../src/billing/preview.ts';
import { loadAccount } from '../../src/store/account/load-account.ts';
import type { Database } from '../../src/store/database.ts';
import type { TenantTransaction } from '../../src/store/tenant.ts';
import { importDocument } from '../../src/store/transfer/import.ts';
import { parseJson } from '../../src/store/transfer/json.ts';
import { openTestDatabase } from '../support.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  const text = readFileSync(new URL('../../prisma/demo.json', import.meta.url), 'utf8');
  await importDocument(db, parseJson(text), { now: new Date('2026-11-27T12:00:00Z') });
}, 120_000);
afterAll(() => db?.close());

/** The last invoice over a period of every subscription that runs and is to go on. */
async function lastInvoices() {
  const subscriptions = await db.prisma.subscription.findMany({
    where: { status: 'active', nextSubscriptions: { none: {} } },
    include: { plan: true, customer: { include: { billingEntity: true } } },
  });
  // A preview of a plan whose usage is billed within its period shows the end of the period.
  const isSplit = ({ plan }: (typeof subscriptions)[number]) =>
    (plan.billChargesMonthly || plan.billFixedChargesMonthly) && !['weekly', 'monthly'].includes(plan.interval);
  const found = [];
  for (const subscription of subscriptions.filter((one) => !isSplit(one))) {
    const invoice = await db.prisma.invoice.findFirst({
      where: {
        invoiceType: 'subscription',
        billingPeriods: { some: { subscriptionId: subscription.id, invoicingReason: 'subscription_periodic' } },
      },
      include: { fees: true, billingPeriods: { include: { subscription: true } } },
      orderBy: { createdAt: 'desc' },
    });
    if (invoice) found.push({ subscription, invoice });
  }
  return found;
}
type Found = Awaited<ReturnType<typeof lastInvoices>>[number];

/** The preview of the moment before the day of the invoice, when neither it nor a later one had been made. */
async function before({ subscription: { customer }, invoice }: Found) {
  const zone = customer.timezone ?? customer.billingEntity.timezone;
  const now = new Date(startOfDay(localDate(invoice.createdAt.getTime(), zone), zone) - 1);
  const externalIds = [...new Set(invoice.billingPeriods.map(({ subscription }) => subscription.externalId))];
  const undone = new Error('undone');
  let preview: ReturnType<typeof previewInvoice> | undefined;
  const run = db.prisma.$transaction(async (transaction) => {
    const later = { customerId: customer.id, createdAt: { gte: invoice.createdAt } };
    await transaction.credit.deleteMany({ where: { invoice: later } });
    await transaction.invoice.updateMany({ where: later, data: { status: 'generating' } });
    const account = await loadAccount(transaction as unknown as TenantTransaction, customer.id, externalIds, now);
    if (account) preview = previewInvoice({ subscriptions: { externalIds } }, account, { plans: [] }, now.getTime());
    throw undone;
  });
  await expect(run).rejects.toBe(undone);
  return preview;
}

interface Line {
  readonly chargeId: string | null;
  readonly fixedChargeId: string | null;
  readonly groupedBy: unknown;
  readonly amountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly units: { toString(): string };
}
const line = (type: string, filter: string | null, fee: Line, taxes: boolean) =>
  [
    ...[type, fee.chargeId, fee.fixedChargeId, filter, JSON.stringify(fee.groupedBy), fee.amountCents],
    ...[Number(fee.units).toFixed(12), taxes ? fee.taxesAmountCents : ''],
  ].join(' ');

it('what is loaded makes the invoices that were issued', { timeout: 120_000 }, async () => {
  const all = await lastInvoices();
  expect(all.length).toBeGreaterThan(40);
  let taxed = 0;
  for (const found of all) {
    const { invoice } = found;
    const preview = await before(found);
    // Coupons that were used up since are not given again, and they move the taxes.
    const same = preview?.couponsAmountCents === invoice.couponsAmountCents;
    taxed += same ? 1 : 0;
    const billed = invoice.fees.filter(({ amountCents }) => amountCents !== 0n);
    const shown = (preview?.fees ?? []).filter(({ amountCents }) => amountCents !== 0n);
    expect(shown.map((fee) => line(fee.type, fee.filterId, fee, same)).sort(), invoice.number).toEqual(
      billed.map((fee) => line(fee.feeType, fee.chargeFilterId, fee, same)).sort(),
    );
    expect(preview).toMatchObject({
      currency: invoice.currency,
      issuingDate: invoice.issuingDate.toISOString().slice(0, 10),
      feesAmountCents: invoice.feesAmountCents,
      progressiveBillingCreditAmountCents: invoice.progressiveBillingCreditAmountCents,
      ...(same && { taxesAmountCents: invoice.taxesAmountCents }),
    });
  }
  expect(taxed).toBeGreaterThan(40);
});
