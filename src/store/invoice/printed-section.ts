import {
  applicableSections,
  printedSections,
  type SectionChoice,
  type SentSections,
  sectionChoice,
} from '../../billing/customer/custom-section.ts';
import type { MadeInvoice } from '../../billing/subscription/change.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { insertRows } from './insert-rows.ts';
import type { InvoiceOwner } from './invoice-number.ts';

interface Printed {
  readonly actor: Actor;
  readonly owner: InvoiceOwner;
  readonly invoice: Pick<MadeInvoice, 'id' | 'billingPeriods'>;
  /** What is chosen for this invoice alone. */
  readonly chosen?: SectionChoice<Section>;
}

interface Section {
  readonly code: string;
  readonly details: string | null;
  readonly displayName: string | null;
}

const SECTION = { code: true, details: true, displayName: true } as const;
const SELECTED = { where: { deletedAt: null }, select: SECTION } as const;
const CUSTOMER = {
  ...{ id: true, skipInvoiceCustomSections: true },
  selectedInvoiceCustomSections: SELECTED,
} as const;
const SUBSCRIPTION = {
  ...{ id: true, skipInvoiceCustomSections: true },
  appliedInvoiceCustomSections: { select: { invoiceCustomSection: { select: SECTION } } },
} as const;

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

/** What is chosen of custom sections for invoices. */
async function choicesOf(tx: TenantTransaction, made: readonly Printed[]) {
  const among = (ids: readonly string[]) => ({ where: { id: { in: [...new Set(ids)] } } });
  const customers = made.map(({ owner }) => owner.customerId);
  const entities = made.map(({ owner }) => owner.billingEntityId);
  const subscriptions = made.flatMap(({ invoice }) => invoice.billingPeriods.map((period) => period.subscriptionId));
  const select = { id: true, selectedInvoiceCustomSections: SELECTED } as const;
  return {
    customers: byId(await tx.customer.findMany({ ...among(customers), select: CUSTOMER })),
    entities: byId(await tx.billingEntity.findMany({ ...among(entities), select })),
    subscriptions: byId(await tx.subscription.findMany({ ...among(subscriptions), select: SUBSCRIPTION })),
  };
}

/** The custom sections that invoices print, as rows: copies, so that an invoice says for ever what it said. None are looked for where there are none. */
export async function sectionRows(tx: TenantTransaction, made: readonly Printed[]) {
  const some = await tx.invoiceCustomSection.findFirst({ where: { deletedAt: null }, select: { id: true } });
  if (!some) return [];
  const known = await choicesOf(tx, made);
  return made.flatMap(({ actor: { organizationId, now: createdAt }, owner, invoice, chosen }) => {
    const customer = known.customers.get(owner.customerId);
    const own = { skips: customer?.skipInvoiceCustomSections, sections: customer?.selectedInvoiceCustomSections ?? [] };
    const entity = known.entities.get(owner.billingEntityId);
    const applicable = applicableSections(
      { ...own, skips: own.skips ?? false },
      entity?.selectedInvoiceCustomSections ?? [],
    );
    const billed = new Set(invoice.billingPeriods.map(({ subscriptionId }) => subscriptionId));
    const choices = [...billed].flatMap((id) => {
      const row = known.subscriptions.get(id);
      const sections = (row?.appliedInvoiceCustomSections ?? []).map((one) => one.invoiceCustomSection);
      return row ? [{ skips: row.skipInvoiceCustomSections, sections }] : [];
    });
    return printedSections(chosen ? [chosen] : choices, applicable).map((section) => ({
      ...{ id: newId(createdAt), organizationId, invoiceId: invoice.id, ...section, createdAt },
    }));
  });
}

/** Prints on an invoice that is made what is chosen for it alone. */
export async function printChosen(
  tx: TenantTransaction,
  { actor, owner, invoice }: Omit<Printed, 'chosen'>,
  sent: SentSections,
): Promise<void> {
  const { skips, codes = [] } = sectionChoice({ skips: false }, sent);
  const where = { code: { in: [...codes] }, deletedAt: null };
  const sections = await tx.invoiceCustomSection.findMany({ where, select: SECTION });
  await tx.invoiceAppliedCustomSection.deleteMany({ where: { invoiceId: invoice.id } });
  const rows = await sectionRows(tx, [{ actor, owner, invoice, chosen: { skips, sections } }]);
  await insertRows(tx, 'invoice_applied_custom_sections', rows);
}
