import { createHash } from 'node:crypto';
import type { PlanInput } from '../../billing/catalogue/plan.ts';
import { invoiceText, previewText } from '../../billing/preview/figures.ts';
import type { Preview } from '../../billing/preview/preview-type.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import { MADE_INVOICE, madeInvoice } from './made-invoice.ts';
import { storedZone, ZONE_COLUMNS } from './period-row.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Names what a preview says. It is made of the figures and days that come out, not of what they are computed from: who agrees to an amount is
 * told when it is another one, and not disturbed by what changes nothing of it. Moments are days, so that what is agreed to
 * holds while the day lasts, in every process.
 */
export const previewHash = (preview: Preview, plans: readonly PlanInput[]): string =>
  hashOf(previewText(preview, plans));

/** Names what stored invoices say, by identifiers. */
export async function invoicesHash(db: TenantClient | TenantTransaction, ids: readonly string[]): Promise<string> {
  const include = { ...MADE_INVOICE, customer: { select: ZONE_COLUMNS } };
  const rows = await db.invoice.findMany({ where: { id: { in: [...ids] } }, include });
  const texts = rows.map(({ customer, ...row }) => invoiceText(madeInvoice(row, storedZone(customer))));
  return hashOf(texts.sort().join('\n'));
}
