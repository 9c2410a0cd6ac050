/** What every evaluator answers about one case. `agree` says whether our value is the right one for us: with a deviation, the one we chose. */
export interface Evaluation {
  readonly expected: unknown;
  readonly actual: unknown;
  readonly agree: boolean;
  readonly deviation?: { readonly reason: string };
  readonly skip?: boolean;
  /** Lives: the verb that a skipped case needs, and the claims that nothing here can read. */
  readonly skipped?: string;
  readonly unread?: readonly string[];
}

/** An evaluator of one file of cases. */
export interface Evaluator {
  readonly file: string;
  evaluate(vectorCase: unknown): Evaluation | Promise<Evaluation>;
}

export type Json = Readonly<Record<string, unknown>>;

/** Decimals to round to before comparing, by field; `<field>_mode` "ceil" rounds up. */
export type Rounding = Readonly<Record<string, number | string>>;

/** One place where expected and actual differ. */
export interface Difference {
  readonly path: readonly string[];
  readonly expected: unknown;
  readonly actual: unknown;
}
