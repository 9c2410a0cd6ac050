import { type GraphQLObjectType, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';
import { rowMaker } from '../rows.ts';

const types = Object.values(schema.getTypeMap()).filter(isObjectType);
const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());
const isCurrency = ({ name }: { name: string }) => /^(c|.*C)urrency$/.test(name);

/** Amounts without a currency beside them: the object that has it, or why there is none. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  Charge: 'plan',
  WalletTransaction: 'wallet',
  MinimumCommitment: 'is seen inside its plan only, in whose currency it is',
  UsageThreshold: 'is seen inside its plan, or inside an invoice in the same currency',
  UsageThresholdPreview: 'is seen inside an invoice, in whose currency it is',
  AppliedUsageThreshold: 'is seen inside its invoice only, in whose currency it is',
  AppliedUsageThresholdPreview: 'is seen inside its invoice only, in whose currency it is',
  PlanBreakdown: 'is seen inside its fee only, in whose currency it is',
  PricingUnitUsage: 'counts pricing units, which are no currency',
  PricingUnitUsagePreview: 'counts pricing units, which are no currency',
  LifetimeUsageThreshold: 'is seen inside the usage of a subscription only, in whose currency it is',
  FeeStep: 'is seen inside the explanation of its fee only, in whose currency it is',
  FilterUsage: 'is seen inside the usage of a charge only, in whose currency it is',
  DailyUsageLine: 'is seen inside the usage of a day only, in whose currency it is',
  GroupUsage: 'is seen inside the usage of a charge only, in whose currency it is',
  UsagePricingUnit: 'counts pricing units, which are no currency',
  Event: 'is in the currency of a plan that is only known when it is billed',
};

describe('every currency is shown with its details', () => {
  it('beside it, null where it is null', () => {
    const shown = types.filter((type) => fieldsOf(type).some(isCurrency));
    expect(shown.length).toBeGreaterThan(35);
    const wanted = shown.map((type) => [
      type.name,
      fieldsOf(type).some((one) => isCurrency(one) && isNonNullType(one.type)),
    ]);
    const found = shown.map((type) => {
      const details = type.getFields().currencyDetails?.type;
      return [type.name, details && isNonNullType(details)];
    });
    expect(found).toEqual(wanted);
  });

  it('of every amount in minor units, or where else', () => {
    const without = types.filter(
      (type) => fieldsOf(type).some(({ name }) => /Cents$/.test(name)) && !type.getFields().currencyDetails,
    );
    expect(without.map(({ name }) => name).sort()).toEqual(Object.keys(ELSEWHERE).sort());
    const ways = without.flatMap((type) => type.getFields()[ELSEWHERE[type.name] ?? ''] ?? []);
    expect(ways.map(({ type }) => String(type))).toEqual(['Plan!', 'Wallet!']);
  });
});

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const make = rowMaker(app.db, app.organizationId);
  const codes = ['EUR', 'JPY', 'KWD', 'CLF', 'HUF', 'ZZZ', null];
  const customers = await make.many(
    'Customer',
    codes.map((currency, index) => ({
      externalId: `c-${index}`,
      slug: `C-${index}`,
      currency,
    })),
  );
  const plan = await make('Plan', { code: 'p', amountCurrency: 'KWD' });
  for (const { id, currency } of customers) {
    if (!currency) continue;
    await make('Invoice', {
      customerId: id,
      currency,
      status: 'finalized',
      totalAmountCents: 100n,
    });
    await make('Subscription', { customerId: id, planId: plan.id });
  }
});
afterAll(() => app?.close());

const ROWS = `{ customers(first: 100, orderBy: {field: external_id}) { nodes { currency DETAILS
  outstandingBalances { currency DETAILS } subscriptions { nodes { planAmountCurrency DETAILS } } }
  } invoices { nodes { currency DETAILS } aggregates { sums { currency DETAILS } } } }`;
const DIGITS: Readonly<Record<string, number>> = {
  EUR: 2,
  JPY: 0,
  KWD: 3,
  CLF: 4,
  HUF: 2,
  ZZZ: 2,
};

/** Every currency in an answer with its details. */
function pairsOf(value: unknown): [unknown, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  const row = value as Record<string, unknown>;
  const own: [unknown, unknown][] =
    'currencyDetails' in row
      ? [[row.currency === undefined ? row.planAmountCurrency : row.currency, row.currencyDetails]]
      : [];
  return [...own, ...Object.entries(row).flatMap(([name, one]) => (name === 'currencyDetails' ? [] : pairsOf(one)))];
}

describe('what is known of a currency', () => {
  it('is told beside it, the first time and again, without a statement', async () => {
    const query = ROWS.replaceAll('DETAILS', 'currencyDetails { code exponent }');
    const plain = ROWS.replaceAll('DETAILS', '');
    const answers = [await app.graphql(query), await app.graphql(query), await app.graphql(query)];
    for (const { data, errors } of answers) {
      expect(errors).toBeUndefined();
      const pairs = pairsOf(data);
      expect(pairs.length).toBe(7 + 6 + 6 + 6 + 6);
      for (const [code, details] of pairs) {
        expect(details).toEqual(code === null ? null : { code, exponent: DIGITS[String(code)] });
      }
    }
    await app.graphql(plain);
    const counted = (text: string) => countStatements(app.db, () => app.graphql(text));
    expect(await counted(query)).toBe(await counted(plain));
  });

  it('is told of what is previewed', async () => {
    const { data, errors } = await app.graphql(
      `{ invoicePreview(input: { planCode: "p", customer: { name: "X", currency: "KWD" } }) {
        currency currencyDetails { code exponent } customer { currencyDetails { exponent } }
        allFees { currencyDetails { exponent } }
        ... on AnyInvoice { subscriptions { currencyDetails { exponent } } }
      } }`,
    );
    expect(errors).toBeUndefined();
    const three = { currencyDetails: { exponent: 3 } };
    expect(data.invoicePreview).toEqual({
      ...{
        currency: 'KWD',
        currencyDetails: { code: 'KWD', exponent: 3 },
        customer: three,
      },
      ...{ allFees: [three], subscriptions: [three] },
    });
  });

  it('is listed for any key', async () => {
    const key = await app.makeKey({ kind: 'publishable' });
    const { data } = await app.graphql('{ currencies { code exponent } }', {}, key);
    const exponents = Object.fromEntries(
      data.currencies.map((one: Record<string, unknown>) => [one.code, one.exponent]),
    );
    expect(exponents).toMatchObject({
      EUR: 2,
      HUF: 2,
      JPY: 0,
      KWD: 3,
      CLF: 4,
      UGX: 0,
      TND: 3,
    });
    const codes = Object.keys(exponents);
    expect(codes).toEqual([...codes].sort());
    expect(codes.length).toBeGreaterThan(140);
  });

  it('costs as little as its code', async () => {
    const costOf = async (shown: string) =>
      (await app.graphql(`{ invoices(first: 100) { nodes { currency ${shown} } } }`)).body.extensions.cost.requested;
    expect(await costOf('currencyDetails { exponent }')).toBe(await costOf(''));
  });
});
