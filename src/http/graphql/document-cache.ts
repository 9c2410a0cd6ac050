import type { DocumentNode } from 'graphql';
import { ByteCache } from '../wire/byte-cache.ts';

const MOST_BYTES = 32 * 1024 ** 2;

// Measured: a token with the nodes made of it; a comment is a token that takes less.
const BYTES_A_TOKEN = 512;

/** About how much a parsed document takes. Comments count: each is kept with the tokens around it. */
export function bytesOf(text: string, document: DocumentNode): number {
  let tokens = 0;
  for (let token = document.loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return 2 * text.length + BYTES_A_TOKEN * tokens;
}

/** Where parsed documents are kept, with everything that hangs on them: what validation said, and what they were compiled to. */
export const documentCaches = () => ({
  documentCache: new ByteCache(MOST_BYTES, bytesOf),
  // What is no document is parsed again: nobody sends it twice in earnest.
  errorCache: { get: () => undefined, set: () => undefined },
});
