import type { ChargeProperties } from '../billing/charge-type.ts';
import { type Decimal, dec } from '../billing/decimal.ts';
import type { PlanFixedChargeInput, SubscriptionInput } from '../billing/invoice-input.ts';
import type { CustomerAccount } from '../billing/invoice-type.ts';
import { type PaidUnits, unitsInvoice } from '../billing/units-bill.ts';
import {
  COUPON_ROWS,
  couponInput,
  customerInput,
  entityInput,
  LIVE_TAXES,
  NOTE_ROWS,
  noteInput,
  taxInput,
  WALLET_ROWS,
  walletInput,
} from './account-row.ts';
import { type Actor, recordAudit } from './audit.ts';
import { bookCredits } from './credit-write.ts';
import type { SubscriptionGetPayload, SubscriptionInclude } from './generated/prisma/models.ts';
import { lockNumbering, nextNumber } from './invoice-number.ts';
import { addInvoice } from './invoice-write.ts';
import type { TenantTransaction } from './tenant.ts';

const ENTITY = { include: { taxes: LIVE_TAXES } } as const;

/** A subscription with what the invoice of one fixed charge depends on. */
const rowsFor = (fixedChargeId: string) =>
  ({
    plan: {
      include: {
        taxes: LIVE_TAXES,
        fixedCharges: { where: { id: fixedChargeId }, include: { addOn: true, taxes: LIVE_TAXES } },
      },
    },
    billingEntity: ENTITY,
    customer: {
      include: {
        taxes: LIVE_TAXES,
        billingEntity: ENTITY,
        appliedCoupons: { where: { status: 'active' }, include: COUPON_ROWS },
        creditNotes: { where: { status: 'finalized', creditStatus: 'available' }, include: NOTE_ROWS },
        wallets: { where: { status: 'active' }, include: WALLET_ROWS },
      },
    },
    fixedChargeUnitsEvents: { where: { fixedChargeId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
    fees: {
      where: { fixedChargeId, payInAdvance: true, deletedAt: null, invoice: { status: { not: 'voided' } } },
      select: { units: true, fromDate: true },
    },
  }) satisfies SubscriptionInclude;

type Row = SubscriptionGetPayload<{ include: ReturnType<typeof rowsFor> }>;
type FixedRow = Row['plan']['fixedCharges'][number];

const decimal = (value: { toFixed(): string }): Decimal => dec(value.toFixed());

function chargeInput(row: FixedRow): PlanFixedChargeInput {
  const { id, code, invoiceDisplayName, chargeModel, properties, prorated, payInAdvance, units, addOn, taxes } = row;
  return {
    ...{ id, code, invoiceDisplayName, model: chargeModel, properties: properties as ChargeProperties },
    ...{ prorated, payInAdvance, units: decimal(units), addOn, taxes: taxes.map(taxInput) },
  };
}

function subscriptionInput(row: Row): SubscriptionInput {
  const { plan } = row;
  const events = row.fixedChargeUnitsEvents.map(({ units, effectiveAt, createdAt }) => ({
    ...{ units: decimal(units), timestamp: effectiveAt.getTime(), createdAt: createdAt.getTime() },
  }));
  const fixedCharges = plan.fixedCharges.map(chargeInput);
  return {
    ...{ id: row.id, externalId: row.externalId, name: row.name, stored: true, status: 'active' },
    plan: {
      ...{ id: plan.id, code: plan.code, name: plan.name, description: plan.description, parentId: plan.parentId },
      ...{ invoiceDisplayName: plan.invoiceDisplayName, interval: plan.interval, amountCents: plan.amountCents },
      ...{ currency: plan.amountCurrency, payInAdvance: plan.payInAdvance, trialDays: decimal(plan.trialPeriod) },
      ...{ billChargesMonthly: plan.billChargesMonthly, billFixedChargesMonthly: plan.billFixedChargesMonthly },
      ...{ taxes: plan.taxes.map(taxInput), charges: [], fixedCharges, commitment: null, usageThresholds: [] },
    },
    ...{ subscriptionAt: row.subscriptionAt.getTime(), startedAt: row.startedAt?.getTime() ?? null },
    ...{ createdAt: row.createdAt.getTime(), endingAt: row.endingAt?.getTime() ?? null, terminatedAt: null },
    ...{ billingTime: row.billingTime, previousId: null, nextId: null },
    unitEvents: events.length > 0 ? Object.fromEntries(fixedCharges.map(({ id }) => [id, events])) : {},
  };
}

function accountOf(row: Row, subscription: SubscriptionInput, now: Date): CustomerAccount {
  const { customer } = row;
  const wallets = customer.wallets.filter(({ expirationAt }) => expirationAt === null || expirationAt > now);
  return {
    customer: customerInput(customer),
    billingEntity: entityInput(row.billingEntity ?? customer.billingEntity),
    subscriptions: [subscription],
    ...{ events: [], pastInvoices: [] },
    coupons: customer.appliedCoupons.map(couponInput),
    creditNotes: customer.creditNotes.map(noteInput),
    wallets: wallets.map(walletInput),
  };
}

const paidOf = (row: Row): PaidUnits[] =>
  row.fees.flatMap(({ units, fromDate }) => (fromDate ? [{ units: decimal(units), from: fromDate.getTime() }] : []));

async function invoiceOne(tx: TenantTransaction, actor: Actor, fixedChargeId: string, id: string): Promise<void> {
  const row = await tx.subscription.findUniqueOrThrow({ where: { id }, include: rowsFor(fixedChargeId) });
  const subscription = subscriptionInput(row);
  const [charge] = subscription.plan.fixedCharges;
  if (!charge) return;
  const account = accountOf(row, subscription, actor.now);
  const invoice = unitsInvoice(account, subscription, charge, paidOf(row), actor.now.getTime());
  if (!invoice) return;
  const { customer, billingEntity } = account;
  const numbering = await nextNumber(tx, actor, invoice, customer, billingEntity);
  const owner = { customerId: customer.id, billingEntityId: billingEntity.id };
  const invoiceId = await addInvoice(tx, actor, invoice, owner, numbering);
  await bookCredits(tx, actor, { invoiceId, invoice });
  await recordAudit(tx, {
    ...{ actor, action: 'invoice.created', objectType: 'invoice', objectId: invoiceId, before: null },
    after: {
      number: numbering.number,
      status: invoice.status,
      totalAmountCents: invoice.totalAmountCents,
      fixedChargeId,
    },
  });
}

/**
 * Invoices other units of a fixed charge that is paid in advance and changes at once: one invoice for each active
 * subscription directly on its plan, numbered in the order of the subscriptions.
 */
export async function invoiceUnits(tx: TenantTransaction, actor: Actor, charge: { id: string; planId: string }) {
  const rows = await tx.subscription.findMany({
    where: { planId: charge.planId, status: 'active' },
    select: { id: true, customerId: true, billingEntityId: true, customer: { select: { billingEntityId: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const entityIds = rows.map((row) => row.billingEntityId ?? row.customer.billingEntityId);
  const customerIds = rows.map((row) => row.customerId);
  await lockNumbering(tx, actor, [...new Set(entityIds)], [...new Set(customerIds)]);
  for (const { id } of rows) await invoiceOne(tx, actor, charge.id, id);
}
