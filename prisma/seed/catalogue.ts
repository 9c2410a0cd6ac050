import { COUPONS } from './coupon.ts';
import type { AddOnRow, MetricRow, Section, TaxRow } from './document.ts';
import { ENTITIES } from './entity.ts';
import { idOf } from './random.ts';
import { FOUNDED, row } from './row.ts';
import { SECTIONS } from './section.ts';

export const taxRow = (owner: string, code: string, name: string, rate: number, description: string): TaxRow => ({
  ...row('tax', owner, code),
  name,
  rate,
  description,
});

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

/** What the first organization sells, without plans. */
export const CATALOGUE = {
  taxes: [
    taxRow('quintavel', 'vat_fr', 'TVA', 20, 'Taxe sur la valeur ajoutée'),
    taxRow('quintavel', 'vat_uk', 'VAT', 20, 'Value added tax, United Kingdom'),
    taxRow('quintavel', 'sales_ny', 'Sales tax', 8.875, 'New York'),
    taxRow('quintavel', 'ct_jp', 'Consumption tax', 10, '消費税（標準税率）'),
    taxRow('quintavel', 'iss_br', 'ISS', 5, 'Imposto sobre serviços'),
    taxRow('quintavel', 'pis_br', 'PIS', 1.65, 'Programa de integração social'),
    taxRow('quintavel', 'zero', 'Exempt', 0, 'Export of services'),
  ],
  invoice_custom_sections: SECTIONS,
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
