import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, type Instant } from '../../../src/billing/period/calendar.ts';
import { planDecision } from '../../../src/billing/subscription/subscription-write.ts';
import { dueSteps } from '../../../src/billing/timeline/day.ts';
import { advance } from '../../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../../src/billing/timeline/timeline-type.ts';
import { createSubscription } from '../../../src/engine/subscription/create-subscription.ts';
import { refreshInvoice } from '../../../src/engine/subscription/invoice/finalize-invoice.ts';
import { runLife } from '../../../src/engine/subscription/run-due.ts';
import { terminateSubscription } from '../../../src/engine/subscription/terminate-subscription.ts';
import { recordEvent } from '../../../src/engine/usage/record-events.ts';
import { loadLife } from '../../../src/store/account/load-lives.ts';
import { PLAN, planInput } from '../../../src/store/account/plan-input.ts';
import { forOrganization, type TenantClient, type TenantTransaction } from '../../../src/store/database/tenant.ts';
import { dueLives } from '../../../src/store/subscription/due-life.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const START = Date.parse('2024-01-20T00:00:00Z');

const PLANS = (['weekly', 'monthly', 'quarterly', 'yearly'] as const).flatMap((interval, index) =>
  [false, true].map((isAhead) => ({
    ...{ code: `${interval}-${isAhead ? 'ahead' : 'arrears'}`, name: interval, interval, amount_currency: 'EUR' },
    ...{ amount_cents: 1000 * (index + 1) + (isAhead ? 77 : 0), pay_in_advance: isAhead },
    trial_period: index === 1 ? 5 : 0,
    bill_charges_monthly: index === 3 && isAhead,
    minimum_commitment: index % 2 === 0 ? { amount_cents: 2500 } : undefined,
    charges: [
      { code: 'use', billable_metric_code: 'use', charge_model: 'standard', properties: { amount: '0.331' } },
      {
        ...{ code: 'seat', billable_metric_code: 'seat', charge_model: 'standard', prorated: true },
        properties: { amount: '7' },
      },
    ],
    fixed_charges: [
      {
        ...{ code: 'ahead', add_on_code: 'a', charge_model: 'standard', properties: { amount: '2.99' }, units: '3' },
        ...{ pay_in_advance: true, prorated: true },
      },
      { code: 'arrears', add_on_code: 'a', charge_model: 'standard', properties: { amount: '5' }, units: '1' },
    ],
  })),
);

let test: TestApp;
let tenant: TenantClient;
beforeAll(async () => {
  test = await createTestApp();
  tenant = forOrganization(test.db.prisma, test.organizationId);
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  const metric = (code: string, more: object) => ({
    code,
    name: code,
    aggregation_type: 'sum_agg',
    field_name: 'n',
    ...more,
  });
  await importDocument(
    test.db,
    {
      taxes: [
        { code: 'vat', rate: 19.6 },
        { code: 'city', rate: 2.525 },
      ],
      billing_entities: [{ code: 'main', is_default: true, tax_codes: ['vat', 'city'], document_number_prefix: 'MAI' }],
      billable_metrics: [metric('use', {}), metric('seat', { recurring: true })],
      add_ons: [{ code: 'a', name: 'a', amount_cents: 1, amount_currency: 'EUR' }],
      plans: PLANS,
    },
    { organization: name, now: new Date(START) },
  );
});
afterAll(() => test.close());

const actorAt = (at: Instant) => ({ organizationId: test.organizationId, now: new Date(at), job: 'test' });

/** One thing that happens, to values and to rows. */
type Happening = (life: Life, at: Instant) => Promise<void>;

/** A customer of whom rules keep values and the gateway rows. */
class Life {
  private made = 0;
  constructor(
    readonly externalId: string,
    public state: TimelineState,
  ) {}

  next = () => `${this.externalId}-${++this.made}`;
  step = (step: TimelineStep) => {
    this.state = advance(this.state, step).state;
  };
  running = (index: number) => {
    const all = this.state.subscriptions.filter(({ status }) => status === 'active');
    return all[index % Math.max(all.length, 1)];
  };
}

let customers = 0;
async function newLife(timezone: string, grace: number): Promise<Life> {
  customers += 1;
  const externalId = `cust-${customers}`;
  const coupons = [
    {
      code: `${externalId}-once`,
      coupon_type: 'fixed_amount',
      amount_cents: 9000,
      amount_currency: 'EUR',
      frequency: 'once',
    },
    {
      code: `${externalId}-share`,
      coupon_type: 'percentage',
      percentage_rate: '33.3',
      frequency: 'recurring',
      frequency_duration: 4,
    },
  ];
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  await importDocument(
    test.db,
    {
      coupons: coupons.map((one) => ({ ...one, name: one.code, expiration: 'no_expiration' })),
      customers: [
        { external_id: externalId, currency: 'EUR', timezone, billing_configuration: { invoice_grace_period: grace } },
      ],
      applied_coupons: coupons.map(({ code }) => ({
        ...{ external_customer_id: externalId, coupon_code: code, status: 'active' },
      })),
      wallets: [
        {
          ...{ external_customer_id: externalId, code: `${externalId}-w`, currency: 'EUR', rate_amount: '1' },
          ...{ balance_cents: 20_001, credits_balance: '200.01' },
          wallet_transactions: [
            {
              ...{ transaction_type: 'inbound', status: 'settled', transaction_status: 'granted' },
              ...{ amount: '200.01', credit_amount: '200.01', remaining_amount_cents: 20_001 },
              settled_at: new Date(START).toISOString(),
            },
          ],
        },
      ],
    },
    { organization: name, now: new Date(START + customers) },
  );
  const row = await tenant.customer.findFirstOrThrow({ where: { externalId } });
  const tx = tenant as unknown as TenantTransaction;
  const stored = await loadLife(
    tx,
    {
      ...{ customerId: row.id, billingEntityId: row.billingEntityId, externalIds: [] },
    },
    new Date(START),
  );
  if (!stored) throw new Error('no customer');
  const rows = await tenant.plan.findMany({ include: PLAN });
  const ranks = { forCustomer: 0, forEntity: 0 };
  return new Life(externalId, { ...stored, plans: rows.map(planInput), events: [], fees: [], changes: [], ranks });
}

const codes = fc.constantFrom(...PLANS.map(({ code }) => code));
const pick = fc.nat({ max: 20 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Happening>((life, at) => refreshed(life, at)) },
  {
    weight: 5,
    arbitrary: fc.constant<Happening>(async (life, at) => {
      for (const step of ['terminate_ended', 'issue_due'] as const) life.step({ at, do: step });
      life.step({ at, do: 'finalize_drafts', onlyDue: true });
      for (const one of await dueLives(tenant, actorAt(at)))
        await runLife(tenant, actorAt(at), one, dueSteps(actorAt(at).now.getTime()));
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(codes, fc.boolean(), fc.integer({ min: -20, max: 12 }))
      .map<Happening>(([planCode, isCalendar, days]) => async (life, at) => {
        const externalId = life.next();
        const billingTime = isCalendar ? ('calendar' as const) : ('anniversary' as const);
        const subscriptionAt = days % 3 === 0 ? at : at + days * DAY_MS;
        const ids = { subscriptionId: externalId, externalId };
        life.step({ at, do: 'subscribe', ...ids, planCode, billingTime, subscriptionAt });
        const sent = { externalCustomerId: life.externalId, externalId, planCode, billingTime };
        await createSubscription(tenant, actorAt(at), { ...sent, subscriptionAt: new Date(subscriptionAt) });
      }),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(pick, fc.constantFrom('use', 'seat'), fc.integer({ min: -4, max: 30 }))
      .map<Happening>(([index, metricCode, n]) => async (life, at) => {
        const running = life.running(index);
        if (!running) return;
        const transactionId = life.next();
        const event = { transactionId, timestamp: at, createdAt: at, properties: { n } };
        const { externalId } = running;
        life.step({ at, do: 'event', externalId, metricCode, event });
        await recordEvent(tenant, actorAt(at), {
          ...{ transactionId, code: metricCode, externalSubscriptionId: externalId },
          ...{ timestamp: new Date(at), properties: { n } },
        });
      }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(pick, codes).map<Happening>(([index, planCode]) => async (life, at) => {
      const running = life.running(index);
      const plan = life.state.plans.find(({ code }) => code === planCode);
      if (!running || !plan) return;
      const { externalId } = running;
      const asRow = (one: typeof plan) => ({ ...one, parentId: null });
      if (planDecision({ status: 'active', plan: asRow(running.plan) }, asRow(plan)) === 'keep') return;
      life.step({ at, do: 'change_plan', subscriptionId: running.id, newSubscriptionId: life.next(), planCode });
      await createSubscription(tenant, actorAt(at), { externalCustomerId: life.externalId, externalId, planCode });
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        pick,
        fc.constantFrom('credit' as const, 'refund' as const, 'offset' as const, 'skip' as const),
        fc.boolean(),
      )
      .map<Happening>(([index, creditNote, isBilled]) => async (life, at) => {
        const running = life.running(index);
        if (!running) return;
        const invoice = isBilled ? ('generate' as const) : ('skip' as const);
        const how = running.plan.payInAdvance ? { creditNote } : {};
        life.step({ at, do: 'terminate', subscriptionId: running.id, invoice, ...how });
        await terminateSubscription(tenant, actorAt(at), { externalId: running.externalId, creditNote, invoice });
      }),
  },
);

const isDraft = ({ status }: { status: string }) => status === 'draft';

/** Drafts, which are the same on both sides, are computed again although nothing may have changed. */
const refreshed: Happening = async (life, at) => {
  for (const { id: invoiceId } of life.state.invoices.filter(isDraft)) {
    life.step({ at, do: 'refresh_draft', invoiceId });
  }
  const customer = { externalId: life.externalId };
  for (const { id } of await tenant.invoice.findMany({ where: { customer, status: 'draft' } })) {
    await refreshInvoice(tenant, actorAt(at), id);
  }
};

const text = (value: unknown) => String(value);

/** What of a life can be compared: identifiers, and in which order one moment's invoices were made, are each side's own. */
async function rowsOf(externalId: string) {
  const customer = { externalId };
  const invoices = await tenant.invoice.findMany({
    where: { customer },
    include: { fees: { where: { deletedAt: null } }, creditNotes: true, credits: true },
  });
  const subscriptions = await tenant.subscription.findMany({ where: { customer } });
  const wallet = await tenant.wallet.findFirstOrThrow({ where: { customer } });
  return {
    invoices: invoices
      .map((one) =>
        [
          ...[one.number, one.invoiceType, one.status, one.issuingDate.toISOString().slice(0, 10)],
          ...[one.feesAmountCents, one.couponsAmountCents, one.taxesAmountCents, one.prepaidCreditAmountCents],
          ...[one.totalAmountCents, one.creditNotesAmountCents],
          one.fees.map((fee) => `${fee.feeType} ${fee.itemCode} ${fee.amountCents} ${fee.units}`).sort(),
          one.creditNotes.map((note) => `${note.status} ${note.totalAmountCents} ${note.creditAmountCents}`).sort(),
        ].map(text),
      )
      .sort(),
    subscriptions: subscriptions
      .map((one) => [one.externalId, one.status, one.startedAt?.getTime(), one.terminatedAt?.getTime()].map(text))
      .sort(),
    wallet: text(wallet.balanceCents),
  };
}

function valuesOf({ state }: Life) {
  return {
    invoices: state.invoices
      .map((one) =>
        [
          ...[one.number, one.type, one.status, one.issuingDate],
          ...[one.feesAmountCents, one.couponsAmountCents, one.taxesAmountCents, one.prepaidCreditAmountCents],
          ...[one.totalAmountCents, one.creditNotesAmountCents],
          one.fees.map((fee) => `${fee.type} ${fee.item.code} ${fee.amountCents} ${fee.units}`).sort(),
          state.madeNotes
            .filter(({ invoiceId }) => invoiceId === one.id)
            .map((note) => `${note.status} ${note.totalAmountCents} ${note.creditAmountCents}`)
            .sort(),
        ].map(text),
      )
      .sort(),
    subscriptions: state.subscriptions
      .map((one) => [one.externalId, one.status, one.startedAt ?? undefined, one.terminatedAt ?? undefined].map(text))
      .sort(),
    wallet: text(state.wallets[0]?.balanceCents),
  };
}

it('any life that is stored is the one that the rules live', async () => {
  const settings = fc.tuple(
    fc.constantFrom('UTC', 'America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Apia'),
    fc.constantFrom(0, 3),
  );
  const steps = fc.array(fc.tuple(happening, fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 86_399 })), {
    ...{ minLength: 6, maxLength: 18 },
  });
  await fc.assert(
    fc.asyncProperty(settings, steps, async ([timezone, grace], list) => {
      const life = await newLife(timezone, grace);
      let day = START;
      for (const [happens, days, seconds] of list) {
        day += days * DAY_MS;
        await happens(life, day + seconds * 1000);
      }
      expect(await rowsOf(life.externalId)).toEqual(valuesOf(life));
      await tenant.subscription.updateMany({
        where: { customer: { externalId: life.externalId } },
        data: { status: 'terminated' },
      });
      await tenant.invoice.updateMany({
        where: { customer: { externalId: life.externalId }, status: 'draft' },
        data: { status: 'voided' },
      });
    }),
    { numRuns: Number(process.env.LIVES ?? 25), interruptAfterTimeLimit: 100_000, markInterruptAsFailure: false },
  );
}, 200_000);
