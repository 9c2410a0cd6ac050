import { privilegeRefusal } from '../../billing/catalogue/entitlement/privilege.ts';
import { deleteFeaturePrivilege } from '../../engine/catalogue/feature/delete-privilege.ts';
import { FEATURES, type FeatureBody } from '../../engine/catalogue/feature/feature.ts';
import { FILTER_ORDER } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { mutation } from '../write/mutation.ts';
import { type InputFields, resourceMutations } from '../write/resource.ts';
import { featureFilter } from './catalogue-filter.ts';
import { configOf } from './privilege-config.ts';

defineNode('FeaturePrivilege', {
  resource: 'feature',
  fields: (t) => ({
    config: t.field({
      type: 'JSON',
      description: 'What its values can be, as JSON: the options of a selection, nothing of others.',
      select: { valueType: true, selectOptions: true },
      resolve: configOf,
    }),
  }),
});

defineNode('Feature', {
  filter: featureFilter,
  resource: 'feature',
  fields: (t) => ({
    privileges: t.relation('privileges', { query: { where: { deletedAt: null }, orderBy: FILTER_ORDER } }),
  }),
});

lookup('feature', 'Feature', {
  resource: 'feature',
  description: 'A feature by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('features', 'Feature', { resource: 'feature', description: 'Features.' });

// What REST says of a member of a privilege that does not fit.
const told = (faultName: string) => ({ faultName });

const PrivilegeConfigInput = builder.inputType('PrivilegeConfigInput', {
  description: 'What the values of a privilege can be.',
  fields: (t) => ({
    selectOptions: t.stringList({
      description: 'Of a selection: the values that there are, at least one. Those of a known privilege are added.',
      extensions: told('privilege.config'),
    }),
  }),
});

const FeaturePrivilegeInput = builder.inputType('FeaturePrivilegeInput', {
  description: 'A privilege of a feature: the one of the code, else a new one.',
  extensions: { refusal: privilegeRefusal },
  fields: (t) => ({
    code: t.string({
      required: true,
      description: 'Code that identifies the privilege in the feature, at most 255 characters.',
      extensions: told('privilege.code'),
    }),
    name: t.string({
      description: 'Name of the privilege, at most 255 characters.',
      extensions: told('privilege.name'),
    }),
    valueType: t.field({
      type: enumRef('PrivilegeValueType'),
      description: 'What its values are; `string` by default. It never changes: another value is refused.',
      extensions: told('privilege.value_type'),
    }),
    config: t.field({
      type: PrivilegeConfigInput,
      description: 'What its values can be: options of a selection, nothing of others.',
      extensions: told('privilege.config'),
    }),
  }),
});

const privileges = (t: InputFields, mode: 'create' | 'update') => ({
  privileges: t.field({
    type: [FeaturePrivilegeInput],
    description:
      mode === 'create' ? 'Its privileges.' : 'Privileges that are new or change; those that are not named stay.',
  }),
});

resourceMutations(FEATURES, {
  deletion: 'Plans and subscriptions have it no longer, and its code is free again.',
  parts: {
    fields: (t, mode) => privileges(t, mode) as object as Record<string, ReturnType<typeof t.string>>,
    write: (input, write) => write(input as FeatureBody),
  },
});

mutation('destroyFeaturePrivilege', 'Feature', {
  resource: 'feature',
  description: 'Deletes a privilege of a feature, with the values that plans and subscriptions have of it.',
  args: builder.args((t) => ({
    featureCode: t.string({ required: true, description: 'The code of the feature, compared exactly.' }),
    privilegeCode: t.string({ required: true, description: 'The code of the privilege, compared exactly.' }),
  })),
  write: (path, context) => deleteFeaturePrivilege(context.db, actorOf(context), path),
});
