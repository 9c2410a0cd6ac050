import { BillingError } from '../../billing/errors.ts';

/** A customer to whom not everything could happen, and why. */
export interface Trouble {
  readonly customerId: string;
  readonly error: unknown;
}

/** Why, in a line; of what is refused, what is wrong with it: `external_id: value_already_exist`. */
export function reasonOf({ error }: Pick<Trouble, 'error'>): string {
  if (error instanceof BillingError && error.details) {
    return Object.entries(error.details)
      .map(([field, codes]) => `${field}: ${codes.join(', ')}`)
      .join('; ');
  }
  return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '';
}
