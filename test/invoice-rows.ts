import { readFileSync } from 'node:fs';
import type { Database } from '../src/store/database/database.ts';
import type { Prisma } from '../src/store/generated/prisma/client.ts';

/** The invoice of the contract's sample, as the endpoint is to answer it. */
export const sample = JSON.parse(
  readFileSync(new URL('./contract/samples/downloadInvoice.json', import.meta.url), 'utf8'),
).response.invoice;

export interface Seller {
  readonly organizationId: string;
  readonly billingEntityId: string;
  readonly customerId: string;
  readonly planId: string;
}

/** An entity, a customer and a plan to make invoices of. */
export async function makeSeller(
  { prisma }: Database,
  organizationId: string,
  given: {
    customer?: Partial<Prisma.CustomerUncheckedCreateInput>;
    billingEntity?: Partial<Prisma.BillingEntityUncheckedCreateInput>;
  } = {},
): Promise<Seller> {
  const mark = `${Math.random().toString(36).slice(2, 8)}`;
  const billingEntity = await prisma.billingEntity.create({
    data: {
      organizationId,
      code: `quill_${mark}`,
      name: 'Quill',
      legalName: 'Quill Press Ltd',
      ...given.billingEntity,
    },
  });
  const customer = await prisma.customer.create({
    data: {
      organizationId,
      billingEntityId: billingEntity.id,
      externalId: `cust_${mark}`,
      sequentialId: 1,
      slug: 'QUI-001-001',
      name: 'Inkwell',
      currency: 'EUR',
      ...given.customer,
    },
  });
  const plan = await prisma.plan.create({
    data: { organizationId, code: `plan_${mark}`, name: 'Press', interval: 'monthly', amountCurrency: 'EUR' },
  });
  return { organizationId, billingEntityId: billingEntity.id, customerId: customer.id, planId: plan.id };
}

let rank = 0;

export type FeeInput = Partial<Prisma.FeeUncheckedCreateInput>;

/** A stored invoice whose total is the sum of its fees, unless it is given. */
export async function makeInvoice(
  { prisma }: Database,
  { organizationId, billingEntityId, customerId }: Seller,
  given: Partial<Prisma.InvoiceUncheckedCreateInput> = {},
  fees: readonly FeeInput[] = [{ amountCents: 1250n }],
): Promise<string> {
  rank += 1;
  const sum = fees.reduce((total, { amountCents = 0n }) => total + BigInt(amountCents), 0n);
  const currency = given.currency ?? 'EUR';
  const { id } = await prisma.invoice.create({
    data: {
      organizationId,
      customerId,
      billingEntityId,
      number: `QUI-001-${rank}`,
      sequentialId: rank,
      issuingDate: new Date('2026-01-01'),
      paymentDueDate: new Date('2026-03-08'),
      invoiceType: 'subscription',
      status: 'finalized',
      currency,
      feesAmountCents: sum,
      subTotalExcludingTaxesAmountCents: sum,
      subTotalIncludingTaxesAmountCents: sum,
      totalAmountCents: sum,
      ...given,
    },
  });
  await prisma.fee.createMany({
    data: fees.map((fee, index) => ({
      organizationId,
      invoiceId: id,
      customerId,
      feeType: 'charge' as const,
      itemCode: `item_${index}`,
      itemName: `Item ${index}`,
      itemType: 'BillableMetric',
      amountCents: 0n,
      preciseAmountCents: String(fee.amountCents ?? 0n),
      amountCurrency: currency,
      units: '1',
      preciseUnitAmount: '1',
      ...fee,
    })),
  });
  return id;
}
