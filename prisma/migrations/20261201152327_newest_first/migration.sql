-- A list is newest first, and of one moment by rising identifiers: what is made at one moment, as all invoices of a day are,
-- is found in that order instead of being sorted for every page.

-- DropIndex
DROP INDEX "activation_rules_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "add_ons_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "alert_thresholds_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "alerts_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "api_keys_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "applied_coupons_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "applied_invoice_custom_sections_organization_id_created_at__idx";

-- DropIndex
DROP INDEX "applied_usage_thresholds_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "audit_logs_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "audit_logs_organization_id_object_type_object_id_created_at_idx";

-- DropIndex
DROP INDEX "billable_metric_filters_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "billable_metrics_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "billing_entities_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "billing_periods_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "charge_filters_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "charges_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "coupons_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "credit_note_items_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "credit_notes_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "credits_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "customer_metadata_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "customers_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "daily_usages_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "event_refusals_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "event_refusals_organization_id_fate_created_at_id_idx";

-- DropIndex
DROP INDEX "feature_privileges_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "features_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "fee_applied_taxes_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "fees_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "fixed_charge_units_events_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "fixed_charges_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "integration_customers_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "invoice_applied_custom_sections_organization_id_created_at__idx";

-- DropIndex
DROP INDEX "invoice_applied_taxes_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "invoice_custom_sections_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "invoice_error_details_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "invoice_metadata_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_created_at_due_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_payment_status_created_at_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_status_created_at_idx";

-- DropIndex
DROP INDEX "jobs_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "jobs_organization_id_status_created_at_id_idx";

-- DropIndex
DROP INDEX "minimum_commitments_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "payment_methods_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "payment_requests_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "payments_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "plan_entitlements_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "plans_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "pricing_unit_usages_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "pricing_units_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "recurring_transaction_rules_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "subscription_entitlements_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "subscriptions_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "subscriptions_organization_id_status_created_at_idx";

-- DropIndex
DROP INDEX "taxes_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "usage_thresholds_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "wallet_transactions_organization_id_created_at_id_idx";

-- DropIndex
DROP INDEX "wallets_organization_id_created_at_id_idx";

-- CreateIndex
CREATE INDEX "activation_rules_organization_id_created_at_id_idx" ON "activation_rules"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "add_ons_organization_id_created_at_id_idx" ON "add_ons"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "alert_thresholds_organization_id_created_at_id_idx" ON "alert_thresholds"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "alerts_organization_id_created_at_id_idx" ON "alerts"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "api_keys_organization_id_created_at_id_idx" ON "api_keys"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "applied_coupons_organization_id_created_at_id_idx" ON "applied_coupons"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "applied_invoice_custom_sections_organization_id_created_at__idx" ON "applied_invoice_custom_sections"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "applied_usage_thresholds_organization_id_created_at_id_idx" ON "applied_usage_thresholds"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "audit_logs_organization_id_created_at_id_idx" ON "audit_logs"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "audit_logs_organization_id_object_type_object_id_created_at_idx" ON "audit_logs"("organization_id", "object_type", "object_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "billable_metric_filters_organization_id_created_at_id_idx" ON "billable_metric_filters"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "billable_metrics_organization_id_created_at_id_idx" ON "billable_metrics"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "billing_entities_organization_id_created_at_id_idx" ON "billing_entities"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "billing_periods_organization_id_created_at_id_idx" ON "billing_periods"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "charge_filters_organization_id_created_at_id_idx" ON "charge_filters"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "charges_organization_id_created_at_id_idx" ON "charges"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "coupons_organization_id_created_at_id_idx" ON "coupons"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "credit_note_items_organization_id_created_at_id_idx" ON "credit_note_items"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "credit_notes_organization_id_created_at_id_idx" ON "credit_notes"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "credits_organization_id_created_at_id_idx" ON "credits"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "customer_metadata_organization_id_created_at_id_idx" ON "customer_metadata"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "customers_organization_id_created_at_id_idx" ON "customers"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "daily_usages_organization_id_created_at_id_idx" ON "daily_usages"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "event_refusals_organization_id_created_at_id_idx" ON "event_refusals"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "event_refusals_organization_id_fate_created_at_id_idx" ON "event_refusals"("organization_id", "fate", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "feature_privileges_organization_id_created_at_id_idx" ON "feature_privileges"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "features_organization_id_created_at_id_idx" ON "features"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "fee_applied_taxes_organization_id_created_at_id_idx" ON "fee_applied_taxes"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "fees_organization_id_created_at_id_idx" ON "fees"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "fixed_charge_units_events_organization_id_created_at_id_idx" ON "fixed_charge_units_events"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "fixed_charges_organization_id_created_at_id_idx" ON "fixed_charges"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "integration_customers_organization_id_created_at_id_idx" ON "integration_customers"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoice_applied_custom_sections_organization_id_created_at__idx" ON "invoice_applied_custom_sections"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoice_applied_taxes_organization_id_created_at_id_idx" ON "invoice_applied_taxes"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoice_custom_sections_organization_id_created_at_id_idx" ON "invoice_custom_sections"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoice_error_details_organization_id_created_at_id_idx" ON "invoice_error_details"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoice_metadata_organization_id_created_at_id_idx" ON "invoice_metadata"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_created_at_id_idx" ON "invoices"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_status_created_at_id_idx" ON "invoices"("organization_id", "status", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_created_at_due_idx" ON "invoices"("organization_id", "created_at" DESC, "id") WHERE (total_due_amount_cents > 0);

-- CreateIndex
CREATE INDEX "invoices_organization_id_payment_status_created_at_id_idx" ON "invoices"("organization_id", "payment_status", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "jobs_organization_id_created_at_id_idx" ON "jobs"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "jobs_organization_id_status_created_at_id_idx" ON "jobs"("organization_id", "status", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "minimum_commitments_organization_id_created_at_id_idx" ON "minimum_commitments"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "payment_methods_organization_id_created_at_id_idx" ON "payment_methods"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "payment_requests_organization_id_created_at_id_idx" ON "payment_requests"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "payments_organization_id_created_at_id_idx" ON "payments"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "plan_entitlements_organization_id_created_at_id_idx" ON "plan_entitlements"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "plans_organization_id_created_at_id_idx" ON "plans"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "pricing_unit_usages_organization_id_created_at_id_idx" ON "pricing_unit_usages"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "pricing_units_organization_id_created_at_id_idx" ON "pricing_units"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "recurring_transaction_rules_organization_id_created_at_id_idx" ON "recurring_transaction_rules"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "subscription_entitlements_organization_id_created_at_id_idx" ON "subscription_entitlements"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_created_at_id_idx" ON "subscriptions"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_status_created_at_id_idx" ON "subscriptions"("organization_id", "status", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "taxes_organization_id_created_at_id_idx" ON "taxes"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "usage_thresholds_organization_id_created_at_id_idx" ON "usage_thresholds"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "wallet_transactions_organization_id_created_at_id_idx" ON "wallet_transactions"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "wallets_organization_id_created_at_id_idx" ON "wallets"("organization_id", "created_at" DESC, "id");

-- DropIndex, of all months
DROP INDEX "events_organization_id_created_at_id_idx";

-- CreateIndex, of all months
CREATE INDEX "events_organization_id_created_at_id_idx" ON "events"("organization_id", "created_at" DESC, "id");
