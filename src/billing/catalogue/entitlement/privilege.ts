import { type BillingError, type ErrorHint, invalid, joined, placed } from '../../errors.ts';

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
const OF_SELECTION = { limit: 'options of a selection: at least one text, none blank; none of other types' };
const TOO_LONG = { limit: `at most ${LONGEST} characters` };

const isLong = (text: string | null | undefined) => [...(text ?? '')].length > LONGEST;

/** What is wrong with a member of one. */
const fault = (member: keyof PrivilegeSent, field: string, code: string, hint: ErrorHint = {}) =>
  invalid({ [field]: [code] }, { [field]: { name: member, ...hint } });

const CONFIG = fault('config', 'privilege.config', 'invalid_format', OF_SELECTION);

const optionsOf = ({ config }: PrivilegeSent): readonly string[] => config?.selectOptions ?? [];

const isOdd = (options: readonly string[]) => options.some((option) => option?.trim() === '');

/** What is wrong with one by itself. */
function ownFaults(sent: PrivilegeSent): BillingError[] {
  const { code, name } = sent;
  return [
    ...(code?.trim() === '' ? [fault('code', 'privilege.code', 'value_is_mandatory')] : []),
    ...(isLong(code?.trim()) ? [fault('code', 'privilege.code', 'value_is_too_long', TOO_LONG)] : []),
    ...(isLong(name) ? [fault('name', 'privilege.name', 'value_is_too_long', TOO_LONG)] : []),
    ...(isOdd(optionsOf(sent)) ? [CONFIG] : []),
  ];
}

/** All that is wrong with one, whichever there are; undefined where nothing is. */
export function privilegeRefusal(sent: PrivilegeSent): BillingError | undefined {
  const faults = ownFaults(sent);
  return faults.length > 0 ? joined(...faults) : undefined;
}

function faultsOf(sent: PrivilegeSent, known: Privilege | undefined, keepsType: boolean): BillingError[] {
  const { valueType } = sent;
  const isOther = keepsType && known && valueType && valueType !== known.valueType;
  const kept = { limit: `${known?.valueType}, which it keeps` };
  const options = optionsOf(sent);
  const isSelection = (known?.valueType ?? valueType ?? 'string') === 'select';
  const isWrong = isSelection ? !known && options.length === 0 : options.length > 0;
  return [
    ...ownFaults(sent),
    ...(isOther ? [fault('valueType', 'privilege.value_type', 'value_cannot_be_changed', kept)] : []),
    ...(isWrong && !isOdd(options) ? [CONFIG] : []),
  ];
}

const repeated = (sent: readonly PrivilegeSent[], place: number): BillingError[] =>
  sent.findIndex(({ code }) => code === sent[place]?.code) < place
    ? [fault('code', 'privilege.code', 'value_is_duplicated')]
    : [];

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
  const each = (find: (one: PrivilegeSent, place: number) => readonly BillingError[]) =>
    sent.flatMap((one, place) => find(one, place).map((refusal) => placed(refusal, ['privileges', place])));
  const faults = [
    ...each((_one, place) => repeated(sent, place)),
    ...each((one) => faultsOf(one, known.get(one.code), keepsType)),
  ];
  if (faults.length > 0) throw joined(...faults);
  const changed = new Map(sent.map((one) => [one.code, merged(one, known.get(one.code))]));
  const fresh = [...changed.values()].filter(({ code }) => !known.has(code));
  return [...stored.map((one) => changed.get(one.code) ?? one), ...fresh];
}
