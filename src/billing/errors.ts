import { allowedInstead } from './allowed.ts';

/** What a rule can say. Statuses belong to http/; these are the words that GraphQL shows as `extensions.code`. */
export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'object_not_found'
  | 'method_not_allowed'
  | 'bad_request'
  | 'validation_errors'
  | 'conflict'
  | 'rate_limit_exceeded';

/** A field's name mapped to the codes of what is wrong with it, in the order they were found. */
export type ErrorDetails = Record<string, string[]>;

/** What error details call a member of an object in a list that is all that was sent: `1.code`. */
export const placedName = (place: number, member: string) => `${place}.${member}`;

/** The parts of such a name; undefined for any other. */
export function placeIn(name: string): { readonly place: string; readonly member: string } | undefined {
  const [, place, member] = /^(\d+)\.(.+)$/s.exec(name) ?? [];
  return place === undefined || member === undefined ? undefined : { place, member };
}

/** Where something stands in what was given. */
type Place = readonly (string | number)[];

interface Fault {
  /** The part of the input that it is in: `["usage", 0]`. */
  readonly at?: Place;
  /** The member that is meant, where it has another name than the field. */
  readonly name?: string;
  /** Where in the member itself, by the names of what was sent: `["graduated_ranges", 1, "flat_amount"]`. */
  readonly below?: Place;
  /** What may be given: `"at most 100"`. */
  readonly limit?: string | undefined;
  /** What came of it: `"Division by zero"`; told instead of what was given. */
  readonly reason?: string | undefined;
}

/** What is known of a field of error details. */
export interface ErrorHint extends Fault {
  /** What each of its codes is about, in their order. */
  readonly each?: readonly Fault[];
}

/** What is known of the fields of error details beyond their codes. */
export type ErrorHints = Readonly<Record<string, ErrorHint>>;

/** Fields without codes left out. */
export function withCodes(fields: Readonly<Record<string, readonly string[]>>): ErrorDetails {
  const named = Object.entries(fields).filter(([, codes]) => codes.length > 0);
  return Object.fromEntries(named.map(([field, codes]) => [field, [...codes]]));
}

/** The one error class of the gateway. `reason` refines `forbidden` (for example `write_action_not_allowed_for_wallet`). */
export class BillingError extends Error {
  override readonly name = 'BillingError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ErrorDetails,
    readonly reason?: string,
    readonly hints?: ErrorHints,
    /** What names nothing, of several that something is named by. */
    readonly unknown?: string,
  ) {
    super(message);
  }

  /** What is known of one of the codes of a field. */
  hintOf(field: string, index: number): ErrorHint {
    const { each, ...hint } = this.hints?.[field] ?? {};
    const own = each?.[index] ?? {};
    const limit = own.limit ?? allowedInstead(this.details?.[field]?.[index] ?? '') ?? hint.limit;
    return { ...hint, ...own, limit };
  }
}

export const forbidden = (reason: string) => new BillingError('forbidden', 'Forbidden', undefined, reason);
/** `unknown`: the name that nothing has, where there may be several names. */
export const notFound = (what: string, unknown?: string) =>
  new BillingError('object_not_found', `${what} not found`, undefined, undefined, undefined, unknown);
/** A 405: nothing is wrong with the request, but what it names is in no state for it. */
export const notAllowed = (reason: string) =>
  new BillingError('method_not_allowed', 'Method not allowed', undefined, reason);
export const badRequest = () => new BillingError('bad_request', 'Bad request');
export const conflict = (message: string, reason?: string) => new BillingError('conflict', message, undefined, reason);

/** What a named request is told while another attempt at it runs, and when the write is done but nobody knows the answer. */
export const requestIsRunning = () => conflict('The first request is still running', 'idempotent_request_is_running');
export const answerIsLost = () =>
  conflict('The first request is done, its answer is lost', 'idempotent_answer_is_lost');

/** A 429: as much waits to be written as is kept waiting. Asked again in a moment, it may be taken. */
export const tooManyWaiting = () => new BillingError('rate_limit_exceeded', 'Too many writes are waiting');

/** A 422: `invalid({ amount: ['value_is_invalid'] })`. Never called with an empty object. */
export const invalid = (details: ErrorDetails, hints?: ErrorHints) =>
  new BillingError('validation_errors', 'Validation failed', details, undefined, hints);

/** Faults of several checks as one error; each keeps what is known of it. */
export function joined(...parts: readonly BillingError[]): BillingError {
  const codes: ErrorDetails = {};
  const each: Record<string, Fault[]> = {};
  for (const part of parts) {
    for (const [field, found] of Object.entries(part.details ?? {})) {
      codes[field] = [...(codes[field] ?? []), ...found];
      each[field] = [...(each[field] ?? []), ...found.map((_, index) => part.hintOf(field, index))];
    }
  }
  return invalid(codes, Object.fromEntries(Object.entries(each).map(([field, faults]) => [field, { each: faults }])));
}

/** What is wrong with one part of an input, said to be there. */
export function placed(error: BillingError, at: Place): BillingError {
  const { code, message, details = {}, reason } = error;
  const below = (place: Place = []) => [...at, ...place];
  const hints = Object.keys(details).map((field): [string, ErrorHint] => {
    const { each, ...hint } = error.hints?.[field] ?? {};
    const own = each?.map((fault) => (fault.at ? { ...fault, at: below(fault.at) } : fault));
    return [field, { ...hint, at: below(hint.at), ...(own && { each: own }) }];
  });
  return new BillingError(code, message, details, reason, Object.fromEntries(hints));
}

/** Does what reads one part of an input: what it refuses is said to be there. */
export function within<T>(at: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BillingError && error.details ? placed(error, at) : error;
  }
}

/** What was read, or why it is refused. */
type Attempt<T> = { readonly value: T; readonly refusal?: undefined } | { readonly refusal: BillingError };

/** Reads a part of an input; what is wrong with it is answered instead of thrown. Throws at once what is no validation error. */
export function attempted<T>(read: () => T): Attempt<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof BillingError) || !error.details) throw error;
    return { refusal: error };
  }
}

/** Throws a validation error where there is something wrong. */
export function refuse(details: ErrorDetails, hints?: ErrorHints): void {
  if (Object.keys(details).length > 0) throw invalid(details, hints);
}

type Reads = readonly (() => unknown)[];

/** Reads several parts of an input; what they refuse is told together. Throws one validation error of all, and at once what is none. */
export function gathered<const R extends Reads>(reads: R): { readonly [K in keyof R]: ReturnType<R[K]> } {
  const attempts = reads.map(attempted);
  const refused = attempts.flatMap(({ refusal }) => refusal ?? []);
  if (refused.length > 0) throw joined(...refused);
  return attempts.map((one) => ('value' in one ? one.value : undefined)) as {
    readonly [K in keyof R]: ReturnType<R[K]>;
  };
}

/** Reads what something is refused of already: what is wrong with it is told together. */
export function readWith<T>(refusals: readonly (BillingError | undefined)[], read: () => T): T {
  const refuse = (refusal: BillingError) => () => {
    throw refusal;
  };
  const known = refusals.filter((one) => one !== undefined);
  const [value] = gathered([read, ...known.map(refuse)]);
  return value as T;
}
