import { type SentSections, sectionChoice } from '../../billing/customer/custom-section.ts';
import type { Actor } from '../../store/access/audit.ts';
import { chooseSections, chosenSections } from '../../store/customer/section-link.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';

/** What a body says of the custom sections that invoices of one subscription print. */
export interface OwnSections {
  readonly invoiceCustomSection?: SentSections | null | undefined;
}

/** What was chosen, for the log. */
interface Chosen {
  readonly skipInvoiceCustomSections: boolean;
  readonly invoiceCustomSectionCodes: readonly string[];
}

interface Owner {
  readonly id: string;
  readonly skipInvoiceCustomSections: boolean;
}

/** Stores which custom sections the invoices of a subscription print. Says what became another; what is sent as it is changes nothing. */
export async function saveOwnSections(
  tx: TenantTransaction,
  actor: Actor,
  { id, skipInvoiceCustomSections: skips }: Owner,
  { invoiceCustomSection: sent }: OwnSections,
): Promise<{ readonly before?: Chosen; readonly after?: Chosen }> {
  if (!sent) return {};
  const choice = sectionChoice({ skips }, sent);
  const known = await chosenSections(tx, id);
  const wanted = [...new Set(choice.codes ?? known)].sort();
  const isSame = choice.skips === skips && JSON.stringify(wanted) === JSON.stringify(known);
  if (isSame) return {};
  const codes = choice.codes ? await chooseSections(tx, actor, id, wanted) : known;
  if (choice.skips !== skips) {
    const data = { skipInvoiceCustomSections: choice.skips };
    await tx.subscription.update({ where: { id }, data, select: { id: true } });
  }
  return {
    before: { skipInvoiceCustomSections: skips, invoiceCustomSectionCodes: known },
    after: { skipInvoiceCustomSections: choice.skips, invoiceCustomSectionCodes: codes },
  };
}

/** The same for a new subscription; where nothing is sent, one that follows another prints what that does. */
export async function firstSections(
  tx: TenantTransaction,
  actor: Actor,
  id: string,
  sent: OwnSections,
  followed?: Owner,
): Promise<void> {
  const inherited = followed && {
    skipInvoiceCustomSections: followed.skipInvoiceCustomSections,
    invoiceCustomSectionCodes: await chosenSections(tx, followed.id),
  };
  const invoiceCustomSection = sent.invoiceCustomSection ?? inherited;
  await saveOwnSections(tx, actor, { id, skipInvoiceCustomSections: false }, { invoiceCustomSection });
}
