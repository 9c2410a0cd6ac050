// The least that can be done: PostgreSQL builds the JSON text, the server sends it.
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const organization = process.env.ORGANIZATION;

const decimal = (value) =>
  `CASE WHEN ${value} = trunc(${value}) THEN trunc(${value}) || '.0' ELSE trim_scale(${value})::text END`;
const moment = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const INVOICE = `json_build_object(
  'svcId', i.id, 'number', i.number, 'status', i.status, 'issuingDate', i.issuing_date, 'currency', i.currency,
  'feesAmountCents', i.fees_amount_cents, 'taxesAmountCents', i.taxes_amount_cents, 'totalAmountCents', i.total_amount_cents,
  'customer', (SELECT json_build_object('svcId', c.id, 'externalId', c.external_id, 'name', c.name, 'email', c.email)
    FROM customers c WHERE c.id = i.customer_id),
  'fees', (SELECT coalesce(json_agg(json_build_object('svcId', f.id, 'feeType', f.fee_type, 'amountCents', f.amount_cents,
      'taxesAmountCents', f.taxes_amount_cents, 'amountCurrency', f.amount_currency) ORDER BY f.created_at, f.id), '[]')
    FROM fees f WHERE f.invoice_id = i.id AND f.deleted_at IS NULL),
  'appliedTaxes', (SELECT coalesce(json_agg(json_build_object('svcId', t.id, 'taxCode', t.tax_code, 'taxName', t.tax_name,
      'amountCents', t.amount_cents) ORDER BY t.tax_code, t.id), '[]')
    FROM invoice_applied_taxes t WHERE t.invoice_id = i.id))`;

// A function takes at most 100 arguments: the fee is put together from three objects.
const FEE = `json_build_object('fee', jsonb_build_object(
    'svc_id', f.id, 'svc_charge_id', f.charge_id, 'svc_charge_filter_id', f.charge_filter_id,
    'svc_fixed_charge_id', f.fixed_charge_id, 'svc_invoice_id', f.invoice_id, 'svc_true_up_fee_id', (SELECT u.id FROM fees u
      WHERE u.true_up_parent_fee_id = f.id AND u.deleted_at IS NULL ORDER BY u.id LIMIT 1),
    'svc_true_up_parent_fee_id', f.true_up_parent_fee_id, 'svc_subscription_id', f.subscription_id,
    'svc_customer_id', f.customer_id, 'external_customer_id', c.external_id, 'external_subscription_id', s.external_id,
    'amount_cents', f.amount_cents, 'taxes_amount_cents', f.taxes_amount_cents,
    'total_amount_cents', f.amount_cents + f.taxes_amount_cents, 'precise_amount', ${decimal('f.precise_amount_cents / 100')},
    'precise_total_amount', ${decimal('(f.precise_amount_cents + f.taxes_precise_amount_cents) / 100')},
    'taxes_precise_amount', ${decimal('f.taxes_precise_amount_cents / 100')}, 'units', ${decimal('f.units')},
    'precise_unit_amount', ${decimal('f.precise_unit_amount')},
    'total_aggregated_units', ${decimal('coalesce(f.total_aggregated_units, f.units)')},
    'precise_coupons_amount_cents', ${decimal('f.precise_coupons_amount_cents')})
  || jsonb_build_object(
    'sub_total_excluding_taxes_amount_cents', round(f.amount_cents - f.precise_coupons_amount_cents),
    'sub_total_excluding_taxes_precise_amount_cents', ${decimal('(f.precise_amount_cents - f.precise_coupons_amount_cents)')},
    'amount_currency', f.amount_currency, 'total_amount_currency', f.amount_currency, 'taxes_rate', f.taxes_rate,
    'events_count', f.events_count, 'pay_in_advance', f.pay_in_advance, 'invoiceable', f.invoiceable,
    'from_date', ${moment('f.from_date')}, 'to_date', ${moment('f.to_date')}, 'payment_status', f.payment_status,
    'created_at', ${moment('f.created_at')}, 'succeeded_at', ${moment('f.succeeded_at')},
    'failed_at', ${moment('f.failed_at')}, 'refunded_at', ${moment('f.refunded_at')},
    'event_transaction_id', f.event_transaction_id, 'description', f.description, 'self_billed', f.self_billed)
  || jsonb_build_object(
    'item', json_build_object('type', f.fee_type, 'code', f.item_code, 'name', f.item_name, 'description', f.item_description,
      'invoice_display_name', coalesce(f.item_invoice_display_name, f.item_name),
      'filter_invoice_display_name', f.filter_invoice_display_name, 'item_type', f.item_type,
      'svc_item_id', coalesce(f.item_id, f.id), 'filters', f.filters, 'grouped_by', f.grouped_by),
    'amount_details', f.amount_details, 'presentation_breakdowns', f.presentation_breakdowns,
    'applied_taxes', (SELECT coalesce(json_agg(json_build_object('svc_id', t.id, 'svc_tax_id', t.tax_id, 'svc_fee_id', t.fee_id,
        'tax_name', t.tax_name, 'tax_code', t.tax_code, 'tax_description', t.tax_description, 'tax_rate', t.tax_rate,
        'amount_cents', t.amount_cents, 'amount_currency', t.amount_currency, 'created_at', ${moment('t.created_at')})
        ORDER BY t.tax_code, t.id), '[]') FROM fee_applied_taxes t WHERE t.fee_id = f.id),
    'pricing_unit_details', (SELECT to_json(p) FROM pricing_unit_usages p WHERE p.fee_id = f.id)))`;

const STATEMENTS = {
  invoice: `SELECT ${INVOICE}::text AS json FROM invoices i WHERE i.organization_id = $1 AND i.id = $2`,
  invoices: `SELECT json_build_object('nodes', json_agg(${INVOICE}))::text AS json FROM (
    SELECT * FROM invoices WHERE organization_id = $1 AND status <> 'generating' ORDER BY created_at DESC, id DESC LIMIT $2) i`,
  fee: `SELECT ${FEE}::text AS json FROM fees f LEFT JOIN customers c ON c.id = f.customer_id
    LEFT JOIN subscriptions s ON s.id = f.subscription_id
    WHERE f.organization_id = $1 AND f.id = $2 AND f.deleted_at IS NULL`,
};

async function answer(request, response) {
  const [, name, value] = request.url.split('/');
  const text = STATEMENTS[name];
  const { rows } = text ? await pool.query({ name, text, values: [organization, value] }) : { rows: [] };
  response.writeHead(rows.length > 0 ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(rows[0]?.json);
}

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), '127.0.0.1');
