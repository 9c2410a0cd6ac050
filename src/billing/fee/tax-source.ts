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

/** What a customer is taxed by where nothing nearer to a fee says something else. */
export type CommonTaxes = Record<'customer' | 'billingEntity', { readonly taxes: readonly TaxInput[] }>;

/** The list of the customer, else of the entity: the very one, by which `chooseTaxes` is told to have chosen it. */
const commonTaxes = ({ customer, billingEntity }: CommonTaxes) =>
  chooseTaxes({ customer: customer.taxes, billingEntity: billingEntity.taxes });

/** Fees that were just made, without the taxes that are the customer's or the entity's; those of their own stay, even where both are the same taxes. */
export function withoutCommonTaxes<F extends { readonly taxes: readonly TaxInput[] }>(
  fees: readonly F[],
  owner: CommonTaxes,
): F[] {
  const common = commonTaxes(owner);
  return fees.map((fee) => (fee.taxes === common ? { ...fee, taxes: [] } : fee));
}

/** The same fees with the taxes that are the customer's or the entity's by now, where they have none of their own. */
export function withCommonTaxes<F extends { readonly taxes: readonly TaxInput[] }>(
  fees: readonly F[],
  owner: CommonTaxes,
): F[] {
  const common = commonTaxes(owner);
  return fees.map((fee) => (fee.taxes.length === 0 ? { ...fee, taxes: common } : fee));
}
