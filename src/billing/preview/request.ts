import { invalid, notFound } from '../errors.ts';
import { type Instant, tryParseInstant } from '../period/calendar.ts';

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
