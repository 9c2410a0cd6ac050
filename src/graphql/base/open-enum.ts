import { type GraphQLSchema, isEnumType } from 'graphql';
import { builder, type Model } from './builder.ts';

// Columns of text whose values the contract counts up. An import may bring others, which must fail no query.

const OTHER = 'other';

/** A value that is none of its type: `other` in GraphQL; whoever writes what is stored writes that. */
class OtherValue {
  constructor(private readonly stored: unknown) {}

  toJSON(): string {
    return OTHER;
  }

  asPlain(): unknown {
    return this.stored;
  }
}

function openEnum(name: string, description: string, meanings: Readonly<Record<string, string>>) {
  const all = { ...meanings, [OTHER]: 'None of these. REST shows what is stored.' };
  const values = Object.entries(all).map(([value, meaning]) => [value, { description: meaning }]);
  return builder.enumType(name, { description, values: Object.fromEntries(values), extensions: { isOpen: true } });
}

export const FeeItemType = openEnum('FeeItemType', 'What kind of thing was sold.', {
  BillableMetric: 'Usage of a metric.',
  AddOn: 'An add-on, or a fixed charge of one.',
  Subscription: 'A period of a subscription.',
  WalletTransaction: 'Prepaid credits.',
});

const PaymentProviderType = openEnum('PaymentProviderType', 'Who collects payments.', {
  adyen: 'Adyen.',
  cashfree: 'Cashfree.',
  flutterwave: 'Flutterwave.',
  gocardless: 'GoCardless.',
  moneyhash: 'MoneyHash.',
  stripe: 'Stripe.',
});

const OF_COLUMNS = {
  ActivationRule: {
    type: openEnum('ActivationRuleType', 'Kind of an activation rule.', { payment: 'The first invoice must be paid.' }),
  },
  BillableMetric: {
    weightedInterval: openEnum('WeightedInterval', 'Unit of time that a sum is weighted by.', { seconds: 'A second.' }),
  },
  IntegrationCustomer: {
    type: openEnum('IntegrationType', 'Kind of another system.', {
      anrok: 'Taxes, by Anrok.',
      hubspot: 'Relations to customers, by HubSpot.',
      netsuite: 'Accounting, by NetSuite.',
      salesforce: 'Relations to customers, by Salesforce.',
      xero: 'Accounting, by Xero.',
    }),
  },
  Payment: { paymentProviderType: PaymentProviderType },
} as const;

type OpenEnum = typeof FeeItemType;

/** The type of a column of text whose values the contract counts up. */
export const openEnumOf = (model: Model, column: string): OpenEnum | undefined =>
  (OF_COLUMNS as Partial<Record<Model, Readonly<Record<string, OpenEnum>>>>)[model]?.[column];

/** Lets every such type show what it does not know as `other`. */
export function openEnums(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || !type.extensions.isOpen) continue;
    const known = new Set(type.getValues().map(({ name }) => name));
    const serialize = (value: unknown) => (known.has(String(value)) ? value : new OtherValue(value));
    Object.assign(type, { serialize });
  }
  return schema;
}
