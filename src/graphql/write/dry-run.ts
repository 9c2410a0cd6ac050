import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { invalid } from '../../billing/errors.ts';
import { undone } from '../../store/database/tenant.ts';
import type { Context } from '../context.ts';

const NAME = 'dryRun';

function fieldsOf(set: SelectionSetNode, args: ExecutionArgs): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__') ? [] : [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet, args);
    const named = args.document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
    );
    return named?.kind === Kind.FRAGMENT_DEFINITION ? fieldsOf(named.selectionSet, args) : [];
  });
}

/** Whether a field says it, by a literal or by a variable as it was sent. */
function saysDry(field: FieldNode, { variableDefinitions }: OperationDefinitionNode, args: ExecutionArgs): boolean {
  const given = field.arguments?.find(({ name }) => name.value === NAME)?.value;
  if (given?.kind !== Kind.VARIABLE) return given?.kind === Kind.BOOLEAN && given.value;
  const name = given.name.value;
  const sent = args.variableValues?.[name];
  if (sent !== undefined) return sent === true;
  const standard = variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
  return standard?.kind === Kind.BOOLEAN && standard.value;
}

/** The fields of a mutation that are to be tried only, and those that are to stay. */
function sides(args: ExecutionArgs) {
  const operation = getOperationAST(args.document, args.operationName);
  if (operation?.operation !== 'mutation') return { dry: [], real: [] };
  const fields = fieldsOf(operation.selectionSet, args);
  const dry = fields.filter((field) => saysDry(field, operation, args));
  return { dry, real: fields.filter((field) => !dry.includes(field)) };
}

/** Whether an operation writes nothing that stays. */
export function isDryRun(args: ExecutionArgs): boolean {
  const { dry } = sides(args);
  return dry.length > 0; // beside others it is refused
}

function refusal(nodes: readonly FieldNode[]): ExecutionResult {
  const details = { dry_run: ['value_is_invalid'] };
  const cause = invalid(details, { dry_run: { limit: 'in all mutations of an operation or in none' } });
  return { errors: [new GraphQLError(cause.message, { nodes, originalError: cause })] };
}

/**
 * Executes an operation that is a dry run, in a transaction that is undone after its whole answer has been read: so the answer
 * shows everywhere what would be, and the rules that refuse are those of the write. Undefined for any other operation.
 */
export function executeDry(args: ExecutionArgs): Promise<ExecutionResult> | undefined {
  const { dry, real } = sides(args);
  if (dry.length === 0) return undefined;
  if (real.length > 0) return Promise.resolve(refusal(dry));
  const context = args.contextValue as Context;
  return undone(context.db, async (db) =>
    execute({ ...args, contextValue: { ...context, db, dryRun: true, named: undefined } satisfies Context }),
  );
}
