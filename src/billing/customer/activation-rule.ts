import { type ErrorDetails, invalid, withCodes } from '../errors.ts';

/** A rule as it is sent. */
export interface SentActivationRule {
  readonly type?: string | null | undefined;
  /** Hours after the start at which it is given up; absent or 0: never. */
  readonly timeoutHours?: number | null | undefined;
}

/** Who is to pay first, and by which method. */
export interface FirstPayer {
  /** The provider that the customer is said to pay by. */
  readonly provider: string | null;
  readonly method: { readonly paymentMethodType: 'provider' | 'manual'; readonly paymentMethodId: string | null };
  readonly storedIds: readonly string[];
}

/** Why nobody would collect the first payment: of a customer without a provider, by hand, or by a method that is none. */
function payerFaults({ provider, method, storedIds }: FirstPayer): string[] {
  if (provider === null) return ['no_linked_payment_provider'];
  const { paymentMethodType: type, paymentMethodId: id } = method;
  if (type === 'manual') return ['manual_payment_method_invalid_for_payment_activation_rules'];
  return id != null && !storedIds.includes(id) ? ['payment_method_not_found'] : [];
}

/**
 * Refuses rules that cannot be kept: another kind than `payment`, one twice, a time that is negative, and where there is one a customer of whom
 * nothing can be collected. Source: engine-catalogue 12.2, engine-money 7.4.
 */
export function checkActivationRules(rules: readonly SentActivationRule[], payer: FirstPayer): void {
  const types = rules.map(({ type }) => type);
  const kinds = types.some((type) => type !== 'payment')
    ? ['invalid_type']
    : new Set(types).size < types.length
      ? ['duplicated_type']
      : [];
  const found: ErrorDetails = withCodes({
    activation_rules: kinds,
    timeout_hours: rules.some(({ timeoutHours }) => (timeoutHours ?? 0) < 0) ? ['value_must_be_positive_or_zero'] : [],
    customer: rules.length > 0 ? payerFaults(payer) : [],
  });
  if (Object.keys(found).length > 0) throw invalid(found);
}
