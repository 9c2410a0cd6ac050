import type { BillingError } from '../../billing/errors.ts';

export type InputPath = readonly (string | number)[];

/** What is wrong with one member of an input, for the field of a form. */
export interface InputError {
  /** From the argument on, for example `["input", "usage", 0, "metricCode"]`; empty where the request as a whole is meant. */
  readonly path: InputPath;
  readonly code: string;
  readonly message: string;
}

const LONGEST_SHOWN = 60;
const MOST_SHOWN = 3;

/** A value in a message; a long one, and more than three, are not told again. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) {
    const isShort = value.length > 0 && value.length <= MOST_SHOWN && value.every((one) => typeof one === 'string');
    return isShort ? value.map(shownValue).join(', ') : `${value.length} values`;
  }
  if (typeof value === 'string' && value.length > LONGEST_SHOWN) return `${[...value].length} characters`;
  if (typeof value === 'object' && value !== null) return `an object of ${Object.keys(value).length} members`;
  return typeof value === 'string' ? `"${value}"` : String(value);
}

/** `first is out of range: given: 101; allowed: 0 to 100`, or with a reason `event is invalid: Division by zero`. */
export function messageOf(
  code: string,
  { name, value }: { readonly name: string; readonly value: unknown },
  { limit, reason }: { readonly limit?: string | undefined; readonly reason?: string | undefined } = {},
): string {
  const words = code
    .replace(/^value_/, '')
    .replace(/^invalid_.*/, 'is invalid')
    .replace(/^missing_.*/, 'is missing')
    .replace(/already_exist$/, 'already_exists')
    .replaceAll('_', ' ');
  const given = value === undefined ? [] : [`given: ${shownValue(value)}`];
  const facts = [...given, ...(limit === undefined ? [] : [`allowed: ${limit}`])];
  return [`${name} ${words}`, reason ?? facts.join('; ')].filter(Boolean).join(': ');
}

/**
 * What is wrong with a request whose operation nobody has read yet, fault by fault: places are those of its variables, and of what is
 * beside them the request as a whole.
 */
export function requestErrors(refusal: BillingError): InputError[] {
  return Object.entries(refusal.details ?? {}).flatMap(([field, codes]) =>
    codes.map((code, index) => {
      const [first, ...below] = refusal.hintOf(field, index).at ?? [];
      const path = first === 'variables' ? below : [];
      return { path, code, message: messageOf(code, { name: field, value: undefined }) };
    }),
  );
}
