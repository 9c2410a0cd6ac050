import { inOrder, thresholdRefusal } from '../../../billing/catalogue/plan/threshold.ts';
import { gathered, within } from '../../../billing/errors.ts';
import type { Sent } from '../../../billing/resource/field.ts';
import { MINIMUM_COMMITMENT, USAGE_THRESHOLD } from '../../../billing/resource/plan.ts';
import { changedValues, differences, newValues } from '../../../billing/resource/resource.ts';
import type { Actor } from '../../../store/access/audit.ts';
import {
  type Commitment,
  readCommitment,
  readThresholds,
  saveCommitment,
  saveThresholds,
  type Threshold,
} from '../../../store/catalogue/plan-part-write.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { askForLooks } from '../../../store/usage/due/usage-due.ts';

/** What a body says of the commitment and the thresholds of a plan. */
export interface OwnPartsSent {
  /** Null, or an object without members, is none. */
  readonly minimumCommitment?: Sent<typeof MINIMUM_COMMITMENT.fields> | null;
  readonly usageThresholds?: readonly Sent<typeof USAGE_THRESHOLD.fields>[] | null;
}

/** The commitment and the thresholds of a plan. */
export interface OwnParts {
  readonly minimumCommitment: Commitment | null;
  readonly usageThresholds: readonly Threshold[];
}

const NO_PARTS: OwnParts = { minimumCommitment: null, usageThresholds: [] };

const isEmpty = (sent: object) => Object.values(sent).every((value) => value === undefined);

function wantedCommitment({ minimumCommitment: sent }: OwnPartsSent, stored: Commitment | null): Commitment | null {
  if (sent === undefined) return stored;
  if (sent === null || isEmpty(sent)) return null;
  return within(['minimumCommitment'], () =>
    stored ? changedValues(MINIMUM_COMMITMENT, stored, sent) : newValues(MINIMUM_COMMITMENT, sent),
  );
}

/** Thresholds as they are sent, in their order; those that are stored where nothing is said. Throws one validation error. */
export function wantedThresholds(
  { usageThresholds: sent }: Pick<OwnPartsSent, 'usageThresholds'>,
  stored: readonly Threshold[],
): readonly Threshold[] {
  if (sent == null) return stored;
  const read = gathered(
    sent.map((one, at) => () => within(['usageThresholds', at], () => newValues(USAGE_THRESHOLD, one))),
  );
  const refusal = thresholdRefusal(read);
  if (refusal) throw refusal;
  return inOrder(read);
}

/** The parts of a stored plan that a body says something of; none of a new one. */
export async function storedParts(
  tx: TenantTransaction,
  sent: OwnPartsSent,
  planId: string | undefined,
): Promise<OwnParts> {
  if (planId === undefined) return NO_PARTS;
  return {
    minimumCommitment: sent.minimumCommitment === undefined ? null : await readCommitment(tx, planId),
    usageThresholds: sent.usageThresholds == null ? [] : await readThresholds(tx, { planId }),
  };
}

/** The parts after a write. Throws one validation error with all that is wrong. */
export function wantedParts(sent: OwnPartsSent, stored: OwnParts): OwnParts {
  const [minimumCommitment, usageThresholds] = gathered([
    () => wantedCommitment(sent, stored.minimumCommitment),
    () => wantedThresholds(sent, stored.usageThresholds),
  ]);
  return { minimumCommitment, usageThresholds };
}

/** Stores the parts that differ; says which. */
export async function saveParts(
  tx: TenantTransaction,
  actor: Actor,
  planId: string,
  { stored, wanted }: { readonly stored: OwnParts; readonly wanted: OwnParts },
  taxes: ReadonlyMap<string, string>,
): Promise<Partial<OwnParts>> {
  const changed: Partial<OwnParts> = differences({ ...stored }, { ...wanted });
  const { minimumCommitment, usageThresholds } = changed;
  if (minimumCommitment !== undefined) {
    const taxIds = (minimumCommitment?.taxCodes ?? []).flatMap((code) => taxes.get(code) ?? []);
    await saveCommitment(tx, actor, planId, minimumCommitment, taxIds);
  }
  if (usageThresholds) {
    await saveThresholds(tx, actor, { planId }, usageThresholds, stored.usageThresholds.length === 0);
    if (usageThresholds.length > 0) await askForLooks(tx, actor, planId);
  }
  return changed;
}
