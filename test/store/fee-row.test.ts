import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InvoiceFee } from '../../src/billing/fee/invoice-fee.ts';
import { taxFee } from '../../src/billing/invoice/tax.ts';
import { Decimal, dec, ZERO } from '../../src/billing/money/decimal.ts';
import type { MadeInvoice } from '../../src/billing/subscription/change.ts';
import type { Actor } from '../../src/store/access/audit.ts';
import { loadAccount } from '../../src/store/account/load-account.ts';
import type { Database } from '../../src/store/database/database.ts';
import { forOrganization, transactionOf } from '../../src/store/database/tenant.ts';
import { newId } from '../../src/store/database/uuid.ts';
import { addInvoices } from '../../src/store/invoice/invoice-write.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { openTestDatabase } from '../support.ts';

const NOW = new Date('2026-11-01T00:00:00Z');
const id = (last: number) => `018f0000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const [TAX, METRIC, ADD_ON, UNIT, PLAN, CHARGE, FILTER, FIXED, CUSTOMER, SUBSCRIPTION] = [...Array(10).keys()].map(id);
const DOCUMENT = {
  billing_entities: [{ code: 'main', is_default: true }],
  taxes: [{ svc_id: TAX, code: 'vat', rate: 20 }],
  billable_metrics: [{ svc_id: METRIC, code: 'calls', filters: [{ key: 'region', values: ['eu'] }] }],
  add_ons: [{ svc_id: ADD_ON, code: 'seat' }],
  pricing_units: [{ svc_id: UNIT, code: 'tokens', name: 'Tokens', short_name: 'TK' }],
  plans: [
    {
      ...{ svc_id: PLAN, code: 'p', interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR' },
      charges: [
        {
          ...{ svc_id: CHARGE, code: 'c', billable_metric_code: 'calls' },
          filters: [{ svc_id: FILTER, values: { region: ['eu'] } }],
        },
      ],
      fixed_charges: [{ svc_id: FIXED, code: 'f', add_on_code: 'seat' }],
    },
  ],
  customers: [{ svc_id: CUSTOMER, external_id: 'c', currency: 'EUR' }],
  subscriptions: [
    {
      ...{ svc_id: SUBSCRIPTION, external_id: 's', external_customer_id: 'c', plan_code: 'p', status: 'active' },
      started_at: '2026-10-01T00:00:00Z',
    },
  ],
};

let db: Database;
let organizationId: string;
beforeAll(async () => {
  db = await openTestDatabase();
  await importDocument(db, DOCUMENT, { organization: 'Fees', now: NOW });
  ({ id: organizationId } = await db.prisma.organization.findFirstOrThrow({ where: { name: 'Fees' } }));
});
afterAll(() => db.close());

const cents = fc.bigInt({ min: 0n, max: 10n ** 12n });
const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, scale]) => dec(digits).div(new Decimal(10).pow(scale)));
// Said by hand, below 1e15.
const adjusted = decimal.map((value) => value.mod(10 ** 15));
const rate = decimal.filter((value) => !value.isZero());
const text = fc.stringMatching(/^[\p{L} ]{1,12}$/u);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const grouped = fc.dictionary(fc.constantFrom('region', 'user', 'cloud'), maybe(text), {
  maxKeys: 2,
  noNullPrototype: true,
});
const tax = fc.record({
  id: fc.constantFrom(TAX as string, null),
  code: fc.constantFrom('vat', 'city'),
  name: text,
  description: maybe(text),
  rate: fc.integer({ min: 0, max: 2500 }).map((rate) => dec(rate).div(100)),
});
const pricingUnit = fc.record({
  ...{ id: fc.constant(UNIT as string), code: fc.constant('tokens'), shortName: text, conversionRate: rate },
  ...{ amountCents: cents, preciseAmountCents: decimal, unitAmountCents: cents, preciseUnitAmount: decimal },
});

/** What a fee of each kind bills. */
const KINDS = {
  charge: {
    itemType: 'BillableMetric',
    itemId: METRIC,
    chargeId: CHARGE,
    metricId: METRIC,
    subscriptionId: SUBSCRIPTION,
  },
  fixed_charge: {
    itemType: 'AddOn',
    itemId: ADD_ON,
    fixedChargeId: FIXED,
    addOnId: ADD_ON,
    subscriptionId: SUBSCRIPTION,
  },
  subscription: { itemType: 'Subscription', itemId: SUBSCRIPTION, subscriptionId: SUBSCRIPTION },
  commitment: { itemType: 'Subscription', itemId: SUBSCRIPTION, subscriptionId: SUBSCRIPTION },
  add_on: { itemType: 'AddOn', itemId: ADD_ON, addOnId: ADD_ON },
  credit: { itemType: 'WalletTransaction', itemId: null },
} as const;

const DAY = 86_400_000;
const period = fc
  .record({ from: fc.integer({ min: 0, max: 700 }), days: fc.integer({ min: 1, max: 366 }) })
  .map(({ from, days }) => ({
    ...{ from: Date.UTC(2025, 0, 1) + from * DAY, to: Date.UTC(2025, 0, 1) + (from + days) * DAY - 1 },
    ...{ durationDays: days, timezone: 'UTC' },
  }));

const members = fc.record({
  type: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
  ...{ units: decimal, amountCents: cents, preciseAmountCents: decimal, unitAmountCents: cents },
  ...{ coupons: fc.integer({ min: 0, max: 100 }), planAmountCents: cents, eventsCount: maybe(fc.nat(1_000_000)) },
  totalAggregatedUnits: maybe(decimal),
  amountDetails: fc.constantFrom({}, { graduated_ranges: [{ units: '3', flat_unit_amount: '0.00000001' }] }),
  ...{ period: maybe(period), payInAdvance: fc.boolean(), invoiceable: fc.boolean(), isTrueUp: fc.boolean() },
  ...{ pricingUnit: maybe(pricingUnit), filterId: fc.constantFrom(FILTER as string, null), groupedBy: grouped },
  presentationBreakdowns: fc.array(fc.record({ presentationBy: grouped, units: decimal }), { maxLength: 2 }),
  eventTransactionId: maybe(text),
  edit: fc.oneof(
    fc.constant(null),
    fc.record({ units: adjusted, preciseUnitAmount: maybe(adjusted), invoiceDisplayName: maybe(text) }),
    fc.record({ units: fc.constant(null), preciseUnitAmount: fc.constant(null), invoiceDisplayName: text }),
  ),
  ...{ code: text, name: text, description: maybe(text), invoiceDisplayName: text, filterName: maybe(text) },
  taxes: fc.uniqueArray(tax, { maxLength: 2, selector: ({ code }) => code }),
});

function feeOf(
  { isTrueUp, coupons, ...given }: typeof members extends fc.Arbitrary<infer T> ? T : never,
  index: number,
  originalFeeKey: string | null,
) {
  const { code, name, description, invoiceDisplayName, filterName, ...rest } = given;
  const kind: { itemType: InvoiceFee['item']['itemType']; itemId?: string | null } = KINDS[rest.type] as never;
  const { itemType, itemId = null, ...ids } = kind;
  const isCharge = rest.type === 'charge';
  const isOfPlan = 'subscriptionId' in ids;
  const fee: InvoiceFee = {
    ...{ chargeId: null, fixedChargeId: null, metricId: null, addOnId: null, subscriptionId: null, ...ids },
    ...{ ...rest, key: String(index), filterId: isCharge ? rest.filterId : null },
    eventsCount: isCharge && rest.eventsCount !== null ? dec(rest.eventsCount) : null,
    // Cut to whole cents, as nearly every rule has it: the row keeps the exact price only.
    preciseUnitAmount: dec(rest.unitAmountCents).div(100),
    planAmountCents: rest.type === 'subscription' ? rest.planAmountCents : null,
    ...{ trueUpParentKey: isTrueUp && index > 0 ? String(index - 1) : null, originalFeeKey },
    ...{ planId: isOfPlan ? (PLAN as string) : null, parentPlanId: null, targetWalletCode: null },
    description: rest.type === 'add_on' ? description : null,
    item: {
      ...{ type: rest.type, itemType, itemId, code, name, description, invoiceDisplayName },
      ...{ filterInvoiceDisplayName: filterName, filters: isCharge && rest.filterId ? { region: ['eu'] } : null },
    },
    preciseCouponsAmountCents: dec(rest.amountCents).times(coupons).div(100),
    ...{ preciseCreditNotesAmountCents: ZERO, taxesAmountCents: 0n, taxesPreciseAmountCents: ZERO },
    ...{ taxesRate: ZERO, appliedTaxes: [] },
  };
  return taxFee(fee);
}

const sums = Object.fromEntries(
  [
    ...['fees', 'coupons', 'creditNotes', 'progressiveBillingCredit', 'subTotalExcludingTaxes', 'taxes', 'total'],
    ...['subTotalIncludingTaxes', 'prepaidCredit', 'prepaidGrantedCredit', 'prepaidPurchasedCredit'],
  ].map((name) => [`${name}AmountCents`, 0n]),
);

function invoiceOf(fees: readonly InvoiceFee[]): MadeInvoice {
  const at = NOW.getTime();
  return {
    ...sums,
    ...{ type: 'subscription', status: 'finalized', paymentStatus: 'pending', currency: 'EUR', selfBilled: false },
    ...{ issuingDate: '2026-11-01', paymentDueDate: '2026-11-01', expectedFinalizationDate: '2026-11-01' },
    ...{ netPaymentTerm: 0, taxesRate: ZERO, appliedTaxes: [], fees },
    billingPeriods: [
      {
        ...{ subscriptionId: SUBSCRIPTION, planId: PLAN, reason: 'subscription_periodic', billedAt: at },
        ...{ from: at, to: at, chargesFrom: at, chargesTo: at, fixedChargesFrom: at, fixedChargesTo: at },
      },
    ],
    appliedThresholds: [],
  } as unknown as MadeInvoice;
}

/** Decimals as text: two that are equal may have been made in different ways. */
const shown = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, function (this: Record<string, unknown>, name, inner) {
      const own = this[name];
      if (own instanceof Decimal) return own.toDecimalPlaces(30).toFixed();
      return typeof inner === 'bigint' ? `${inner}n` : inner;
    }),
  );

it('a fee of any kind comes back from the database as it was computed, with its taxes, pricing unit and true-up', async () => {
  const actor: Actor = { organizationId, now: NOW, keyId: 'none', requestId: 'none' };
  const entity = await db.prisma.billingEntity.findFirstOrThrow({ where: { organizationId } });
  const owner = { customerId: CUSTOMER as string, billingEntityId: entity.id };
  let rank = 0;
  let replaced: string | null = null;
  await fc.assert(
    fc.asyncProperty(fc.array(members, { minLength: 1, maxLength: 6 }), async (list) => {
      const fees = list.map((one, index) => feeOf(one, index, replaced));
      const numbering = { number: `N-${++rank}`, sequentialId: rank, billingEntitySequentialId: null };
      const invoiceId = newId(NOW);
      const back = await transactionOf(forOrganization(db.prisma, organizationId), async (tx) => {
        await addInvoices(tx, [{ actor, owner, invoice: { ...invoiceOf(fees), ...numbering, id: invoiceId } }]);
        const account = await loadAccount(tx, CUSTOMER as string, ['s'], NOW);
        await tx.invoice.update({ where: { id: invoiceId }, data: { status: 'closed' } });
        return account?.pastInvoices.find((invoice) => invoice.id === invoiceId)?.fees ?? [];
      });
      const keyOf = new Map(back.map(({ key }, index) => [key, String(index)]));
      const named = back.map((fee) => ({
        ...{ ...fee, key: keyOf.get(fee.key) },
        trueUpParentKey: fee.trueUpParentKey && keyOf.get(fee.trueUpParentKey),
      }));
      expect(shown(named)).toEqual(shown(fees));
      replaced = back.at(-1)?.key ?? null;
    }),
    { numRuns: 60 },
  );
}, 120_000);
