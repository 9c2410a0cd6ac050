import { knownCases } from '../cases/known-case.ts';

// biome-ignore lint/suspicious/noExplicitAny: cases of any shape
type Any = any;

export interface PreviewCase {
  readonly id: string;
  readonly document: Record<string, unknown>;
  readonly body: Record<string, unknown>;
  readonly right: Any;
}

const ORCHID = { code: 'orchid', interval: 'monthly', amount_cents: 5000, amount_currency: 'EUR' };

function fixedCharges({ fixed_charges: several, fixed_charge: one }: Any, units: string | undefined): Any[] {
  const charges = [...(several ?? []), ...(one ? [{ ...one, units }] : [])];
  return charges.map((charge) => ({ charge_model: 'standard', ...charge, add_on_code: charge.code }));
}

/** The import document of what a case is given. */
function documentOf(given: Any, units?: string): Record<string, unknown> {
  const charges = fixedCharges(given, units);
  const plans = given.plans ?? [given.plan ?? ORCHID];
  const taxes = given.billing_entity_taxes ?? [];
  const money = { amount_cents: 0, amount_currency: plans[0].amount_currency };
  return {
    taxes: taxes.map((tax: Any) => ({ ...tax, name: tax.code })),
    billing_entities: [
      { code: 'main', name: 'Main', ...given.billing_entity, tax_codes: taxes.map(({ code }: Any) => code) },
    ],
    add_ons: charges.map(({ code }) => ({ code, name: code, ...money })),
    plans: plans.map((plan: Any) => ({ name: plan.code, ...plan, fixed_charges: charges })),
  };
}

/** Requests of a case, each with what is right for it. */
function requestsOf({ given = {}, request, cases }: Any, right: Any) {
  const units: string[] | undefined = given.fixed_charge && given.units_cases;
  if (units) {
    return units.map((each) => ({
      document: documentOf(given, each),
      body: request.body,
      right: { invoice: { fees_amount_cents: right.fees_amount_cents_by_units[each] } },
    }));
  }
  const all = cases ?? given.cases ?? [request];
  return all.map((one: Any, index: number) => ({
    document: documentOf(given),
    body: { ...request?.body_common, ...(one.request?.body ?? one.body ?? one) },
    right: right.cases?.[index] ?? (right.status_by_case ? { ...right, status: right.status_by_case[index] } : right),
  }));
}

/** They begin with what has been stored for a customer: each has a test of its own. */
const STORED = ['GB-067', 'GB-111'];

/** Cases of previews that went wrong elsewhere, as documents and requests. */
export function previewCases(): PreviewCase[] {
  const own = knownCases().filter(({ surface, id }) => /REST 2 preview/.test(surface) && !STORED.includes(id));
  return own.flatMap(({ id, small_input: input, right_value: right }) =>
    requestsOf(input, right).map((one: Any, index: number) => ({ ...one, id: `${id} ${index + 1}` })),
  );
}
