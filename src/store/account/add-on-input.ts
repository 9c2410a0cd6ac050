import type { TaxInput } from '../../billing/catalogue/tax.ts';
import type { AddOnInput } from '../../billing/fee/add-on-fee.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import type { AddOnGetPayload } from '../generated/prisma/models.ts';
import { inRange } from './in-range.ts';
import { TAXES, taxInput } from './plan-input.ts';

const OF_ADD_ON = { include: { taxes: TAXES } } as const;

function addOnInput(row: AddOnGetPayload<typeof OF_ADD_ON>): AddOnInput {
  const { id, code, name, description, invoiceDisplayName, amountCents } = inRange('add_on', row);
  return { id, code, name, description, invoiceDisplayName, amountCents, taxes: row.taxes.map(taxInput) };
}

/** The add-ons of some codes, with their taxes. */
export async function addOnsOf(tx: TenantTransaction, codes: readonly string[]): Promise<Map<string, AddOnInput>> {
  const rows = await tx.addOn.findMany({ where: { code: { in: [...codes] }, deletedAt: null }, ...OF_ADD_ON });
  return new Map(rows.map((row) => [row.code, addOnInput(row)]));
}

/** What was sold on an invoice, as far as it is sold still. */
export async function soldOn(tx: TenantTransaction, invoiceId: string): Promise<AddOnInput[]> {
  const where = { fees: { some: { invoiceId } }, deletedAt: null };
  return (await tx.addOn.findMany({ where, ...OF_ADD_ON })).map(addOnInput);
}

/** The taxes of some codes. */
export async function taxesOf(tx: TenantTransaction, codes: readonly string[]): Promise<Map<string, TaxInput>> {
  const rows = await tx.tax.findMany({ where: { code: { in: [...codes] }, deletedAt: null } });
  return new Map(rows.map((row) => [row.code, taxInput(row)]));
}
