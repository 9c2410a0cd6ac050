import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import type { Writing } from '../../store/lookup/head.ts';
import type { Context } from '../context.ts';

/** A document, or an answer, that only the executor can make. */
export class Uncompiled extends Error {
  override readonly name = 'Uncompiled';
}

/** One execution of a compiled document. */
export interface Run {
  readonly context: Context;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What is not known yet; each puts itself where it belongs. */
  readonly pending: Promise<unknown>[];
  /** Arguments that were made of the variables. */
  readonly args: Map<CompiledField, object>;
  /** Whether a `Failure` stands somewhere in the answer. */
  hasFailed: boolean;
  /** As what an object is shown where it could be several types. */
  readonly kinds: WeakMap<object, CompiledObject>;
  /** Throws `Uncompiled` unless the rows that begin here carry everything that is read from them. */
  check(object: CompiledObject, keys: readonly string[]): void;
}

/** A field of a document, under the name that the answer gives it. */
export interface CompiledField {
  readonly key: string;
  /** Whether its value comes with the row, because Pothos has put it into the statement that loads the row. */
  readonly isSelected: boolean;
  /** Whether what it shows is read by itself, and never comes with the row. */
  readonly isApart: boolean;
  readonly type: GraphQLOutputType;
  readonly nodes: readonly FieldNode[];
  /** The field of the schema; undefined for `__typename`. */
  readonly of?: GraphQLField<unknown, Context>;
  /** What it may show: one object type, several of an abstract type, none of a scalar. */
  readonly shows: readonly CompiledObject[];
  /** The completed value, or the promise of one. */
  read(source: unknown, run: Run): unknown;
}

/** The fields that a document asks for of objects of one type in one place. */
export interface CompiledObject {
  readonly type: GraphQLObjectType;
  readonly fields: readonly CompiledField[];
  read(source: unknown, run: Run): unknown;
}

/** What Pothos planned for a root field, kept where it is the same for every execution. */
export interface PlanSlot {
  isStatic: boolean;
  query?: object;
  /** Under which Pothos knows what `query` loads. */
  context?: Context;
  readonly checked: Set<CompiledObject>;
  /** What PostgreSQL writes of the rows; undefined where it cannot. */
  written(context: Context): WrittenRows | undefined;
}

/** The objects of a model's rows that PostgreSQL writes as text. */
export type WrittenRows = Writing;

/** What a root resolver is given by a compiled document. */
export interface CompiledInfo extends GraphQLResolveInfo {
  readonly slot: PlanSlot;
}

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Stands in an answer where a value could not be read, until it is known how far up null reaches. */
export class Failure {
  constructor(
    readonly error: unknown,
    readonly nodes: readonly FieldNode[],
  ) {}
}

/** What stands where reading has thrown. Throws what says that the executor has to answer. */
export function failed(run: Run, error: unknown, nodes: readonly FieldNode[]): Failure {
  if (error instanceof Uncompiled) throw error;
  run.hasFailed = true;
  return new Failure(error, nodes);
}

/** Fills a place when its value is known, or is known not to be. */
export function later(
  run: Run,
  value: Promise<unknown>,
  nodes: readonly FieldNode[],
  place: (value: unknown) => void,
): void {
  const placed = value.then(place, (error) => place(failed(run, error, nodes)));
  placed.catch(() => undefined); // whoever waits for the run hears of it
  run.pending.push(placed);
}
