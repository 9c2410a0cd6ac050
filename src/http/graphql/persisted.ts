import { readFileSync } from 'node:fs';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { type GraphQLSchema, parse, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Operations that clients name instead of sending them, by their names. */
export type PersistedOperations = ReadonlyMap<string, string>;

/** The file of persisted operations cannot be used; the message is one line for the operator. */
export class PersistedOperationsError extends Error {
  override readonly name = 'PersistedOperationsError';
}

const fail = (reason: string): never => {
  throw new PersistedOperationsError(`PERSISTED_OPERATIONS ${reason}`);
};

function readMap(path: string): Record<string, unknown> {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    fail(`cannot be read: ${(error as Error).message}`);
  }
  try {
    const map: unknown = JSON.parse(text);
    if (typeof map === 'object' && map !== null && !Array.isArray(map)) return map as Record<string, unknown>;
  } catch {
    // told below, as any other text that is no map
  }
  return fail('must be a JSON object of identifiers and documents');
}

function problemOf(schema: GraphQLSchema, document: string): string | undefined {
  try {
    return validate(schema, parse(document))[0]?.message;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Reads a file of operations and checks each against the schema. Throws a PersistedOperationsError that names the first wrong one. */
export function readPersistedOperations(path: string, schema: GraphQLSchema): PersistedOperations {
  const entries = Object.entries(readMap(path)).map(([id, document]): [string, string] => {
    if (typeof document !== 'string') return fail(`${id} must be the text of a document`);
    const problem = problemOf(schema, document);
    return problem === undefined ? [id, document] : fail(`${id}: ${problem}`);
  });
  return new Map(entries);
}

export interface PersistedOptions {
  readonly operations: PersistedOperations;
  /** Whether no other operation is executed. */
  readonly only: boolean;
}

type Params = { readonly documentId?: unknown; readonly extensions?: Record<string, unknown> | undefined };

/** The name of an operation: `documentId`, or the hash that Apollo's clients send. */
function idOf(params: Params, request: Request): string | null {
  const inAddress = request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : null;
  const persisted = params.extensions?.persistedQuery as { sha256Hash?: unknown } | null | undefined;
  const id = params.documentId ?? inAddress ?? persisted?.sha256Hash;
  return typeof id === 'string' ? id.replace(/^sha256:/, '') : null;
}

const refusal = (message: string, code: string, status: number) => ({
  message,
  extensions: { code, http: { status } },
});

/** Executes operations that clients name. With `only`, what is not on the list is refused. */
export function persistedOperations({ operations, only }: PersistedOptions): Plugin {
  const plain = new Map([...operations].map(([id, document]) => [id.replace(/^sha256:/, ''), document]));
  return usePersistedOperations({
    allowArbitraryOperations: !only,
    extractPersistedOperationId: (params, request) => idOf(params as Params, request),
    getPersistedOperation: (id) => plain.get(id) ?? null,
    customErrors: {
      // The message is what clients with automatic persisted queries look for, to send the whole text.
      notFound: refusal('PersistedQueryNotFound', 'persisted_query_not_found', 400),
      keyNotFound: refusal('A query or the identifier of a persisted one is needed.', 'bad_request', 400),
      persistedQueryOnly: refusal('Only persisted operations are executed here.', 'persisted_query_only', 403),
    },
  }) as Plugin;
}
