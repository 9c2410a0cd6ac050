import { minorUnits } from '../../../billing/money/currency.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { readValue } from '../document/read-value.ts';
import { field } from '../document/shape.ts';
import { type Json, memberAt } from '../value/json.ts';
import type { Found } from '../value/sql.ts';

const UNITS = [
  { member: 'precise_amount', column: 'precise_amount_cents' },
  { member: 'taxes_precise_amount', column: 'taxes_precise_amount_cents' },
] as const;

/** The currency of a new fee that gives none: its invoice's, its plan's, its customer's, else the organization's. */
async function currencyOf(draft: Draft, plans: Map<string, Found>, importer: Importing): Promise<string> {
  const { row, found, parent } = draft;
  const plan = plans.get(found.subscription_id?.plan_id ?? '');
  const known =
    row.amount_currency ??
    parent?.row.currency ??
    found.invoice_id?.currency ??
    plan?.amount_currency ??
    found.customer_id?.currency;
  return typeof known === 'string' ? known : importer.defaultCurrency();
}

/** Amounts given in currency units become cents; what is given in cents wins. */
function preciseAmounts(draft: Draft, currency: string, importer: Importing): void {
  for (const { member, column } of UNITS) {
    const value: Json | undefined = memberAt(draft.item, member);
    if (draft.row[column] !== undefined || value === undefined || value === null) continue;
    const reading = readValue(field(member, 'decimal'), value);
    if ('code' in reading) importer.faults.add(`${draft.place}.${member}`, reading.code);
    else {
      draft.row[column] = dec(String(reading.value)).times(minorUnits(currency)).toDecimalPlaces(30).toFixed();
    }
  }
}

const CHARGES = `
  SELECT s.id::text AS subscription, c.code, 'charge_id' AS kind, c.id::text AS id FROM subscriptions s
    JOIN charges c ON c.plan_id = s.plan_id AND c.deleted_at IS NULL
   WHERE s.organization_id = $1::uuid AND s.id = ANY($2::uuid[])
  UNION ALL SELECT s.id::text, c.code, 'fixed_charge_id', c.id::text FROM subscriptions s
    JOIN fixed_charges c ON c.plan_id = s.plan_id AND c.deleted_at IS NULL
   WHERE s.organization_id = $1::uuid AND s.id = ANY($2::uuid[])`;

/** `charge_code` and `fixed_charge_code` name a charge of the plan that the fee's subscription is on. */
async function chargesByCode(drafts: Draft[], importer: Importing): Promise<void> {
  const columns = { charge_id: 'charge_code', fixed_charge_id: 'fixed_charge_code' } as const;
  const open = drafts.flatMap((draft) =>
    Object.entries(columns).flatMap(([column, member]) => {
      const code = memberAt(draft.item, member);
      return draft.row[column] === undefined && typeof code === 'string' ? [{ draft, column, member, code }] : [];
    }),
  );
  if (open.length === 0) return;
  const subscriptions = [...new Set(open.map(({ draft }) => draft.row.subscription_id))].filter(Boolean);
  const rows = await importer.sql.rows(CHARGES, importer.organizationId, subscriptions as string[]);
  const ids = new Map(rows.map(({ subscription, code, kind, id }) => [`${subscription} ${kind} ${code}`, id]));
  for (const { draft, column, member, code } of open) {
    const id = ids.get(`${draft.row.subscription_id} ${column} ${code}`);
    if (id) draft.row[column] = id;
    else importer.faults.add(`${draft.place}.${member}`, 'relation_must_exist');
  }
  await importer.resolver.loadFound('charge', drafts, 'charge_id');
  await importer.resolver.loadFound('fixed_charge', drafts, 'fixed_charge_id');
}

/** What must be known of a fee before it is stored: its charge and its customer. */
export async function prepareFees(drafts: Draft[], importer: Importing): Promise<void> {
  await chargesByCode(drafts, importer);
  for (const { row, found, item } of drafts) {
    const named = ['svc_customer_id', 'external_customer_id'].some((member) => item[member] !== undefined);
    if (!named && found.subscription_id) row.customer_id ??= found.subscription_id.customer_id;
  }
  await importer.resolver.loadFound('customer', drafts, 'customer_id');
}

/** Currency and exact amounts, which need the currency. */
export async function adoptFees(drafts: Draft[], importer: Importing): Promise<void> {
  const plans = await importer.resolver.loadAll('plan', drafts, 'subscription_id', 'plan_id');
  for (const draft of drafts) {
    const currency = await currencyOf(draft, plans, importer);
    if (draft.isNew) draft.row.amount_currency ??= currency;
    preciseAmounts(draft, currency, importer);
  }
}
