// The same JSON from routes as one writes them by hand: Fastify, Prisma, a serializer. LOADING is Prisma's way of reading
// relations: `query` (a statement a relation, what Prisma does by default) or `join` (one statement).
import { PrismaPg } from '@prisma/adapter-pg';
import Fastify from 'fastify';
import { Prisma, PrismaClient } from '../../../src/store/generated/prisma/client.ts';

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 });
const prisma = new PrismaClient({ adapter });
const organizationId = process.env.ORGANIZATION;
const relationLoadStrategy = process.env.LOADING;
const app = Fastify();

const moment = (date) => (date === null ? null : `${date.toISOString().slice(0, 19)}Z`);
const decimal = (value) => (value.isInteger() ? `${value.toFixed()}.0` : value.toFixed());

const RELATIONS = {
  customer: true,
  fees: { where: { deletedAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
  appliedTaxes: { orderBy: [{ taxCode: 'asc' }, { id: 'asc' }] },
};

const showInvoice = (invoice) => ({
  svcId: invoice.id,
  number: invoice.number,
  status: invoice.status,
  issuingDate: invoice.issuingDate.toISOString().slice(0, 10),
  currency: invoice.currency,
  feesAmountCents: Number(invoice.feesAmountCents),
  taxesAmountCents: Number(invoice.taxesAmountCents),
  totalAmountCents: Number(invoice.totalAmountCents),
  customer: {
    svcId: invoice.customer.id,
    externalId: invoice.customer.externalId,
    name: invoice.customer.name,
    email: invoice.customer.email,
  },
  fees: invoice.fees.map((fee) => ({
    svcId: fee.id,
    feeType: fee.feeType,
    amountCents: Number(fee.amountCents),
    taxesAmountCents: Number(fee.taxesAmountCents),
    amountCurrency: fee.amountCurrency,
  })),
  appliedTaxes: invoice.appliedTaxes.map((tax) => ({
    svcId: tax.id,
    taxCode: tax.taxCode,
    taxName: tax.taxName,
    amountCents: Number(tax.amountCents),
  })),
});

app.get('/invoice/:id', async ({ params }, reply) => {
  const where = { id: params.id, organizationId };
  const invoice = await prisma.invoice.findFirst({ where, include: RELATIONS, relationLoadStrategy });
  return invoice ? showInvoice(invoice) : reply.code(404).send();
});

app.get('/invoices/:count', async ({ params }) => {
  const invoices = await prisma.invoice.findMany({
    where: { organizationId, status: { not: 'generating' } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: Number(params.count),
    include: RELATIONS,
    relationLoadStrategy,
  });
  return { nodes: invoices.map(showInvoice) };
});

const showTax = (tax) => ({
  svc_id: tax.id,
  svc_tax_id: tax.taxId,
  svc_fee_id: tax.feeId,
  tax_name: tax.taxName,
  tax_code: tax.taxCode,
  tax_description: tax.taxDescription,
  tax_rate: tax.taxRate.toNumber(),
  amount_cents: Number(tax.amountCents),
  amount_currency: tax.amountCurrency,
  created_at: moment(tax.createdAt),
});

function showFee(fee) {
  const subTotal = new Prisma.Decimal(fee.amountCents.toString()).minus(fee.preciseCouponsAmountCents);
  const total = fee.preciseAmountCents.plus(fee.taxesPreciseAmountCents);
  return {
    svc_id: fee.id,
    svc_charge_id: fee.chargeId,
    svc_charge_filter_id: fee.chargeFilterId,
    svc_fixed_charge_id: fee.fixedChargeId,
    svc_invoice_id: fee.invoiceId,
    svc_true_up_fee_id: fee.trueUpFees[0]?.id ?? null,
    svc_true_up_parent_fee_id: fee.trueUpParentFeeId,
    svc_subscription_id: fee.subscriptionId,
    svc_customer_id: fee.customerId,
    external_customer_id: fee.customer?.externalId ?? null,
    external_subscription_id: fee.subscription?.externalId ?? null,
    amount_cents: Number(fee.amountCents),
    taxes_amount_cents: Number(fee.taxesAmountCents),
    total_amount_cents: Number(fee.amountCents + fee.taxesAmountCents),
    precise_amount: decimal(fee.preciseAmountCents.div(100)),
    precise_total_amount: decimal(total.div(100)),
    taxes_precise_amount: decimal(fee.taxesPreciseAmountCents.div(100)),
    units: decimal(fee.units),
    precise_unit_amount: decimal(fee.preciseUnitAmount),
    total_aggregated_units: decimal(fee.totalAggregatedUnits ?? fee.units),
    precise_coupons_amount_cents: decimal(fee.preciseCouponsAmountCents),
    sub_total_excluding_taxes_amount_cents: subTotal.round().toNumber(),
    sub_total_excluding_taxes_precise_amount_cents: decimal(fee.preciseAmountCents.minus(fee.preciseCouponsAmountCents)),
    amount_currency: fee.amountCurrency,
    total_amount_currency: fee.amountCurrency,
    taxes_rate: fee.taxesRate.toNumber(),
    events_count: fee.eventsCount,
    pay_in_advance: fee.payInAdvance,
    invoiceable: fee.invoiceable,
    from_date: moment(fee.fromDate),
    to_date: moment(fee.toDate),
    payment_status: fee.paymentStatus,
    created_at: moment(fee.createdAt),
    succeeded_at: moment(fee.succeededAt),
    failed_at: moment(fee.failedAt),
    refunded_at: moment(fee.refundedAt),
    event_transaction_id: fee.eventTransactionId,
    description: fee.description,
    self_billed: fee.selfBilled,
    item: {
      type: fee.feeType,
      code: fee.itemCode,
      name: fee.itemName,
      description: fee.itemDescription,
      invoice_display_name: fee.itemInvoiceDisplayName ?? fee.itemName,
      filter_invoice_display_name: fee.filterInvoiceDisplayName,
      item_type: fee.itemType,
      svc_item_id: fee.itemId ?? fee.id,
      filters: fee.filters,
      grouped_by: fee.groupedBy,
    },
    amount_details: fee.amountDetails,
    applied_taxes: fee.appliedTaxes.map(showTax),
    pricing_unit_details: fee.pricingUnitUsage,
    presentation_breakdowns: fee.presentationBreakdowns,
  };
}

app.get('/fee/:id', async ({ params }, reply) => {
  const fee = await prisma.fee.findFirst({
    where: { id: params.id, organizationId, deletedAt: null },
    include: {
      customer: { select: { externalId: true } },
      subscription: { select: { externalId: true } },
      trueUpFees: { select: { id: true }, where: { deletedAt: null }, orderBy: { id: 'asc' }, take: 1 },
      appliedTaxes: { orderBy: [{ taxCode: 'asc' }, { id: 'asc' }] },
      pricingUnitUsage: true,
    },
    relationLoadStrategy,
  });
  return fee ? { fee: showFee(fee) } : reply.code(404).send();
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
