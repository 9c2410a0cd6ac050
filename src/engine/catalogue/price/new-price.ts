import type { FixedChargePatch, FixedChargeState } from '../../../billing/catalogue/fixed-charge-update.ts';
import type { NewChargeInput } from '../../../billing/catalogue/plan/new-charge.ts';
import { newCharges, newFixedCharges, type PlanCharge } from '../../../billing/catalogue/plan/new-price.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { chargeRecord } from '../../../store/catalogue/charge-row.ts';
import { addCharges, addFixedCharges } from '../../../store/catalogue/price-write.ts';
import { addOnsOf, metricsOf, pricingUnits } from '../../../store/catalogue/priced-row.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import type { MadeCharge } from './cascade-charge.ts';
import type { MadeFixedCharge } from './cascade-fixed-charge.ts';

/** What a caller says of a new charge. The metric is named by its identifier or its code. */
export interface ChargeSent extends Omit<NewChargeInput, 'unit'> {
  readonly code?: string | null;
  readonly billableMetricId?: string | null;
  readonly billableMetricCode?: string | null;
  readonly taxCodes?: readonly string[] | null;
  readonly appliedPricingUnit?: { readonly code?: string | null; readonly conversionRate?: string | null } | null;
}

/** What a caller says of a new fixed charge. The add-on is named by its identifier or its code. */
export interface FixedChargeSent extends FixedChargePatch {
  readonly addOnId?: string | null;
  readonly addOnCode?: string | null;
  readonly taxCodes?: readonly string[] | null;
  readonly applyUnitsImmediately?: boolean | null;
}

/** A new price and where it stands in what was sent. */
interface Placed<Sent> {
  readonly sent: Sent;
  readonly at: readonly (string | number)[];
  /** Whether its code must be sent; else it gets one. */
  readonly needsCode?: boolean;
}

type TaxIds = ReadonlyMap<string, string>;

/** A new charge that fits, with what is stored of it besides. */
export type FittingCharge = PlanCharge & { readonly sent: ChargeSent; readonly pricingUnitId: string | null };

/** A new fixed charge that fits. */
export interface FittingFixedCharge {
  readonly charge: FixedChargeState;
  readonly addOnId: string;
  readonly sent: FixedChargeSent;
}

/** Looks up what charges name, in their order, and how those among them that are new are read. Throws `object_not_found` for a metric that is not there. */
export async function lookUpCharges(tx: TenantTransaction, actor: Actor, all: readonly ChargeSent[]) {
  const named = all.map((one) => ({ id: one.billableMetricId, code: one.billableMetricCode }));
  const found = await metricsOf(tx, actor, named);
  const metrics = new Map(all.map((one, at) => [one, found[at]]));
  const codes = all.map(({ appliedPricingUnit }) => appliedPricingUnit?.code).filter((code) => code != null);
  const units = await pricingUnits(tx, codes);
  const unitIdOf = ({ appliedPricingUnit: unit }: ChargeSent) => units.get(unit?.code ?? '') ?? null;
  return {
    metricOf: (one: ChargeSent) => metrics.get(one),
    /** The new charges of a plan that has other codes. Throws one validation error that names all that is wrong. */
    read: (placed: readonly Placed<ChargeSent>[], taken: readonly string[]): readonly FittingCharge[] => {
      const sent = placed.map(({ sent: one, ...place }) => {
        const { appliedPricingUnit: unit } = one;
        const isKnown = unitIdOf(one) !== null;
        const priced = unit == null ? null : { isKnown, conversionRate: unit.conversionRate };
        return { ...one, ...place, metric: metrics.get(one), unit: priced };
      });
      return newCharges(sent, taken).map((made, at) => {
        const one = placed[at]?.sent ?? {};
        return { ...made, sent: one, pricingUnitId: unitIdOf(one) };
      });
    },
  };
}

/** The same of fixed charges and their add-ons. */
export async function lookUpFixedCharges(tx: TenantTransaction, actor: Actor, all: readonly FixedChargeSent[]) {
  const named = all.map((one) => ({ id: one.addOnId, code: one.addOnCode }));
  const found = await addOnsOf(tx, actor, named);
  const addOns = new Map(all.map((one, at) => [one, found[at]]));
  return {
    read: (placed: readonly Placed<FixedChargeSent>[], taken: readonly string[]): readonly FittingFixedCharge[] => {
      const sent = placed.map(({ sent: one, ...place }) => ({ ...one, ...place, addOn: addOns.get(one) }));
      return newFixedCharges(sent, taken).map((made, at) => ({ ...made, sent: placed[at]?.sent ?? {} }));
    },
  };
}

/** Codes of all taxes that prices name. */
export const taxCodesOf = (sent: readonly { readonly taxCodes?: readonly string[] | null | undefined }[]): string[] =>
  sent.flatMap(({ taxCodes }) => taxCodes ?? []);

const idsOf = (codes: readonly string[] | null | undefined, taxes: TaxIds): string[] =>
  [...new Set(codes ?? [])].flatMap((code) => taxes.get(code) ?? []);

const sorted = (codes: readonly string[] | null | undefined) => [...new Set(codes ?? [])].sort();

/** A new price as it was stored, and what the log keeps of it. */
interface Made<Row> {
  readonly row: Row;
  readonly record: { readonly id: string };
}

/** Stores new charges of a plan. */
export async function saveNewCharges(
  tx: TenantTransaction,
  actor: Actor,
  planId: string,
  charges: readonly FittingCharge[],
  taxes: TaxIds,
): Promise<Made<MadeCharge>[]> {
  const rows = charges.map(({ charge, filters, sent, pricingUnitId }) => ({
    ...{ planId, charge, filters, pricingUnitId, taxIds: idsOf(sent.taxCodes, taxes) },
  }));
  const stored = await addCharges(tx, actor, rows);
  return stored.flatMap(({ id, filters }, at) => {
    const row = rows[at];
    const taxCodes = sorted(charges[at]?.sent.taxCodes);
    return row ? [{ row: { ...row, id }, record: { id, ...chargeRecord(row.charge, taxCodes, filters) } }] : [];
  });
}

/** Stores new fixed charges of a plan. */
export async function saveNewFixedCharges(
  tx: TenantTransaction,
  actor: Actor,
  planId: string,
  charges: readonly FittingFixedCharge[],
  taxes: TaxIds,
): Promise<Made<MadeFixedCharge>[]> {
  const rows = charges.map(({ charge, addOnId, sent }) => ({
    ...{ planId, charge, addOnId, taxIds: idsOf(sent.taxCodes, taxes) },
    immediately: sent.applyUnitsImmediately === true,
  }));
  const stored = await addFixedCharges(tx, actor, rows);
  return stored.flatMap(({ id }, at) => {
    const row = rows[at];
    if (!row) return [];
    const { charge, addOnId } = row;
    return [{ row: { ...row, id }, record: { id, ...charge, addOnId, taxCodes: sorted(charges[at]?.sent.taxCodes) } }];
  });
}
