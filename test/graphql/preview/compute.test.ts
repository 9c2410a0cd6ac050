import { afterAll, describe, expect, it } from 'vitest';
import { eventsInMemory } from '../../../src/billing/aggregate/usage-source.ts';
import { BillingError } from '../../../src/billing/errors.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import type { PreviewRequest } from '../../../src/billing/preview/preview-type.ts';
import { advance, newTimeline } from '../../../src/billing/timeline/timeline.ts';
import {
  answerPacked,
  computePreview,
  type PreviewTask,
  packedTask,
  previewWith,
  unpackedPreview,
} from '../../../src/graphql/preview/compute.ts';
import { Previewer } from '../../../src/graphql/preview/previewer.ts';
import type { UsageReading } from '../../../src/store/usage/event-store.ts';
import { answerUsage } from '../../../src/store/usage/stored-usage.ts';
import { isTooBusy } from '../../../src/thread/pool.ts';
import {
  couponInputs,
  creditNoteInputs,
  customerInput,
  entityInput,
  planInput,
  walletInputs,
} from '../../billing/vectors/scenario-input.ts';
import { parseInstant } from '../../instant.ts';
import { besideTurns } from '../../turn.ts';

const TAXES = [{ code: 'vat', rate: '19.0625' }];
const GRADUATED = {
  graduated_ranges: [
    { from_value: 0, to_value: 3, per_unit_amount: '0.123456789012345', flat_amount: '1' },
    { from_value: 4, to_value: null, per_unit_amount: '0.1', flat_amount: '0' },
  ],
  pricing_group_keys: ['region'],
};
const plan = planInput(
  {
    ...{ code: 'orchid', amount_cents: 3100 },
    charges: [
      { code: 'calls', metric: 'calls', aggregation: 'count', charge_model: 'graduated', properties: GRADUATED },
      { code: 'seats', metric: 'seats', aggregation: 'sum', properties: { amount: '0.5' } },
    ],
  },
  TAXES,
);
const NOW = parseInstant('2024-03-20T00:00:00Z');
const start = newTimeline({
  customer: customerInput({ taxes: TAXES }),
  billingEntity: entityInput({ code: 'be', tax_codes: ['vat'] }, TAXES),
  plans: [plan],
  coupons: couponInputs([{ code: 'c', type: 'percentage', rate: '12.5', frequency: 'forever' }] as never),
  creditNotes: creditNoteInputs([{ code: 'n', currency: 'EUR', balance_amount_cents: 100, status: 'finalized' }]),
  wallets: walletInputs([{ code: 'w', balance_cents: 50 }]),
});
const { state } = advance(start, {
  ...{ at: parseInstant('2024-02-01T00:00:00Z'), do: 'subscribe', subscriptionId: 's', externalId: 's' },
  ...{ planCode: 'orchid', billingTime: 'calendar' },
});

/** A task over so many events, one in each group. */
async function taskOf(
  events: number,
  request: PreviewRequest = { subscriptions: { externalIds: ['s'] } },
): Promise<PreviewTask> {
  const { events: _, invoices: pastInvoices, ...account } = state;
  const list = Array.from({ length: events }, (_value, at) => ({
    ...{ externalSubscriptionId: 's', metricCode: 'calls', timestamp: parseInstant('2024-03-02T00:00:00Z') + at },
    properties: { region: `r${at}`, $decimal: '1' },
  }));
  const kept = eventsInMemory(list);
  const task = { request, account: { ...account, pastInvoices }, catalogue: { plans: [plan] }, now: NOW };
  const reading: UsageReading = {
    groups: async (metric, asked) => kept.of(...metric).groups(asked),
    advance: async (metric, asked) => kept.of(...metric).advance(asked),
  };
  return { ...task, usage: await answerUsage(reading, ['s'], (usage) => previewWith(task, usage)) };
}

const away = (task: PreviewTask) => unpackedPreview(structuredClone(answerPacked(structuredClone(packedTask(task)))));

const usage = (units: number) => [{ metricCode: 'seats', units: dec(units) }];

describe('a preview that is computed in another thread', () => {
  const previewer = new Previewer();
  afterAll(() => previewer.close());
  const never = () => new AbortController().signal;

  it('is the one that is computed here, to the last digit', async () => {
    const task = await taskOf(40, { planCode: 'orchid', usage: usage(3) });
    for (const one of [task, await taskOf(40)]) {
      const here = computePreview(one);
      expect(here.fees.length).toBeGreaterThan(1);
      expect(away(one)).toStrictEqual(here);
    }
    expect(computePreview(await taskOf(40)).fees).toHaveLength(1 + 40);
  });

  it('is refused in the same words', async () => {
    const wrong = await taskOf(1, { planCode: 'orchid', usage: [{ metricCode: 'none', units: dec(1) }] });
    const said = (compute: (task: PreviewTask) => unknown) => {
      try {
        return compute(wrong);
      } catch (error) {
        const { code, message, details, reason } = error as BillingError;
        return [error instanceof BillingError, code, message, details, reason];
      }
    };
    expect(said(away)).toEqual([
      true,
      'validation_errors',
      expect.any(String),
      { metric_code: ['value_is_invalid'] },
      undefined,
    ]);
    expect(said(away)).toEqual(said(computePreview));
  });

  it('knows no usage but what it was told', async () => {
    const task = await taskOf(3);
    expect(() => computePreview({ ...task, usage: { ...task.usage, groups: {} } })).toThrow('not asked for');
  });

  it('goes there when it is large, and leaves this one free', async () => {
    const task = await taskOf(10_000);
    await previewer.preview(await taskOf(1000), 'one', never); // the thread is started
    const { result: preview, longest, whole } = await besideTurns(() => previewer.preview(task, 'one', never));
    expect(preview.fees).toHaveLength(1 + 10_000);
    expect(longest).toBeLessThan(whole / 2);
  });

  it('is given up with its request', async () => {
    const ending = new AbortController();
    const work = previewer.preview(await taskOf(10_000), 'one', () => ending.signal);
    setTimeout(() => ending.abort(), 20);
    await expect(work).rejects.toThrow('given up');
  });

  it('is a validation error when no thread can hold it, and the next one is computed', async () => {
    const tight = new Previewer({ memory: 24 });
    const refused = { code: 'validation_errors', details: { usage: ['value_is_too_long'] } };
    await expect(tight.preview(await taskOf(10_000), 'one', never)).rejects.toMatchObject(refused);
    expect((await tight.preview(await taskOf(600), 'one', never)).fees).toHaveLength(1 + 600);
    await tight.close();
  });

  it('is to be asked again when too much usage is waiting already', async () => {
    const tight = new Previewer({ mostHeld: 1 });
    const task = await taskOf(600);
    const ask = () => tight.preview(task, 'one', never).then(({ fees }) => fees.length, isTooBusy);
    expect(await Promise.all([ask(), ask()])).toEqual([1 + 600, true]);
    expect(await ask()).toBe(1 + 600);
    await tight.close();
  });

  it('asks nobody whether it is still wanted when it is small', async () => {
    const asked = () => {
      throw new Error('asked');
    };
    expect((await previewer.preview(await taskOf(3), 'one', asked)).fees.length).toBeGreaterThan(1);
  });
});
