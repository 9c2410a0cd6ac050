import type { Command } from 'commander';
import type { Unasked } from '../billing/verify/verify.ts';
import { addUnasked, differenceText, unaskedLines, verifyLife } from '../engine/life/verify-life.ts';
import type { Database } from '../store/database/database.ts';
import { forOrganization } from '../store/database/tenant.ts';
import { billedLives } from '../store/subscription/billed-life.ts';
import { CommandError, type WithDatabase } from './keys.ts';

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
    const unasked: Unasked[] = [];
    for (const life of await billedLives(db, actor)) {
      invoices += life.invoiceIds.length;
      const found = await verifyLife(db, actor, life, { loose: true }).catch((error: unknown) => {
        // What cannot be computed at all of one customer keeps no other waiting.
        const reason = error instanceof Error ? error.message : String(error);
        console.log(
          `customer ${life.customerId}: its ${life.invoiceIds.length} invoices cannot be computed: ${reason}`,
        );
        differences += 1;
        return undefined;
      });
      for (const one of found?.differences ?? []) console.log(differenceText(one));
      differences += found?.differences.length ?? 0;
      unasked.push(found?.unasked ?? {});
    }
    console.log(`${name}: ${invoices} invoices computed again, ${differences} differences.`);
    for (const line of unaskedLines(addUnasked(unasked))) console.log(`${name}: not asked again: ${line}.`);
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
