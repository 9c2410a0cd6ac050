import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, dec, roundToInteger } from '../../../src/billing/money/decimal.ts';
import { type DemoApp, openDemoApp, type Shown } from '../dashboard/demo-app.ts';

let demo: DemoApp;
beforeAll(async () => {
  demo = await openDemoApp();
}, 120_000);
afterAll(() => demo?.close());

const STEP =
  'kind stage effect text units rate times per preciseUnitAmount preciseAmountCents preciseTotalAmountCents eventsCount code';
const EXPLANATION = `explanation { basis text usage { externalSubscriptionId code aggregationType fromDatetime toDatetime transactionId } steps { ${STEP} } }`;
const FEE = `svcId feeType invoice { status } eventsCount amountCents preciseAmount amountCurrency taxesAmountCents subTotalExcludingTaxesPreciseAmountCents ${EXPLANATION}`;

/** Steps done one after another as the schema says, from what a client is shown. */
function added(steps: readonly Shown[], ...stages: string[]): Decimal {
  let total = new Decimal(0);
  for (const step of steps.filter(({ stage }) => stages.includes(stage))) {
    if (step.effect === 'add') total = total.plus(dec(step.preciseAmountCents));
    if (step.effect === 'scale') total = total.times(dec(step.times)).div(dec(step.per));
    if (step.effect === 'round') total = dec(roundToInteger(total));
    expect(dec(step.preciseTotalAmountCents).minus(total).abs().lt('1e-20')).toBe(true);
  }
  return total;
}

describe('why a fee comes to its amount', { timeout: 300_000 }, () => {
  it('is told of fees of every kind, in steps that add up to it', async () => {
    // Some of each kind, newest first: customers share what is read of them.
    const fees: Shown[] = [];
    for (const type of ['charge', 'subscription', 'fixed_charge', 'add_on', 'commitment', 'credit']) {
      const text = `{ fees(first: ${type === 'charge' ? 30 : 6}, filter: { feeType: [${type}] }) { nodes { ${FEE} } } }`;
      fees.push(...(await demo.ask(text)).fees.nodes);
    }
    expect(fees.length).toBeGreaterThan(40);
    const kinds = new Set<string>();
    for (const { explanation, ...fee } of fees) {
      expect([fee.svcId, fee.feeType, explanation?.basis]).toEqual([
        ...[fee.svcId, fee.feeType],
        fee.invoice?.status === 'open' ? undefined : fee.feeType === 'credit' ? 'stored' : 'computed',
      ]);
      if (!explanation) continue;
      const rounded = added(explanation.steps, 'exact', 'rounded');
      expect(rounded.toFixed()).toBe(fee.amountCents);
      for (const { kind, text } of explanation.steps) {
        kinds.add(kind);
        expect(text).not.toMatch(/undefined|null|NaN|some/);
      }
    }
    for (const kind of ['usage', 'units', 'plan', 'tax', 'rounding']) {
      expect(kinds).toContain(kind);
    }
  });

  it('counts the events that it names: the list of events that is narrowed by them holds as many', async () => {
    const text = `{ fees(first: 15, filter: { feeType: [charge] }) { nodes { ${FEE} } } }`;
    let counted = 0;
    for (const { eventsCount, explanation } of (await demo.ask(text)).fees.nodes as Shown[]) {
      const { usage, steps } = explanation;
      if (!usage || usage.transactionId || usage.aggregationType !== 'sum_agg' || !eventsCount) continue;
      const { events } = await demo.ask(
        `query ($filter: EventFilter) { events(first: 1, filter: $filter) { totalCount } }`,
        {
          filter: {
            ...{ externalSubscriptionId: [usage.externalSubscriptionId], code: [usage.code] },
            timestamp: { from: usage.fromDatetime, to: usage.toDatetime },
          },
        },
      );
      expect(steps[0]).toMatchObject({ kind: 'usage', eventsCount });
      expect(events.totalCount).toBeGreaterThanOrEqual(eventsCount);
      counted += 1;
    }
    expect(counted).toBeGreaterThan(0);
  });

  it('takes as many statements for all fees of an invoice as for one', async () => {
    const invoices = await demo.rowsOf('invoices', 'svcId allFees { svcId }');
    const { svcId, allFees }: Shown = invoices.reduce((one, other) =>
      other.allFees.length > one.allFees.length ? other : one,
    );
    const of = async (count: number) =>
      (
        await demo.statements(
          `{ invoice(svcId: "${svcId}") { fees(first: ${count}) { nodes { explanation { basis steps { text } } } } } }`,
        )
      ).length;
    expect(allFees.length).toBeGreaterThan(3);
    const one = await of(1);
    // The page may ask whether there is more.
    expect(await of(allFees.length)).toBeLessThanOrEqual(one + 1);
  });
});
