import { describe, expect, it } from 'vitest';
import { cjkOrderOf, FontBook } from '../../../src/pdf/text/font-book.ts';
import { cleanText, isolated, TextLayout, type TextStyle } from '../../../src/pdf/text/text-layout.ts';

const style: TextStyle = { size: 10, weight: 'regular', color: '#000', leading: 12 };
/** Every character is one point wide, so that widths can be counted. */
const layout = (order = cjkOrderOf('en')) => new TextLayout(new FontBook(order), (text) => [...text].length);
const runs = (text: string) =>
  layout()
    .line(text, style)
    .runs.map((run) => run.text);
const lines = (text: string, width: number) =>
  layout()
    .lines(text, style, width)
    .map((line) => line.runs.map((run) => run.text).join(''));
const faces = (text: string, ...countries: string[]) =>
  layout(cjkOrderOf('en', ...countries))
    .line(text, style)
    .runs.map((run) => run.face.key);

describe('order on the page', () => {
  it('leaves left-to-right text alone', () => expect(runs('Total (2) items')).toEqual(['Total (2) items']));

  it('puts right-to-left stretches in page order, numbers left to right', () => {
    expect(runs('abc שלום 123')).toEqual(['abc ', '123', 'שלום ']);
    const text = runs('שלום 123 אבג').join('|');
    expect(text.indexOf('אבג')).toBeLessThan(text.indexOf('123'));
    expect(text.indexOf('123')).toBeLessThan(text.indexOf('שלום'));
  });

  it('mirrors brackets inside right-to-left text', () => {
    const text = runs('شركة (محدودة)').join('');
    expect(text).toMatch(/^\(.*\)/);
    expect(runs('a (b)').join('')).toBe('a (b)');
  });

  it('keeps the words around an isolated name in their order', () => {
    const [first] = runs(`Coupon ${isolated('عرض')} (SALE)`);
    expect(first).toBe('Coupon ');
    expect(runs(`Coupon ${isolated('عرض')} (SALE)`).at(-1)).toContain('(SALE)');
  });
});

describe('lines', () => {
  it('breaks at spaces and drops the space at the break', () => {
    expect(lines('one two three', 7)).toEqual(['one two', 'three']);
  });
  it('cuts a word that is wider than the line', () => expect(lines('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']));
  it('breaks between CJK characters but not before their full stop', () => {
    expect(lines('東京都千代田。', 6)).toEqual(['東京都千代', '田。']);
  });
  it('does not break inside markup, paths or at a no-break space', () => {
    expect(lines('aa <b>x</b>', 9)).toEqual(['aa', '<b>x</b>']);
    expect(lines('aa b\u00a0c', 4)).toEqual(['aa', 'b c']);
  });
  it('keeps empty lines and every kind of line end', () => {
    expect(lines('a\n\nb\r\nc\u2028d', 9)).toEqual(['a', '', 'b', 'c', 'd']);
  });
});

describe('fonts', () => {
  it('one CJK font for one text, by its characters', () => {
    expect(faces('東京カナ')).toEqual(['jp-regular']);
    expect(faces('发票销售东')).toEqual(['sc-regular']);
    expect(faces('한국어')).toEqual(['kr-regular']);
  });
  it('by the country when the characters leave it open', () => {
    expect(faces('東京')).toEqual(['jp-regular']);
    expect(faces('中山', 'TW')).toEqual(['tc-regular']);
    expect(faces('中山', 'CN')).toEqual(['sc-regular']);
  });
  it('does not open the large ones for other texts', () => {
    expect(faces('Żółw ✓ Հայ').some((key) => /^(jp|kr|sc|tc)/.test(key))).toBe(false);
  });
});

it('cleans what cannot be printed and composes marks', () => {
  expect(cleanText('e\u0301\u0000\u202e\u00ad\ufeff\ud800x\ty')).toBe('éx y');
});

it('a document in Chinese is set in its font whatever the countries of its parties; else they decide', () => {
  expect(cjkOrderOf('zh-TW', 'JP', 'KR').slice(0, 3)).toEqual(['tc', 'jp', 'kr']);
  expect(cjkOrderOf('en', 'KR', 'TW').slice(0, 2)).toEqual(['tc', 'kr']);
});
