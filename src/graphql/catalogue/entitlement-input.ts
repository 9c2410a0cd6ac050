import type { EntitlementSent } from '../../billing/catalogue/entitlement/entitlement.ts';
import { builder } from '../base/builder.ts';

// What REST calls whatever has another form than an object of codes.
const told = { faultName: 'entitlements' };

const EntitlementValueInput = builder.inputType('EntitlementValueInput', {
  description: 'The value of a privilege.',
  fields: (t) => ({
    privilegeCode: t.string({ required: true, description: 'The code of the privilege, compared exactly.' }),
    value: t.field({
      type: 'JSON',
      description:
        'A whole number, a boolean or a text, as the privilege has it; of a shape by its type. Numbers and booleans may be given as their text.',
      extensions: told,
    }),
  }),
});

const EntitlementInput = builder.inputType('EntitlementInput', {
  description: 'A feature with values of its privileges.',
  fields: (t) => ({
    featureCode: t.string({ required: true, description: 'The code of the feature, compared exactly.' }),
    privileges: t.field({
      type: [EntitlementValueInput],
      description: 'Values of its privileges; without any it keeps those that it has.',
      extensions: told,
    }),
  }),
});

export const entitlementsArg = builder.args((t) => ({
  entitlements: t.field({
    type: [EntitlementInput],
    description: 'Features with their values; of one that is named twice the last counts.',
    extensions: told,
  }),
}));

interface Given {
  readonly entitlements?: readonly object[] | null | undefined;
}

/** The features that a mutation was given. */
export const sentEntitlements = ({ entitlements }: Given) => (entitlements ?? []) as readonly EntitlementSent[];
