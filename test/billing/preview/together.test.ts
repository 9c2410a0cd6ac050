import { describe, expect, it } from 'vitest';
import type { SubscriptionInput } from '../../../src/billing/customer/subscription.ts';
import { checkIntegrations } from '../../../src/billing/preview/request.ts';
import { checkTogether } from '../../../src/billing/preview/together.ts';
import { parseInstant } from '../../instant.ts';
import { customerInput, entityInput, planInput, subscriptionInput } from '../vectors/scenario-input.ts';
import type { PlanJson } from '../vectors/scenario-type.ts';

const at = (day: string) => parseInstant(`${day}T00:00:00Z`);
const account = { customer: customerInput({}), billingEntity: entityInput(undefined, []) };
const one = (plan: Partial<PlanJson> = {}, members: Partial<SubscriptionInput> = {}): SubscriptionInput => ({
  ...subscriptionInput(
    { id: 's', plan: 'p', subscription_at: '2024-01-01T00:00:00Z', started_at: '2024-01-01T00:00:00Z' },
    planInput({ code: 'p', amount_cents: 0, ...plan }, []),
  ),
  ...members,
});
const check = (...subscriptions: SubscriptionInput[]) => checkTogether(subscriptions, account, at('2024-02-10'));
const refusal = (code: string) => expect.objectContaining({ code: 'validation_errors', details: { base: [code] } });

describe('subscriptions of one preview (invoicing 17.2)', () => {
  it('are at least one, in one currency and of one entity', () => {
    expect(() => check()).toThrow(
      expect.objectContaining({ code: 'object_not_found', message: 'subscription not found' }),
    );
    expect(check(one())).toBe(undefined);
    expect(check(one(), one({}, { billingEntityCode: 'be' }))).toBe(undefined);
    expect(() => check(one(), one({ amount_currency: 'USD' }))).toThrow(
      refusal('subscription_currencies_does_not_match'),
    );
    expect(() => check(one(), one({}, { billingEntityCode: 'other' }))).toThrow(
      refusal('subscription_billing_entities_do_not_match'),
    );
  });

  it('have running periods that end on one date', () => {
    const yearly = { interval: 'yearly' } as const;
    const differ = refusal('billing_periods_does_not_match');
    expect(check(one(), one({ code: 'other' }))).toBe(undefined);
    expect(() => check(one(), one(yearly))).toThrow(differ);
    expect(() => check(one(yearly), one())).toThrow(differ);
    expect(() => check(one(), one(yearly, { startedAt: null }))).toThrow(differ);
    expect(() => check(one(), one(yearly, { startedAt: at('2024-02-10') }))).toThrow(differ);
  });

  it.each<[string, Partial<SubscriptionInput>]>([
    ['is made up', { stored: false }],
    ['waits', { status: 'pending' }],
    ['is made up and waits', { stored: false, status: 'pending' }],
    ['has ended', { status: 'terminated' }],
    ['starts later', { startedAt: at('2024-02-11') }],
  ])('need not end with one that %s', (_name, members) => {
    expect(check(one(), one({ interval: 'yearly' }, members))).toBe(undefined);
    expect(check(one({ interval: 'yearly' }, members), one())).toBe(undefined);
  });
});

describe('an integration that a request names', () => {
  const existing = [
    { type: 'anrok', code: 'a' },
    { type: 'avalara', code: 'b' },
  ];

  it('exists by its type and code together', () => {
    expect(checkIntegrations(existing, existing)).toBe(undefined);
    expect(checkIntegrations([], [])).toBe(undefined);
    for (const code of ['b', 'c']) {
      expect(() => checkIntegrations([...existing, { type: 'anrok', code }], existing)).toThrow(
        expect.objectContaining({ code: 'object_not_found', message: 'anrok_integration not found' }),
      );
    }
  });
});
