import { rangeRefusal } from '../../../billing/catalogue/number-range.ts';
import { type BillingError, invalid, joined } from '../../../billing/errors.ts';

/** What is wrong with an input that prices a metric, whatever it prices. */
export const ofCharge = {
  refusal: ({ minAmountCents: min_amount_cents }: { readonly minAmountCents?: bigint | null }) =>
    rangeRefusal('charge', { min_amount_cents }),
};

/** What is wrong with an input that prices an add-on, whatever it prices. */
export const ofFixedCharge = {
  refusal: ({ units }: { readonly units?: string | null }) => rangeRefusal('fixed_charge', { units }),
};

/** What is wrong with an input that prices something, and must say by which code. */
export const withCode = <Input>(refusal: (input: Input) => BillingError | undefined) => ({
  refusal: (input: Input & { readonly code?: string | null }) => {
    const code = input.code?.trim() ? undefined : invalid({ code: ['value_is_mandatory'] });
    const found = [refusal(input), code].filter((one) => one !== undefined);
    return found.length > 0 ? joined(...found) : undefined;
  },
});
