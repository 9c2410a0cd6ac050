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

const columns = (alias, names) => names.map((name) => `'${name}', ${alias}.${name}`).join(', ');

const CUSTOMER = `(jsonb_build_object('svc_id', c.id, ${columns('c', ['sequential_id', 'slug', 'external_id'])},
    'applicable_timezone', coalesce(c.timezone, e.timezone), 'billing_entity_code', e.code, ${columns('c', [
      ...['address_line1', 'address_line2', 'city', 'country', 'state', 'zipcode', 'currency', 'email', 'legal_name', 'legal_number'],
      ...['logo_url', 'name', 'firstname', 'lastname', 'account_type', 'customer_type', 'phone', 'tax_identification_number'],
      ...['timezone', 'url', 'net_payment_term', 'finalize_zero_amount_invoice', 'skip_invoice_custom_sections'],
    ])}, 'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')})
  || jsonb_build_object('billing_configuration', json_build_object(${columns('c', [
    ...['invoice_grace_period', 'subscription_invoice_issuing_date_anchor', 'subscription_invoice_issuing_date_adjustment'],
    ...['payment_provider', 'payment_provider_code', 'provider_customer_id', 'document_locale', 'sync', 'sync_with_provider'],
  ])}, 'provider_payment_methods', coalesce(c.provider_payment_methods, '{}')), 'shipping_address', json_build_object('address_line1', c.shipping_address_line1, 'address_line2', c.shipping_address_line2,
      'city', c.shipping_city, 'country', c.shipping_country, 'state', c.shipping_state, 'zipcode', c.shipping_zipcode),
    'metadata', (SELECT coalesce(json_agg(json_build_object('svc_id', m.id, 'key', m.key, 'value', m.value,
        'display_in_invoice', m.display_in_invoice, 'created_at', ${moment('m.created_at')}) ORDER BY m.key, m.id), '[]')
      FROM customer_metadata m WHERE m.customer_id = c.id),
    'integration_customers', (SELECT coalesce(json_agg(json_build_object('svc_id', n.id, ${columns('n', [
      ...['type', 'integration_code', 'external_customer_id', 'subsidiary_id', 'targeted_object', 'sync_with_provider', 'email'],
    ])}) ORDER BY n.created_at, n.id), '[]') FROM integration_customers n WHERE n.customer_id = c.id)))`;

const SUMMARY = `json_build_object('svc_id', i.id, 'billing_entity_code', b.code, ${columns('i', [
  ...['number', 'issuing_date', 'invoice_type', 'status', 'payment_status', 'currency', 'fees_amount_cents', 'coupons_amount_cents'],
  ...['credit_notes_amount_cents', 'sub_total_excluding_taxes_amount_cents', 'taxes_amount_cents'],
  ...['sub_total_including_taxes_amount_cents', 'prepaid_credit_amount_cents', 'progressive_billing_credit_amount_cents'],
  ...['total_amount_cents', 'prepaid_granted_credit_amount_cents', 'prepaid_purchased_credit_amount_cents', 'version_number'],
  ...['sequential_id', 'net_payment_term', 'payment_due_date', 'payment_overdue', 'self_billed'],
])}, 'created_at', ${moment('i.created_at')}, 'updated_at', ${moment('i.updated_at')},
  'payment_dispute_lost_at', ${moment('i.payment_dispute_lost_at')}, 'file_url', null)`;

// A page of a hundred requests of the first customer, with its number and the total.
const REQUESTS = `WITH whole AS (SELECT count(*) FROM payment_requests r JOIN customers c ON c.id = r.customer_id
    WHERE r.organization_id = $1 AND c.organization_id = $1 AND c.external_id = 'customer_0'),
  page AS (SELECT r.*, c.email AS address FROM payment_requests r JOIN customers c ON c.id = r.customer_id
    WHERE r.organization_id = $1 AND c.organization_id = $1 AND c.external_id = 'customer_0'
    ORDER BY r.created_at DESC, r.id LIMIT 100 OFFSET $2::int * 100)
  SELECT json_build_object('meta', (SELECT json_build_object('current_page', $2::int + 1, 'total_pages', ceil(count / 100.0),
      'total_count', count, 'next_page', CASE WHEN ($2::int + 1) * 100 < count THEN $2::int + 2 END,
      'prev_page', nullif($2::int, 0)) FROM whole),
    'payment_requests', (SELECT json_agg(json_build_object('svc_id', r.id, 'email', coalesce(r.email, r.address, ''),
      'amount_cents', r.amount_cents, 'amount_currency', r.amount_currency, 'payment_status', r.payment_status,
      'created_at', ${moment('r.created_at')},
      'customer', (SELECT ${CUSTOMER} FROM customers c JOIN billing_entities e ON e.id = c.billing_entity_id WHERE c.id = r.customer_id),
      'invoices', (SELECT coalesce(json_agg(${SUMMARY} ORDER BY i.created_at, i.id), '[]') FROM "_PaymentRequestInvoices" p
        JOIN invoices i ON i.id = p."A" JOIN billing_entities b ON b.id = i.billing_entity_id WHERE p."B" = r.id))
      ORDER BY r.created_at DESC, r.id) FROM page r))::text AS json`;

const STATEMENTS = {
  invoice: `SELECT ${INVOICE}::text AS json FROM invoices i WHERE i.organization_id = $1 AND i.id = $2`,
  invoices: `SELECT json_build_object('nodes', json_agg(${INVOICE}))::text AS json FROM (
    SELECT * FROM invoices WHERE organization_id = $1 AND status <> 'generating' ORDER BY created_at DESC, id LIMIT $2) i`,
  invoicesAfter: `SELECT json_build_object('nodes', json_agg(${INVOICE} ORDER BY i.created_at DESC, i.id))::text AS json FROM (
    SELECT * FROM invoices WHERE organization_id = $1 AND status <> 'generating' AND created_at <= $2 AND (created_at < $2 OR id > $3)
    ORDER BY created_at DESC, id LIMIT 20) i`,
  total: `SELECT json_build_object('totalCount', count(*))::text AS json FROM invoices
    WHERE organization_id = $1 AND status <> 'generating'`,
  requests: REQUESTS,
  fee: `SELECT ${FEE}::text AS json FROM fees f LEFT JOIN customers c ON c.id = f.customer_id
    LEFT JOIN subscriptions s ON s.id = f.subscription_id
    WHERE f.organization_id = $1 AND f.id = $2 AND f.deleted_at IS NULL`,
};

async function answer(request, response) {
  const [, name, ...values] = request.url.split('/');
  const text = STATEMENTS[name];
  const { rows } = text ? await pool.query({ name, text, values: [organization, ...values] }) : { rows: [] };
  response.writeHead(rows.length > 0 ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(rows[0]?.json);
}

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), '127.0.0.1');
