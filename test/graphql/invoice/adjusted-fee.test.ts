import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/store/access/api-key.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const DOCUMENT = {
  billing_entities: [{ code: 'main', is_default: true }],
  billable_metrics: [
    { code: 'calls', name: 'Calls', aggregation_type: 'count_agg', filters: [{ key: 'region', values: ['eu'] }] },
    { code: 'volume', name: 'Volume', aggregation_type: 'sum_agg', field_name: 'v' },
  ],
  add_ons: [{ code: 'seat', name: 'Seat', amount_cents: 100, amount_currency: 'EUR' }],
  plans: [
    {
      ...{ code: 'plan', name: 'Plan', interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR' },
      charges: [
        {
          ...{ code: 'calls', billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '5' } },
          min_amount_cents: 3000,
          filters: [{ values: { region: ['eu'] }, properties: { amount: '7' }, invoice_display_name: 'EU' }],
        },
        { code: 'share', billable_metric_code: 'volume', charge_model: 'percentage', properties: { rate: '10' } },
        {
          ...{ code: 'grouped', billable_metric_code: 'volume', charge_model: 'standard' },
          properties: { amount: '1', pricing_group_keys: ['user'] },
        },
      ],
      fixed_charges: [
        { code: 'seats', add_on_code: 'seat', charge_model: 'standard', units: '2', properties: { amount: '10' } },
      ],
      minimum_commitment: { amount_cents: 9000 },
    },
    {
      ...{ code: 'trial', name: 'Trial', interval: 'monthly', amount_cents: 3100, amount_currency: 'EUR' },
      ...{ pay_in_advance: true, trial_period: 30 },
    },
  ],
  customers: ['one', 'two', 'three'].map((external_id) => ({
    ...{ external_id, currency: 'EUR', billing_configuration: { invoice_grace_period: 5 } },
  })),
};

let test: TestApp;
let key: string;
beforeAll(async () => {
  test = await createTestApp();
  const data = { name: 'Adjusted fees', testClockAt: new Date('2023-01-01T00:00:00Z') };
  const { id: organizationId } = await test.db.prisma.organization.create({ data });
  key = (await createKey(test.db.prisma, { organizationId, kind: 'secret' })).key;
  await importDocument(test.db, DOCUMENT, { organization: data.name, now: new Date('2022-12-31T00:00:00Z') });
  for (const customer of ['one', 'two', 'three']) {
    const plan_code = customer === 'three' ? 'trial' : 'plan';
    const subscription = { external_customer_id: customer, external_id: `${customer}-sub`, plan_code };
    expect((await test.rest('POST', '/subscriptions', { subscription }, { key })).status).toBe(200);
  }
  const { errors } = await ask('mutation { advanceClock(input: { to: "2023-02-01T01:00:00Z" }) { testClockAt } }');
  expect(errors).toBeUndefined();
});
afterAll(() => test.close());

const ask = (query: string, variables: object = {}) => test.graphql(query, variables, key);

const INVOICE = `svcId status totalAmountCents allFees {
  svcId amountCents units preciseUnitAmount eventsCount adjustedUnits adjustedPreciseUnitAmount adjustedInvoiceDisplayName
  item { type code invoiceDisplayName filterInvoiceDisplayName } trueUpParentFee { svcId }
  subscription { svcId } charge { svcId filters { svcId } } fixedCharge { svcId }
}`;

// biome-ignore lint/suspicious/noExplicitAny: rows of an answer
type Row = any;

async function draftOf(customer: string): Promise<Row> {
  const { data } = await ask(
    `query ($id: String!) { customer(externalId: $id) { invoices { nodes { ${INVOICE} } } } }`,
    { id: customer },
  );
  return data.customer.invoices.nodes.find(({ status }: Row) => status !== 'voided');
}

const CREATE = `mutation ($svcId: UUID!, $input: AdjustedFeeInput!, $dry: Boolean) {
  fee: createAdjustedFee(svcId: $svcId, input: $input, dryRun: $dry) { svcId amountCents units invoice { ${INVOICE} } }
}`;
const adjust = (svcId: string, input: object, dry = false) => ask(CREATE, { svcId, input, dry });

const TAKE = `mutation ($svcId: UUID!, $svcFeeId: UUID!) {
  it: destroyAdjustedFee(svcId: $svcId, svcFeeId: $svcFeeId) { ${INVOICE} }
}`;

/** The code of a refusal, with what it tells of fields. */
async function refused(svcId: string, input: object) {
  const { data, errors } = await adjust(svcId, input);
  expect(data.fee).toBeNull();
  const { code, errorDetails, reason } = errors?.[0]?.extensions ?? {};
  return errorDetails ?? reason ?? code;
}

const feeOf = ({ allFees }: Row, type: string, isTrueUp = false): Row =>
  allFees.find(({ item, trueUpParentFee }: Row) => item.type === type && (trueUpParentFee !== null) === isTrueUp);
const amounts = ({ allFees }: Row) =>
  Object.fromEntries(
    allFees.map(({ item, trueUpParentFee, amountCents }: Row) => [
      [trueUpParentFee ? 'true-up' : item.type, ...(item.filterInvoiceDisplayName ? ['eu'] : [])].join(' '),
      amountCents,
    ]),
  );

describe('a fee of a draft', () => {
  it('is changed by hand: what follows from it is computed again, and it stays so until the invoice is final', async () => {
    const draft = await draftOf('one');
    expect(draft).toMatchObject({ status: 'draft', totalAmountCents: '9000' });
    expect(amounts(draft)).toEqual({
      ...{ subscription: '1000', charge: '0', 'true-up': '3000', fixed_charge: '2000', commitment: '3000' },
    });
    const seats = feeOf(draft, 'fixed_charge');
    const tried = await adjust(draft.svcId, { svcFeeId: seats.svcId, units: '3' }, true);
    expect(amounts(tried.data.fee.invoice)).toMatchObject({ fixed_charge: '3000', commitment: '2000' });
    expect(amounts(await draftOf('one'))).toEqual(amounts(draft));

    const priced = { svcFeeId: seats.svcId, units: '2.5', preciseUnitAmount: '0.333', invoiceDisplayName: ' Desks ' };
    const { data } = await adjust(draft.svcId, priced);
    expect(data.fee).toMatchObject({ amountCents: '83', units: '2.5' });
    expect(data.fee.svcId).not.toBe(seats.svcId);
    const calls = feeOf(data.fee.invoice, 'charge');
    const added = await adjust(draft.svcId, { svcFeeId: calls.svcId, units: '4' });
    // 20.00 of the 30.00 that are spent at least.
    expect(amounts(added.data.fee.invoice)).toMatchObject({ charge: '2000', 'true-up': '1000', fixed_charge: '83' });

    const { filters, svcId: svcChargeId } = calls.charge;
    const svcSubscriptionId = calls.subscription.svcId;
    const filter = { svcSubscriptionId, svcChargeId, svcChargeFilterId: filters[0].svcId };
    const filtered = await adjust(draft.svcId, { ...filter, units: '1' });
    const after = { subscription: '1000', charge: '2000', 'charge eu': '700', 'true-up': '300', fixed_charge: '83' };
    expect(amounts(filtered.data.fee.invoice)).toEqual({ ...after, commitment: '4917' });
    expect(await refused(draft.svcId, { ...filter, units: '2' })).toEqual({ adjusted_fee: ['already_exists'] });

    for (const step of ['refreshInvoice', 'finalizeInvoice']) {
      const again = await ask(`mutation ($id: UUID!) { it: ${step}(svcId: $id) { ${INVOICE} } }`, { id: draft.svcId });
      expect(amounts(again.data.it)).toEqual({ ...after, commitment: '4917' });
      expect(feeOf(again.data.it, 'fixed_charge')).toMatchObject({
        ...{ adjustedUnits: '2.5', adjustedPreciseUnitAmount: '0.333', preciseUnitAmount: '0.333' },
        item: { invoiceDisplayName: 'Desks' },
      });
    }
    const final = await draftOf('one');
    expect(final.status).toBe('finalized');
    const named = { svcFeeId: feeOf(final, 'subscription').svcId, units: '2' };
    expect(await refused(draft.svcId, named)).toBe('feature_unavailable');
  });

  it('is what is computed once the change is taken back', async () => {
    const draft = await draftOf('two');
    const { svcId } = feeOf(draft, 'subscription');
    const { data } = await adjust(draft.svcId, { svcFeeId: svcId, units: '3' });
    expect(data.fee).toMatchObject({ amountCents: '3000', units: '3.0' });
    const back = await ask(TAKE, { svcId: draft.svcId, svcFeeId: data.fee.svcId });
    expect(amounts(back.data.it)).toEqual(amounts(draft));
    const plain = { svcId: draft.svcId, svcFeeId: feeOf(back.data.it, 'subscription').svcId };
    expect((await ask(TAKE, plain)).errors?.[0]?.message).toBe('adjusted_fee not found');
  });

  it('is refused where it says nothing, follows from others, or is paid by what events say', async () => {
    const draft = await draftOf('two');
    const { svcId } = feeOf(draft, 'subscription');
    const of = (input: object) => refused(draft.svcId, { svcFeeId: svcId, ...input });
    expect(await of({ invoiceDisplayName: '  ' })).toEqual({ units: ['value_is_mandatory'] });
    expect(await of({ preciseUnitAmount: '2' })).toEqual({ units: ['value_is_mandatory'] });
    expect(await of({ units: '-1' })).toEqual({ units: ['value_is_out_of_range'] });
    expect(await of({ units: '1', preciseUnitAmount: '-0.1' })).toEqual({
      precise_unit_amount: ['value_is_out_of_range'],
    });
    for (const fee of [feeOf(draft, 'charge', true), feeOf(draft, 'commitment')])
      expect(await refused(draft.svcId, { svcFeeId: fee.svcId, units: '1' })).toEqual({ fee: ['value_is_invalid'] });
    const { data } = await ask('{ plan(code: "plan") { charges { svcId code } } }');
    const chargeOf = (code: string) => ({
      svcSubscriptionId: feeOf(draft, 'subscription').subscription.svcId,
      svcChargeId: data.plan.charges.find((one: Row) => one.code === code).svcId,
    });
    expect(await refused(draft.svcId, { ...chargeOf('share'), units: '2' })).toEqual({
      charge: ['invalid_charge_model'],
    });
    const priced = await adjust(draft.svcId, { ...chargeOf('share'), units: '2', preciseUnitAmount: '1.5' }, true);
    expect(priced.data.fee.amountCents).toBe('300');
    // Its fees are one a group.
    expect(await refused(draft.svcId, { ...chargeOf('grouped'), units: '2' })).toBe('object_not_found');
    const other = await draftOf('three');
    expect(await refused(other.svcId, { svcFeeId: svcId, units: '2' })).toBe('object_not_found');
    expect(await refused(other.svcId, { ...chargeOf('share'), units: '2' })).toBe('object_not_found');
  });

  it('of the plan alone, at the end of a trial, is changed and taken back as well', async () => {
    const { data: all } = await ask(
      `{ customer(externalId: "three") { invoices { nodes { ${INVOICE} billingPeriods { invoicingReason } } } } }`,
    );
    const draft = all.customer.invoices.nodes.find(
      ({ billingPeriods }: Row) => billingPeriods[0]?.invoicingReason === 'subscription_starting',
    );
    const { amountCents, svcId } = feeOf(draft, 'subscription');
    const { data } = await adjust(draft.svcId, { svcFeeId: svcId, units: '2' });
    expect(data.fee.amountCents).toBe(String(2n * BigInt(amountCents)));
    const back = await ask(TAKE, { svcId: draft.svcId, svcFeeId: data.fee.svcId });
    expect(amounts(back.data.it)).toEqual({ subscription: amountCents });
  });
});
