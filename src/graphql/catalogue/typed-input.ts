import { isPriceModel } from '../../billing/catalogue/charge-property.ts';
import type { PriceModel } from '../../billing/catalogue/charge-type.ts';
import { BillingError, type ErrorHint, gathered, invalid, joined, within } from '../../billing/errors.ts';
import { dec } from '../../billing/money/decimal.ts';
import { camelCase, snakeCase } from '../../billing/name-case.ts';

// Prices and values as inputs of their own types. The rules know one form, the members of REST: here one becomes the other, and what
// the rules refuse is said of what was given.

type Members = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** An input that takes prices and values in both forms. */
export interface TypedInput {
  readonly properties?: unknown;
  readonly pricing?: object | null;
  readonly values?: unknown;
  readonly filterValues?: readonly { readonly key: string; readonly values: readonly string[] }[] | null;
  readonly chargeModel?: PriceModel | null;
  readonly filters?: readonly TypedInput[] | null;
}

const NUMBERS = new Set(['fromValue', 'toValue', 'packageSize', 'freeUnits', 'freeUnitsPerEvents']);

/** What the rules take as a number; digits that no number holds stay a text, which they refuse. */
const numberOf = (text: string): number | string => (dec(text).eq(Number(text)) ? Number(text) : text);

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

function rulesMember(model: string, [name, value]: [string, unknown]): [string, unknown][] {
  if (value === undefined || (value === null && name !== 'toValue')) return [];
  if (NUMBERS.has(name) && isText(value)) return [[snakeCase(name), numberOf(value)]];
  if (!Array.isArray(value)) return [[snakeCase(name), value]];
  if (name === 'ranges') return [[`${model}_ranges`, value.map((range) => rulesMembers(model, range))]];
  if (name !== 'presentationGroupKeys') return [[snakeCase(name), value]];
  const keys = value.map(({ value: key, displayInInvoice: shown }) => ({
    value: key,
    ...(shown === true && { options: { display_in_invoice: true } }),
  }));
  return [[snakeCase(name), keys]];
}

const rulesMembers = (model: string, members: object): Members =>
  Object.fromEntries(Object.entries(members).flatMap((member) => rulesMember(model, member)));

/** The one member that is given. */
function choice(pricing: object): { readonly model: PriceModel; readonly prices: object } {
  const [name = '', prices] = Object.entries(pricing).find(([, given]) => given != null) ?? [];
  const model = snakeCase(name);
  if (!isPriceModel(model) || !isObject(prices)) throw new Error(`no price model: ${name}`);
  return { model, prices };
}

const notBoth = (typed: string, other: string) =>
  invalid(
    { [snakeCase(typed)]: ['value_is_invalid'] },
    { [snakeCase(typed)]: { limit: `${typed} or ${other}, not both` } },
  );

/** The prices that an input gives in either form, as the rules take them, and the model that they are of where it says so. */
function pricesOf({ pricing, properties, chargeModel }: TypedInput) {
  if (pricing == null) return { properties, chargeModel };
  if (properties != null) throw notBoth('pricing', 'properties');
  const { model, prices } = choice(pricing);
  if (chargeModel != null && chargeModel !== model) {
    throw invalid(
      { charge_model: ['value_is_invalid'] },
      { charge_model: { limit: `"${model}", as \`pricing\`, or none` } },
    );
  }
  return { properties: rulesMembers(model, prices), chargeModel: model };
}

function valuesOf({ filterValues, values }: TypedInput): unknown {
  if (filterValues == null) return values;
  if (values != null) throw notBoth('filterValues', 'values');
  const keys = filterValues.map(({ key }) => key);
  const again = keys.findIndex((key, index) => keys.indexOf(key) < index);
  if (again >= 0)
    throw invalid({ filter_values: ['value_is_duplicated'] }, { filter_values: { below: [again, 'key'] } });
  return Object.fromEntries(filterValues.map((one) => [one.key, one.values]));
}

/** Leaves out members that were not given: absent ones keep their values. */
const given = (members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** An input with prices, as the rules take it. */
export function asCharge<Input extends TypedInput>(input: Input) {
  const { pricing: _, ...others } = input;
  return { ...others, ...given(pricesOf(input)) };
}

/** A filter as the rules take it. */
export function asFilter<Input extends TypedInput>(input: Input) {
  const { pricing, filterValues: _, ...others } = input;
  const { properties, chargeModel } = pricesOf(input);
  const groups = isObject(properties) ? properties.presentation_group_keys : undefined;
  if (pricing != null && groups !== undefined) {
    const hint = { below: [camelCase(chargeModel ?? ''), 'presentationGroupKeys'], limit: 'none, of a filter' };
    throw invalid({ pricing: ['value_is_invalid'] }, { pricing: hint });
  }
  return { ...others, ...given({ properties, chargeModel, values: valuesOf(input) }) };
}

/** All filters of a charge as the rules take them. */
const asFilters = <Input extends TypedInput>(inputs: readonly Input[]) =>
  gathered(inputs.map((input, index) => () => within(['filters', index], () => asFilter(input))));

/** A charge with its filters as the rules take it. */
export function asWholeCharge<Input extends TypedInput>(input: Input) {
  const { filters } = input;
  return { ...asCharge(input), ...(filters && { filters: asFilters(filters) }) };
}

/** The charges of a list as the rules take them. */
export const eachOf = <Input, Read>(list: string, inputs: readonly Input[], read: (input: Input) => Read) =>
  gathered(inputs.map((input, index) => () => within([list, index], () => read(input))));

/** Where a member of the rules stands in the typed input. */
function typedPath(model: PriceModel, below: Path): Path {
  const named = below.map((key) =>
    key === `${model}_ranges` ? 'ranges' : typeof key === 'string' ? camelCase(key) : key,
  );
  return [camelCase(model), ...named];
}

/** The part of an input at a place: a charge of a plan, a filter of a charge. */
function partAt(input: object, at: Path): TypedInput {
  const part = at.reduce<unknown>((whole, key) => (isObject(whole) ? whole[key] : undefined), input);
  return isObject(part) ? part : {};
}

/** What is known of one code of a field of the rules, said of what the input has instead. */
function retold(field: string, hint: ErrorHint, input: object): readonly [field: string, hint: ErrorHint] {
  const { pricing, filterValues, chargeModel } = partAt(input, hint.at ?? []);
  if (pricing && field === 'charge_model' && chargeModel == null) return [field, { ...hint, name: 'pricing' }];
  if (pricing && field === 'properties') {
    return ['pricing', { ...hint, below: typedPath(choice(pricing).model, hint.below ?? []) }];
  }
  if (filterValues && (field === 'values' || hint.name === 'values')) {
    const at = filterValues.findIndex(({ key }) => key === hint.below?.[0]);
    const below = at < 0 ? [] : [at, 'values'];
    return [field === 'values' ? 'filter_values' : field, { ...hint, name: 'filterValues', below }];
  }
  return [field, hint];
}

/** Does a write with the input; what the rules refuse is said of what was given, in whichever form. */
export async function inGivenForm<Result>(input: object, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof BillingError) || !error.details) throw error;
    const told = Object.entries(error.details).flatMap(([field, codes]) =>
      codes.map((code, index) => {
        const [name, hint] = retold(field, error.hintOf(field, index), input);
        return invalid({ [name]: [code] }, { [name]: hint });
      }),
    );
    throw joined(...told);
  }
}
