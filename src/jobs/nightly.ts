import { nightOf, planVerify } from '../engine/job/verify-changed.ts';
import type { Database } from '../store/database/database.ts';
import { forOrganization } from '../store/database/tenant.ts';
import { takeUpHeld } from '../store/usage/due/waiting-due.ts';

/** Takes up usage that still waits, and has what has changed computed again, once a night by this process; whether another has done it, the database knows. */
export function nightly({ prisma }: Database, now: () => Date): () => Promise<boolean> {
  let done = Number.NEGATIVE_INFINITY;
  return async () => {
    const night = nightOf(now());
    if (done >= night.getTime()) return false;
    await takeUpHeld(prisma);
    const organizations = await prisma.organization.findMany({ where: { testClockAt: null }, select: { id: true } });
    for (const { id: organizationId } of organizations) {
      const actor = { organizationId, now: now(), job: 'plan' };
      await planVerify(forOrganization(prisma, organizationId), actor, night);
    }
    done = night.getTime();
    return false;
  };
}
