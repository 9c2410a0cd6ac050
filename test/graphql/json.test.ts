import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';

type Member = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;

/** Every field, member and argument that is JSON. */
const places = Object.values(schema.getTypeMap()).flatMap((own) => {
  const type = own.name;
  if (!isObjectType(own) && !isInterfaceType(own) && !isInputObjectType(own)) return [];
  const members = Object.values(own.getFields()).flatMap((field): [string, Member][] => {
    const place = `${type}.${field.name}`;
    const args: readonly GraphQLArgument[] = 'args' in field ? field.args : [];
    return [[place, field], ...args.map((arg): [string, Member] => [`${place}(${arg.name})`, arg])];
  });
  const json = members.filter(([, member]) => getNamedType(member.type).name === 'JSON');
  return json.map(([place, { description, deprecationReason }]) => ({
    ...{ place, type, description: description ?? '', reason: deprecationReason ?? '' },
  }));
});

/** What has no shape of its own: the caller's, an event's, a provider's; each says so. */
const OPEN: Readonly<Record<string, RegExp>> = {
  'AnyInvoiceErrorDetail.details': /any shape/,
  'CustomPricingInput.customProperties': /any shape/,
  'EstimatedEventInput.properties': /any shape/,
  'Event.properties': /any shape/,
  'EventRefusal.body': /as it was sent/,
  'ExpressionEventInput.properties': /any shape/,
  'InvoiceErrorDetail.details': /any shape/,
  'InvoiceErrorDetailPreview.details': /any shape/,
  'Mutation.mergeWalletMetadata(metadata)': /^An object of keys .* and values/,
  'Mutation.mergePlanMetadata(metadata)': /^An object of keys .* and values/,
  'Mutation.replacePlanMetadata(metadata)': /^An object of keys .* and values/,
  'CreatePlanInput.metadata': /key-value pairs/,
  'Payment.nextAction': /any shape/,
  'EntitlementValueInput.value': /of a shape by its type/,
  'PaymentMethod.details': /any shape/,
  'UpdatePlanInput.metadata': /key-value pairs/,
  'PlanOverridesInput.metadata': /key-value pairs/,
  'PreviewEventInput.properties': /any shape/,
  'RecordEventInput.properties': /any shape/,
};

/** What is a type too, which a client of the graph reads: JSON is what REST answers, in the member names that it has there. */
const TYPED: Readonly<Record<string, string>> = {
  'AnyFee.amountDetails': 'amountBreakdown',
  'AnyFee.presentationBreakdowns': 'presentedUnits',
  'AuditLog.after': 'changes',
  'AuditLog.before': 'changes',
  'Charge.properties': 'pricing',
  'ChargeFilter.properties': 'pricing',
  'ChargeFilter.values': 'filterValues',
  'ChargeUsage.presentationBreakdowns': 'presentedUnits',
  'ChargeUsage.projectedPresentationBreakdowns': 'projectedPresentedUnits',
  'Fee.amountDetails': 'amountBreakdown',
  'Fee.presentationBreakdowns': 'presentedUnits',
  'FeeItem.filters': 'filterValues',
  'FeeItem.groupedBy': 'groupValues',
  'FeaturePrivilege.config': 'selectOptions',
  'FeePreview.amountDetails': 'amountBreakdown',
  'FeePreview.presentationBreakdowns': 'presentedUnits',
  'FilterUsage.presentationBreakdowns': 'presentedUnits',
  'FilterUsage.projectedPresentationBreakdowns': 'projectedPresentedUnits',
  'FilterUsage.values': 'filterValues',
  'FixedCharge.properties': 'pricing',
  'GroupUsage.groupedBy': 'groupValues',
  'GroupUsage.presentationBreakdowns': 'presentedUnits',
  'GroupUsage.projectedPresentationBreakdowns': 'projectedPresentedUnits',
  'Plan.metadata': 'metadataEntries',
  'PlanEntitlementPrivilege.config': 'selectOptions',
  'PlanEntitlementPrivilege.value': 'valueText',
  'RecurringTransactionRule.transactionMetadata': 'transactionMetadataEntries',
  'SubscriptionEntitlement.overrides': 'privileges',
  'SubscriptionEntitlementPrivilege.config': 'selectOptions',
  'SubscriptionEntitlementPrivilege.overrideValue': 'overrideValueText',
  'SubscriptionEntitlementPrivilege.planValue': 'planValueText',
  'SubscriptionEntitlementPrivilege.value': 'valueText',
  'Wallet.metadata': 'metadataEntries',
  'Wallet.metadataObject': 'metadataEntries',
  'WalletTransaction.metadata': 'metadataEntries',
};

/** Inputs that are typed now; they stay as long as their deprecation says. */
const FORMER: Readonly<Record<string, string>> = {
  'ChargeFilterInput.properties': 'pricing',
  'ChargeFilterInput.values': 'filterValues',
  'CreateChargeFilterInput.properties': 'pricing',
  'CreateChargeFilterInput.values': 'filterValues',
  'CreateChargeInput.properties': 'pricing',
  'CreateFixedChargeInput.properties': 'pricing',
  'UpdateChargeFilterInput.properties': 'pricing',
  'UpdateChargeFilterInput.values': 'filterValues',
  'PlanChargeInput.properties': 'pricing',
  'PlanFixedChargeInput.properties': 'pricing',
  'UpdatePlanChargeInput.properties': 'pricing',
  'UpdatePlanFixedChargeInput.properties': 'pricing',
  'UpdateChargeInput.properties': 'pricing',
  'UpdateFixedChargeInput.properties': 'pricing',
  'ChargeOverrideInput.properties': 'pricing',
  'FixedChargeOverrideInput.properties': 'pricing',
  'SubscriptionChargeInput.properties': 'pricing',
  'SubscriptionFixedChargeInput.properties': 'pricing',
  'CreateSubscriptionChargeFilterInput.properties': 'pricing',
  'CreateSubscriptionChargeFilterInput.values': 'filterValues',
  'UpdateSubscriptionChargeFilterInput.properties': 'pricing',
  'UpdateSubscriptionChargeFilterInput.values': 'filterValues',
};

const fieldsOf = (name: string) => {
  const type = schema.getType(name);
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {};
};

describe('JSON', () => {
  it('is only what is listed, and each for a reason', () => {
    expect(places.map(({ place }) => place).sort()).toEqual(
      [OPEN, TYPED, FORMER].flatMap((list) => Object.keys(list)).sort(),
    );
  });

  it('of no shape says so', () => {
    for (const { place, description } of places) expect(description, place).toMatch(OPEN[place] ?? /./);
  });

  it('of a fixed shape stands beside a field that is no JSON', () => {
    for (const { place, type, reason } of places) {
      const sibling = { ...TYPED, ...FORMER }[place];
      if (sibling === undefined) continue;
      const typed = fieldsOf(type)[sibling];
      expect(typed && getNamedType(typed.type).name, place).not.toBe('JSON');
      expect(typed, place).toBeDefined();
      if (place in FORMER) expect(reason, place).toContain(`\`${sibling}\``);
      // A reader of the typed field learns what REST calls it.
      else
        expect(`${typed?.description} ${fieldsOf(type)[place.split('.')[1] ?? '']?.description}`).toMatch(
          /JSON|typed|`before` and `after`/,
        );
    }
  });
});
