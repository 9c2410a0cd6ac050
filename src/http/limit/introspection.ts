import { GraphQLError, type Kind, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../../graphql/context.ts';
import { exchangeOf } from '../wire/exchange.ts';
import { setStatus } from './status.ts';

/** Which keys may ask for the schema: every one, secret ones, or none. */
export type IntrospectionAccess = 'always' | 'keys' | 'never';

/** Whether a key of this kind, or nobody's, may read the schema. */
export const mayReadSchema = (access: IntrospectionAccess, kind: Caller['keyKind'] | undefined): boolean =>
  access === 'always' || (access === 'keys' && kind === 'secret');

const REASON = 'introspection_not_allowed';
const REFUSED = 'This key may not read the schema.';

function noIntrospection(context: ValidationContext) {
  return {
    Field(node: { readonly kind: Kind.FIELD; readonly name: { readonly value: string } }) {
      if (node.name.value !== '__schema' && node.name.value !== '__type') return;
      const extensions = { code: 'forbidden', reason: REASON };
      context.reportError(new GraphQLError(REFUSED, { extensions }));
    },
  };
}

/** Messages tell names of the schema that are like a wrong one. */
function withoutHints(result: object): void {
  const { errors = [] } = result as { errors?: readonly { message: string }[] };
  for (const error of errors) error.message = error.message.replace(/ Did you mean .*$/s, '');
}

/** Refuses introspection to keys that may not read the schema. `__typename` is for everybody. */
export function limitIntrospection(access: IntrospectionAccess): Plugin {
  return {
    onValidate({ context, addValidationRule }) {
      const request: Request | undefined = (context as { request?: Request }).request;
      const caller = request && exchangeOf(request).caller;
      if (!mayReadSchema(access, caller?.keyKind)) addValidationRule(noIntrospection);
    },
    onResultProcess({ request, result }) {
      if (!mayReadSchema(access, exchangeOf(request).caller?.keyKind)) withoutHints(result);
      setStatus(result, ({ extensions }) => extensions.reason === REASON, 403);
    },
  };
}
