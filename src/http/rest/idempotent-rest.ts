import { readBody } from '../wire/body.ts';
import {
  begin,
  canonicalJson,
  fingerprintOf,
  type IdempotencyKeys,
  idempotencyKeyOf,
  markReplayed,
} from '../wire/idempotency.ts';
import { emptyResponse, textResponse } from '../wire/response.ts';
import { isBillingError } from '../wire/rest-error.ts';
import type { Call, CallOptions } from './rest-call.ts';

export interface IdempotencyOptions extends CallOptions {
  readonly idempotency?: IdempotencyKeys;
}

// An unreadable body is refused where it is needed, after what is checked before it.
async function bodyText(request: Request, limit: number): Promise<string> {
  try {
    return await readBody(request, limit);
  } catch (error) {
    if (isBillingError(error)) return '';
    throw error;
  }
}

/** Answers a named write once, and with the same answer ever after. Only success is kept: what was refused may be tried again. */
export async function answerOnce(
  call: Call,
  path: string,
  options: IdempotencyOptions,
  answer: () => Promise<Response>,
) {
  const { request, caller, query } = call;
  const { idempotency, logger, bodyLimit } = options;
  const key =
    idempotency && request.method !== 'GET' && request.method !== 'HEAD' ? idempotencyKeyOf(request) : undefined;
  // A query writes nothing: asked again, it is answered again, and its answer may have megabytes.
  const isQuery = call.endpoint.operation.operation === 'query';
  if (!idempotency || key === undefined || isQuery) return answer();
  const fingerprint = fingerprintOf(request.method, path, query, canonicalJson(await bodyText(request, bodyLimit)));
  const begun = await begin(idempotency, { organizationId: caller.organizationId, key, fingerprint }, logger);
  if ('body' in begun) {
    const response = begun.body === '' ? emptyResponse(begun.status) : textResponse(begun.status, begun.body);
    markReplayed(response);
    return response;
  }
  call.exchange.named = begun.named;
  try {
    const response = await answer();
    if (response.ok) await begun.keep({ status: response.status, body: await response.clone().text() });
    else await begun.release();
    return response;
  } catch (error) {
    await begun.release();
    throw error;
  }
}
