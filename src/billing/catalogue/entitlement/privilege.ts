import { type BillingError, type ErrorHint, invalid, joined } from '../../errors.ts';

export type ValueType = 'integer' | 'boolean' | 'string' | 'select';

/** What can be said of a feature for each plan. Its values are of one type for ever; the options of a selection grow only. */
export interface Privilege {
  readonly code: string;
  readonly name: string | null;
  readonly valueType: ValueType;
  readonly selectOptions: readonly string[];
}

/** What a caller says of one. */
export interface PrivilegeSent {
  readonly code: string;
  readonly name: string | null | undefined;
  readonly valueType: ValueType | null | undefined;
  readonly config: { readonly selectOptions: readonly string[] | null | undefined } | null | undefined;
}

const LONGEST = 255;
const OF_SELECTION = { limit: 'options of a selection: at least one text; none of other types' };
const TOO_LONG = { limit: `at most ${LONGEST} characters` };

const isLong = (text: string | null | undefined) => [...(text ?? '')].length > LONGEST;

/** What is wrong with a member of one at a place of the list. */
const fault = (place: number, member: keyof PrivilegeSent, field: string, code: string, hint: ErrorHint = {}) =>
  invalid({ [field]: [code] }, { [field]: { at: ['privileges', place], name: member, ...hint } });

const optionsOf = ({ config }: PrivilegeSent): readonly string[] => config?.selectOptions ?? [];

function codeFaults(code: string, place: number): BillingError[] {
  if (code === '') return [fault(place, 'code', 'privilege.code', 'value_is_mandatory')];
  return isLong(code) ? [fault(place, 'code', 'privilege.code', 'value_is_too_long', TOO_LONG)] : [];
}

function configFaults(sent: PrivilegeSent, known: Privilege | undefined, place: number): BillingError[] {
  const options = optionsOf(sent);
  const isSelection = (known?.valueType ?? sent.valueType ?? 'string') === 'select';
  const isWrong = isSelection ? !known && options.length === 0 : options.length > 0;
  return isWrong || options.some((option) => option === '')
    ? [fault(place, 'config', 'privilege.config', 'invalid_format', OF_SELECTION)]
    : [];
}

function faultsOf(sent: PrivilegeSent, known: Privilege | undefined, place: number, keepsType: boolean) {
  const { name, valueType } = sent;
  const isOther = keepsType && known && valueType && valueType !== known.valueType;
  const kept = { limit: `${known?.valueType}, which it keeps` };
  return [
    ...codeFaults(sent.code, place),
    ...(isLong(name) ? [fault(place, 'name', 'privilege.name', 'value_is_too_long', TOO_LONG)] : []),
    ...(isOther ? [fault(place, 'valueType', 'privilege.value_type', 'value_cannot_be_changed', kept)] : []),
    ...configFaults(sent, known, place),
  ];
}

const repeated = (sent: readonly PrivilegeSent[]): BillingError[] =>
  sent.flatMap(({ code }, place) =>
    sent.findIndex((one) => one.code === code) < place
      ? [fault(place, 'code', 'privilege.code', 'value_is_duplicated')]
      : [],
  );

function merged(sent: PrivilegeSent, known: Privilege | undefined): Privilege {
  const { code, name, valueType } = sent;
  return {
    code,
    name: name === undefined ? (known?.name ?? null) : name,
    valueType: known?.valueType ?? valueType ?? 'string',
    selectOptions: [...new Set([...(known?.selectOptions ?? []), ...optionsOf(sent)])],
  };
}

/**
 * The privileges of a feature after a body: known ones change, unknown ones are new, those that are not named stay. Throws one
 * validation error with all that is wrong; `keepsType` says whether another type of a known one is refused, or ignored.
 */
export function privilegesAfter(
  stored: readonly Privilege[],
  given: readonly PrivilegeSent[],
  { keepsType }: { readonly keepsType: boolean },
): readonly Privilege[] {
  const sent = given.map((one) => ({ ...one, code: one.code.trim() }));
  const known = new Map(stored.map((one) => [one.code, one]));
  const faults = [
    ...repeated(sent),
    ...sent.flatMap((one, place) => faultsOf(one, known.get(one.code), place, keepsType)),
  ];
  if (faults.length > 0) throw joined(...faults);
  const changed = new Map(sent.map((one) => [one.code, merged(one, known.get(one.code))]));
  const fresh = [...changed.values()].filter(({ code }) => !known.has(code));
  return [...stored.map((one) => changed.get(one.code) ?? one), ...fresh];
}
