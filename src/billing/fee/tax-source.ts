import type { TaxInput } from '../catalogue/tax.ts';
import type { Decimal } from '../money/decimal.ts';

/** An outside tax service: its rate for every fee, or `error` where it does not answer. */
export type TaxProvider = { readonly rate: Decimal } | 'error';

/** The places a tax can come from, in the order they are asked. */
export interface TaxSources {
  /** Codes that a one-off invoice names. */
  readonly explicit?: readonly TaxInput[];
  /** Of the add-on, charge, fixed charge or commitment. */
  readonly own?: readonly TaxInput[];
  /** Not for add-ons. */
  readonly plan?: readonly TaxInput[];
  readonly customer: readonly TaxInput[];
  /** Of the entity that is billed. */
  readonly billingEntity: readonly TaxInput[];
}

/** The taxes of a fee: the first source that has any. Lists replace each other, they are never merged. Source: invoicing 11. */
export function chooseTaxes(sources: TaxSources): readonly TaxInput[] {
  const { explicit, own, plan, customer, billingEntity } = sources;
  return [explicit, own, plan, customer, billingEntity].find((taxes) => taxes && taxes.length > 0) ?? [];
}
