import { describe, expect, it } from 'vitest';
import { dec } from '../../src/billing/money/decimal.ts';
import { advance, newTimeline } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../src/billing/timeline/timeline-type.ts';
import { parseInstant } from '../instant.ts';
import { customerInput, entityInput, planInput } from './vectors/scenario-input.ts';
import type { PlanJson } from './vectors/scenario-type.ts';

const at = (text: string) => parseInstant(text);
const PLANS: PlanJson[] = [
  { code: 'plan', amount_cents: 3100, pay_in_advance: true },
  { code: 'up', amount_cents: 6200, pay_in_advance: true },
];
const entity = (rate: number) =>
  entityInput({ code: 'be', invoice_grace_period: 5, tax_codes: ['vat'] }, [{ code: 'vat', rate }]);

const subscribe = (subscriptionId: string): TimelineStep => ({
  at: at('2023-12-15T00:00:00Z'),
  do: 'subscribe',
  subscriptionId,
  externalId: subscriptionId,
  planCode: 'plan',
  billingTime: 'calendar',
});
const upgrade = (subscriptionId: string, when: string): TimelineStep => ({
  at: at(when),
  do: 'change_plan',
  subscriptionId,
  newSubscriptionId: `${subscriptionId}-up`,
  planCode: 'up',
});
const end = (subscriptionId: string, when: string): Extract<TimelineStep, { do: 'terminate' }> => ({
  at: at(when),
  do: 'terminate',
  subscriptionId,
  invoice: 'skip',
});
const FINALIZE: TimelineStep = { at: at('2024-01-01T12:00:00Z'), do: 'finalize_drafts' };
const live = (state: TimelineState, ...steps: readonly TimelineStep[]) =>
  steps.reduce((next, step) => advance(next, step).state, state);

/** January of two subscriptions on one draft, at 10 %: 31.00 and 3.10 each. */
const JANUARY = live(
  newTimeline({
    customer: customerInput({}),
    billingEntity: entity(10),
    plans: PLANS.map((plan) => planInput(plan, [])),
  }),
  subscribe('a'),
  subscribe('b'),
  { at: at('2024-01-01T06:00:00Z'), do: 'issue_due' },
);
const taxedAt = (rate: number, state: TimelineState): TimelineState => ({ ...state, billingEntity: entity(rate) });
const january = ({ invoices }: TimelineState) => invoices.find(({ fees }) => fees.length === 2);
const onJanuary = (state: TimelineState) =>
  state.madeNotes
    .filter(({ invoiceId }) => invoiceId === january(state)?.id)
    .map((note) => [
      note.status,
      note.items[0]?.preciseAmountCents.toNumber(),
      Number(note.taxesAmountCents),
      Number(note.balanceCents),
    ]);
const credited = (state: TimelineState) => {
  const { creditedItems = [], creditNoteTaxesMadeCents } = january(state) ?? {};
  const items = creditedItems.map(({ feeKey, preciseAmountCents }) => [feeKey, preciseAmountCents.toNumber()]);
  return { items, taxes: Number(creditNoteTaxesMadeCents) };
};

describe('the credit notes of a draft that was computed again', () => {
  it('are what the invoice says was credited of it', () => {
    // Ended on the 11th, 20 of 31 days are left: 20.00, with tax of 10 % or 20 %.
    const noted = live(JANUARY, end('a', '2024-01-11T12:00:00Z'));
    expect(onJanuary(noted)).toEqual([['draft', 2000, 200, 2200]]);
    const final = live(taxedAt(20, noted), FINALIZE);
    expect(onJanuary(final)).toEqual([['finalized', 2000, 400, 2400]]);
    expect(credited(final)).toEqual({ items: [['a/subscription', 2000]], taxes: 400 });
  });

  it('leave a later note what is left of the tax: of 12.40 at 20 %, each of two takes 6.20', () => {
    const noted = live(JANUARY, upgrade('a', '2024-01-01T08:00:00Z'));
    expect(onJanuary(noted)).toEqual([['draft', 3100, 310, 3410]]);
    const both = live(taxedAt(20, noted), FINALIZE, upgrade('b', '2024-01-01T18:00:00Z'));
    expect(onJanuary(both)).toEqual([
      ['finalized', 3100, 620, 3720],
      ['finalized', 3100, 620, 3720],
    ]);
    expect(credited(both)).toEqual({
      items: [
        ['a/subscription', 3100],
        ['b/subscription', 3100],
      ],
      taxes: 1240,
    });
  });

  it('see each other as they are now, not as they were on the draft', () => {
    const noted = live(JANUARY, upgrade('a', '2024-01-01T08:00:00Z'), upgrade('b', '2024-01-01T09:00:00Z'));
    const final = live(taxedAt(20, noted), FINALIZE);
    expect(onJanuary(final)).toEqual([
      ['finalized', 3100, 620, 3720],
      ['finalized', 3100, 620, 3720],
    ]);
    expect(credited(final).taxes).toBe(1240);
  });

  it('are nothing where the invoice bills nothing any more', () => {
    const noted = live(JANUARY, end('a', '2024-01-11T12:00:00Z'));
    const free = noted.subscriptions.map((one) =>
      one.id === 'a' ? { ...one, plan: { ...one.plan, amountCents: 0n } } : one,
    );
    const final = live({ ...noted, subscriptions: free }, FINALIZE);
    expect(onJanuary(final)).toEqual([['finalized', 0, 0, 0]]);
    expect(credited(final)).toEqual({ items: [], taxes: 0 });
    expect(final.madeNotes[0]).toMatchObject({ totalAmountCents: 0n, creditStatus: 'consumed' });
  });

  it('are numbered on their invoice, each from 001', () => {
    const noted = live(JANUARY, upgrade('a', '2024-01-01T08:00:00Z'), upgrade('b', '2024-01-01T09:00:00Z'));
    const final = live(noted, FINALIZE, end('a-up', '2024-01-11T12:00:00Z'));
    const number = january(final)?.number;
    expect(final.madeNotes.map((note) => note.id)).toEqual(['credit-note-1', 'credit-note-2', 'credit-note-3']);
    expect(final.madeNotes.map((note) => [note.invoiceId === january(final)?.id, note.number])).toEqual([
      [true, `${number}-CN001`],
      [true, `${number}-CN002`],
      [false, `${final.madeNotes[2]?.invoiceNumber}-CN001`],
    ]);
  });

  it('hold money only where they give credit', () => {
    const ended = (creditNote: 'credit' | 'offset') => {
      const { madeNotes } = live(JANUARY, { ...end('a', '2024-01-11T12:00:00Z'), creditNote });
      return madeNotes.map((note) => [note.creditStatus, note.balanceCents, note.offsetAmountCents]);
    };
    expect(ended('credit')).toEqual([['available', 2200n, 0n]]);
    expect(ended('offset')).toEqual([['consumed', 0n, 2200n]]);
  });
});

describe('the draft notes of a draft that is refreshed', () => {
  const refresh = (state: TimelineState): TimelineState =>
    live(state, { at: at('2024-01-12T00:00:00Z'), do: 'refresh_draft', invoiceId: january(state)?.id ?? '' });
  const priced = (amountCents: bigint, state: TimelineState): TimelineState => ({
    ...state,
    subscriptions: state.subscriptions.map((one) => ({ ...one, plan: { ...one.plan, amountCents } })),
  });
  const noted = live(JANUARY, end('a', '2024-01-11T12:00:00Z'));

  it('give back the same part of what the fees are now', () => {
    expect(onJanuary(refresh(noted))).toEqual([['draft', 2000, 200, 2200]]);
    const dear = refresh(priced(6200n, taxedAt(20, noted)));
    expect(onJanuary(dear)).toEqual([['draft', 4000, 800, 4800]]);
    expect(dear.madeNotes[0]?.taxesRate.toNumber()).toBe(20);
    expect(credited(dear)).toEqual({ items: [['a/subscription', 4000]], taxes: 800 });
    expect(onJanuary(live(dear, FINALIZE))).toEqual([['finalized', 4000, 800, 4800]]);
  });

  it('follow a fee that is changed by hand, also to nothing and back', () => {
    const edited = (units: number | null, state: TimelineState): TimelineState => {
      const [place] = january(state)?.fees ?? [];
      if (!place) throw new Error('no fee');
      const edit = units === null ? null : { units: dec(units), preciseUnitAmount: null, invoiceDisplayName: null };
      const invoiceId = january(state)?.id ?? '';
      return live(state, { at: at('2024-01-12T00:00:00Z'), do: 'edit_fee', invoiceId, place, edit });
    };
    const doubled = edited(2, noted);
    expect(onJanuary(doubled)).toEqual([['draft', 4000, 400, 4400]]);
    expect(onJanuary(live(doubled, FINALIZE))).toEqual([['finalized', 4000, 400, 4400]]);
    const none = edited(0, doubled);
    expect(onJanuary(none)).toEqual([['draft', 0, 0, 0]]);
    expect(onJanuary(edited(null, none))).toEqual([['draft', 2000, 200, 2200]]);
  });
});

describe('a draft that is refreshed', () => {
  const refresh = (state: TimelineState, invoiceId = january(state)?.id ?? '') =>
    advance(state, { at: at('2024-01-02T00:00:00Z'), do: 'refresh_draft', invoiceId });

  it('is given back as it is now: 62.00 and 20 %', () => {
    const { invoices } = refresh(taxedAt(20, JANUARY));
    expect(invoices.map(({ status, totalAmountCents }) => [status, totalAmountCents])).toEqual([['draft', 7440n]]);
  });

  it('stays what it is when it is final; an unknown one is refused', () => {
    const final = live(JANUARY, FINALIZE);
    expect(refresh(taxedAt(20, final))).toEqual({
      changes: [],
      state: taxedAt(20, final),
      invoices: [],
      creditNotes: [],
    });
    expect(() => refresh(JANUARY, 'none')).toThrow(new RangeError('no invoice none in the timeline'));
  });
});
