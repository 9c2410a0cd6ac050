import { type IntrospectionAccess, mayReadSchema } from '../limit/introspection.ts';
import { type Authenticate, callerOf } from '../wire/authentication.ts';
import { exchangeOf } from '../wire/exchange.ts';
import type { Page } from '../wire/page.ts';
import { fromGraphQLErrors, restError } from '../wire/rest-error.ts';
import { wireError } from '../wire/wire-error.ts';
import { isRead, staticAnswer } from './static-answer.ts';

export interface SchemaOptions {
  /** Who may ask for the schema. */
  readonly access: IntrospectionAccess;
  readonly authenticate: Authenticate;
  readonly isUnavailable: (cause: unknown) => boolean;
  /** Made when first asked for. */
  readonly text: () => string;
}

/** `/schema.graphql`: for those who may ask the graph for its schema, and without a key where every key may. */
export function schemaPage({ access, authenticate, isUnavailable, text }: SchemaOptions): Page {
  const vary = access === 'always' ? 'Accept-Encoding' : 'Authorization, Accept-Encoding';
  const answer = staticAnswer({ type: 'text/plain; charset=utf-8', vary, make: text });
  const answerKey = async (request: Request): Promise<Response> => {
    try {
      const caller = await callerOf(request, authenticate);
      if (!caller) return restError('unauthorized');
      return mayReadSchema(access, caller.keyKind) ? answer(request) : restError('forbidden');
    } catch (error) {
      return fromGraphQLErrors([wireError(error, isUnavailable)], exchangeOf(request).requestId);
    }
  };
  return {
    matches: ({ path }, request) => access !== 'never' && path === '/schema.graphql' && isRead(request),
    answer: mayReadSchema(access, undefined) ? answer : answerKey,
  };
}
