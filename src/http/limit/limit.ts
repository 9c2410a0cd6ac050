import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  Source,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { withoutComments } from '../wire/comment.ts';
import { operationCost, type PageSizes } from './cost.ts';
import { type ShapeLimits, shapeRule, TOO_COMPLEX, tooComplex } from './shape.ts';
import { setStatus } from './status.ts';

/** What one operation may ask for. */
export interface Limits extends ShapeLimits {
  readonly tokens: number;
  readonly cost: number;
  readonly pageSizes: PageSizes;
}

const costs = new WeakMap<Request, number>();

/** The cost of the operation that a request executes; undefined before it is known. */
export const costOf = (request: Request): number | undefined => costs.get(request);

// Names, values and white space: what is meant has ten or so. Comments are no tokens, and are read all the same.
const CHARACTERS_A_TOKEN = 50;

function checkLength({ length }: string, tokens: number): void {
  const most = tokens * CHARACTERS_A_TOKEN;
  if (length > most) throw tooComplex(`The document has ${length} characters; at most ${most} are allowed.`);
}

/** The parser of GraphQL, which stops at the limit. */
function parseUpTo(source: string | Source, options: object | undefined, tokens: number) {
  const { body, name, locationOffset } = typeof source === 'string' ? new Source(source) : source;
  try {
    return parse(new Source(withoutComments(body), name, locationOffset), { ...options, maxTokens: tokens });
  } catch (error) {
    const isOver = error instanceof GraphQLError && /more tha[nt] \d+ tokens/.test(error.message);
    throw isOver ? tooComplex(`The document has more than ${tokens} tokens.`) : error;
  }
}

/** What is known of an operation that is about to be executed. */
interface Execution {
  readonly args: ExecutionArgs;
  setResultAndStopExecution(result: ExecutionResult): void;
}

type CostOf = ReturnType<typeof operationCost>;

/** What operations cost. Documents that are sent again are not gone through again. */
function costReader(pageSizes: PageSizes) {
  const known = new WeakMap<OperationDefinitionNode, CostOf>();
  return (operation: OperationDefinitionNode, { schema, document, variableValues }: ExecutionArgs): number => {
    const reckon = known.get(operation) ?? operationCost(operation, { schema, document, pageSizes });
    known.set(operation, reckon);
    return reckon(variableValues ?? {});
  };
}

/** Measures an operation: its cost for the answer, undefined for one that is refused or is no client's. */
function measure({ args, setResultAndStopExecution }: Execution, limit: number, costIn: ReturnType<typeof costReader>) {
  const { request } = args.contextValue as { request?: Request };
  const operation = getOperationAST(args.document, args.operationName);
  if (!request || !operation) return undefined;
  const requested = costIn(operation, args);
  const cost = { requested, limit };
  costs.set(request, requested);
  if (requested <= limit) return cost;
  const message = `The operation costs ${requested}; at most ${limit} is allowed. Ask for smaller pages or fewer nested lists.`;
  setResultAndStopExecution({ errors: [tooComplex(message, operation)], extensions: { cost } });
  return undefined;
}

/**
 * Refuses GraphQL operations that ask for too much before anything of them is executed, and tells the cost of every other
 * in its answer's extensions. Documents of the REST API are not measured: they are the gateway's own.
 */
export function limitOperations(limits: Limits): Plugin {
  const rule = shapeRule(limits);
  const costIn = costReader(limits.pageSizes);
  return {
    onParse({ params, setParseFn }) {
      checkLength(String(params.source), limits.tokens);
      setParseFn((source, options) => parseUpTo(source, options, limits.tokens));
    },
    onValidate({ addValidationRule }) {
      addValidationRule(rule);
    },
    onResultProcess({ result }) {
      setStatus(result, ({ extensions }) => extensions.code === TOO_COMPLEX, 400);
    },
    onExecute(execution) {
      const cost = measure(execution as Execution, limits.cost, costIn);
      if (!cost) return undefined;
      return {
        onExecuteDone({ result, setResult }) {
          if (!('data' in result || 'errors' in result)) return;
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    },
    onSubscribe(execution) {
      measure(execution, limits.cost, costIn);
    },
  };
}
