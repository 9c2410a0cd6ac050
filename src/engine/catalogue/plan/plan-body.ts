import { attempted, gathered } from '../../../billing/errors.ts';
import { differences } from '../../../billing/resource/resource.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { idsByCode } from '../../../store/catalogue/code-lock.ts';
import { isAttached, lockOverrides } from '../../../store/catalogue/plan-lock.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { allChanged } from '../../changed.ts';
import type { PartsWrite, Whole } from '../../resource/stored.ts';
import { cascadeCharges } from '../price/cascade-charge.ts';
import { cascadeFixedCharges } from '../price/cascade-fixed-charge.ts';
import { taxCodesOf } from '../price/new-price.ts';
import { type ListedCharge, readCharges } from './plan-charges.ts';
import { type ListedFixedCharge, readFixedCharges } from './plan-fixed-charges.ts';
import { type OwnPartsSent, saveParts, storedParts, wantedParts } from './plan-part.ts';

/** What a body says of a plan beyond its own members. */
export interface PlanBody extends OwnPartsSent {
  /** All of them: what is not named goes. */
  readonly charges?: readonly ListedCharge[] | null;
  readonly fixedCharges?: readonly ListedFixedCharge[] | null;
  /** Whether overrides follow what changes of the prices and of the amount, where they still have the old ones. */
  readonly cascadeUpdates?: boolean | null;
}

async function boundsOf(tx: TenantTransaction, { charges, fixedCharges }: PlanBody, of: Whole | undefined) {
  const isAsked = of && (charges ?? fixedCharges) != null;
  const attached = isAsked ? await isAttached(tx, of.id) : false;
  return { attached, refusesIgnored: of?.refusesIgnored ?? false };
}

const nonEmpty = (lists: Readonly<Record<string, readonly object[]>>) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/** Reads what a body says of a plan beyond its own members, and says how that is stored. */
export async function readBody(
  tx: TenantTransaction,
  actor: Actor,
  sent: PlanBody,
  of: Whole | undefined,
): Promise<PartsWrite> {
  const stored = await storedParts(tx, sent, of?.id);
  const bounds = await boundsOf(tx, sent, of);
  const charges = sent.charges ? await readCharges(tx, actor, sent.charges, of?.id, bounds) : undefined;
  const fixed = sent.fixedCharges ? await readFixedCharges(tx, actor, sent.fixedCharges, of?.id, bounds) : undefined;
  const read = attempted(() => gathered([() => wantedParts(sent, stored), () => charges?.read(), () => fixed?.read()]));
  return {
    refusal: read.refusal,
    save: async (id) => {
      if (read.refusal) throw read.refusal;
      const [wanted, ofCharges, ofFixed] = read.value;
      const named = [wanted.minimumCommitment ?? {}, ...[charges, fixed].map((one) => one ?? {})];
      const taxes = await idsByCode(tx, actor, 'tax', taxCodesOf(named));
      const after = await saveParts(tx, actor, id, { stored, wanted }, taxes);
      const own = await ofCharges?.save(id, taxes);
      const ownFixed = await ofFixed?.save(id, taxes);
      const isCascaded = of && sent.cascadeUpdates && (own ?? ownFixed);
      const overrides = isCascaded ? await lockOverrides(tx, actor, id) : [];
      const followed = await cascadeCharges(tx, actor, overrides, own?.changes ?? {});
      const followedFixed = await cascadeFixedCharges(tx, actor, overrides, ownFixed?.changes ?? {}, {
        atOnce: true,
      });
      const changed = [
        { charges: [...(own?.ids ?? []), ...followed], fixedCharges: ownFixed?.ids ?? [] },
        ...[ownFixed?.moved ?? {}, followedFixed],
      ];
      const lists = { charges: own, fixedCharges: ownFixed };
      const listed = (side: 'before' | 'after') =>
        nonEmpty(Object.fromEntries(Object.entries(lists).map(([name, one]) => [name, one?.[side] ?? []])));
      const gone = Object.fromEntries(
        Object.entries(lists).flatMap(([name, one]) =>
          one && one.before.length > 0 && one.after.length === 0 ? [[name, []]] : [],
        ),
      );
      return {
        changed: allChanged(changed),
        before: { ...differences({ ...wanted }, { ...stored }), ...listed('before') },
        after: { ...after, ...listed('after'), ...gone },
      };
    },
  };
}
