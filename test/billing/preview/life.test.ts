import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src/billing/period/calendar.ts';
import { lived, settings, steps } from '../random-life.ts';
import { type Answer, answers, shown, withoutShares } from './previewed-life.ts';

// Thousands are lived with PREVIEWED_LIVES.
const numRuns = Number(process.env.PREVIEWED_LIVES ?? 60);

const WEEK_SECONDS = 604_800;
const FIGURES = ['progressiveBillingCreditAmountCents', 'couponsAmountCents', 'taxesAmountCents'] as const;
const PAID_BY = ['creditNotesAmountCents', 'prepaidCreditAmountCents', 'totalAmountCents'] as const;

/** What has been seen of an answer, so that lives without anything to compare are noticed. */
const facts = ({ kind, preview }: Answer): string[] => [
  ...[kind, ...preview.fees.map(({ type }) => type)],
  ...[...FIGURES, ...PAID_BY].filter((name) => preview[name] > 0n),
];

it('random lives: the preview at a moment is the invoice of that moment, but for identifiers', {
  timeout: 900_000,
}, () => {
  const seen = new Map<string, number>();
  const moments = fc.oneof(fc.nat({ max: 3600 }), fc.nat({ max: 4 * WEEK_SECONDS }));
  fc.assert(
    fc.property(settings, steps, moments, fc.nat({ max: 400 }), (setting, list, seconds, pick) => {
      const { state, day } = lived(setting, list);
      const now = day + DAY_MS + (60 + seconds) * 1000;
      for (const answer of answers(state, now, pick)) {
        const { kind, preview, invoice } = answer;
        if (invoice === null) throw new Error(`no invoice is made, but one is previewed (${kind})`);
        const [previewed, made] = [shown(preview), shown(invoice)];
        // What is left of a note that is made with the invoice stands in its totals.
        const isOrdered =
          kind === 'projection' || preview.credits.filter(({ type }) => type === 'credit_note').length < 2;
        const compared = ({ notes, fees, ...others }: typeof made) => ({
          ...{ kind, ...others, fees: isOrdered ? fees : withoutShares(fees) },
          ...(kind === 'projection' && { notes }),
        });
        expect(compared(previewed)).toEqual(compared(made));
        for (const fact of facts(answer)) seen.set(fact, (seen.get(fact) ?? 0) + 1);
      }
    }),
    { numRuns },
  );
  const kinds = ['projection', 'termination', 'plan_change', 'subscription', 'charge', 'fixed_charge', 'commitment'];
  // Few lives have a progressive invoice that is open at their moment.
  const rare = numRuns < 1000 ? ['progressiveBillingCreditAmountCents'] : [];
  const missing = [...kinds, ...FIGURES, ...PAID_BY].filter((fact) => !seen.has(fact) && !rare.includes(fact));
  expect(numRuns < 60 ? [] : missing).toEqual([]);
});
