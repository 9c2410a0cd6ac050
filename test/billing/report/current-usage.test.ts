import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PriceModel } from '../../../src/billing/catalogue/charge-type.ts';
import type { AggregationType } from '../../../src/billing/catalogue/metric.ts';
import type { PlanChargeInput } from '../../../src/billing/catalogue/plan.ts';
import { isBillable } from '../../../src/billing/fee/fee.ts';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { computeInvoice } from '../../../src/billing/invoice/invoice.ts';
import { TaxBases } from '../../../src/billing/invoice/tax.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { reportedFees, reportedGroups, usageReport } from '../../../src/billing/report/current-usage.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { feeOwner } from '../../../src/billing/subscription/subscription-fees.ts';
import { usageFees } from '../../../src/billing/subscription/usage-fees.ts';
import type { SubscriptionEvent } from '../../../src/billing/usage/usage.ts';
import { accountOf, subscriptionOf } from '../subscription/priced-account.ts';

const HOUR = 3_600_000;
// Paris: March has a day of 23 hours.
const START = Date.UTC(2026, 1, 11, 7);
const MARCH_END = Date.UTC(2026, 2, 31, 22) - 1;

const RANGES = [
  { from_value: 0, to_value: 5, per_unit_amount: '1.005', rate: '1', flat_amount: '2' },
  { from_value: 6, to_value: null, per_unit_amount: '0.333', rate: '2', flat_amount: '1' },
];
const PROPERTIES = {
  amount: '1.005',
  graduated_ranges: RANGES,
  graduated_percentage_ranges: RANGES,
  volume_ranges: RANGES,
  ...{ package_size: 3, free_units: 2, rate: '2.5', fixed_amount: '0.1', free_units_per_events: 2 },
};
const MODELS: readonly PriceModel[] = [
  'standard',
  'graduated',
  'package',
  'percentage',
  'graduated_percentage',
  'volume',
];
const AGGREGATIONS: readonly AggregationType[] = ['count', 'sum', 'max', 'latest', 'unique_count', 'weighted_sum'];
const canRecur = (aggregation: AggregationType) => ['sum', 'unique_count', 'weighted_sum'].includes(aggregation);

const aCharge = fc
  .record({
    model: fc.constantFrom(...MODELS),
    aggregation: fc.constantFrom(...AGGREGATIONS),
    isGrouped: fc.boolean(),
    hasFilter: fc.boolean(),
    recurring: fc.boolean(),
    prorated: fc.boolean(),
    rounds: fc.boolean(),
  })
  .map(({ model, aggregation, isGrouped, hasFilter, rounds, ...chance }): Omit<PlanChargeInput, 'id' | 'code'> => {
    const recurring = chance.recurring && canRecur(aggregation);
    const prorated =
      chance.prorated &&
      recurring &&
      aggregation !== 'weighted_sum' &&
      ['standard', 'graduated', 'volume'].includes(model);
    const keys = isGrouped ? { pricing_group_keys: ['team'] } : {};
    const properties = { ...PROPERTIES, ...keys } as PlanChargeInput['properties'];
    return {
      ...{ model, prorated, properties, payInAdvance: false, minAmountCents: 0n },
      filters: hasFilter
        ? [{ id: 'eu', values: { region: ['eu'] }, properties: { ...properties, amount: '0.5' } }]
        : [],
      metric: {
        ...{ id: 'metric', code: 'calls', name: 'Calls', aggregation, fieldName: 'value', recurring },
        filters: [{ key: 'region', values: ['eu', 'us'] }],
        rounding: rounds ? { function: 'ceil', precision: 1 } : null,
      },
      taxes: [{ id: null, code: rounds ? 'vat' : 'city', name: 'VAT', rate: dec(rounds ? '19.6' : '7.3') }],
    };
  });

const anEvent = fc.record({
  hours: fc.nat(24 * 50),
  value: fc.constantFrom('-2', '0.5', '1', '3.25', '7', 'x'),
  region: fc.constantFrom('eu', 'us', null),
  team: fc.constantFrom('red', 'blue', null),
});

const shown = ({
  chargeId,
  filterId,
  groupedBy,
  units,
  amountCents,
  preciseAmountCents,
  eventsCount,
  totalAggregatedUnits,
}: InvoiceFee) => ({
  ...{ chargeId, filterId, groupedBy, amountCents, precise: preciseAmountCents.toFixed() },
  ...{ units: units.toFixed(), events: eventsCount?.toFixed(), aggregated: totalAggregatedUnits?.toFixed() },
});

it('usage at the end of a period is what its invoice bills, to the last decimal, and so are its taxes', () => {
  const cases = fc.record({
    charges: fc.array(aCharge, { minLength: 1, maxLength: 4 }),
    events: fc.array(anEvent, { maxLength: 20 }),
  });
  fc.assert(
    fc.property(cases, ({ charges: given, events }) => {
      const charges = given.map(
        (charge, at): PlanChargeInput => ({ ...charge, id: `charge-${at}`, code: `charge-${at}` }),
      );
      const subscription = subscriptionOf(charges, START);
      const account = accountOf(
        subscription,
        events.map(
          ({ hours, ...properties }, at): SubscriptionEvent => ({
            ...{ externalSubscriptionId: 'sub', metricCode: 'calls', transactionId: `t${at}`, createdAt: at },
            ...{ timestamp: START + hours * HOUR, properties },
          }),
        ),
      );
      const report = usageReport(account, subscription, {}, MARCH_END);
      if (!report) throw new Error('no period');
      expect(report.period.to).toBe(MARCH_END);
      const bases = new TaxBases();
      const usage = report.charges.flatMap((charge) => {
        const groups = reportedGroups(report, charge, account.usage);
        // A part at a time is the same.
        const asked = { isTaxed: true, isProjected: true };
        const parts = [groups.slice(0, 1), groups.slice(1)].flatMap((part) =>
          reportedFees(report, charge, part, asked),
        );
        for (const { fee, projected } of parts) {
          bases.add([fee]);
          expect({ ...shown(projected), aggregated: '' }).toEqual({ ...shown(fee), aggregated: '' });
        }
        return parts.map(({ fee }) => fee);
      });
      const billed = billedSubscription(account, subscription, MARCH_END + 1, 'subscription_periodic');
      const invoiced = usageFees(billed, account.usage, feeOwner(billed, account));
      const isProrated = ({ chargeId }: InvoiceFee) => charges.some(({ id, prorated }) => id === chargeId && prorated);
      // Of a prorated charge an invoice shows what was not rounded.
      const comparable = (fee: InvoiceFee) => ({ ...shown(fee), ...(isProrated(fee) && { units: '' }) });
      expect(usage.filter(isBillable).map(comparable)).toEqual(invoiced.map(comparable));
      const invoice = computeInvoice({ currency: 'EUR', fees: invoiced, kind: 'plain' });
      expect(bases.amountCents()).toBe(invoice.taxesAmountCents);
    }),
    { numRuns: 400 },
  );
});
