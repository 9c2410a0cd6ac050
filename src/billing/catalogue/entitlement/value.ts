import type { Privilege } from './privilege.ts';

/** The value of a privilege, of its type. */
export type PrivilegeValue = number | boolean | string;

/** Values of the privileges of a feature, by their codes. */
export type PrivilegeValues = Readonly<Record<string, PrivilegeValue>>;

type Reading = { readonly value: PrivilegeValue } | { readonly code: string };

const INVALID: Reading = { code: 'value_is_invalid' };

/** A whole number, or the very text of one. */
function readInteger(given: unknown): Reading {
  const text = typeof given === 'string' || typeof given === 'number' || typeof given === 'bigint' ? String(given) : '';
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? { value: number } : INVALID;
}

function readBoolean(given: unknown): Reading {
  if (given === true || given === 'true') return { value: true };
  return given === false || given === 'false' ? { value: false } : INVALID;
}

/** A value that was given for a privilege, of the privilege's type; or the code of what is wrong with it. */
export function readPrivilegeValue({ valueType, selectOptions }: Privilege, given: unknown): Reading {
  if (given == null) return { code: 'value_is_mandatory' };
  if (valueType === 'integer') return readInteger(given);
  if (valueType === 'boolean') return readBoolean(given);
  if (typeof given !== 'string') return INVALID;
  return valueType === 'string' || selectOptions.includes(given)
    ? { value: given }
    : { code: 'value_not_in_select_options' };
}

/** What may be given, in words. */
export function allowedValue({ valueType, selectOptions }: Privilege): string {
  if (valueType === 'integer') return `a whole number of at most ${Number.MAX_SAFE_INTEGER}, or its text`;
  if (valueType === 'boolean') return 'true or false';
  return valueType === 'string' ? 'a text' : selectOptions.join(', ');
}
