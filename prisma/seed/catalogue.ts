import type { AddOnRow, CouponRow, EntityRow, MetricRow, Section, TaxRow } from './document.ts';
import { idOf } from './random.ts';

/** When the organizations set up what they sell. */
export const FOUNDED = '2024-09-16T08:00:00Z';

const row = (kind: string, owner: string, code: string) => ({
  svc_id: idOf(kind, owner, code),
  code,
  created_at: FOUNDED,
  updated_at: FOUNDED,
});

export const taxRow = (owner: string, code: string, name: string, rate: number, description: string): TaxRow => ({
  ...row('tax', owner, code),
  name,
  rate,
  description,
});

const FR_ADDRESS = { address_line1: '18 rue des Tanneurs', city: 'Lyon', zipcode: '69009', state: 'Rhône' };
const US_ADDRESS = { address_line1: '412 Harbor Street', city: 'Albany', zipcode: '12207', state: 'NY' };
const JP_ADDRESS = { address_line1: '神田錦町 3-11', city: '千代田区', zipcode: '101-0054', state: '東京都' };
const BR_ADDRESS = { address_line1: 'Rua das Laranjeiras 77', city: 'São Paulo', zipcode: '01310-000', state: 'SP' };

type EntityMembers = Pick<EntityRow, 'name' | 'country' | 'default_currency' | 'timezone' | 'document_number_prefix'> &
  Partial<EntityRow>;

/** A legal entity that issues invoices. */
export function entityRow(owner: string, code: string, members: EntityMembers): EntityRow {
  return {
    ...row('billing_entity', owner, code),
    email: `billing@${owner}.example`,
    email_settings: ['invoice.finalized', 'credit_note.created'],
    ...members,
  };
}

const ENTITIES: EntityRow[] = [
  entityRow('quintavel', 'quintavel_fr', {
    name: 'Quintavel SAS',
    legal_name: 'Quintavel SAS',
    legal_number: 'RCS Lyon 000 111 222',
    tax_identification_number: 'FR00000111222',
    country: 'FR',
    ...FR_ADDRESS,
    default_currency: 'EUR',
    document_locale: 'fr',
    timezone: 'Europe/Paris',
    document_number_prefix: 'QTV-FR',
    net_payment_term: 30,
    is_default: true,
    eu_tax_management: true,
    invoice_footer: 'Merci de votre confiance.',
    tax_codes: ['vat_fr'],
    invoice_custom_section_codes: ['bank_details'],
  }),
  entityRow('quintavel', 'quintavel_us', {
    name: 'Quintavel Inc.',
    legal_name: 'Quintavel Inc.',
    country: 'US',
    ...US_ADDRESS,
    default_currency: 'USD',
    document_locale: 'en',
    timezone: 'America/New_York',
    document_number_prefix: 'QTV-US',
    net_payment_term: 15,
    tax_codes: ['sales_ny'],
  }),
  entityRow('quintavel', 'quintavel_jp', {
    name: 'Quintavel KK',
    legal_name: 'クインタヴェル株式会社',
    country: 'JP',
    ...JP_ADDRESS,
    default_currency: 'JPY',
    document_locale: 'en',
    timezone: 'Asia/Tokyo',
    document_number_prefix: 'QTV-JP',
    net_payment_term: 30,
    invoice_grace_period: 2,
    tax_codes: ['ct_jp'],
  }),
  entityRow('quintavel', 'quintavel_br', {
    name: 'Quintavel Brasil Ltda.',
    legal_name: 'Quintavel Brasil Ltda.',
    country: 'BR',
    ...BR_ADDRESS,
    default_currency: 'BRL',
    document_locale: 'pt-BR',
    timezone: 'America/Sao_Paulo',
    document_number_prefix: 'QTV-BR',
    net_payment_term: 10,
    tax_codes: ['iss_br', 'pis_br'],
  }),
];

/** A metric; `filters` are the keys with their values. */
export function metricRow(
  owner: string,
  code: string,
  name: string,
  aggregation: string,
  members: Partial<MetricRow> = {},
  filters: Record<string, string[]> = {},
): MetricRow {
  return {
    ...row('metric', owner, code),
    name,
    aggregation_type: `${aggregation}_agg`,
    ...members,
    filters: Object.entries(filters).map(([key, values]) => ({
      svc_id: idOf('metric_filter', owner, code, key),
      key,
      values,
      created_at: FOUNDED,
    })),
  };
}

const metric = (
  code: string,
  name: string,
  aggregation: string,
  members: Partial<MetricRow> = {},
  filters: Record<string, string[]> = {},
) => metricRow('quintavel', code, name, aggregation, members, filters);

const METRICS: MetricRow[] = [
  metric('api_calls', 'API calls', 'sum', { field_name: 'count', description: 'Calls answered' }),
  metric('storage', 'Storage', 'weighted_sum', { field_name: 'gb', recurring: true, weighted_interval: 'seconds' }),
  metric('seats', 'Seats', 'unique_count', { field_name: 'user_id', recurring: true }),
  metric('connections', 'Peak connections', 'max', { field_name: 'open' }),
  metric(
    'payments',
    'Card payments',
    'sum',
    { field_name: 'amount', description: 'Amounts that were paid by card' },
    { card: ['visa', 'mastercard', 'amex'], country: ['fr', 'us', 'jp', 'br'] },
  ),
  metric('messages', 'Messages', 'count', {}, { channel: ['sms', 'email', 'push'] }),
  metric(
    'compute_hours',
    'Compute hours',
    'sum',
    { field_name: 'hours', rounding_function: 'ceil', rounding_precision: 1 },
    {
      size: ['small', 'large'],
    },
  ),
  metric('transfers', 'Transfers', 'sum', { field_name: 'amount' }),
  metric('energy', 'Energy', 'sum', { field_name: 'kwh', description: 'Priced by the market of the hour' }),
  metric('model_tokens', 'Model tokens', 'sum', { field_name: 'tokens' }),
  metric('service_level', 'Service level', 'latest', { field_name: 'level' }),
];

const addOn = (code: string, name: string, amountCents: number, description: string): AddOnRow => ({
  ...row('add_on', 'quintavel', code),
  name,
  description,
  amount_cents: amountCents,
  amount_currency: 'EUR',
});

const ADD_ONS: AddOnRow[] = [
  addOn('support', 'Priority support', 15_000, 'An engineer answers within the hour'),
  addOn('dedicated_node', 'Dedicated node', 40_000, 'A machine of your own'),
  addOn('onboarding', 'Onboarding', 120_000, 'Two days with a solution engineer'),
  addOn('audit_report', 'Audit report', 35_000, 'A report for your auditor'),
];

const coupon = (code: string, name: string, members: Partial<CouponRow>): CouponRow => ({
  ...row('coupon', 'quintavel', code),
  name,
  coupon_type: members.percentage_rate === undefined ? 'fixed_amount' : 'percentage',
  frequency: 'once',
  ...members,
});

const COUPONS: CouponRow[] = [
  coupon('welcome', 'Welcome', { amount_cents: 2500, amount_currency: 'EUR' }),
  coupon('partner_10', 'Partner discount', { percentage_rate: '10', frequency: 'forever' }),
  coupon('half_year', 'Half a year of 15 %', { percentage_rate: '15', frequency: 'recurring', frequency_duration: 6 }),
  coupon('scale_credit', 'Scale credit', {
    amount_cents: 20_000,
    amount_currency: 'USD',
    frequency: 'recurring',
    frequency_duration: 4,
    plan_codes: ['scale'],
  }),
  coupon('api_20', '20 % off API calls', {
    percentage_rate: '20',
    frequency: 'recurring',
    frequency_duration: 12,
    billable_metric_codes: ['api_calls'],
  }),
  coupon('winter', 'Winter campaign', {
    amount_cents: 1000,
    amount_currency: 'EUR',
    expiration: 'time_limit',
    expiration_at: '2025-03-01T00:00:00Z',
    status: 'terminated',
    terminated_at: '2025-03-01T00:00:00Z',
  }),
];

/** What the first organization sells, without plans. */
export const CATALOGUE = {
  taxes: [
    taxRow('quintavel', 'vat_fr', 'TVA', 20, 'Taxe sur la valeur ajoutée'),
    taxRow('quintavel', 'vat_uk', 'VAT', 20, 'Value added tax, United Kingdom'),
    taxRow('quintavel', 'sales_ny', 'Sales tax', 8.875, 'New York'),
    taxRow('quintavel', 'ct_jp', '消費税', 10, '標準税率'),
    taxRow('quintavel', 'iss_br', 'ISS', 5, 'Imposto sobre serviços'),
    taxRow('quintavel', 'pis_br', 'PIS', 1.65, 'Programa de integração social'),
    taxRow('quintavel', 'zero', 'Exempt', 0, 'Export of services'),
  ],
  invoice_custom_sections: [
    {
      ...row('section', 'quintavel', 'bank_details'),
      name: 'Bank details',
      display_name: 'How to pay',
      details: 'Transfer to FR00 0000 0000 0000 of Quintavel SAS',
    },
    {
      ...row('section', 'quintavel', 'export_note'),
      name: 'Export note',
      display_name: 'Export',
      details: 'Services supplied outside the country of the seller',
    },
  ],
  billing_entities: ENTITIES,
  billable_metrics: METRICS,
  add_ons: ADD_ONS,
  pricing_units: [
    {
      ...row('pricing_unit', 'quintavel', 'tokens'),
      name: 'Tokens',
      short_name: 'TOK',
      description: 'Prepaid in packs',
    },
  ],
  coupons: COUPONS,
} satisfies Partial<Section>;
