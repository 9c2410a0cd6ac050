import { type CascadedCharge, cascadedCode } from '../../../billing/catalogue/cascade.ts';
import { copiedCodes, followedCodes } from '../../../billing/catalogue/plan/price-code.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { codesOf, type PriceKind } from '../../../store/catalogue/price-change.ts';
import { type CopyCode, copyCodes, recode, type WantedCopy } from '../../../store/catalogue/price-copy.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';

/** A price of a plan that has changed, with its code. */
interface Recoded {
  readonly row: { readonly id: string };
  readonly before: { readonly code: string };
  readonly after: Pick<CascadedCharge, 'code' | 'model'>;
}

const byPlan = (copies: readonly CopyCode[]) => {
  const ofPlan = new Map<string, CopyCode[]>();
  for (const copy of copies) {
    const known = ofPlan.get(copy.planId);
    if (known) known.push(copy);
    else ofPlan.set(copy.planId, [copy]);
  }
  return ofPlan;
};

/** Gives copies the codes that they follow to, where those are free on their overrides; says which copies have others then. */
export async function followCodes(
  tx: TenantTransaction,
  actor: Actor,
  kind: PriceKind,
  planIds: readonly string[],
  changed: readonly Recoded[],
): Promise<readonly string[]> {
  const changeOf = new Map(changed.map((one) => [one.row.id, one]));
  if (changed.every(({ before, after }) => before.code === after.code)) return [];
  const copies = await copyCodes(tx, actor, kind, { parents: [...changeOf.keys()], planIds });
  const codes = await codesOf(tx, actor, kind, planIds);
  const moved = [...byPlan(copies)].flatMap(([planId, own]) => {
    const wanted = own.map((copy) => {
      const change = changeOf.get(copy.parentId);
      return { ...copy, wanted: change ? cascadedCode(copy, change.before, change.after) : copy.code };
    });
    const next = followedCodes(wanted, codes.get(planId) ?? []);
    return own.map(({ id, code }) => ({ id, codes: [code, next.get(id) ?? code] as const }));
  });
  const recoded = moved.filter(({ codes: [before, after] }) => before !== after);
  await recode(tx, actor, kind, recoded);
  return recoded.map(({ id }) => id);
}

/** The copies of new prices for overrides, each with a code that is free there. */
export async function wantedCopies(
  tx: TenantTransaction,
  actor: Actor,
  kind: PriceKind,
  planIds: readonly string[],
  created: readonly { readonly id: string; readonly charge: { readonly code: string } }[],
): Promise<readonly WantedCopy[]> {
  if (created.length === 0) return [];
  const wanted = created.map(({ charge }) => charge.code);
  const codes = await codesOf(tx, actor, kind, planIds);
  return planIds.flatMap((planId) => {
    const free = copiedCodes(wanted, codes.get(planId) ?? []);
    return created.map(({ id: parentId, charge }, at) => ({ planId, parentId, code: free[at] ?? charge.code }));
  });
}
