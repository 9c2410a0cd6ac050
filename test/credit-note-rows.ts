import type { Database } from '../src/store/database/database.ts';
import type { Prisma } from '../src/store/generated/prisma/client.ts';
import type { Seller } from './invoice-rows.ts';

let rank = 0;

/** A stored, final credit note on an invoice, with an item for each amount of a fee that is given. */
export async function makeCreditNote(
  { prisma }: Database,
  { organizationId, customerId }: Seller,
  invoiceId: string,
  given: Partial<Prisma.CreditNoteUncheckedCreateInput> = {},
  items: readonly { feeId?: string; amountCents: bigint }[] = [{ amountCents: 1000n }],
): Promise<string> {
  rank += 1;
  const sum = items.reduce((total, { amountCents }) => total + amountCents, 0n);
  const { id } = await prisma.creditNote.create({
    data: {
      organizationId,
      customerId,
      invoiceId,
      number: `QUI-001-CN${rank}`,
      issuingDate: new Date('2026-02-03'),
      currency: 'EUR',
      subTotalExcludingTaxesAmountCents: sum,
      totalAmountCents: sum,
      creditAmountCents: sum,
      ...given,
    },
  });
  for (const item of items) {
    const data = {
      organizationId,
      creditNoteId: id,
      amountCurrency: 'EUR',
      ...item,
    };
    await prisma.creditNoteItem.create({
      data: { ...data, preciseAmountCents: String(item.amountCents) },
    });
  }
  return id;
}
