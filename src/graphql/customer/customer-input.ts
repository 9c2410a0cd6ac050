import { CUSTOMER, newCustomerRefusal, type SentCustomer } from '../../billing/resource/customer.ts';
import { CUSTOMERS } from '../../engine/customer/upsert-customer.ts';
import { builder } from '../base/builder.ts';
import { membersIn, ungrouped } from '../write/group.ts';
import { fieldsOf } from '../write/resource.ts';

const owner = { name: CUSTOMER.name, model: CUSTOMERS.model };

const groupInput = (name: string, group: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => fieldsOf(t, owner, membersIn(CUSTOMER.fields, group), 'update'),
  });

const GROUPS = {
  shippingAddress: groupInput(
    'CustomerShippingAddressInput',
    'shippingAddress',
    'Where goods are sent. Absent members keep their values; null clears.',
  ),
  billingConfiguration: groupInput(
    'CustomerBillingConfigurationInput',
    'billingConfiguration',
    'How a customer is billed. Absent members keep their values; null goes by the billing entity.',
  ),
};

const MetadataInput = builder.inputType('CustomerMetadataInput', {
  description: 'A key-value pair of a customer: the one of the identifier, else the one of the key, else a new one.',
  fields: (t) => ({
    id: t.field({ type: 'UUID', description: 'Identifier assigned by the service, where its key is to be another.' }),
    key: t.string({ required: true, description: 'Name of the pair, once in a customer: 1 to 20 characters.' }),
    value: t.string({ required: true, description: 'Text of the pair: 1 to 100 characters.' }),
    displayInInvoice: t.boolean({ description: 'Whether the pair is printed on invoices. False by default.' }),
  }),
});

const IntegrationInput = builder.inputType('IntegrationCustomerInput', {
  description: 'An account of a customer at another system. It is stored as it is said; no other system is asked.',
  fields: (t) => ({
    integrationType: t.string({
      required: true,
      description: 'Kind of system: netsuite, anrok, xero, hubspot or salesforce, each once.',
    }),
    integrationCode: t.string({ description: 'Code of the connection.' }),
    externalCustomerId: t.string({ description: "The customer's identifier there." }),
    subsidiaryId: t.string({ description: 'Subsidiary, where the system has them.' }),
    targetedObject: t.string({ description: 'The kind of object the customer is there.' }),
    syncWithProvider: t.boolean({ description: 'Whether the customer is created there.' }),
    email: t.field({ type: 'EmailAddress', description: 'Address used there.' }),
  }),
});

type Given = Readonly<Record<string, unknown>>;

/** What an input says, its objects taken apart. The types of its members are those of the resource, which the builder's cannot follow. */
export function sentCustomer(input: object): SentCustomer {
  const { billingEntityCode, metadata, integrationCustomers } = input as Given;
  const members = ungrouped(CUSTOMER.fields, input);
  return { members, billingEntityCode, metadata, integrationCustomers } as SentCustomer;
}

/** What a customer is made of, or changed to. */
export const UpsertCustomerInput = builder.inputType('UpsertCustomerInput', {
  description:
    'A customer: the one who has the external identifier, else a new one. Absent members keep their values; null clears what can be empty and is as ' +
    'absent elsewhere. Lists replace the former ones as a whole; an empty one removes all.',
  extensions: { refusal: (input: object) => newCustomerRefusal(sentCustomer(input)), stored: CUSTOMERS },
  fields: (t) => ({
    ...fieldsOf(t, owner, membersIn(CUSTOMER.fields, undefined), 'create'),
    shippingAddress: t.field({ type: GROUPS.shippingAddress, description: 'Where goods are sent.' }),
    billingConfiguration: t.field({ type: GROUPS.billingConfiguration, description: 'How the customer is billed.' }),
    billingEntityCode: t.string({
      description:
        'Code of the entity that bills the customer; the default one by default. It stays once something was billed.',
    }),
    metadata: t.field({ type: [MetadataInput], description: 'Free key-value pairs, at most 5.' }),
    integrationCustomers: t.field({
      type: [IntegrationInput],
      description: "The customer's accounts at other systems.",
    }),
  }),
});
