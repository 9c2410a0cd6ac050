import { COUNTRIES } from '../../billing/customer/country.ts';
import { forbidden, invalid } from '../../billing/errors.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { builder, type Model } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import type { Context, Permission, Resource } from '../context.ts';

/** One member of a filter: its type, and the Prisma condition that a value means. */
export interface Condition {
  /** An input type, or a list of one. */
  readonly type: unknown;
  readonly description: string;
  readonly deprecationReason?: string;
  // A method, so that a condition may take the values of its own type.
  where(value: unknown, context: Context): object;
  /** A condition that changes nothing but how soon a list's rows are found; it is looked up. */
  narrow?(value: unknown, context: Context, model: Model): Promise<object>;
}

/** Where a condition applies: a column, a path through relations to one (`customer.currency`), or anything else. */
type Place = string | ((condition: unknown) => object);

const at = (place: Place, condition: unknown): object => {
  if (typeof place !== 'string') return place(condition);
  const path = place.split('.');
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), condition) as object;
};

/** The customer who is not deleted; a deleted one's external identifier may have been given to another. */
export const ofCustomer: Place = (condition) => ({ customer: { externalId: condition, deletedAt: null } });

/** The customers who have one of several external identifiers, or had it until they were deleted. */
export const everOfCustomer = (things: string): Condition =>
  anyText(
    'customer.externalId',
    `Only ${things} of customers with one of these external identifiers, and of deleted ones who had it.`,
  );

/** A billing entity of one's own, else the customer's. */
export const ofBillingEntity: Place = (condition) => ({
  OR: [
    { billingEntity: { code: condition } },
    { billingEntityId: null, customer: { billingEntity: { code: condition } } },
  ],
});

interface Range {
  readonly from?: unknown;
  readonly to?: unknown;
  /** As `to`, but within the range itself. */
  readonly through?: unknown;
}

const DateRange = builder.inputType('DateRange', {
  description: 'Calendar dates, both ends included.',
  fields: (t) => ({
    from: t.field({ type: 'Date', description: 'The first date; null for no beginning.' }),
    to: t.field({ type: 'Date', description: 'The last date; null for no end.' }),
  }),
});

export const DateTimeRange = builder.inputType('DateTimeRange', {
  description: 'Moments from one on, until just before another.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The first moment; null for no beginning.' }),
    to: t.field({ type: 'DateTime', description: 'The first moment that is out of the range; null for no end.' }),
    through: t.field({
      type: 'DateTime',
      description: 'The last moment of the range; null for no end but that of `to`.',
    }),
  }),
});

const AmountRange = builder.inputType('AmountRange', {
  description: 'Amounts in minor units, both ends included.',
  fields: (t) => ({
    from: t.field({ type: 'BigInt', description: 'The least amount; null for no bound.' }),
    to: t.field({ type: 'BigInt', description: 'The greatest amount; null for no bound.' }),
  }),
});

const between = (place: Place, { from, to, through }: Range, upper: 'lt' | 'lte') => {
  const bounds = {
    ...(from == null ? {} : { gte: from }),
    ...(through == null ? {} : { lte: through }),
    ...(to == null ? {} : { [upper]: to }),
  };
  return Object.keys(bounds).length === 0 ? {} : at(place, bounds);
};

const range = (type: unknown, upper: 'lt' | 'lte') => (place: Place, description: string) => ({
  type,
  description,
  where: (value: Range) => between(place, value, upper),
});

/** Calendar dates of a column, both ends included. */
export const dates = range(DateRange, 'lte');
/** Moments of a column, the end excluded. */
export const moments = range(DateTimeRange, 'lt');
/** Amounts of a column, both ends included. */
export const amounts = range(AmountRange, 'lte');

/** One of several texts, each compared exactly. */
export const anyText = (place: Place, description: string): Condition => ({
  type: ['String'],
  description,
  where: (values: string[]) => at(place, { in: [...new Set(values)] }),
});

function refuseOtherThanCountries(values: readonly string[]): void {
  const wrong = values.findIndex((value) => !COUNTRIES.has(value));
  if (wrong < 0) return;
  const hint = { below: [wrong], limit: 'a code of ISO 3166' };
  throw invalid({ country: ['not_a_valid_country_code'] }, { country: hint });
}

/** One of several countries; what is no code of one, for example in small letters, is refused rather than not found. */
export const anyCountry = (description: string): Condition => ({
  type: ['CountryCode'],
  description,
  where: (values: string[]) => {
    refuseOtherThanCountries(values);
    return { country: { in: values } };
  },
});

/** One of several identifiers that the service assigned. What is no UUID names nothing, and the column would refuse it. */
export const anyId = (place: Place, description: string): Condition => ({
  type: ['UUID'],
  description,
  where: (values: string[]) => at(place, { in: [...new Set(values.filter(isUuid))] }),
});

/** One text, compared exactly. */
export const text = (place: Place, description: string): Condition => ({
  type: 'String',
  description,
  where: (value: string) => at(place, value),
});

/** One of several values of an enumeration. */
export const anyOf = (enumName: string, place: Place, description: string): Condition => ({
  type: [enumRef(enumName)],
  description,
  where: (values: string[]) => at(place, { in: [...new Set(values)] }),
});

/** Whether the key may read what a condition is about; the REST API's routes have checked what they show. */
export const mayRead = (permission: string, { checksTypes, caller }: Context) =>
  !checksTypes || caller.permits(permission as Permission);

/** Throws `forbidden` unless the key may read what a condition or an order tells something of. */
export function requireRead(resource: Resource, context: Context): void {
  if (!mayRead(`${resource}:read`, context)) throw forbidden(`read_action_not_allowed_for_${resource}`);
}

/** A condition that tells something of another resource: for keys that may read it. */
export const needing = (resource: Resource, condition: Condition): Condition => ({
  ...condition,
  where: (value, context) => {
    requireRead(resource, context);
    return condition.where(value, context);
  },
});

/** Yes or no, each with the condition that it means. */
export const either = (description: string, yes: object, no: object): Condition => ({
  type: 'Boolean',
  description,
  where: (value: boolean) => (value ? yes : no),
});

/** A column of yes and no. */
export const flag = (column: string, description: string): Condition =>
  either(description, { [column]: true }, { [column]: false });

/** What conditions tell beforehand of the rows that values find. */
export async function narrowed(
  conditions: Readonly<Record<string, Condition>>,
  values: Readonly<Record<string, unknown>> | null | undefined,
  context: Context,
  model: Model,
): Promise<object> {
  const told = Object.entries(values ?? {}).map(([key, value]) =>
    value == null ? undefined : conditions[key]?.narrow?.(value, context, model),
  );
  return { AND: (await Promise.all(told)).filter((condition) => condition !== undefined) };
}
