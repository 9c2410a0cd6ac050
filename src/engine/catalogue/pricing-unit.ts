import { PRICING_UNIT } from '../../billing/resource/pricing-unit.ts';
import { UNIQUE_PRICING_UNIT_CODE } from '../../store/database/unique.ts';
import type { Stored } from '../resource/stored.ts';

/** Pricing units, which are never deleted; the code of one stays. */
export const PRICING_UNITS: Stored<typeof PRICING_UNIT.fields> = {
  resource: PRICING_UNIT,
  model: 'PricingUnit',
  unique: UNIQUE_PRICING_UNIT_CODE,
  named: {},
  frozen: async () => ['code'],
};
