import type { Logger } from 'pino';
import { refusalUntil } from '../limit/rate-limit.ts';
import { exchangeOf, reportErrors } from '../wire/exchange.ts';
import type { Page } from '../wire/page.ts';
import { fromGraphQLErrors, restError } from '../wire/rest-error.ts';
import { wireError } from '../wire/wire-error.ts';
import { type FileAddresses, type FileName, isFilePath } from './address.ts';
import { type FileContent, fileResponse } from './response.ts';

export interface DownloadOptions {
  readonly addresses: FileAddresses;
  /** The document of an organization; null where it has none of the kind with this id that is final. */
  readonly file: (name: FileName) => Promise<FileContent | null>;
  /** Counts a document of an organization; after how many seconds the next is answered, where it has had too many. Not counted by default. */
  readonly spend?: (organizationId: string) => Promise<number | undefined>;
  readonly isUnavailable: (cause: unknown) => boolean;
  readonly logger: Logger;
}

function faultOf(error: unknown, request: Request, { isUnavailable, logger }: DownloadOptions): Response {
  const { requestId } = exchangeOf(request);
  const shown = [wireError(error, isUnavailable)];
  reportErrors(shown, requestId, logger);
  return fromGraphQLErrors(shown, requestId);
}

async function answer(request: Request, target: Parameters<Page['answer']>[1], options: DownloadOptions) {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return restError('object_not_found');
  exchangeOf(request).operation = 'file';
  try {
    // Nothing is looked up for an address that is not signed: it tells nothing about what exists.
    const name = await options.addresses.read(target);
    if (typeof name === 'string') return restError('forbidden', { code: name });
    const seconds = await options.spend?.(name.organizationId);
    if (seconds !== undefined) return refusalUntil(true, seconds);
    const file = await options.file(name);
    return file ? fileResponse(request, file) : restError('object_not_found');
  } catch (error) {
    return faultOf(error, request, options);
  }
}

/** Signed addresses of documents: no key, only the signature. */
export function downloadPage(options: DownloadOptions): Page {
  return {
    matches: ({ path }) => isFilePath(path),
    async answer(request, target) {
      const response = await answer(request, target, options);
      response.headers.set('Referrer-Policy', 'no-referrer');
      return request.method === 'HEAD' && response.body ? new Response(null, response) : response;
    },
  };
}
