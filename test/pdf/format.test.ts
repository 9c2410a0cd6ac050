import { describe, expect, it } from 'vitest';
import { CURRENCIES, minorDigits } from '../../src/billing/money/currency.ts';
import { createFormat } from '../../src/pdf/format.ts';
import { chooseLocale, type DocumentLocale, labelsOf } from '../../src/pdf/labels/labels.ts';
import { cjkOrderOf, FontBook } from '../../src/pdf/text/font-book.ts';

const LOCALES: readonly DocumentLocale[] = ['en', 'fr', 'de', 'es', 'it', 'nb', 'sv', 'pt-BR', 'zh-TW'];
const anything = () => true;

describe('money', () => {
  it('of every currency in every language: its digits, plain spaces, signs that the fonts have', () => {
    for (const locale of LOCALES) {
      const book = new FontBook(cjkOrderOf(locale));
      for (const currency of CURRENCIES) {
        const text = createFormat(locale, currency, (sign) => book.canPrint(sign)).cents(-12345678n);
        const digits = text.replace(/\D/g, '');
        expect([locale, currency, digits]).toEqual([locale, currency, '12345678']);
        expect(text).not.toMatch(/[\u00a0\u202f\u2009]/);
        expect([text, book.canPrint(text)]).toEqual([text, true]);
        const fraction = /[.,](\d*)\D*$/.exec(text)?.[1] ?? '';
        if (minorDigits(currency) !== 3) expect([text, fraction.length % 3]).toEqual([text, minorDigits(currency) % 3]);
      }
    }
  });

  it('a quotient without end has the fewest digits that come to its amount; a price that was set keeps all of them', () => {
    const { shortPrice, shortUnits } = createFormat('en', 'USD', anything);
    expect(shortPrice('0.001674061374040486675601817201', '114902')).toBe('0.001674'); // 192.35 in all
    expect(shortPrice('11.428571428571428', '7')).toBe('11.429'); // 11.43 would be 80.01
    expect(shortPrice('0.333333333333333333333333333333', '0.3')).toBe('0.33');
    expect(shortPrice('0.123456789012345678901234567891', '1')).toBe('0.123456789012345678901234567891');
    expect(shortPrice('0.000000012345', '1000')).toBe('0.000000012345');
    const dinars = createFormat('en', 'KWD', anything);
    expect(dinars.shortPrice('0.001139135637685828692410364984', '48454')).toBe('0.00113914'); // 55.196
    expect(shortUnits('28.55298648446833930705', '0.5')).toBe('28.55');
    expect(shortUnits('28.55298648446833930705', '1000')).toBe('28.55299');
    expect(shortUnits('0.123456', '1000000000')).toBe('0.123456');
  });

  it('uses the code when the sign has no glyph', () => {
    expect(createFormat('en', 'EUR', (text) => !text.includes('€')).cents(100n)).toBe('EUR 1.00');
    expect(createFormat('en', 'EUR', anything).cents(100n)).toBe('€1.00');
  });

  it.each([
    [0n, '$0.00'],
    [-5n, '-$0.05'],
    [99n, '$0.99'],
    [-100000n, '-$1,000.00'],
    [9223372036854775807n, '$92,233,720,368,547,758.07'],
  ])('%s cents are %s', (cents, text) => expect(createFormat('en', 'USD', anything).cents(cents)).toBe(text));

  it.each([
    ['0.00000018', '$0.00000018'],
    ['1.5', '$1.50'],
    ['-0.0', '$0.00'],
    ['1e-9', '$0.000000001'],
    ['1000000', '$1,000,000.00'],
    ['-0.125', '-$0.125'],
  ])('%s units are %s', (amount, text) => expect(createFormat('en', 'USD', anything).amount(amount)).toBe(text));
});

it.each([...LOCALES])('in %s numbers of a column are grouped alike, also those of four digits', (locale) => {
  const { number, cents } = createFormat(locale, 'EUR', anything);
  const groups = (text: string) => text.replace(/[^\d]*\d\d$/, '').split(/(?<=\d)[.,\u2019' ](?=\d)/).length;
  expect([groups(number('1234.56')), groups(number('12345.56'))]).toEqual([2, 2]);
  expect(groups(cents(987654n).replace(/[^\d]+$/, ''))).toBe(2);
});

it('numbers and rates keep all their digits and gain none', () => {
  const { number, percent } = createFormat('fr', 'EUR', anything);
  expect(number('1234567.000000000000000000001')).toBe('1 234 567,000000000000000000001');
  expect(number('12.0')).toBe('12');
  expect(percent('5.5')).toBe('5,5 %');
  expect(percent('0')).toBe('0 %');
});

it('dates are the day that was said, also on the edges of a year', () => {
  const { date, period } = createFormat('en', 'EUR', anything);
  expect(date('2026-12-31')).toBe('Dec 31, 2026');
  expect(date('2024-02-29')).toBe('Feb 29, 2024');
  expect(period('2026-01-01', '2026-01-31')).toBe('Jan 1, 2026 – Jan 31, 2026');
  expect(period('2026-01-01', '2026-01-01')).toBe('Jan 1, 2026');
});

it('every language has every word, with the same places to fill', () => {
  const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
  const english = labelsOf('en');
  for (const locale of LOCALES) {
    const labels = labelsOf(locale);
    for (const [key, text] of Object.entries(english)) {
      const word = Object.entries(labels).find(([name]) => name === key)?.[1] ?? '';
      expect(word.trim()).not.toBe('');
      expect(places(word)).toEqual(places(text));
    }
  }
});

it('chooses the first language that there is', () => {
  expect(chooseLocale(null, 'de')).toBe('de');
  expect(['pt', 'de-AT', 'zh-Hant-HK'].map((code) => chooseLocale(code, 'es'))).toEqual(['pt-BR', 'de', 'zh-TW']);
  expect(chooseLocale('zh-CN', 'zh-TW')).toBe('zh-TW');
  expect(chooseLocale('', undefined, '__proto__')).toBe('en');
});
