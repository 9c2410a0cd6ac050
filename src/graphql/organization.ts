import { builder } from './builder.ts';
import { defineNode } from './node.ts';
import { lookup } from './root.ts';

defineNode('Organization', { resource: 'organization' });

lookup('organization', 'Organization', {
  resource: 'organization',
  description: 'The organization that the key opens.',
  args: builder.args(() => ({})),
  query: (_args, context) => ({ where: { id: context.caller.organizationId } }),
});
