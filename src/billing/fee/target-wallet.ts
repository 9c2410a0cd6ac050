import { pricingGroupKeys } from '../aggregate/group.ts';
import type { ChargeProperties } from '../catalogue/charge-type.ts';
import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { DraftFee } from './draft-fee.ts';

/** The property of an event that names the wallet which is to pay for it. */
const TARGET_WALLET_KEY = 'target_wallet_code';

/**
 * A charge that accepts a target wallet is priced by the wallet its events name, as by any pricing group, so that each fee can be
 * paid by that wallet alone. Other charges are returned as they are. Source: invoicing 13.7.
 */
export function byTargetWallet(charge: PlanChargeInput): PlanChargeInput {
  if (!charge.acceptsTargetWallet) return charge;
  const filters = charge.filters.map((filter) => ({ ...filter, properties: grouped(filter.properties) }));
  return { ...charge, properties: grouped(charge.properties), filters };
}

/** The wallet that must pay a fee; null: any that may. */
export function targetWalletOf(fee: DraftFee, charge: PlanChargeInput): string | null {
  return charge.acceptsTargetWallet ? (fee.groupedBy[TARGET_WALLET_KEY] ?? null) : null;
}

function grouped(properties: ChargeProperties): ChargeProperties {
  return { ...properties, pricing_group_keys: [...pricingGroupKeys(properties), TARGET_WALLET_KEY] };
}
