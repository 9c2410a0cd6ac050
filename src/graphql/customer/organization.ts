import { builder } from '../base/builder.ts';
import { defineNode } from '../list/node.ts';
import { lookup } from '../list/root.ts';

defineNode('Organization', { resource: 'organization' });

lookup('organization', 'Organization', {
  resource: 'organization',
  description: 'The organization that the key opens.',
  args: builder.args(() => ({})),
  query: (_args, context) => ({ where: { id: context.caller.organizationId } }),
});
