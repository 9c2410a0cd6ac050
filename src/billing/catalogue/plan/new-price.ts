import { gathered, invalid, within } from '../../errors.ts';
import type { ChargeState, MetricState } from '../charge-update.ts';
import type { FilterState } from '../filter-write.ts';
import type { FixedChargePatch, FixedChargeState } from '../fixed-charge-update.ts';
import { type NewChargeInput, newCharge, newFixedCharge } from './new-charge.ts';
import { priceCodes } from './price-code.ts';

/** What is priced, by the code that a price without one of its own has. */
type Priced<T> = (T & { readonly code: string }) | undefined;

/** How a new price stands in what was sent. */
interface Placed {
  readonly at: readonly (string | number)[];
  /** Whether its code must be sent; else it gets one. */
  readonly needsCode?: boolean;
}

export interface SentCharge extends NewChargeInput, Placed {
  readonly code?: string | null;
  readonly metric: Priced<MetricState>;
}

export interface SentFixedCharge extends FixedChargePatch, Placed {
  readonly addOn: Priced<{ readonly id: string }>;
}

const baseOf = ({ needsCode }: Placed, priced: Priced<object>) => (needsCode ? undefined : (priced?.code ?? ''));

/** A new charge of a plan with its filters. */
export interface PlanCharge {
  readonly charge: ChargeState;
  readonly filters: readonly FilterState[];
}

const nothing = (of: string, named: string) =>
  invalid({ [of]: ['relation_must_exist'] }, { [of]: { name: named, limit: 'the identifier, or the code' } });

/**
 * New charges of a plan, each with a code. `stored` are the codes that the plan has. Throws one validation error with all that is wrong, by
 * their places. Source: engine-catalogue 10.1, 11.1.
 */
export function newCharges(sent: readonly SentCharge[], stored: Iterable<string>): readonly PlanCharge[] {
  const bases = sent.map((one) => ({ code: one.code, base: baseOf(one, one.metric), at: one.at }));
  const { codes, checks } = priceCodes(bases, stored);
  const reads = sent.map((input, index) => () => {
    const { metric, at } = input;
    return within(at, () => {
      if (!metric) throw nothing('billable_metric', 'billableMetricId');
      const { charge, filters } = newCharge(input, metric);
      const { code: _, ...state } = metric;
      return { charge: { ...charge, code: codes[index] ?? '', metric: state }, filters };
    });
  });
  const [charges] = gathered([() => gathered(reads), () => gathered(checks)]);
  return charges;
}

/** New fixed charges of a plan, as the charges. Source: engine-catalogue 11.4. */
export function newFixedCharges(
  sent: readonly SentFixedCharge[],
  stored: Iterable<string>,
): readonly { readonly charge: FixedChargeState; readonly addOnId: string }[] {
  const bases = sent.map((one) => ({ code: one.code, base: baseOf(one, one.addOn), at: one.at }));
  const { codes, checks } = priceCodes(bases, stored);
  const reads = sent.map((input, index) => () => {
    const { addOn, at } = input;
    return within(at, () => {
      if (!addOn) throw nothing('add_on', 'addOnId');
      return { charge: { ...newFixedCharge(input), code: codes[index] ?? '' }, addOnId: addOn.id };
    });
  });
  const [charges] = gathered([() => gathered(reads), () => gathered(checks)]);
  return charges;
}
