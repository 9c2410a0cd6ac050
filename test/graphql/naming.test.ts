import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';

interface Member {
  /** `Invoice.fees` or `Query.invoices(filter)`. */
  readonly place: string;
  readonly name: string;
  readonly type: string;
  readonly field: GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

const singular = (name: string) =>
  name
    .replace(/ies$/, 'y')
    .replace(/([sx])es$/, '$1')
    .replace(/([^s])s$/, '$1');

const nameOf = (type: GraphQLType): string => getNamedType(type).name;

function* membersOf(type: (typeof types)[number]): Generator<Member> {
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return;
  for (const field of Object.values(type.getFields())) {
    const place = `${type.name}.${field.name}`;
    yield { place, name: field.name, type: nameOf(field.type), field };
    if (!('args' in field)) continue;
    for (const argument of field.args)
      yield {
        place: `${place}(${argument.name})`,
        name: argument.name,
        type: nameOf(argument.type),
        field: argument,
      };
  }
}

const members = types.flatMap((type) => [...membersOf(type)]).filter(({ field }) => !field.deprecationReason);

// The first that fits counts.
const RULES: readonly (readonly [name: RegExp, types: readonly string[]])[] = [
  [/^svc[A-Z]\w*Id$|^svcId$/, ['UUID']],
  [/^ids?$/, ['ID']],
  [/At$|Datetime$|^timestamp$/, ['DateTime', 'DateTimeRange', 'DateOrDateTime']],
  [/^preciseTimestamp$/, ['PreciseDateTime']],
  [/Date$|^month$/, ['Date', 'DateRange']],
  [/^(precise|subTotal\w*Precise|taxesPrecise)\w*Cents$/, ['Decimal']],
  [/Cents$/, ['BigInt', 'AmountRange']],
  [/^precise|Precise|^units$|AggregatedUnits$|[cC]redits?Balance$/, ['Decimal']],
  [/^conversionRate$/, ['Decimal']], // of a unit in a currency
  [/^rate$|Rate$|[pP]ercent/, ['Percentage']],
  [/Count$|^page$|^perPage$|^first$|^last$/, ['Int']],
  [/^(is|has|include)[A-Z]/, ['Boolean']],
  [/^country$|Country$/, ['CountryCode']],
  [/^timezone$|Timezone$/, ['TimeZone']],
  [/^documentLocale$/, ['Locale']],
  [/^url$|Url$/, ['URL']],
  [/^email$|Email$|^recipient$/, ['EmailAddress']],
  [/^external\w*Ids?$|[cC]odes?$/, ['String']],
];

// What is called otherwise on the wire of REST, or takes more than one kind of value, is called so here too.
const OTHERWISE: Readonly<Record<string, string>> = {
  'ExpressionEventInput.timestamp': 'kept to the millisecond, as `timestamp` of REST',
  'EstimatedEventInput.timestamp': 'kept to the millisecond, as `timestamp` of REST',
  'RecordEventInput.timestamp': 'kept to the millisecond, as `timestamp` of REST',
  'AnyFee.fromDate': 'a moment, as `from_date` of REST',
  'AnyFee.toDate': 'a moment, as `to_date` of REST',
  'Fee.fromDate': 'a moment, as `from_date` of REST',
  'Fee.toDate': 'a moment, as `to_date` of REST',
  'FeePreview.fromDate': 'a moment, as `from_date` of REST',
  'FeePreview.toDate': 'a moment, as `to_date` of REST',
  'FeeFilter.fromDate': 'a moment, as `from_date` of REST',
  'AppliedCoupon.percentageRateDecimal': 'its digits, as `percentage_rate` of REST',
  'Coupon.percentageRateDecimal': 'its digits, as `percentage_rate` of REST',
  'CustomerMetadataInput.id': 'of the row, as `id` of REST',
  'InvoiceMetadataInput.id': 'of the row, as `id` of REST',
  'UpdatePlanChargeInput.id': 'of the row, as `id` of REST',
  'UpdatePlanFixedChargeInput.id': 'of the row, as `id` of REST',
  'ChargeOverrideInput.id': 'of the row, as `id` of REST',
  'FixedChargeOverrideInput.id': 'of the row, as `id` of REST',
  'PricingInput.percentage': 'a charge model',
  'PricingInput.graduatedPercentage': 'a charge model',
};

it('a name says which type a value has', () => {
  const ruled = members.flatMap((member) => {
    const rule = RULES.find(([name]) => name.test(member.name));
    return rule ? [{ ...member, allowed: rule[1] }] : [];
  });
  expect(ruled.length).toBeGreaterThan(500);
  const odd = ruled.filter(({ type, allowed }) => !allowed.includes(type));
  const told = odd.map(({ place, type }) => `${place}: ${type}`);
  expect(told.filter((one) => !((one.split(':')[0] as string) in OTHERWISE))).toEqual([]);
  expect(Object.keys(OTHERWISE).filter((place) => !odd.some((one) => one.place === place))).toEqual([]);
});

it('no value is a Float, which keeps seventeen digits', () => {
  const floats = members.filter(({ type }) => type === 'Float');
  // As `units` and `trial_period` of REST, which are numbers.
  expect(floats.map(({ place }) => place).sort()).toEqual([
    ...['Alert.previousValueNumber', 'FixedCharge.unitsNumber'],
    ...['InstantFee.amountNumber', 'InstantFee.unitAmountNumber'],
    ...['LifetimeUsageThreshold.completionRatio', 'Plan.trialPeriodNumber'],
  ]);
});

// Members whose values the contract of all operations counts up.
const CLOSED = new Set(
  (
    'accountType customerType aggregationType alertType billingTime cancellationReason chargeModel couponStatus couponType ' +
    'creditStatus documentNumbering emailSettings errorCode expiration feeTypes feeType finalizeZeroAmountInvoice frequency ' +
    'integrationType interval invoiceType invoicingReason itemType method mode onTerminationCreditNote ' +
    'onTerminationInvoice payableType paymentMethodType paymentProvider paymentProviderType paymentStatus reason ' +
    'refundStatus regroupPaidFees roundingFunction source status subscriptionInvoiceIssuingDateAdjustment ' +
    'subscriptionInvoiceIssuingDateAnchor transactionStatus transactionType trigger type valueType weightedInterval'
  ).split(' '),
);

const OPEN: Readonly<Record<string, string>> = {
  'AnyInvoiceErrorDetail.errorCode': 'the contract counts up those of credit notes only',
  'InvoiceErrorDetail.errorCode': 'the contract counts up those of credit notes only',
  'InvoiceErrorDetailPreview.errorCode': 'the contract counts up those of credit notes only',
  'InvoicePaymentPage.paymentProvider': 'a text of the customer',
  'BillingConfiguration.paymentProvider': 'the contract counts up others in other places',
  'CustomerCheckout.paymentProvider': 'as where the customer has it',
  'CustomerBillingConfigurationInput.paymentProvider': 'another one is refused by name',
  'IntegrationCustomerInput.integrationType': 'another one is refused by name, as in REST',
  'ActivationRuleInput.type': 'another one is refused by name, as in REST',
  'BillingEntity.emailSettings': 'values with a point, which no enumeration takes',
  'CreateBillingEntityInput.emailSettings': 'the same',
  'Organization.emailSettings': 'the same',
  'UpdateOrganizationInput.emailSettings': 'the same',
  'UpdateBillingEntityInput.emailSettings': 'the same',
  'PreviewIntegrationInput.integrationType': 'another one is not found, as in REST',
};

it('no value that the contract counts up is a text', () => {
  const texts = members.filter(({ name, type }) => CLOSED.has(name) && type === 'String').map(({ place }) => place);
  expect(texts.sort()).toEqual(Object.keys(OPEN).sort());
});

// What one write changed is shown as it was changed.
const OF_ONE_WRITE = 'MutationChanges.';

it('every list is narrowed by `filter` and ordered by `orderBy`, wherever it stands', () => {
  const lists = members.filter(
    ({ place, type, field }) => type.endsWith('Connection') && 'args' in field && !place.startsWith(OF_ONE_WRITE),
  );
  expect(lists.length).toBeGreaterThan(30);
  const argumentsOf = ({ field }: Member) =>
    'args' in field
      ? ['filter', 'orderBy'].map((name) => String(field.args.find((one) => one.name === name)?.type))
      : [];
  const bare = lists.filter((list) => {
    const [filter, order] = argumentsOf(list);
    return !filter?.endsWith('Filter') || !order?.endsWith('Order');
  });
  expect(bare.map(({ place }) => place)).toEqual([]);
  // The same objects are narrowed in the same way in every list of them.
  const shapes = new Map(lists.map((list) => [`${list.type} ${argumentsOf(list)}`, list.type]));
  expect(shapes.size).toBe(new Set(shapes.values()).size);
});

it('no type calls one thing `type` and another one `...Type`', () => {
  const names = new Map<string, string[]>();
  for (const { place, name, type } of members) {
    if (name === 'type' || (/Type$/.test(name) && type !== 'Boolean')) {
      const owner = place.split('.')[0] as string;
      names.set(owner, [...(names.get(owner) ?? []), name]);
    }
  }
  const both = [...names].filter(([, known]) => known.includes('type') && known.length > 1);
  expect(both.map(([owner, known]) => `${owner}: ${known.join(', ')}`)).toEqual([]);
});

/** What a member of another object is called there, where its owner shows both the object and the member: `couponStatus` is `status` of `coupon`. */
function nameAtHome({ place, name, type }: Member): string {
  const owner = schema.getType(place.split('.')[0] ?? '');
  const [, other = '', capital = '', rest = ''] = /^([a-z]+)([A-Z])(\w+)$/.exec(name) ?? [];
  const object = isObjectType(owner) ? getNamedType(owner.getFields()[other]?.type) : undefined;
  const own = `${capital.toLowerCase()}${rest}`;
  const there = isObjectType(object) ? object.getFields()[own] : undefined;
  return there && nameOf(there.type) === type ? own : name;
}

it('values of one enumeration are called by one name, wherever they are shown, asked for or given', () => {
  const names = new Map<string, Set<string>>();
  for (const member of members) {
    const { type } = member;
    if (!isEnumType(schema.getType(type))) continue;
    names.set(type, new Set([...(names.get(type) ?? []), singular(nameAtHome(member))]));
  }
  expect(names.size).toBeGreaterThan(50);
  const several = [...names].filter(([, known]) => known.size > 1);
  expect(several.map(([type, known]) => `${type}: ${[...known].join(', ')}`)).toEqual([]);
});

// What an object is to another one, where that is not its kind.
const ROLES =
  /^(node|parent|key|item|metadata|changes|filter|previousSubscription|(progressiveBilling|voided|regenerated|activation)Invoice)$|^(all|original|trueUpParent|selected)[A-Z]/;
const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

it('a field that shows an object is called as its type, unless its name says another role', () => {
  const nodes = members.filter(({ place, type }) => {
    const shown = schema.getType(type);
    const isRoot = /^(Query|Mutation|Subscription)\./.test(place);
    return isObjectType(shown) && !isRoot && shown.getInterfaces().some(({ name }) => name === 'Node');
  });
  expect(nodes.length).toBeGreaterThan(100);
  const odd = nodes.filter(({ name, type }) => !ROLES.test(singular(name)) && !type.endsWith(capital(singular(name))));
  // As REST calls them.
  expect(odd.map(({ place, type }) => `${place}: ${type}`)).toEqual([
    'Customer.applicableInvoiceCustomSections: InvoiceCustomSection',
    'Fee.pricingUnitDetails: PricingUnitUsage',
    'BillingSubscription.applicableUsageThresholds: UsageThreshold',
    'Invoice.appliedInvoiceCustomSections: InvoiceAppliedCustomSection',
  ]);
});

it('a condition on a column is called as the field that shows it', () => {
  const filters = types.filter((type) => isInputObjectType(type) && type.name.endsWith('Filter'));
  const inputs = members.filter(({ place }) => filters.some(({ name }) => place.startsWith(`${name}.`)));
  expect(inputs.length).toBeGreaterThan(80);
  const unclear = inputs.filter(({ name }) =>
    ['type', 'kind', 'billingEntityCodes', 'customerExternalId'].includes(name),
  );
  expect(unclear.map(({ place }) => place)).toEqual([]);
});

it("arguments and fields call a customer's identifier `externalCustomerId`", () => {
  const odd = members.filter(({ name }) => /^customerExternalId|^externalCustomerIds$/.test(name));
  expect(odd.map(({ place }) => place)).toEqual([]);
  // The object's own identifier is `externalId`, as the field that shows it.
  const own = members.filter(({ place, name }) => name === 'externalId' && place.includes('('));
  expect(own.map(({ place }) => place)).toEqual([
    ...['Query.customer(externalId)', 'Query.subscription(externalId)', 'Mutation.destroyCustomer(externalId)'],
    'Mutation.updateLifetimeUsage(externalId)',
    ...['Mutation.updateSubscription(externalId)', 'Mutation.terminateSubscription(externalId)'],
  ]);
});
