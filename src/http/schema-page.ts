import { type Authenticate, callerOf } from './authentication.ts';
import { exchangeOf } from './exchange.ts';
import { type IntrospectionAccess, mayReadSchema } from './limit-introspection.ts';
import type { Page } from './page.ts';
import { fromGraphQLErrors, restError } from './rest-error.ts';
import { isRead, staticAnswer } from './static-answer.ts';
import { wireError } from './wire-error.ts';

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
