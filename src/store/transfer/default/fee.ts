import { ALL_FILTER_VALUES } from '../../../billing/catalogue/filter.ts';
import { fromCents } from '../../../billing/money/currency.ts';
import { dec, decimalText, sum } from '../../../billing/money/decimal.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { readValue } from '../document/read-value.ts';
import { field } from '../document/shape.ts';
import { isList, isObject, parseJson } from '../value/json.ts';
import type { Found } from '../value/sql.ts';
import { objectsIn } from './invoice.ts';

function typeOf({ row }: Draft): string {
  if (row.charge_id != null) return 'charge';
  if (row.fixed_charge_id != null) return 'fixed_charge';
  return row.add_on_id == null && row.subscription_id != null ? 'subscription' : 'add_on';
}

const MOST = dec('1e35');

const ITEM_TYPES: Readonly<Record<string, string>> = {
  charge: 'BillableMetric',
  fixed_charge: 'AddOn',
  add_on: 'AddOn',
  subscription: 'Subscription',
  commitment: 'Subscription',
  credit: 'WalletTransaction',
};

/** What a fee sells: the row that its names are taken from. */
type Sold = {
  readonly id?: string | null;
  readonly row?: Found | undefined;
  readonly display?: string | null | undefined;
};

interface Catalogue {
  readonly metrics: Map<string, Found>;
  readonly addOns: Map<string, Found>;
  readonly plans: Map<string, Found>;
}

function soldBy({ row, found }: Draft, { metrics, addOns, plans }: Catalogue): Sold {
  const { charge_id: charge, fixed_charge_id: fixed, subscription_id: subscription } = found;
  switch (row.fee_type) {
    case 'charge': {
      const metric = metrics.get(charge?.billable_metric_id ?? '');
      return { id: metric?.id ?? null, row: metric, display: charge?.invoice_display_name };
    }
    case 'fixed_charge': {
      const addOn = addOns.get(fixed?.add_on_id ?? '');
      return { id: addOn?.id ?? null, row: addOn, display: fixed?.invoice_display_name };
    }
    case 'add_on':
      return { id: found.add_on_id?.id ?? null, row: found.add_on_id };
    case 'credit':
      return { display: 'credit' };
    default:
      return { id: subscription?.id ?? null, row: plans.get(subscription?.plan_id ?? ''), display: subscription?.name };
  }
}

function fillItem(draft: Draft, sold: Sold): void {
  const { row } = draft;
  const type = String(row.fee_type);
  row.item_code ??= sold.row?.code ?? (typeof row.item_name === 'string' ? row.item_name : type);
  row.item_name ??= sold.row?.name ?? row.item_code;
  if (row.item_description === undefined) row.item_description = sold.row?.description ?? null;
  row.item_invoice_display_name ??= sold.display || sold.row?.invoice_display_name || row.item_name;
  row.item_type ??= ITEM_TYPES[type];
  if (row.item_id === undefined) row.item_id = sold.id ?? null;
}

/** The filter's own name, else its values; the key itself stands for all of its values. */
function fillFilter({ row, found }: Draft): void {
  const filter = found.charge_filter_id;
  if (!filter?.values) return;
  const values = parseJson(filter.values);
  row.filters ??= values;
  if (!isObject(values)) return;
  const names = Object.entries(values).flatMap(([key, list]) =>
    isList(list) ? list.map((value) => (value === ALL_FILTER_VALUES ? key : String(value))) : [],
  );
  row.filter_invoice_display_name ??= filter.invoice_display_name ?? names.join(', ');
}

function fillAmounts({ row, item }: Draft): void {
  const amount = dec(String(row.precise_amount_cents ?? row.amount_cents ?? '0'));
  row.precise_amount_cents ??= amount.toFixed();
  const lines = objectsIn(item, 'applied_taxes');
  const added = (member: string) =>
    sum(
      lines.map((line) => {
        const reading = readValue(field(member, 'decimal'), line[member] ?? '0');
        return dec('value' in reading ? String(reading.value) : '0');
      }),
    ).toFixed();
  row.taxes_amount_cents ??= added('amount_cents');
  row.taxes_precise_amount_cents ??= row.taxes_amount_cents;
  row.taxes_rate ??= added('tax_rate');
  const units = dec(String(row.units ?? '1'));
  const price = fromCents(amount, String(row.amount_currency));
  const each = units.isZero() ? price : price.div(units).toDecimalPlaces(30);
  // A price beyond the column says nothing that the amount does not say.
  row.precise_unit_amount ??= decimalText(each.abs().lt(MOST) ? each : price);
  const measured = row.fee_type === 'charge' || row.fee_type === 'fixed_charge';
  if (row.total_aggregated_units === undefined && measured) row.total_aggregated_units = units.toFixed();
}

/** New fees take names, flags and amounts that they do not give from what was sold. */
export async function fillFees(drafts: Draft[], importer: Importing): Promise<void> {
  const catalogue = {
    metrics: await importer.resolver.loadAll('billable_metric', drafts, 'charge_id', 'billable_metric_id'),
    addOns: await importer.resolver.loadAll('add_on', drafts, 'fixed_charge_id', 'add_on_id'),
    plans: await importer.resolver.loadAll('plan', drafts, 'subscription_id', 'plan_id'),
  };
  for (const draft of drafts) {
    const { row, found, parent } = draft;
    row.fee_type ??= typeOf(draft);
    const plan = catalogue.plans.get(found.subscription_id?.plan_id ?? '');
    const priced = found.charge_id ?? found.fixed_charge_id ?? (row.fee_type === 'subscription' ? plan : undefined);
    row.pay_in_advance ??= priced?.pay_in_advance === 'true';
    row.invoiceable ??= found.charge_id?.invoiceable !== 'false';
    row.self_billed ??= parent?.row.self_billed ?? found.invoice_id?.self_billed === 'true';
    fillItem(draft, soldBy(draft, catalogue));
    fillFilter(draft);
    fillAmounts(draft);
  }
}
