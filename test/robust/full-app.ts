import { randomUUID } from 'node:crypto';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createReadApp, NOW } from '../rest/fixture.ts';
import { graphWrites, routeOf, SAMPLES, sampleBody } from '../rest/sample.ts';
import type { TestApp } from '../support.ts';

/** Wallets of the customer `cust_ada`, empty and active. */
export const WALLETS = Array.from({ length: 4 }, () => randomUUID());

const MORE = {
  plans: [
    {
      code: 'at_once',
      interval: 'monthly',
      amount_cents: 0,
      amount_currency: 'EUR',
      charges: [
        {
          ...{
            code: 'calls',
            billable_metric_code: 'api_calls',
            charge_model: 'standard',
            properties: { amount: '1' },
          },
          pay_in_advance: true,
        },
      ],
    },
    {
      code: 'fuzzed',
      interval: 'monthly',
      amount_cents: 5000,
      amount_currency: 'EUR',
      charges: [
        { code: 'calls', billable_metric_code: 'api_calls', charge_model: 'standard', properties: { amount: '1' } },
      ],
      fixed_charges: [{ code: 'desk', add_on_code: 'desk', units: '3', properties: { amount: '10' } }],
    },
  ],
  subscriptions: [
    {
      external_id: 'sub_at_once',
      external_customer_id: 'cust_ada',
      plan_code: 'at_once',
      status: 'active',
      subscription_at: '2026-01-01T00:00:00Z',
      started_at: '2026-01-01T00:00:00Z',
    },
    {
      external_id: 'sub_fuzzed',
      external_customer_id: 'cust_ada',
      plan_code: 'fuzzed',
      status: 'active',
      subscription_at: '2026-01-01T00:00:00Z',
      started_at: '2026-01-01T00:00:00Z',
      plan_overrides: { charges: [{ code: 'calls', properties: { amount: '2' } }] },
    },
  ],
  wallets: WALLETS.map((svc_id) => ({
    svc_id,
    code: svc_id,
    external_customer_id: 'cust_ada',
    currency: 'EUR',
    rate_amount: '1',
  })),
};

/** A coupon by its code, and that the customer `cust_kept` has it. */
export const APPLIED = 'applied';
export const APPLIED_COUPON = randomUUID();

/** Payment methods of the customer `cust_kept`. */
export const METHODS = [randomUUID(), randomUUID()] as const;

/** Codes of an object of each resource, by the verbs that tests use it for; what is to be deleted is another one. */
export const CODES = { find: 'kept', update: 'kept', destroy: 'doomed' } as const;

/** The app of the reads, with what the writes need: a plan in use with an override, wallets, and samples of resources. */
export async function createFullApp(): Promise<TestApp> {
  const app = await createReadApp();
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  await importDocument(app.db, { organization: { name }, ...MORE }, { organization: name, now: NOW });
  for (const type of Object.keys(SAMPLES)) {
    for (const code of new Set(Object.values(CODES))) {
      const create = routeOf(type, 'create');
      await app.rest('POST', create.route.path, sampleBody(create, code, true));
    }
  }
  const privileges = [
    { code: 'seats', value_type: 'integer' },
    { code: 'sso', value_type: 'boolean' },
    { code: 'note' },
  ];
  await app.rest('PUT', `/features/${CODES.update}`, { feature: { privileges } });
  for (const plan of [CODES.update, 'fuzzed']) {
    await app.rest('POST', `/plans/${plan}/entitlements`, { entitlements: { [CODES.update]: { sso: true } } });
  }
  for (const { query, variables } of graphWrites.filter(({ verb }) => verb === 'create')) {
    for (const code of new Set(Object.values(CODES))) await app.graphql(query, variables(code, true));
  }
  for (const subscription of ['sub_at_once', 'sub_fuzzed']) {
    const entitlements = { [CODES.update]: { sso: false, note: 'A' } };
    await app.rest('PATCH', `/subscriptions/${subscription}/entitlements`, { entitlements });
  }
  for (const external_id of ['cust_doomed', 'cust_kept']) {
    await app.rest('POST', '/customers', { customer: { external_id } });
  }
  const document = {
    organization: { name },
    coupons: [{ code: APPLIED, coupon_type: 'percentage', percentage_rate: '10' }],
    payment_methods: METHODS.map((svc_id) => ({
      ...{ svc_id, external_customer_id: 'cust_kept', provider_type: 'stripe', provider_method_id: `pm_${svc_id}` },
    })),
    applied_coupons: [{ svc_id: APPLIED_COUPON, coupon_code: APPLIED, external_customer_id: 'cust_kept' }],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
  return app;
}
