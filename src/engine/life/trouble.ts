import { BillingError } from '../../billing/errors.ts';

/** A customer to whom not everything could happen, and why. */
export interface Trouble {
  readonly customerId: string;
  readonly error: unknown;
}

function ruleOf(error: BillingError): string {
  const fields = Object.entries(error.details ?? {}).map(([field, codes]) => {
    const told = codes.map((code, index) => [code, error.hintOf(field, index).limit].filter(Boolean).join(', '));
    return `${field}: ${told.join('; ')}`;
  });
  return [error.message, ...fields].join(': ');
}

/** Why something failed, in a line: by a rule, with what is wrong. */
export function reasonOf(error: unknown): string {
  if (error instanceof BillingError) return ruleOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? text;
}
