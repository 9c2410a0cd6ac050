import { draftNumber, invoiceNumber } from '../../../billing/invoice/numbering.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { addDays, formatDate, localDate, parseDate } from '../../../billing/period/calendar.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { isList, isObject, type Json, type JsonObject, memberAt, numberText } from '../value/json.ts';
import { zonesOf } from './zone.ts';

/** Objects in a list of the document. */
export const objectsIn = (item: JsonObject, member: string): JsonObject[] => {
  const list = memberAt(item, member);
  return isList(list) ? list.filter(isObject) : [];
};

const whole = (value: Json | undefined): bigint => {
  const text = numberText(value) ?? (typeof value === 'string' ? value : '');
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
};

const total = (objects: JsonObject[], member: string) =>
  objects.reduce((sum, object) => sum + whole(object[member]), 0n);

const isDraft = (status: Json | undefined) => status === 'draft' || status === 'generating' || status === 'open';

/** Issuing entity, currency, dates and type of new invoices. */
export async function fillInvoiceParts(drafts: Draft[], importer: Importing): Promise<void> {
  const entities = await importer.resolver.loadAll('billing_entity', drafts, 'customer_id', 'billing_entity_id');
  const zoneFor = await zonesOf(drafts, importer);
  for (const draft of drafts) {
    const { row, found, item } = draft;
    const customer = found.customer_id;
    row.billing_entity_id ??= customer?.billing_entity_id;
    const entity = found.billing_entity_id ?? entities.get(String(row.billing_entity_id));
    if (entity) found.billing_entity_id = entity;
    row.currency ??= customer?.currency ?? entity?.default_currency ?? (await importer.defaultCurrency());
    row.net_payment_term ??= customer?.net_payment_term ?? entity?.net_payment_term ?? '0';
    const made = Date.parse(String(row.finalized_at ?? row.created_at ?? importer.now));
    row.issuing_date ??= formatDate(localDate(made, zoneFor(draft)));
    row.payment_due_date ??= formatDate(addDays(parseDate(String(row.issuing_date)), Number(row.net_payment_term)));
    row.self_billed ??= customer?.account_type === 'partner';
    const periodic = objectsIn(item, 'billing_periods').length > 0 || objectsIn(item, 'subscriptions').length > 0;
    const ofSubscription = objectsIn(item, 'fees').some(
      (fee) => fee.svc_subscription_id || fee.external_subscription_id,
    );
    row.invoice_type ??= periodic || ofSubscription ? 'subscription' : 'one_off';
    fillTotals(row, item);
  }
}

/** Totals that are not given follow from the fees and credits listed in the invoice, in the order of the calculation. */
function fillTotals(row: Draft['row'], item: JsonObject): void {
  const fees = objectsIn(item, 'fees');
  const credits = objectsIn(item, 'credits');
  const used = (type: string) =>
    total(
      credits.filter((credit) => memberAt(credit, 'item.type') === type),
      'amount_cents',
    );
  const set = (name: string, value: () => bigint) => {
    row[name] ??= value().toString();
    return whole(row[name]);
  };
  const sumOfFees = set('fees_amount_cents', () => total(fees, 'amount_cents'));
  const progressive = set('progressive_billing_credit_amount_cents', () => used('invoice'));
  const coupons = set('coupons_amount_cents', () => used('coupon'));
  const excluding = set('sub_total_excluding_taxes_amount_cents', () => sumOfFees - progressive - coupons);
  const taxes = set('taxes_amount_cents', () => total(fees, 'taxes_amount_cents'));
  const including = set('sub_total_including_taxes_amount_cents', () => excluding + taxes);
  const notes = set('credit_notes_amount_cents', () => used('credit_note'));
  const sum = set('total_amount_cents', () => including - notes - whole(row.prepaid_credit_amount_cents));
  set('total_paid_amount_cents', () => (row.payment_status === 'succeeded' ? sum : 0n));
}

/** Ranks and numbers of new invoices: those of a final invoice count on from the customer's last one. */
export async function fillInvoices(drafts: Draft[], importer: Importing): Promise<void> {
  const ranks = await rankByCustomer(drafts, importer);
  for (const { row, found } of drafts) {
    const entity = found.billing_entity_id;
    const documentNumberPrefix = entity?.document_number_prefix ?? '';
    if (isDraft(row.status)) {
      row.number ??= draftNumber({ documentNumberPrefix });
      continue;
    }
    const key = `${row.customer_id} ${row.billing_entity_id}`;
    const rank = (ranks.get(key) ?? 0) + 1;
    if (row.sequential_id === undefined) {
      row.sequential_id = String(rank);
      ranks.set(key, rank);
    }
    if (row.finalized_at === undefined) row.finalized_at = row.created_at ?? importer.now;
    const forCustomer = Number(row.sequential_id ?? rank);
    const customerSequentialId = Number(found.customer_id?.sequential_id ?? 1);
    row.number ??= invoiceNumber(
      { documentNumberPrefix, documentNumbering: 'per_customer', timezone: 'UTC' },
      { customerSequentialId, forCustomer, forEntity: forCustomer, selfBilled: row.self_billed === true },
      Date.parse(importer.now),
    );
  }
}

async function rankByCustomer(drafts: Draft[], importer: Importing): Promise<Map<string, number>> {
  const rows = await importer.sql.rows(
    `SELECT customer_id::text || ' ' || billing_entity_id::text AS key, max(sequential_id)::text AS rank FROM invoices
     WHERE organization_id = $1::uuid AND customer_id = ANY($2::uuid[]) AND sequential_id IS NOT NULL GROUP BY 1`,
    importer.organizationId,
    drafts.flatMap(({ row }) => (typeof row.customer_id === 'string' ? [row.customer_id] : [])),
  );
  const ranks = new Map(rows.map(({ key, rank }) => [String(key), Number(rank)]));
  for (const { row } of drafts) {
    const key = `${row.customer_id} ${row.billing_entity_id}`;
    if (row.sequential_id != null) ranks.set(key, Math.max(ranks.get(key) ?? 0, Number(row.sequential_id)));
  }
  return ranks;
}

/** A tax line takes what it does not give from the tax of its code. */
export function fillAppliedTaxes(drafts: Draft[], importer: Importing): void {
  for (const { row, found, parent, place } of drafts) {
    const tax = found.tax_id;
    row.tax_code ??= tax?.code;
    row.tax_name ??= tax?.name ?? row.tax_code;
    if (row.tax_description === undefined) row.tax_description = tax?.description ?? null;
    row.tax_rate ??= tax?.rate;
    row.amount_currency ??= parent?.row.amount_currency ?? parent?.row.currency ?? parent?.found.invoice_id?.currency;
    for (const column of ['tax_code', 'tax_rate'] as const) {
      if (row[column] === undefined) importer.faults.add(`${place}.${column}`, 'value_is_mandatory');
    }
    if (row.tax_rate !== undefined) row.tax_rate = dec(String(row.tax_rate)).toFixed();
  }
}

/** The usage period is the subscription's unless it is given. */
export function fillPeriods(drafts: Draft[]): void {
  for (const { row } of drafts) {
    row.charges_from_datetime ??= row.subscription_from_datetime;
    row.charges_to_datetime ??= row.subscription_to_datetime;
  }
}
