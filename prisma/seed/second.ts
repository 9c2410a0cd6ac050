import { metricRow, taxRow } from './catalogue.ts';
import type { Section } from './document.ts';
import { entityRow } from './entity.ts';
import { type Catalogue, organization } from './organization.ts';
import type { Person } from './people.ts';
import { charge, plan, range } from './plan-row.ts';
import { idOf } from './random.ts';
import { FOUNDED } from './row.ts';

const ENTITY = {
  country: 'DE',
  city: 'Leipzig',
  zipcode: '04109',
  address_line1: 'Am Floßplatz 9',
  default_currency: 'EUR',
  document_locale: 'de',
  timezone: 'Europe/Berlin',
  net_payment_term: 14,
  tax_codes: ['ust_19'],
  payment_iban: 'DE89370400440532013000',
  payment_bic: 'OSTRDE5LXXX',
  payment_bank_name: 'Bank am Floßplatz',
};

/** What the second organization sells: codes that the first has too, with other prices. */
const CATALOGUE: Catalogue = {
  taxes: [taxRow('ostrelle', 'ust_19', 'USt.', 19, 'Umsatzsteuer')],
  invoice_custom_sections: [],
  billing_entities: [
    entityRow('ostrelle', 'ostrelle_de', {
      ...ENTITY,
      name: 'Ostrelle GmbH',
      tax_identification_number: 'DE000000001',
      document_number_prefix: 'OST',
      is_default: true,
    }),
    entityRow('ostrelle', 'ostrelle_lab', {
      ...ENTITY,
      name: 'Ostrelle Labor GmbH',
      tax_identification_number: 'DE000000002',
      document_number_prefix: 'LAB',
      document_numbering: 'per_billing_entity',
    }),
  ],
  billable_metrics: [metricRow('ostrelle', 'api_calls', 'Aufrufe', 'sum', { field_name: 'count' })],
  add_ons: [],
  pricing_units: [],
  coupons: [
    {
      svc_id: idOf('coupon', 'ostrelle', 'welcome'),
      code: 'welcome',
      name: 'Willkommen',
      coupon_type: 'fixed_amount',
      amount_cents: 1500,
      amount_currency: 'EUR',
      frequency: 'once',
      created_at: FOUNDED,
    },
  ],
  plans: [
    plan('ostrelle_basis', 'Basis', [1900, 'EUR'], {
      charges: [
        charge('api_calls', 'graduated', {
          graduated_ranges: [range(0, 20_000, '0.0005'), range(20_001, null, '0.0003')],
        }),
      ],
    }),
  ],
};

const person = (
  id: string,
  name: string,
  city: string,
  since: string,
  entity: string,
  ...traits: string[]
): Person => ({
  id,
  name,
  plan: 'ostrelle_basis',
  entity,
  country: 'DE',
  city,
  locale: 'de',
  since,
  traits: new Set(traits),
});

const PEOPLE: readonly Person[] = [
  person('mulde', 'Mulde Brotwerk', 'Grimma', '2025-11-01', 'ostrelle_de', 'coupon:welcome'),
  person('saale', 'Saale Winzer eG', 'Naumburg', '2026-02-10', 'ostrelle_de', 'anniversary', 'late'),
  person('unstrut', 'Unstrut Kanu', 'Freyburg', '2026-05-01', 'ostrelle_lab'),
];

/** A small organization beside the first one, which must never show in its answers. */
export const secondOrganization = (): Section => organization('Ostrelle', '2025-10-01T08:00:00Z', CATALOGUE, PEOPLE);
