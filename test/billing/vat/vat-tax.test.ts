import { describe, expect, it } from 'vitest';
import { customerVat } from '../../../src/billing/vat/customer-vat.ts';
import { isMemberState, MEMBER_STATES } from '../../../src/billing/vat/member-state.ts';
import { readVatNumber } from '../../../src/billing/vat/vat-number.ts';
import { isManagedTax, MANAGED_TAXES, minutesUntilAsked, vatTaxOf } from '../../../src/billing/vat/vat-tax.ts';

it('there are the 27 member states, each with a standard rate, and a code is given once', () => {
  expect(Object.keys(MEMBER_STATES)).toHaveLength(27);
  const codes = MANAGED_TAXES.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { rate } of MANAGED_TAXES) expect(Number(rate)).toBeLessThanOrEqual(27);
  expect(codes).toEqual(
    expect.arrayContaining([
      'svc_eu_fr_standard',
      'svc_eu_fr_exception_reunion',
      'svc_eu_reverse_charge',
      'svc_eu_tax_exempt',
    ]),
  );
  expect([isMemberState('GR'), isMemberState('GB'), isMemberState(null), isMemberState('toString')]).toEqual([
    ...[true, false, false, false],
  ]);
  expect([isManagedTax('svc_eu_de_standard'), isManagedTax('svc_eu_gb_standard'), isManagedTax('vat')]).toEqual([
    ...[true, false, false],
  ]);
});

it.each([
  ['IT12345678901', 'IT'],
  ['it 123.456.789-01', 'IT'],
  ['EL123456789', 'GR'],
  ['FR12345678901', 'FR'],
  ['FRK7399859412', 'FR'],
  ['ES12345678Z', 'ES'],
  ['ATU12345678', 'AT'],
  ['NL123456789B01', 'NL'],
  ['IE1234567FA', 'IE'],
])('%s is a number of %s', (text, country) => {
  expect(readVatNumber(text)).toMatchObject({ country, prefix: text.slice(0, 2).toUpperCase() });
});

it.each(['IT123', 'GB123456789', 'GR123456789', '12345678901', '', null, undefined, 'FRI0123456789'])(
  '%s is none',
  (text) => {
    expect(readVatNumber(text)).toBeUndefined();
  },
);

const at = (country: string | null, zipcode: string | null = null, taxIdentificationNumber: string | null = null) => ({
  ...{ country, zipcode, taxIdentificationNumber },
});

it.each([
  ['no country', at(null), null, 'svc_eu_fr_standard'],
  ['at home', at('FR'), null, 'svc_eu_fr_standard'],
  ['another state', at('IT'), null, 'svc_eu_it_standard'],
  ['outside', at('US'), null, 'svc_eu_tax_exempt'],
  ['a territory with a rate of its own', at('PT', '9000-123'), null, 'svc_eu_pt_exception_madeira'],
  ['one without VAT', at('ES', '35 001'), null, 'svc_eu_es_exception_canary_islands'],
  ['a number that waits', at('IT', null, 'IT12345678901'), 'pending', 'svc_eu_it_standard'],
  ['one that is not registered', at('IT', null, 'IT12345678901'), 'invalid', 'svc_eu_it_standard'],
  ['a valid one of another state', at('IT', null, 'IT12345678901'), 'valid', 'svc_eu_reverse_charge'],
  ['a valid one from outside', at('US', null, 'IT12345678901'), 'valid', 'svc_eu_reverse_charge'],
  ['a valid one at home', at('FR', '75018', 'FR12345678901'), 'valid', 'svc_eu_fr_standard'],
  ['at home in a territory', at('FR', '97400', 'FR12345678901'), 'valid', 'svc_eu_fr_exception_reunion'],
  ['a valid one of home without an address', at(null, null, 'FR12345678901'), 'valid', 'svc_eu_fr_standard'],
  ['a valid one within the VAT area', at('PT', '9000-123', 'PT123456789'), 'valid', 'svc_eu_reverse_charge'],
  ['a valid one without VAT', at('ES', '35001', 'ES12345678Z'), 'valid', 'svc_eu_es_exception_canary_islands'],
] as const)('%s', (_, customer, status, code) => {
  expect(vatTaxOf('FR', customer, status)).toBe(code);
});

describe('a write', () => {
  const entity = { country: 'FR', euTaxManagement: true };
  const italian = { ...at('IT'), billingEntityCode: 'a', taxCodes: ['own'] as readonly string[] };
  const before = { ...italian, vatStatus: null };

  it('chooses for a new one beside what was sent, and for one without any', () => {
    expect(customerVat({ entity, after: italian, sent: ['own'] }).taxCodes).toEqual(['own', 'svc_eu_it_standard']);
    const none = { ...italian, taxCodes: [] };
    expect(customerVat({ entity, before: { ...before, taxCodes: [] }, after: none }).taxCodes).toEqual([
      'svc_eu_it_standard',
    ]);
  });

  it('keeps what was given, until the customer moves', () => {
    expect(customerVat({ entity, before, after: italian })).toEqual({ taxCodes: ['own'], status: null });
    const moved = { ...italian, country: 'DE' };
    expect(customerVat({ entity, before, after: moved }).taxCodes).toEqual(['svc_eu_de_standard']);
  });

  it('waits for a new number, and keeps what is known of the same', () => {
    const numbered = { ...italian, taxIdentificationNumber: 'IT12345678901' };
    expect(customerVat({ entity, before, after: numbered }).status).toBe('pending');
    const known = { ...numbered, vatStatus: 'valid' as const };
    expect(customerVat({ entity, before: known, after: numbered }).status).toBe('valid');
    expect(customerVat({ entity, before: known, after: { ...numbered, country: 'US' } })).toEqual({
      ...{ taxCodes: ['svc_eu_reverse_charge'], status: 'valid' },
    });
    expect(
      customerVat({ entity, before: known, after: { ...numbered, taxIdentificationNumber: 'x' } }).status,
    ).toBeNull();
  });

  it('leaves others alone, and takes the managed tax where another entity bills', () => {
    const plain = { country: 'FR', euTaxManagement: false };
    expect(customerVat({ entity: plain, after: italian })).toEqual({ taxCodes: ['own'], status: null });
    const managed = { ...before, taxCodes: ['own', 'svc_eu_it_standard'] };
    const after = { ...managed, billingEntityCode: 'b' };
    expect(customerVat({ entity: plain, before: managed, after }).taxCodes).toEqual(['own']);
    expect(customerVat({ entity: plain, before: managed, after: managed }).taxCodes).toEqual(managed.taxCodes);
  });
});

it('asks again after longer and longer', () => {
  expect([1, 2, 3, 4, 5, 6, 60].map(minutesUntilAsked)).toEqual([5, 5, 10, 20, 40, 60, 60]);
});
