import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLife } from '../../../src/engine/life/verify-life.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { billedLives } from '../../../src/store/subscription/billed-life.ts';
import { openDemoDatabase } from '../../support.ts';

let db: Database;
let organizations: readonly string[];
beforeAll(async () => {
  ({ db, organizations } = await openDemoDatabase());
}, 120_000);
afterAll(() => db.close());

/** All of it, or what bills some invoices. */
async function verified(some?: readonly string[]) {
  const found: { figure: string; stored: string; computed: string; reason: string }[] = [];
  let invoices = 0;
  for (const organizationId of organizations) {
    const actor = { organizationId, now: new Date(), job: 'verify' };
    const own = forOrganization(db.prisma, organizationId);
    const lives = await billedLives(own, actor);
    for (const life of lives.filter(({ invoiceIds }) => !some || invoiceIds.some((id) => some.includes(id)))) {
      const { differences } = await verifyLife(own, actor, life, { loose: true });
      found.push(...differences.map(({ invoiceId: _, number: __, ...one }) => one));
      invoices += life.invoiceIds.length;
    }
  }
  return { invoices, found };
}

describe('what is stored, computed again', { timeout: 300_000 }, () => {
  it('of every invoice of the demo, events included, is what is stored', async () => {
    const { invoices, found } = await verified();
    expect(found).toEqual([]);
    expect(invoices).toBe(
      await db.prisma.invoice.count({ where: { status: { in: ['finalized', 'failed', 'pending', 'voided'] } } }),
    );
  });

  it('tells what somebody changed in the database', async () => {
    const fee = await db.prisma.fee.findFirstOrThrow({
      where: { feeType: 'charge', invoice: { status: 'finalized' }, units: { gt: 0 }, trueUpParentFeeId: null },
      orderBy: { id: 'asc' },
    });
    await db.prisma.fee.update({ where: { id: fee.id }, data: { units: { increment: 1 } } });
    const invoice = await db.prisma.invoice.findFirstOrThrow({
      where: { status: 'finalized', invoiceType: 'one_off' },
      orderBy: { id: 'asc' },
    });
    await db.prisma.invoice.update({ where: { id: invoice.id }, data: { totalAmountCents: { increment: 1n } } });
    const { found } = await verified([fee.invoiceId ?? '', invoice.id]);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({
      ...{ figure: `${fee.itemCode}.units`, reason: 'usage_changed', computed: fee.units.toFixed() },
      stored: fee.units.plus(1).toFixed(),
    });
    expect(found).toContainEqual({
      ...{ figure: 'totalAmountCents', reason: 'not_the_sum', computed: String(invoice.totalAmountCents) },
      stored: String(invoice.totalAmountCents + 1n),
    });
  });
});
