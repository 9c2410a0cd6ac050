import type { PriceModel } from '../catalogue/charge-type.ts';
import { invalid } from '../errors.ts';
import { priceDynamic } from './dynamic.ts';
import { priceGraduated } from './graduated.ts';
import { priceGraduatedPercentage } from './graduated-percentage.ts';
import { priceGraduatedProrated } from './graduated-prorated.ts';
import { pricePackage } from './package.ts';
import { pricePercentage } from './percentage.ts';
import type { PriceFunction } from './price-type.ts';
import { priceStandard } from './standard.ts';
import { priceVolume } from './volume.ts';

const MODELS: Partial<Record<PriceModel, PriceFunction>> = {
  standard: priceStandard,
  graduated: priceGraduated,
  graduated_percentage: priceGraduatedPercentage,
  package: pricePackage,
  percentage: pricePercentage,
  volume: priceVolume,
  dynamic: priceDynamic,
};

/**
 * The price function of a model; a prorated graduated charge in arrears has its own. Throws a 422 on `custom`, which has
 * no price of its own. Source: pricing 3.
 */
export function priceFunction(model: PriceModel, proratedByEvent = false): PriceFunction {
  if (model === 'graduated' && proratedByEvent) return priceGraduatedProrated;
  const price = MODELS[model];
  if (price === undefined) throw invalid({ charge_model: ['value_is_invalid'] });
  return price;
}
