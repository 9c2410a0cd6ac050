import { describe, expect, it } from 'vitest';
import { girocodeText, type Transfer } from '../../../src/pdf/payment/girocode.ts';

const transfer = (members: Partial<Transfer> = {}): Transfer => ({
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  holder: 'Ostrelle GmbH',
  currency: 'EUR',
  amountCents: 123456n,
  reference: 'OST-2026-001',
  ...members,
});

const lineOf = (text: string | null, line: number) => text?.split('\n')[line];

describe('what a payment code says', () => {
  it('is the transfer line by line, without an end of line behind it', () => {
    expect(girocodeText(transfer())).toBe(
      'BCD\n002\n1\nSCT\nCOBADEFFXXX\nOstrelle GmbH\nDE89370400440532013000\nEUR1234.56\n\n\nOST-2026-001',
    );
  });

  it('leaves the line of the bank empty where it is not known', () => {
    expect(girocodeText(transfer({ bic: null }))).toBe(
      'BCD\n002\n1\nSCT\n\nOstrelle GmbH\nDE89370400440532013000\nEUR1234.56\n\n\nOST-2026-001',
    );
  });

  it.each([
    [1n, 'EUR0.01'],
    [10n, 'EUR0.10'],
    [100n, 'EUR1.00'],
    [99_999_999_999n, 'EUR999999999.99'],
  ])('has %s cents as %s', (amountCents, line) => {
    expect(lineOf(girocodeText(transfer({ amountCents })), 7)).toBe(line);
  });

  it.each([
    ['umlauts and other scripts as they are', 'Müller & Söhne – Ωμέγα 東京', 'Müller & Söhne – Ωμέγα 東京'],
    ['one line of several', ' Ostrelle\r\nGmbH\tBerlin ', 'Ostrelle GmbH Berlin'],
    ['the first 70 signs of a long name', 'Ä'.repeat(80), 'Ä'.repeat(70)],
    ['whole signs', `${'x'.repeat(60)}${'🚀'.repeat(20)}`, `${'x'.repeat(60)}${'🚀'.repeat(10)}`],
  ])('has %s of the payee', (_, holder, line) => {
    expect(lineOf(girocodeText(transfer({ holder, reference: 'R' })), 5)).toBe(line);
  });

  it('has a reference of 140 signs, and is not where it would have to be cut', () => {
    expect(lineOf(girocodeText(transfer({ reference: 'x'.repeat(140) })), 10)).toBe('x'.repeat(140));
    expect(girocodeText(transfer({ reference: 'x'.repeat(141) }))).toBeNull();
  });

  it.each<[string, Partial<Transfer>]>([
    ['another currency', { currency: 'USD' }],
    ['nothing to pay', { amountCents: 0n }],
    ['less than nothing', { amountCents: -1n }],
    ['a billion', { amountCents: 100_000_000_000n }],
    ['an account out of reach', { iban: 'SA0380000000608010167519' }],
    ['an account outside of the Area without its bank', { iban: 'CH9300762011623852957', bic: null }],
    ['nobody', { holder: ' \n' }],
    ['no reference', { reference: '' }],
    ['more than 331 bytes', { holder: '東'.repeat(70), reference: '東'.repeat(60) }],
  ])('none for %s', (_, members) => expect(girocodeText(transfer(members))).toBeNull());
});
