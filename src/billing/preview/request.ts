import { badRequest, invalid, notFound } from '../errors.ts';
import { type Instant, tryParseInstant } from '../period/calendar.ts';

/**
 * The two members of a preview whose kind is checked before anything else: an object where a list belongs, and the reverse, are
 * refused with `bad_request`; a scalar is ignored. Source: invoicing 17.1.
 */
export function checkPreviewShape(body: { readonly coupons?: unknown; readonly subscriptions?: unknown }): void {
  const { coupons, subscriptions } = body;
  if (isObject(coupons) && !Array.isArray(coupons)) throw badRequest('coupons_must_be_an_array');
  if (Array.isArray(subscriptions)) throw badRequest('subscriptions_must_be_an_object');
}

// A year, its due date and a day of another zone later, dates still have years of four digits.
const LAST_PREVIEWED = Date.UTC(9997, 0, 1);

/** The moment that a member of a request names; undefined for none, and for one whose invoice no date could be given to. */
export function previewedInstant(text: string): Instant | undefined {
  const instant = tryParseInstant(text);
  return instant !== undefined && instant < LAST_PREVIEWED ? instant : undefined;
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Dates that terms and days of grace lead beyond year 9999 are refused: `subscription_at: [invalid_date]`. */
export function checkPreviewedDates(dates: {
  readonly paymentDueDate: string;
  readonly expectedFinalizationDate: string;
}): void {
  const texts = [dates.paymentDueDate, dates.expectedFinalizationDate];
  if (texts.some(({ length }) => length > DATE_LENGTH)) throw invalid({ subscription_at: ['invalid_date'] });
}

/** The entity that is billed: the one asked for, which must exist (`object_not_found`), else the default one. */
export function chooseBillingEntity<E extends { readonly code: string }>(
  code: string | null | undefined,
  entities: readonly E[],
  fallback: E | null,
): E {
  const entity = code ? entities.find((candidate) => candidate.code === code) : fallback;
  if (!entity) throw notFound('billing_entity');
  return entity;
}

/** Every integration that a customer of the request names must exist: `object_not_found` with its type otherwise. */
export function checkIntegrations(
  named: readonly { readonly type: string; readonly code: string }[],
  existing: readonly { readonly type: string; readonly code: string }[],
): void {
  for (const { type, code } of named) {
    const known = existing.some((integration) => integration.type === type && integration.code === code);
    if (!known) throw notFound(`${type}_integration`);
  }
}

const SHIPPING = ['addressLine1', 'addressLine2', 'city', 'zipcode', 'state', 'country'] as const;
type ShippingAddress = Readonly<Record<(typeof SHIPPING)[number], string | null>>;

/**
 * A customer as a preview shows it: members of the request replace the stored ones, members that are absent keep them; the
 * shipping address is replaced as a whole, by nothing when none is given. Nothing is stored. Source: invoicing 17.1.
 */
export function overlayCustomer<C extends object>(
  stored: C,
  given: Partial<C>,
  shippingAddress: Partial<ShippingAddress> | null | undefined,
): C & { readonly shippingAddress: ShippingAddress } {
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<C>;
  const address = Object.fromEntries(SHIPPING.map((member) => [member, shippingAddress?.[member] ?? null]));
  return { ...stored, ...stated, shippingAddress: address as ShippingAddress };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
