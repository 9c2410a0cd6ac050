import type { Json } from './vector-type.ts';

/** One operation of a life, and what must hold right after it. */
export interface LifecycleStep {
  readonly at: string;
  readonly do: string;
  readonly on?: unknown;
  readonly with?: Json;
  readonly as?: string;
  readonly expect?: Json;
}

export interface LifecycleCase {
  readonly id: string;
  readonly area: string;
  readonly organization: Json;
  readonly steps: readonly LifecycleStep[];
}

/** A thing as the API shows it; `id` names it within the engine. */
export type View = Json & { readonly id: string };

/** What a step made, and what was answered to it. */
export interface Made {
  readonly invoices: readonly View[];
  readonly fees: readonly View[];
  readonly creditNotes: readonly View[];
  readonly answer?: Answered | undefined;
}

/** An answer of the API. */
export interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** What a step came to, and what it is called: what stands behind `$name` and behind each `$name.<suffix>`. */
export interface Performed extends Made {
  readonly named: Readonly<Record<string, string>>;
}

export type PriceKind = 'charges' | 'fixed_charges';

/**
 * What drives a life: the rules themselves, or the gateway through its API. Claims are read through it, so they do not know which
 * of the two it is.
 */
export interface LifecycleEngine {
  /** What of a step it cannot do: the verb, with the member that it does not take; null where it can. */
  unable(step: LifecycleStep): string | null;
  /** Does a step; `named` is the id of a name that an earlier step or claim gave. */
  perform(step: LifecycleStep, resolve: (value: unknown) => unknown): Promise<Performed>;
  /** Whether it tells such a member of a thing at all: one that it tells and that is not there differs. */
  tells(member: string): boolean;
  /** A thing read again, by the list of the claim that names it; undefined where the engine does not read such things. */
  read(list: string, id: string): Promise<View | undefined>;
  currentUsage(subscriptionId: string, query: Json): Promise<Json>;
  lifetimeUsage(subscriptionId: string): Promise<Json>;
  /** What was recorded day by day; undefined where the engine records nothing. */
  dailyUsages(subscriptionId: string): Promise<readonly Json[] | undefined>;
  /** All things of a kind that belong to `of`; undefined for a kind it does not keep. */
  all(kind: string, of: string | null): Promise<readonly View[] | undefined>;
  /** The charge or fixed charge with a code of a subscription or plan; undefined where the engine does not read them. */
  price(kind: PriceKind, of: string, code: string): Promise<Json | undefined>;
}
