/** A customer to whom not everything could happen, and why. */
export interface Trouble {
  readonly customerId: string;
  readonly error: unknown;
}
