import { dec, roundToInteger } from '../../../src/billing/money/decimal.ts';
import type { TestApp } from '../../support.ts';

type Tenant = Pick<TestApp, 'db' | 'organizationId'>;

export type Invoice = Awaited<ReturnType<typeof invoicesOf>>[number];

/** The invoices of an organization, with their notes and customers. */
export const invoicesOf = ({ db, organizationId }: Tenant) =>
  db.prisma.invoice.findMany({ where: { organizationId }, include: { creditNotes: true, customer: true } });

/** What is still to be paid: the total less payments and offsets. */
export function dueOf(invoice: Invoice): bigint {
  if (invoice.status === 'voided' || invoice.paymentStatus === 'succeeded') return 0n;
  const notes = invoice.creditNotes.filter(({ status }) => status === 'finalized');
  const offsets = notes.reduce((sum, note) => sum + note.offsetAmountCents, 0n);
  const due = invoice.totalAmountCents - invoice.totalPaidAmountCents - offsets;
  return due > 0n ? due : 0n;
}

/** Whether it is counted among what customers owe. */
export const isOwed = ({ status, selfBilled, paymentDisputeLostAt }: Invoice) =>
  status === 'finalized' && !selfBilled && paymentDisputeLostAt === null;

/** Sums by customer and currency, as the graph shows them; what is 0 is left out. */
function summed<T>(rows: readonly T[], keyOf: (row: T) => [string, string], amountOf: (row: T) => bigint) {
  const sums = new Map<string, Map<string, bigint>>();
  for (const row of rows) {
    const [customer, currency] = keyOf(row);
    const own = sums.get(customer) ?? new Map<string, bigint>();
    sums.set(customer, own.set(currency, (own.get(currency) ?? 0n) + amountOf(row)));
  }
  return (customer: string) =>
    [...(sums.get(customer) ?? [])]
      .filter(([, sum]) => sum !== 0n)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => ({ currency, amountCents: sum.toString() }));
}

const ofInvoice = ({ customer, currency }: Invoice): [string, string] => [customer.externalId, currency];

/** The figures of customers by their external identifiers, added up from their rows. */
export async function expectedFigures(tenant: Tenant, now: Date) {
  const invoices = (await invoicesOf(tenant)).filter(isOwed);
  const where = { organizationId: tenant.organizationId };
  const notes = await tenant.db.prisma.creditNote.findMany({ where, include: { customer: true } });
  const subscriptions = await tenant.db.prisma.subscription.findMany({
    where,
    include: { customer: true, plan: true },
  });
  const outstanding = summed(invoices, ofInvoice, dueOf);
  const overdue = summed(
    invoices.filter((invoice) => invoice.paymentOverdue),
    ofInvoice,
    dueOf,
  );
  const credit = summed(
    notes.filter(({ status, creditStatus }) => status === 'finalized' && creditStatus === 'available'),
    ({ customer, currency }) => [customer.externalId, currency],
    (note) => note.balanceAmountCents,
  );
  const years = { weekly: 52n, monthly: 12n, quarterly: 4n, semiannual: 2n, yearly: 1n };
  const annual = summed(
    subscriptions.filter(({ status, startedAt, terminatedAt, plan }) => {
      const trialEnd = (startedAt?.getTime() ?? 0) + Number(plan.trialPeriod) * 86_400_000;
      const isActive = status === 'active' || status === 'terminated';
      return (
        isActive &&
        (startedAt ?? now) < now &&
        trialEnd <= now.getTime() &&
        (terminatedAt === null || terminatedAt >= now)
      );
    }),
    ({ customer, plan }) => [customer.externalId, plan.amountCurrency],
    ({ plan }) => plan.amountCents * years[plan.interval],
  );
  const monthly = (customer: string) =>
    annual(customer).map(({ currency, amountCents }) => ({
      currency,
      amountCents: roundToInteger(dec(amountCents).div(12)).toString(),
    }));
  const active = (customer: string) =>
    subscriptions.filter((row) => row.customer.externalId === customer && row.status === 'active').length;
  return { outstanding, overdue, credit, monthly, active };
}
