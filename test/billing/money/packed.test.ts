import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Decimal, dec } from '../../../src/billing/money/decimal.ts';
import { packed, unpacked } from '../../../src/billing/money/packed.ts';

const sent = <T>(value: T): T => unpacked<T>(structuredClone(packed(value)));

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 70n), max: 10n ** 70n }), fc.integer({ min: -70, max: 70 }))
  .map(([digits, exponent]) => new Decimal(`${digits}e${exponent}`));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.anything({ withBigInt: true, maxDepth: 0 }).filter((one) => typeof one !== 'symbol'),
    decimal,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 5 }),
  ),
}));

it('values come back as they were, decimals with every digit and as decimals', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(sent({ one })).toEqual({ one });
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(decimal, (one) => {
      const back = sent({ list: [one] }).list[0];
      expect([back instanceof Decimal, back?.valueOf()]).toEqual([true, one.valueOf()]);
    }),
  );
});

it('what looks like a decimal stays what it is', () => {
  const look = { s: 1, e: 0, d: [5], text: '5', toStringTag: '[object Decimal]' };
  expect(sent(look)).toEqual(look);
  expect(sent(new Decimal('-0')).valueOf()).toBe('-0');
});

it('what holds no decimals is not copied', () => {
  const events = [{ properties: { n: 1 } }, { properties: { n: 2n } }];
  expect(packed(events)).toBe(events);
  const made = packed({ events, rate: dec('0.5') });
  expect(made).toEqual({ events, rate: Object('0.5') });
  expect((made as { events: unknown }).events).toBe(events);
});

it('what occurs in many places is copied once', () => {
  const range = { price: dec('0.5') };
  const back = sent({ fees: [[range], [range]] });
  expect(back.fees[0]?.[0]).toBe(back.fees[1]?.[0]);
  expect(back.fees[0]?.[0]?.price.toFixed()).toBe('0.5');
});
