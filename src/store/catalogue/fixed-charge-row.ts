import type { ChargeProperties } from '../../billing/catalogue/charge-type.ts';
import type { FixedChargeState } from '../../billing/catalogue/fixed-charge-update.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { FixedChargeGetPayload, FixedChargeSelect } from '../generated/prisma/models.ts';

export const FIXED_CHARGE_COLUMNS = {
  id: true,
  planId: true,
  code: true,
  chargeModel: true,
  invoiceDisplayName: true,
  payInAdvance: true,
  prorated: true,
  units: true,
  properties: true,
  addOn: { select: { id: true, code: true } },
  taxes: { select: { code: true }, orderBy: { code: 'asc' } },
} satisfies FixedChargeSelect;

export type FixedChargeRow = FixedChargeGetPayload<{ select: typeof FIXED_CHARGE_COLUMNS }>;

export function fixedChargeState(row: FixedChargeRow): FixedChargeState {
  const { code, chargeModel, invoiceDisplayName, payInAdvance, prorated, units, properties } = row;
  return {
    ...{ code, model: chargeModel, invoiceDisplayName, payInAdvance, prorated },
    ...{ units: dec(units.toFixed()), properties: properties as ChargeProperties },
  };
}
