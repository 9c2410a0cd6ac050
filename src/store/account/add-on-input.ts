import type { TaxInput } from '../../billing/catalogue/tax.ts';
import type { AddOnInput } from '../../billing/fee/add-on-fee.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { inRange } from './in-range.ts';
import { TAXES, taxInput } from './plan-input.ts';

/** The add-ons of some codes, with their taxes. */
export async function addOnsOf(tx: TenantTransaction, codes: readonly string[]): Promise<Map<string, AddOnInput>> {
  const where = { code: { in: [...codes] }, deletedAt: null };
  const rows = await tx.addOn.findMany({ where, include: { taxes: TAXES } });
  return new Map(
    rows.map((row) => {
      const { id, code, name, description, invoiceDisplayName, amountCents } = inRange('add_on', row);
      const taxes = row.taxes.map(taxInput);
      return [code, { id, code, name, description, invoiceDisplayName, amountCents, taxes }];
    }),
  );
}

/** The taxes of some codes. */
export async function taxesOf(tx: TenantTransaction, codes: readonly string[]): Promise<Map<string, TaxInput>> {
  const rows = await tx.tax.findMany({ where: { code: { in: [...codes] }, deletedAt: null } });
  return new Map(rows.map((row) => [row.code, taxInput(row)]));
}
