import { advanceAll, dueSteps } from '../../../src/billing/timeline/day.ts';
import type { TimelineState } from '../../../src/billing/timeline/timeline-type.ts';
import { newIds } from '../../../src/engine/invoice/apply-changes.ts';
import { loadLife } from '../../../src/store/account/load-lives.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { forOrganization, type TenantTransaction, transactionOf } from '../../../src/store/database/tenant.ts';
import { dueLives } from '../../../src/store/subscription/due-life.ts';
import { usageReader } from '../../../src/store/usage/read-usage.ts';
import { answeredUsage, answerUsage, storedReading } from '../../../src/store/usage/stored-usage.ts';
import { type Data, DUE } from './data.ts';

/** Invoices a second by the rules alone, everything that they need being loaded: what no engine that stores them can reach. */
export async function coreRate({ url, organizationId, client }: Data, sample: number): Promise<number> {
  const db = await openDatabase({ url });
  try {
    const tenant = forOrganization(db.prisma, organizationId);
    const actor = { organizationId, now: DUE, job: 'bench' };
    const { rows } = await client.query<{ id: string }>(
      `SELECT id::text FROM customers ORDER BY sequential_id LIMIT ${sample}`,
    );
    const lives = await dueLives(
      tenant,
      actor,
      rows.map(({ id }) => id),
    );
    const steps = dueSteps(DUE.getTime());
    const states: TimelineState[] = [];
    for (const life of lives) {
      const load = async (tx: TenantTransaction) => {
        const stored = await loadLife(tx, life, DUE);
        if (!stored) throw new Error('no such customer');
        const ranks = { forCustomer: 0, forEntity: 0 };
        const state = { ...stored, plans: [], events: [], changes: [], ranks, ids: newIds(DUE) };
        const reading = storedReading(usageReader(tenant, tx, life.externalIds), organizationId);
        const answers = await answerUsage(reading, life.externalIds, (usage) => advanceAll({ ...state, usage }, steps));
        states.push({ ...state, usage: answeredUsage(answers) });
      };
      await transactionOf(tenant, load, { reads: true });
    }
    let made = 0;
    const begin = performance.now();
    for (const state of states) {
      made += advanceAll(state, steps).changes.filter(({ kind }) => kind === 'invoice_made').length;
    }
    const seconds = (performance.now() - begin) / 1000;
    if (made !== sample) throw new Error(`${made} invoices of ${sample}`);
    return made / seconds;
  } finally {
    await db.close();
  }
}
