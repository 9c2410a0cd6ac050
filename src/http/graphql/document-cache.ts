import { type DocumentNode, GraphQLError, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { ByteCache } from '../wire/byte-cache.ts';

const MOST_BYTES = 32 * 1024 ** 2;

// Measured: a token with the nodes made of it.
const BYTES_A_TOKEN = 512;

/** About how much a parsed document takes. */
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
  validationCache: false, // Yoga writes the names of all rules into a text each time
});

interface Validated {
  readonly rules: readonly ValidationRule[];
  readonly result: readonly GraphQLError[];
}

/** Validates a document once by the same rules, which stand before it among the plugins. */
export function validatedOnce(): Plugin {
  const known = new WeakMap<DocumentNode, Validated[]>();
  return {
    onValidate({ params: { documentAST, rules = [] }, setResult }) {
      const earlier = known.get(documentAST) ?? [];
      const isSame = (one: Validated) =>
        one.rules.length === rules.length && one.rules.every((rule, index) => rule === rules[index]);
      const found = earlier.find(isSame);
      if (found) return setResult(found.result);
      const asked = [...rules];
      return ({ result: all }) => {
        const result = all.filter((one) => one instanceof GraphQLError);
        known.set(documentAST, [...earlier, { rules: asked, result }]);
      };
    },
  };
}
