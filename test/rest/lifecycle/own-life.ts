import type { LifecycleCase, LifecycleStep } from '../../billing/vectors/lifecycle-type.ts';

// Lives with claims that few of the vectors make, and for each what would be wrong: a claim that cannot fail says nothing.

type Doing = Omit<LifecycleStep, 'at'> & { readonly at?: string };

const life = (id: string, organization: LifecycleCase['organization'], steps: readonly Doing[]): LifecycleCase => ({
  ...{ id, area: 'own', organization: { timezone: 'UTC', ...organization } },
  steps: steps.map((step) => ({ at: '2024-06-01T00:00:00Z', ...step })),
});

const CUSTOMER: Doing = {
  do: 'create_customer',
  with: { external_id: 'cust', name: 'cust', currency: 'EUR' },
  as: 'cust',
};
const PROVIDER = { payment_provider: 'stripe', payment_provider_code: 'stripe_1' };
const METRIC: Doing = {
  do: 'create_billable_metric',
  with: {
    ...{ name: 'm', code: 'm', aggregation_type: 'sum_agg', recurring: false, field_name: 'amount' },
    filters: [{ key: 'region', values: ['eu', 'us'] }],
  },
  as: 'm',
};
const plan = (code: string, members: Record<string, unknown>): Doing => ({
  do: 'create_plan',
  with: { name: code, code, interval: 'monthly', amount_cents: 3000, amount_currency: 'EUR', ...members },
  as: code,
});
const subscribe = (code: string, members: Record<string, unknown> = {}): Doing => ({
  do: 'create_subscription',
  with: { external_customer_id: 'cust', external_id: 'sub', plan_code: code, billing_time: 'calendar', ...members },
  as: 'sub',
});
const used = (at: string, amount: number): Doing => ({
  ...{ at, do: 'send_event' },
  with: { transaction_id: at, code: 'm', external_subscription_id: 'sub', properties: { amount } },
});
const FILTER = { invoice_display_name: 'Europe', values: { region: ['eu'] }, properties: { amount: '2' } };
const CHARGE = { billable_metric_id: '$m.svc_id', code: 'c', charge_model: 'standard', properties: { amount: '1' } };

interface OwnLife {
  readonly life: LifecycleCase;
  /** What stands in its claims, and another value. */
  readonly wrong: readonly (readonly [string, string])[];
  /** Claims that nothing can read yet. */
  readonly unread: readonly string[];
}

export const OWN_LIVES: readonly OwnLife[] = [
  {
    life: life('filters', {}, [
      METRIC,
      CUSTOMER,
      plan('p', { pay_in_advance: false, charges: [{ ...CHARGE, filters: [FILTER] }] }),
      subscribe('p'),
      {
        do: 'send_events',
        with: {
          events: ['eu', 'us'].map((region, index) => ({
            ...{ transaction_id: `t${index}`, code: 'm', external_subscription_id: 'sub' },
            properties: { amount: 3, region },
          })),
        },
      },
      {
        do: 'check',
        expect: {
          charges: [{ of: '$sub', code: 'c', filters: [{ invoice_display_name: 'Europe', value_keys: ['region'] }] }],
          counts: [
            { kind: 'events', of: '$sub', count: 2 },
            { kind: 'billable_metrics', count: 1 },
          ],
        },
      },
      {
        ...{ at: '2024-07-01T00:00:00Z', do: 'bill' },
        expect: {
          new_invoices: [
            {
              as: 'inv',
              fees: [
                { item: { type: 'subscription' }, amount_cents: 3000 },
                {
                  ...{ item: { type: 'charge' }, amount_cents: 600 },
                  charge_filter: { invoice_display_name: 'Europe', values: { region: ['eu'] } },
                },
                { item: { type: 'charge' }, amount_cents: 300, charge_filter: { svc_charge_filter_id: null } },
              ],
            },
          ],
          counts: [{ kind: 'fees', of: '$inv', count: 3 }],
        },
      },
    ]),
    wrong: [
      ['"charge_filter":{"invoice_display_name":"Europe"', '"charge_filter":{"invoice_display_name":"Asia"'],
      ['"charge_filter":{"svc_charge_filter_id":null}', '"charge_filter":"Europe"'],
      ['"charge_filter":{"svc_charge_filter_id":null}', '"charge_filter":{"values":{"region":["us"]}}'],
      ['"values":{"region":["eu"]}}},', '"svc_charge_filter_id":null}},'],
      ['"filters":[{"invoice_display_name":"Europe","value_keys":["region"]}]', '"filters":[]'],
      ['"of":"$sub","count":2', '"of":"$sub","count":3'],
      ['"kind":"billable_metrics","count":1', '"kind":"billable_metrics","count":2'],
      ['"of":"$inv","count":3', '"of":"$inv","count":2'],
    ],
    unread: [],
  },
  {
    life: life('hidden', {}, [
      { ...CUSTOMER, with: { ...CUSTOMER.with, billing_configuration: PROVIDER } },
      plan('p', { pay_in_advance: true }),
      {
        ...subscribe('p', { activation_rules: [{ type: 'payment', timeout_hours: 48 }] }),
        expect: {
          new_invoices: [],
          hidden_invoices: [
            {
              ...{ as: 'open', status: 'open', total_amount_cents: 3000, issuing_date: '2024-06-01' },
              billing_periods: [{ subscription_from_datetime: '2024-06-01' }],
              fees: [{ item: { type: 'subscription', code: 'p' }, amount_cents: 3000, as: 'fee' }],
            },
          ],
          hidden_invoices_count: 1,
          subscriptions: [{ ref: '$sub', status: 'incomplete', activation_rules: [{ status: 'pending' }] }],
        },
      },
      { do: 'check', expect: { hidden_invoices: [{ ref: '$open', fees_amount_cents: 3000, voided: false }] } },
    ]),
    wrong: [
      ['"total_amount_cents":3000', '"total_amount_cents":3001'],
      ['"issuing_date":"2024-06-01"', '"issuing_date":"2024-06-02"'],
      ['"subscription_from_datetime":"2024-06-01"', '"subscription_from_datetime":"2024-06-02"'],
      ['"code":"p"}', '"code":"q"}'],
      ['"fees_amount_cents":3000', '"fees_amount_cents":2999'],
      ['"hidden_invoices_count":1', '"hidden_invoices_count":2'],
      ['[{"status":"pending"}]', '[{"status":"satisfied"}]'],
    ],
    unread: [],
  },
  {
    life: life('drafts', { invoice_grace_period: 3 }, [
      CUSTOMER,
      plan('p', { pay_in_advance: true }),
      { ...subscribe('p'), expect: { new_invoices: [{ status: 'draft', total_amount_cents: 3000 }] } },
      {
        ...{ at: '2024-06-02T00:00:00Z', do: 'terminate_subscription', on: '$sub' },
        expect: {
          new_credit_notes: [{ as: 'note', status: 'draft', credit_status: 'available', total_amount_cents: 2800 }],
          credit_notes: [{ ref: '$note', balance_amount_cents: 2800 }],
        },
      },
    ]),
    wrong: [
      ['"status":"draft","credit_status"', '"status":"finalized","credit_status"'],
      ['"total_amount_cents":2800', '"total_amount_cents":2801'],
      ['"balance_amount_cents":2800', '"balance_amount_cents":0'],
    ],
    unread: [],
  },
  {
    life: life('excess', {}, [
      METRIC,
      CUSTOMER,
      plan('p', {
        ...{ pay_in_advance: false, charges: [CHARGE] },
        usage_thresholds: [{ amount_cents: 20_000, recurring: false }],
      }),
      subscribe('p'),
      used('2024-06-06T00:00:00Z', 200),
      {
        ...{ at: '2024-06-07T00:00:00Z', do: 'run_clock', with: { tasks: ['update_usage'] } },
        expect: { new_invoices: [{ as: 'early', invoice_type: 'progressive_billing', total_amount_cents: 20_000 }] },
      },
      used('2024-06-16T00:00:00Z', -10),
      {
        ...{ at: '2024-07-01T00:00:00Z', do: 'bill' },
        expect: {
          new_credit_notes: [{ as: 'note', total_amount_cents: 1000, credit_amount_cents: 1000 }],
          credit_notes: [{ ref: '$note', balance_amount_cents: 0, credit_status: 'consumed' }],
          new_invoices: [
            {
              ...{ fees_amount_cents: 22_000, progressive_billing_credit_amount_cents: 19_000 },
              ...{ credit_notes_amount_cents: 1000, total_amount_cents: 2000 },
            },
          ],
        },
      },
    ]),
    wrong: [
      ['"balance_amount_cents":0', '"balance_amount_cents":1000'],
      ['"credit_notes_amount_cents":1000', '"credit_notes_amount_cents":0'],
      ['"total_amount_cents":2000', '"total_amount_cents":3000'],
    ],
    unread: [],
  },
  {
    life: life('alerts', {}, [
      METRIC,
      CUSTOMER,
      plan('p', { pay_in_advance: false, charges: [CHARGE] }),
      subscribe('p'),
      {
        ...{ do: 'create_subscription_alert', on: '$sub', as: 'alert' },
        with: { alert_type: 'current_usage_amount', code: 'a', thresholds: [{ code: 't', value: 100 }] },
      },
      {
        do: 'check',
        expect: {
          alerts: [{ ref: '$alert', alert_type: 'current_usage_amount', direction: 'increasing', previous_value: 7 }],
          new_triggered_alerts: [],
        },
      },
      {
        ...{ do: 'create_subscription_alert', on: '$sub' },
        with: { alert_type: 'current_usage_amount', code: 'a', thresholds: [{ code: 't', value: 100 }] },
        expect: { error: { status: 422, error_details: { base: ['alert_already_exists'] } } },
      },
    ]),
    wrong: [
      ['"alert_type":"current_usage_amount","direction"', '"alert_type":"lifetime_usage_amount","direction"'],
      ['"direction":"increasing"', '"direction":"decreasing"'],
      ['"base":["alert_already_exists"]', '"base":["value_is_invalid"]'],
      ['"base":["alert_already_exists"]', '"name":["alert_already_exists"]'],
    ],
    unread: ['alerts.previous_value', 'new_triggered_alerts'],
  },
  {
    life: life('prices', {}, [
      METRIC,
      CUSTOMER,
      { do: 'create_pricing_unit', with: { code: 'tok', name: 'Tokens', short_name: 'TK' } },
      plan('p', { pay_in_advance: false }),
      {
        ...{ do: 'create_charge', on: { plan_code: '$p' } },
        with: { ...CHARGE, applied_pricing_unit: { code: 'tok', conversion_rate: '0.5' } },
      },
      subscribe('p', { plan_overrides: { charges: [{ id: '$p.charges.c.svc_id', properties: { amount: '4' } }] } }),
      {
        ...{ do: 'update_subscription', on: '$sub' },
        with: { plan_overrides: { charges: [{ id: '$sub.charges.c.svc_id', min_amount_cents: 50 }] } },
        expect: {
          charges: [{ of: '$sub', code: 'c', properties: { amount: '4' }, min_amount_cents: 50, filters: [] }],
        },
      },
      {
        ...{ do: 'delete_charge', on: { plan_code: 'p', charge_code: 'c' }, with: { cascade_updates: true } },
        expect: { response: { code: 'c' } },
      },
    ]),
    wrong: [
      ['"properties":{"amount":"4"},"min_amount_cents":50,"filters"', '"properties":{"amount":"1"},"filters"'],
      ['"min_amount_cents":50,"filters"', '"min_amount_cents":0,"filters"'],
      ['"response":{"code":"c"}', '"response":{"code":"d"}'],
    ],
    unread: [],
  },
];
