import { expect, it } from 'vitest';
import { dec } from '../../../src/billing/money/decimal.ts';
import { advance, newTimeline } from '../../../src/billing/timeline/timeline.ts';
import { explainLooseFee } from '../../../src/billing/verify/explain.ts';
import { verifyLooseFees } from '../../../src/billing/verify/verify.ts';
import { parseInstant } from '../../instant.ts';
import { customerInput, entityInput, planInput } from '../vectors/scenario-input.ts';

const TAXES = [{ code: 'vat', rate: '20' }];
const at = (moment: string) => parseInstant(moment);

/** A subscription whose calls are billed at once, on no invoice. */
function withFees() {
  const setup = { timezone: 'UTC', taxes: TAXES };
  const charge = {
    code: 'calls',
    metric: 'calls',
    aggregation: 'sum' as const,
    field_name: 'n',
    properties: { amount: '0.337' },
  };
  const plan = {
    ...{ code: 'p', interval: 'monthly' as const, amount_cents: 1000 },
    charges: [{ ...charge, pay_in_advance: true, invoiceable: false }],
  };
  let state = newTimeline({
    customer: customerInput(setup),
    billingEntity: entityInput({ code: 'be', tax_codes: ['vat'] }, TAXES),
    plans: [planInput(plan, TAXES)],
  });
  state = advance(state, {
    ...{ at: at('2026-01-05T00:00:00Z'), do: 'subscribe', subscriptionId: 's', externalId: 's', planCode: 'p' },
    billingTime: 'calendar',
  }).state;
  for (const [day, n] of [
    ['06', 3],
    ['07', 5],
  ] as const) {
    const timestamp = at(`2026-01-${day}T12:00:00Z`);
    const event = { transactionId: `e${day}`, timestamp, properties: { n } };
    state = advance(state, { at: timestamp, do: 'event', externalId: 's', metricCode: 'calls', event }).state;
  }
  return state;
}

it('fees on no invoice are made again from their events, and tell what somebody changed or took away', () => {
  const state = withFees();
  expect(state.fees.map(({ fee }) => fee.amountCents)).toEqual([101n, 169n]);
  expect(verifyLooseFees(state)).toEqual({ differences: [], unasked: {} });
  for (const { id } of state.fees) expect(explainLooseFee(state, id).basis).toBe('computed');

  const [first, ...others] = state.fees;
  if (!first) throw new Error('no fee');
  const dearer = { ...first, fee: { ...first.fee, preciseAmountCents: dec('102') } };
  expect(verifyLooseFees({ ...state, fees: [dearer, ...others] })).toEqual({
    differences: [
      {
        ...{ invoiceId: first.id, figure: 'calls.preciseAmountCents', stored: '102.0', computed: '101.1' },
        reason: 'price_changed',
      },
    ],
    unasked: {},
  });

  const without = { ...state, events: state.events.slice(1) };
  // The other fee had the event among what was used before.
  const fewer = { figure: 'calls.totalAggregatedUnits', reason: 'usage_changed', stored: '8.0', computed: '5.0' };
  expect(verifyLooseFees(without)).toEqual({
    differences: [{ invoiceId: others[0]?.id, ...fewer }],
    unasked: { event_gone: 1 },
  });
  const told = explainLooseFee(without, first.id);
  expect([told.basis, told.unasked]).toEqual(['stored', 'event_gone']);
});
