import type { Command } from 'commander';
import { verifyLife } from '../engine/life/verify-life.ts';
import type { Database } from '../store/database/database.ts';
import { forOrganization } from '../store/database/tenant.ts';
import { billedLives } from '../store/subscription/billed-life.ts';
import { CommandError, type WithDatabase } from './keys.ts';

const REASONS = {
  usage_changed: 'the events that are stored come to other units',
  price_changed: 'the same units cost something else by the prices that are stored',
  fee_missing: 'a fee is not there',
  fee_unexpected: 'nothing stored makes this fee',
  not_the_sum: 'it does not follow from the other figures of the invoice',
} as const;

async function verify({ prisma }: Database, organization: string | undefined, now: Date): Promise<void> {
  const where = organization === undefined ? {} : { name: organization };
  const organizations = await prisma.organization.findMany({ where, orderBy: { name: 'asc' } });
  if (organization !== undefined && organizations.length === 0) {
    throw new CommandError(`there is no organization ${organization}`);
  }
  for (const { id: organizationId, name, testClockAt } of organizations) {
    const db = forOrganization(prisma, organizationId);
    const actor = { organizationId, now: testClockAt ?? now, job: 'verify' };
    let [invoices, differences] = [0, 0];
    for (const life of await billedLives(db, actor)) {
      invoices += life.invoiceIds.length;
      const found = await verifyLife(db, actor, life).catch((error: unknown) => {
        // What cannot be computed at all of one customer keeps no other waiting.
        const reason = error instanceof Error ? error.message : String(error);
        console.log(
          `customer ${life.customerId}: its ${life.invoiceIds.length} invoices cannot be computed: ${reason}`,
        );
        differences += 1;
        return [];
      });
      for (const { number, invoiceId, figure, stored, computed, reason } of found) {
        console.log(
          `${number || invoiceId} ${figure}: ${stored || 'none'}, not ${computed || 'none'}: ${REASONS[reason]}`,
        );
      }
      differences += found.length;
    }
    console.log(`${name}: ${invoices} invoices computed again, ${differences} differences.`);
    if (differences > 0) process.exitCode = 1;
  }
}

/** `verify`. */
export function addVerifyCommand(program: Command, withDatabase: WithDatabase): void {
  program
    .command('verify')
    .description(
      'compute every invoice again from what is stored, events included, and tell each figure that is another',
    )
    .option('--organization <name>', 'of one organization only')
    .action(({ organization }: { organization?: string }) =>
      withDatabase((db) => verify(db, organization, new Date())),
    );
}
