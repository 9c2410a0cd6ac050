import { forbidden, gathered, invalid, notFound, within } from '../../../billing/errors.ts';
import { CHARGE_COLUMNS } from '../../../store/catalogue/charge-row.ts';
import { FIXED_CHARGE_COLUMNS } from '../../../store/catalogue/fixed-charge-row.ts';
import { OLDEST_FIRST } from '../../../store/database/row-order.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { type ChargeChange, changedCharge } from '../../catalogue/price/charge-change.ts';
import { changedFixedCharge, type FixedChargeChange } from '../../catalogue/price/fixed-charge-change.ts';

/** What of a charge can be another for one subscription; absent members leave what there is. A model says which one is meant, and stays. */
export type ChargeOverride = Pick<
  ChargeChange,
  'chargeModel' | 'invoiceDisplayName' | 'minAmountCents' | 'properties' | 'filters' | 'taxCodes' | 'appliedPricingUnit'
>;

/** The same of a fixed charge. */
export type FixedChargeOverride = Pick<
  FixedChargeChange,
  'chargeModel' | 'invoiceDisplayName' | 'units' | 'properties' | 'taxCodes' | 'applyUnitsImmediately'
>;

/** One of a list: named by its identifier, or by that of the price that it was copied from. */
export type Listed<Override> = Override & { readonly id: string };

const COPY = { parentId: true } as const;

/** The charges of an override, each with the one that it was copied from. */
export const chargesOf = (tx: TenantTransaction, planId: string) =>
  tx.charge.findMany({
    where: { planId, deletedAt: null },
    select: { ...CHARGE_COLUMNS, ...COPY },
    orderBy: OLDEST_FIRST,
  });

/** Its fixed charges. */
export const fixedChargesOf = (tx: TenantTransaction, planId: string) =>
  tx.fixedCharge.findMany({
    where: { planId, deletedAt: null },
    select: { ...FIXED_CHARGE_COLUMNS, ...COPY },
    orderBy: OLDEST_FIRST,
  });

type ChargeRow = Awaited<ReturnType<typeof chargesOf>>[number];
type FixedChargeRow = Awaited<ReturnType<typeof fixedChargesOf>>[number];

function checkModel({ chargeModel }: { chargeModel: string }, sent: { readonly chargeModel?: string | null }): void {
  if (sent.chargeModel != null && sent.chargeModel !== chargeModel) throw forbidden('cannot_override_charge_model');
}

/** What an override makes of a charge, and the check of it, which throws one validation error. Throws `forbidden` for another model. */
export function chargeEdit(row: ChargeRow, sent: ChargeOverride, refusesIgnored: boolean) {
  checkModel(row, sent);
  const { invoiceDisplayName, minAmountCents, properties, filters, taxCodes, appliedPricingUnit } = sent;
  const change = { invoiceDisplayName, minAmountCents, properties, filters, taxCodes, appliedPricingUnit };
  // What is agreed is agreed anew: also the minimum may be another.
  return changedCharge({ row, change, metric: undefined }, { attached: false, refusesIgnored });
}

/** What an override makes of a fixed charge, as of a charge. */
export function fixedChargeEdit(row: FixedChargeRow, sent: FixedChargeOverride, refusesIgnored: boolean) {
  checkModel(row, sent);
  const { invoiceDisplayName, units, properties, taxCodes, applyUnitsImmediately } = sent;
  const change = { invoiceDisplayName, units, properties, taxCodes, applyUnitsImmediately };
  return changedFixedCharge(row, change, { attached: true, refusesIgnored });
}

/**
 * Reads a list of overridden prices, each against the row that it names. Throws `object_not_found` for one that the plan does not have;
 * what is answered throws one validation error that names all that is wrong by its place.
 */
export function editsOf<Row extends { readonly id: string; readonly parentId: string | null }, Sent, Change>(
  list: string,
  rows: readonly Row[],
  sent: readonly Listed<Sent>[] | null | undefined,
  edit: (row: Row, sent: Sent) => { read(): Change },
): () => readonly Change[] {
  const seen = new Set<string>();
  const reads = (sent ?? []).map((one, index) => {
    const id = one.id.toLowerCase();
    const row = rows.find((known) => known.id === id || known.parentId === id);
    if (!row) throw notFound(list === 'charges' ? 'charge' : 'fixed_charge');
    const isAgain = seen.has(row.id);
    seen.add(row.id);
    const { read } = edit(row, one);
    return () =>
      within([list, index], () => {
        if (isAgain) throw invalid({ id: ['value_is_duplicated'] });
        return read();
      });
  });
  return () => gathered(reads);
}
