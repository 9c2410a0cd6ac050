import { defaultNumberPrefix } from '../../billing/invoice/numbering.ts';
import { COMMON, COMMON_BILLING } from '../../billing/resource/billing-entity.ts';
import type { Field, Fields } from '../../billing/resource/field.ts';
import { ORGANIZATION } from '../../billing/resource/organization.ts';
import { refusalOfSent } from '../../billing/resource/resource.ts';
import { updateOrganization } from '../../engine/customer/organization.ts';
import { advanceClock } from '../../engine/subscription/advance-clock.ts';
import { BY_CODE } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { columnOf, columnType, type Selecting, selectedField } from '../base/column.ts';
import { currencyDetails, currencyOf } from '../base/currency.ts';
import { derivesFrom } from '../base/guard.ts';
import { actorOf } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { lookup } from '../list/root.ts';
import { ungrouped } from '../write/group.ts';
import { mutation } from '../write/mutation.ts';
import { fieldsOf } from '../write/resource.ts';

const OWNER = { name: 'billing_entity', model: 'BillingEntity' } as const;
const NUMBERING = 'Whether invoices are numbered per customer or per organization.';

const Numbering = builder.enumType('OrganizationNumbering', {
  description: 'How documents are numbered.',
  values: {
    per_customer: { value: 'per_customer', description: 'Each customer has numbers of its own.' },
    per_organization: {
      value: 'per_billing_entity',
      description: 'All invoices of the billing entity have one series.',
    },
  },
});

const MEMBERS: Fields = { ...COMMON, ...COMMON_BILLING };
const SHOWN = ['id', 'name', 'documentNumbering', ...Object.keys(MEMBERS)];

/** The entity whose members are the organization's; every field asks for the same of it. */
const ENTITY = {
  ...{ id: true, name: true },
  billingEntities: {
    where: { isDefault: true, deletedAt: null },
    take: 1,
    select: Object.fromEntries(SHOWN.map((name) => [name, true])),
  },
};

type Row = Readonly<Record<string, unknown>>;

/** A member of the default entity, else what one would have that is made now. */
function memberOf(row: Row, name: string): unknown {
  const [entity] = row.billingEntities as readonly Row[];
  if (name === 'documentNumberPrefix') {
    const of = (entity ?? row) as {
      readonly id: string;
      readonly name: string;
      readonly documentNumberPrefix?: string;
    };
    return of.documentNumberPrefix ?? defaultNumberPrefix(of);
  }
  if (!entity) return MEMBERS[name]?.initial ?? (name === 'documentNumbering' ? 'per_customer' : null);
  return entity[name];
}

const nullable = (name: string, { initial }: Field) => initial === undefined && name !== 'documentNumberPrefix';

const shownMembers = (t: Selecting, members: Fields) =>
  Object.fromEntries(
    Object.entries(members).map(([name, field]) => {
      const { documentation, isList } = columnOf(OWNER.model, name);
      const type = columnType(OWNER.model, name);
      const shown = selectedField(t, {
        ...derivesFrom('billing_entity'),
        ...{ type: isList ? [type] : type, nullable: nullable(name, field), description: documentation },
        select: ENTITY,
        resolve: (row) => memberOf(row, name),
      });
      return [name, shown];
    }),
  );

const Configuration = builder.objectRef<Row>('OrganizationBillingConfiguration').implement({
  description: 'How invoices of the default billing entity are made.',
  fields: (t) => ({
    invoiceFooter: t.string({
      nullable: true,
      description: 'Text printed at the foot of every invoice.',
      resolve: (row) => memberOf(row, 'invoiceFooter') as string | null,
    }),
    invoiceGracePeriod: t.int({
      description: 'Days between the end of a period and the finalization of its invoice.',
      resolve: (row) => memberOf(row, 'invoiceGracePeriod') as number,
    }),
    documentLocale: t.field({
      type: 'Locale',
      description: "Language of the entity's documents.",
      resolve: (row) => memberOf(row, 'documentLocale') as string,
    }),
  }),
});

defineNode('Organization', {
  resource: 'organization',
  fields: (t) => ({
    ...shownMembers(t as Selecting, COMMON),
    currencyDetails: selectedField(t as Selecting, {
      ...derivesFrom('billing_entity'),
      ...{ type: currencyDetails('code').type, description: currencyDetails('code').description },
      select: ENTITY,
      resolve: (row) => currencyOf(String(memberOf(row, 'defaultCurrency'))),
    }),
    billingConfiguration: selectedField(t as Selecting, {
      ...derivesFrom('billing_entity'),
      ...{ type: Configuration, description: 'How invoices of the default billing entity are made.' },
      select: ENTITY,
      resolve: (row) => row,
    }),
    webhookUrls: t.field({
      type: ['URL'],
      description: 'The same as a list.',
      select: { webhookUrl: true },
      resolve: ({ webhookUrl }) => (webhookUrl === null ? [] : [webhookUrl]),
    }),
    documentNumbering: selectedField(t as Selecting, {
      ...derivesFrom('billing_entity'),
      ...{ type: Numbering, description: NUMBERING },
      select: ENTITY,
      resolve: (row) => memberOf(row, 'documentNumbering'),
    }),
    taxes: t.relation('taxes', {
      description: 'Taxes that are applied by default.',
      query: { where: { appliedToOrganization: true, deletedAt: null }, orderBy: BY_CODE },
    }),
  }),
});

lookup('organization', 'Organization', {
  resource: 'organization',
  description: 'The organization that the key opens.',
  args: builder.args(() => ({})),
  query: (_args, context) => ({ where: { id: context.caller.organizationId } }),
});

const AdvanceClockInput = builder.inputType('AdvanceClockInput', {
  description: 'What time it becomes.',
  fields: (t) => ({
    to: t.field({
      type: 'DateTime',
      required: true,
      description: 'After the present time of the clock, by 800 days at most (`to: value_is_out_of_range`).',
    }),
  }),
});

mutation('advanceClock', 'Organization', {
  resource: 'organization',
  description:
    'Moves the clock of a test organization on. It answers when all is done that happens by itself until then, in its order: subscriptions that start and end, invoices that are due, drafts that become final. An organization of real time has no clock (`method_not_allowed`); `keys create --test-clock` makes one that has.',
  args: builder.args((t) => ({
    input: t.field({ type: AdvanceClockInput, required: true, description: 'The time.' }),
  })),
  write: ({ input }, context) =>
    advanceClock(context.db, actorOf(context), input.to, context.dryRun ? undefined : context.checkVat),
});

const BillingConfiguration = builder.inputType('OrganizationBillingConfigurationInput', {
  description: 'How invoices are made. Absent members keep their values.',
  fields: (t) => fieldsOf(t, OWNER, COMMON_BILLING, 'update'),
});

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description:
    'What changes of the organization and of its default billing entity. Absent members keep their values; null clears what can be empty, and is ' +
    'as absent elsewhere.',
  extensions: { refusal: (input: object) => refusalOfSent(ORGANIZATION, ungrouped(ORGANIZATION.fields, input)) },
  fields: (t) => ({
    webhookUrl: t.field({
      type: 'URL',
      description: 'Where the organization is told of what happens, over http or https.',
    }),
    documentNumbering: t.field({ type: Numbering, description: NUMBERING }),
    ...fieldsOf(t, OWNER, COMMON, 'update'),
    billingConfiguration: t.field({ type: BillingConfiguration, description: 'How invoices are made.' }),
  }),
});

mutation('updateOrganization', 'Organization', {
  resource: 'organization',
  description: 'Changes the organization and its default billing entity, which have these members in common.',
  args: builder.args((t) => ({
    input: t.field({ type: UpdateOrganizationInput, required: true, description: 'What changes.' }),
  })),
  write: ({ input }, context) =>
    updateOrganization(context.db, actorOf(context), ungrouped(ORGANIZATION.fields, input)),
});
