import { readVatNumber, type VatNumber } from '../../billing/vat/vat-number.ts';
import { isManagedTax, minutesUntilAsked, type VatStatus, vatTaxOf } from '../../billing/vat/vat-tax.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { heldByCode } from '../../store/catalogue/code-lock.ts';
import { addManagedTaxes } from '../../store/catalogue/managed-tax.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { flagDrafts } from '../../store/invoice/draft-flag.ts';
import type { Stage } from '../life/live.ts';
import { settleTaxes } from '../life/settle-taxes.ts';
import { inTransaction } from '../transaction.ts';

/** What a register of VAT numbers answers; `unavailable` where it does not know now, and is to be asked again. */
export type VatAnswer = 'valid' | 'invalid' | 'unavailable';

/** Asks whether a VAT number is registered. It answers within seconds, whatever happens, and throws nothing. */
export type VatChecker = (number: VatNumber) => Promise<VatAnswer>;

const MINUTE = 60_000;

const COLUMNS = {
  ...{ id: true, country: true, zipcode: true, taxIdentificationNumber: true, deletedAt: true },
  ...{ vatStatus: true, vatUnanswered: true },
  taxes: { select: { code: true } },
  billingEntity: { select: { country: true, euTaxManagement: true } },
} as const;

const read = (tx: TenantTransaction, id: string) => tx.customer.findUnique({ where: { id }, select: COLUMNS });
type Row = NonNullable<Awaited<ReturnType<typeof read>>>;

/** The codes of a customer's taxes by what is known now: that which was chosen gives way, others stay. */
function codesAfter({ billingEntity, taxes, ...customer }: Row, status: VatStatus): string[] {
  const codes = taxes.map(({ code }) => code);
  const { country, euTaxManagement } = billingEntity;
  if (!euTaxManagement || !country || !codes.some(isManagedTax)) return codes.sort();
  return [...codes.filter((code) => !isManagedTax(code)), vatTaxOf(country, customer, status)].sort();
}

/** Stores what the register answered of a number that is still the customer's, and the tax that follows, which invoices waited for. */
async function settle({ db, tx, actor }: Stage, id: string, asked: string, answer: VatAnswer): Promise<void> {
  await lockCustomers(tx, actor, [id]);
  const row = await read(tx, id);
  if (!row || row.deletedAt || row.vatStatus !== 'pending' || row.taxIdentificationNumber !== asked) return;
  const { now } = actor;
  if (answer === 'unavailable') {
    const vatUnanswered = row.vatUnanswered + 1;
    const vatDueAt = new Date(now.getTime() + minutesUntilAsked(vatUnanswered) * MINUTE);
    await tx.customer.update({ where: { id }, data: { vatUnanswered, vatDueAt }, select: { id: true } });
    return;
  }
  const before = { vatStatus: row.vatStatus, taxCodes: row.taxes.map(({ code }) => code).sort() };
  const after = { vatStatus: answer, taxCodes: codesAfter(row, answer) };
  await addManagedTaxes(tx, actor, after.taxCodes);
  const taxes = { set: await heldByCode(tx, actor, 'tax', after.taxCodes) };
  const checked = { vatStatus: answer, vatCheckedAt: now, vatUnanswered: 0, vatDueAt: null };
  await tx.customer.update({ where: { id }, data: { ...checked, taxes, updatedAt: now }, select: { id: true } });
  await recordAudit(tx, {
    ...{ actor, action: 'customer.updated', objectType: 'customer', objectId: id, before, after },
  });
  if (before.taxCodes.join() !== after.taxCodes.join()) await flagDrafts(tx, actor, { customers: [id] });
  await settleTaxes({ db, tx, actor }, id);
}

/**
 * Asks the register about the VAT number of a customer that waits for it, and stores the answer with the tax that follows; invoices
 * that waited get it. Nothing is locked while it is asked; a number that has changed meanwhile is not settled by the old one's answer. `atOnce`:
 * also before it is time to ask again.
 */
export async function checkVatNumber(
  db: TenantClient,
  actor: Actor,
  id: string,
  check: VatChecker,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<void> {
  const row = await db.customer.findUnique({
    where: { id },
    select: { taxIdentificationNumber: true, vatStatus: true, vatDueAt: true },
  });
  const { taxIdentificationNumber: asked, vatStatus, vatDueAt } = row ?? {};
  const number = readVatNumber(asked);
  if (vatStatus !== 'pending' || !asked || !number) return;
  if (vatDueAt && vatDueAt > actor.now && !atOnce) return;
  const answer = await check(number).catch(() => 'unavailable' as const);
  const { organizationId, now } = actor;
  const job = 'job' in actor ? actor : { organizationId, now, job: `vat-check/${id}` };
  await inTransaction(db, job, (tx) => settle({ db, tx, actor: job }, id, asked, answer));
}
