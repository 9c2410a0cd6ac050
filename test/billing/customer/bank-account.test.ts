import { describe, expect, it } from 'vitest';
import {
  isPaymentUrl,
  isSepaAccount,
  paymentUrlOf,
  printedIban,
  readBic,
  readIban,
} from '../../../src/billing/customer/bank-account.ts';

describe('an IBAN', () => {
  it.each([
    ['DE89370400440532013000', 'DE89370400440532013000'],
    ['de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['FR1420041010050500013M02606', 'FR1420041010050500013M02606'],
    ['GB82WEST12345698765432', 'GB82WEST12345698765432'],
    ['NO9386011117947', 'NO9386011117947'],
    ['MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S'],
    ['SA0380000000608010167519', 'SA0380000000608010167519'],
  ])('%j is %s', (text, iban) => expect(readIban(text)).toBe(iban));

  it.each([
    ['check digits of another account', 'DE89370400440532013001'],
    ['two digits exchanged', 'DE89370400440532031000'],
    ['a digit short', 'DE8937040044053201300'],
    ['a digit more', 'DE893704004405320130000'],
    ['letters where the country has digits', 'DE89ABCD00440532013000'],
    ['no country', 'ZZ89370400440532013000'],
    ['a country that has none', 'US64SVBKUS6S3300958879'],
    ['other signs', 'DE89.3704.0044.0532.0130.00'],
    ['a line break', 'DE8937040044053201300\n0'],
    ['nothing', ''],
  ])('not with %s', (_, text) => expect(readIban(text)).toBeUndefined());

  it('is printed in groups of four', () => {
    expect(printedIban('DE89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00');
    expect(printedIban('NO9386011117947')).toBe('NO93 8601 1117 947');
  });

  it.each([
    ['DE89370400440532013000', null, true],
    ['NO9386011117947', null, true],
    ['GB82WEST12345698765432', null, false],
    ['GB82WEST12345698765432', 'WESTGB2L', true],
    ['CH9300762011623852957', null, false],
    ['CH9300762011623852957', 'UBSWCHZH80A', true],
    ['SA0380000000608010167519', 'RIBLSARI', false],
  ])('%s with the BIC %s is reached by a SEPA transfer: %s', (iban, bic, reached) => {
    expect(isSepaAccount(iban, bic)).toBe(reached);
  });
});

describe('a BIC', () => {
  it.each([
    ['COBADEFF', 'COBADEFF'],
    [' cobadeffxxx ', 'COBADEFFXXX'],
    ['COBADEF', undefined],
    ['COBADEFFXX', undefined],
    ['COBA1EFF', undefined],
    ['', undefined],
  ])('%j is %s', (text, bic) => expect(readBic(text)).toBe(bic));
});

describe('an address of payment', () => {
  it.each([
    'https://pay.example',
    'https://pay.example/{number}',
    'https://pay.example:8443/i/{svc_id}?n={number}#{number}',
    'https://bücher.example/zahlen?r={number}',
  ])('may be %s', (text) => expect(isPaymentUrl(text)).toBe(true));

  it.each([
    'http://pay.example/{number}',
    'javascript:alert(1)//https://pay.example',
    'https://',
    'https:///pay',
    'https://{number}.example/',
    'https://user:word@pay.example/',
    'https://pay.example@evil.example/',
    'https://pay.example\\@evil.example/',
    'https://pay.example/{name}',
    'https://pay.example/{number',
    'https://pay.example/ {number}',
    'https://pay.example/\n{number}',
    'https://pay .example/',
    ' https://pay.example/',
    'pay.example/{number}',
    '',
  ])('may not be %j', (text) => expect(isPaymentUrl(text)).toBe(false));

  it('names the invoice, and nothing in a number leads elsewhere', () => {
    const invoice = { id: '0198', number: '../A 1/ü?x=1&$&#' };
    expect(paymentUrlOf('https://pay.example/{number}/{svc_id}?n={number}', invoice)).toBe(
      'https://pay.example/..%2FA%201%2F%C3%BC%3Fx%3D1%26%24%26%23/0198?n=..%2FA%201%2F%C3%BC%3Fx%3D1%26%24%26%23',
    );
  });
});
