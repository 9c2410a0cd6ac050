import type { PlanRow } from './document.ts';
import { charge, fixed, plan, range } from './plan-row.ts';

const rateRange = (from: number, to: number | null, rate: string, flat = '0') => ({
  from_value: from,
  to_value: to,
  rate,
  flat_amount: flat,
});
const ALL = '__ALL_FILTER_VALUES__';
const GRADUATED = [range(0, 10_000, '0'), range(10_001, 100_000, '0.0012', '5'), range(100_001, null, '0.0009', '10')];

const starter = plan('starter', 'Starter', [2900, 'EUR'], {
  charges: [
    charge('api_calls', 'standard', { amount: '0.0007', pricing_group_keys: ['region'] }),
    charge('messages', 'package', { amount: '4.5', package_size: 5, free_units: 2 }),
  ],
});

const growth = plan(
  'growth',
  'Growth',
  [9900, 'EUR'],
  {
    charges: [
      charge('api_calls', 'graduated', { graduated_ranges: GRADUATED }),
      charge('seats', 'standard', { amount: '12' }, { prorated: true }),
    ],
    fixed: [fixed('support', 1, '150', { pay_in_advance: true, prorated: true })],
    committed: 30_000,
  },
  { pay_in_advance: true, trial_period: 14 },
);

const scale = plan('scale', 'Scale', [49_900, 'USD'], {
  charges: [
    charge('api_calls', 'volume', {
      volume_ranges: [range(0, 50_000, '0.002'), range(50_001, 200_000, '0.0015', '20'), range(200_001, null, '0.001')],
    }),
    charge(
      'compute_hours',
      'standard',
      { amount: '1.2' },
      {
        min_amount_cents: 15_000,
        filters: [
          [{ size: ['large'] }, { amount: '3.4' }, 'Large machines'],
          [{ size: [ALL] }, { amount: '1.45' }],
        ],
      },
    ),
    charge('service_level', 'standard', { amount: '25' }, { invoice_display_name: 'Service level' }),
  ],
  thresholds: [
    [60_000, false, 'First 600'],
    [400_000, false, 'First 4,000'],
    [500_000, true, 'Every further 5,000'],
  ],
});

const enterprise = plan(
  'enterprise',
  'Enterprise',
  [1_200_000, 'USD'],
  {
    charges: [
      charge('storage', 'graduated', { graduated_ranges: [range(0, 100, '0.5'), range(101, null, '0.32')] }),
      charge('connections', 'package', { amount: '40', package_size: 50, free_units: 50 }),
    ],
    fixed: [
      fixed('dedicated_node', 2, '0', {
        charge_model: 'volume',
        properties: { volume_ranges: [range(0, 3, '400'), range(4, null, '350')] },
      }),
    ],
  },
  { interval: 'yearly', pay_in_advance: true, bill_charges_monthly: true, bill_fixed_charges_monthly: true },
);

const messaging = plan('messaging', 'Messaging', [1900, 'USD'], {
  charges: [
    charge(
      'messages',
      'standard',
      { amount: '0.35' },
      {
        pay_in_advance: true,
        filters: [
          [{ channel: ['email'] }, { amount: '0.08' }, 'E-mail'],
          [{ channel: ['sms'] }, { amount: '0.95' }, 'SMS'],
        ],
      },
    ),
    charge(
      'model_tokens',
      'standard',
      { amount: '0.002' },
      {
        applied_pricing_unit: { code: 'tokens', conversion_rate: '0.85' },
      },
    ),
  ],
});

const weekly = plan(
  'weekly_cards',
  'Weekly cards',
  [1500, 'GBP'],
  {
    charges: [
      charge(
        'payments',
        'percentage',
        { rate: '1.4', fixed_amount: '0.2', free_units_per_events: 1, per_transaction_max_amount: '25' },
        {
          filters: [
            [{ card: ['amex'] }, { rate: '2.9', fixed_amount: '0.3' }, 'Amex'],
            [{ card: ['visa', 'mastercard'], country: [ALL] }, { rate: '1.1' }],
          ],
        },
      ),
    ],
  },
  { interval: 'weekly' },
);

const tokyo = plan('tokyo', 'Tokyo', [14_800, 'JPY'], {
  charges: [charge('energy', 'dynamic', {}), charge('connections', 'standard', { amount: '55' })],
});

const gulf = plan('gulf', 'Gulf', [39_500, 'KWD'], {
  charges: [
    charge('transfers', 'graduated_percentage', {
      graduated_percentage_ranges: [rateRange(0, 5000, '1.25', '1'), rateRange(5001, null, '0.85', '2.5')],
    }),
    charge('api_calls', 'package', { amount: '1.125', package_size: 1000, free_units: 5000 }),
  ],
});

const brasil = plan(
  'brasil',
  'Brasil',
  [19_900, 'BRL'],
  {
    charges: [
      charge(
        'payments',
        'percentage',
        { rate: '0.99', fixed_amount: '0.49' },
        {
          filters: [[{ country: ['br'], card: [ALL] }, { rate: '0.79' }, 'Nacional']],
        },
      ),
      charge('seats', 'volume', { volume_ranges: [range(0, 5, '30'), range(6, null, '25')] }),
    ],
  },
  { pay_in_advance: true },
);

const quarterly = plan(
  'quarterly',
  'Quarterly',
  [24_000, 'EUR'],
  {
    charges: [
      charge(
        'transfers',
        'percentage',
        { rate: '0.6', per_transaction_min_amount: '0.5' },
        { accepts_target_wallet: true },
      ),
    ],
  },
  { interval: 'quarterly', tax_codes: ['vat_fr'] },
);

const free = plan('free', 'Free', [0, 'EUR'], { charges: [charge('api_calls', 'standard', { amount: '0.0007' })] });

/** Plans of the first organization: every price model, every interval but one, six currencies. */
export const PLANS: PlanRow[] = [
  starter,
  growth,
  scale,
  enterprise,
  messaging,
  weekly,
  tokyo,
  gulf,
  brasil,
  quarterly,
  free,
];
