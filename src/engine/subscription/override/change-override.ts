import { attempted, type BillingError, gathered, within } from '../../../billing/errors.ts';
import type { Sent } from '../../../billing/resource/field.ts';
import { PLAN_OVERRIDES } from '../../../billing/resource/plan.ts';
import { changedValues, differences } from '../../../billing/resource/resource.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { idsByCode } from '../../../store/catalogue/code-lock.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { flagDrafts } from '../../../store/invoice/draft-flag.ts';
import { type OwnPartsSent, saveParts, storedParts, wantedParts } from '../../catalogue/plan/plan-part.ts';
import { taxCodesOf } from '../../catalogue/price/new-price.ts';
import { allChanged, type Changed } from '../../changed.ts';
import { readValues, writeMetadata, writtenData } from '../../resource/row.ts';
import {
  type ChargeOverride,
  chargeEdit,
  chargesOf,
  editsOf,
  type FixedChargeOverride,
  fixedChargeEdit,
  fixedChargesOf,
  type Listed,
} from './override-price.ts';
import { saveCharges, saveFixedCharges } from './save-override.ts';

/** What is another of a plan for one subscription; what is absent stays as it is. Prices that are not named stay. */
export interface PlanOverrides extends Sent<typeof PLAN_OVERRIDES.fields>, OwnPartsSent {
  readonly charges?: readonly Listed<ChargeOverride>[] | null;
  readonly fixedCharges?: readonly Listed<FixedChargeOverride>[] | null;
}

/** What was stored of an override, and what the log keeps of it. */
export interface Overridden {
  readonly changed: Changed;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

const STORED = { resource: PLAN_OVERRIDES, model: 'Plan' } as const;

const nonEmpty = (lists: Readonly<Record<string, readonly object[]>>) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/**
 * Reads what is to be another of an override, whose rows nobody else changes, and says how it is stored. What is wrong is answered, to be
 * told with what is wrong besides. Throws `object_not_found` for prices that the plan does not have, and `forbidden` for another model.
 */
export async function readOverrides(
  tx: TenantTransaction,
  actor: Actor,
  planId: string,
  sent: PlanOverrides,
  refusesIgnored: boolean,
): Promise<{ readonly refusal: BillingError | undefined; save(): Promise<Overridden> }> {
  const { charges: sentCharges, fixedCharges: sentFixed, minimumCommitment, usageThresholds, ...own } = sent;
  const parts = { minimumCommitment, usageThresholds };
  const before = await readValues(tx, STORED, planId);
  const stored = await storedParts(tx, parts, planId);
  const charges = editsOf('charges', await chargesOf(tx, planId), sentCharges, (row, one) =>
    chargeEdit(row, one, refusesIgnored),
  );
  const fixed = editsOf('fixedCharges', await fixedChargesOf(tx, planId), sentFixed, (row, one) =>
    fixedChargeEdit(row, one, refusesIgnored),
  );
  const values = () => changedValues(PLAN_OVERRIDES, before, own);
  const read = attempted(() =>
    within(['planOverrides'], () => gathered([values, () => wantedParts(parts, stored), charges, fixed])),
  );
  const save = async (): Promise<Overridden> => {
    if (read.refusal) throw read.refusal;
    const [wanted, wantedOwn, edits, fixedEdits] = read.value;
    const after = differences(before, wanted);
    const data = await writtenData(tx, actor, STORED, after, 'set');
    await tx.plan.update({ where: { id: planId }, data: { ...data, updatedAt: actor.now }, select: { id: true } });
    await writeMetadata(tx, actor, STORED, planId, after, false);
    const named = [wantedOwn.minimumCommitment ?? {}, ...(sentCharges ?? []), ...(sentFixed ?? [])];
    const taxes = await idsByCode(tx, actor, 'tax', taxCodesOf(named));
    const savedParts = await saveParts(tx, actor, planId, { stored, wanted: wantedOwn }, taxes);
    const ofCharges = await saveCharges(tx, actor, edits, taxes);
    const ofFixed = await saveFixedCharges(tx, actor, planId, fixedEdits, taxes);
    const invoices = await flagDrafts(tx, actor, { plans: [planId] });
    const listed = (side: 'before' | 'after') => nonEmpty({ charges: ofCharges[side], fixedCharges: ofFixed[side] });
    return {
      changed: allChanged([ofCharges.changed, ofFixed.changed, { plans: [planId], invoices }]),
      before: { ...differences(wanted, before), ...differences({ ...wantedOwn }, { ...stored }), ...listed('before') },
      after: { ...after, ...savedParts, ...listed('after') },
    };
  };
  return { refusal: read.refusal, save };
}
