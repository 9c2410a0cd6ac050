import { shownZone, ZONE_COLUMNS } from '../account/period-row.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantClient } from '../database/tenant.ts';
import type { InvoiceSelect } from '../generated/prisma/models.ts';

const EXPLAINED = {
  ...{ id: true, number: true, issuingDate: true, currency: true, feesAmountCents: true, couponsAmountCents: true },
  ...{ progressiveBillingCreditAmountCents: true, subTotalExcludingTaxesAmountCents: true, taxesAmountCents: true },
  ...{ subTotalIncludingTaxesAmountCents: true, creditNotesAmountCents: true, prepaidCreditAmountCents: true },
  totalAmountCents: true,
  customer: { select: { name: true, legalName: true, externalId: true, ...ZONE_COLUMNS } },
  billingEntity: { select: { name: true, legalName: true } },
  appliedTaxes: { select: { taxName: true, taxRate: true, amountCents: true, feesAmountCents: true } },
  fees: {
    where: { deletedAt: null },
    orderBy: OLDEST_FIRST,
    select: {
      ...{ id: true, feeType: true, itemName: true, itemInvoiceDisplayName: true, filterInvoiceDisplayName: true },
      ...{ groupedBy: true, amountCents: true, fromDate: true, toDate: true, amountCurrency: true },
      pricingUnitUsage: { select: { shortName: true } },
    },
  },
} satisfies InvoiceSelect;

/** What the page that explains an invoice says beside the steps; null where the organization has none with this identifier that is final. */
export async function readExplained(db: TenantClient, id: string) {
  const row = await db.invoice.findFirst({ where: { id, status: 'finalized' }, select: EXPLAINED });
  return row && { ...row, zone: shownZone(row.customer) };
}

/** An invoice that is explained. */
export type ExplainedInvoice = NonNullable<Awaited<ReturnType<typeof readExplained>>>;
