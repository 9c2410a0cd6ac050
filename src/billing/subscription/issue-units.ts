import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid } from '../errors.ts';
import { MOST_CENTS, TooMuch } from '../invoice/invariant.ts';
import type { Instant } from '../period/calendar.ts';
import type { Change } from './change.ts';
import { unitsRequest } from './invoice-request.ts';
import { type IssuingAccount, issue, type NewIds } from './issuer.ts';

/**
 * What changes when units of fixed charges that are paid in advance change at once: one invoice is issued; nothing where nothing is
 * paid in advance. `subscription` has the new units in its history. Throws a validation error for an amount past 64 bits. 3 to 6
 * units at 10: 3000 cents. Source: invoicing 6.
 */
export function issueUnits(
  account: IssuingAccount,
  subscription: SubscriptionInput,
  fixedChargeIds: readonly string[],
  at: Instant,
  ids: NewIds,
): Change[] {
  const request = unitsRequest(account, subscription, fixedChargeIds, at);
  if (request === null) return [];
  try {
    return issue(account, request, ids);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    throw invalid(
      { units: ['value_is_out_of_range'] },
      { units: { limit: `as many as come to at most ${MOST_CENTS} minor units` } },
    );
  }
}
