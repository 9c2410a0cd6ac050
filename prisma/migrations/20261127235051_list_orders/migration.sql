-- DropIndex
DROP INDEX "credit_notes_organization_id_number_idx";

-- DropIndex
DROP INDEX "fees_customer_id_idx";

-- DropIndex
DROP INDEX "fees_subscription_id_idx";

-- DropIndex
DROP INDEX "invoices_customer_id_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_issuing_date_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_number_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_status_idx";

-- DropIndex
DROP INDEX "payment_requests_customer_id_idx";

-- DropIndex
DROP INDEX "payments_customer_id_idx";

-- DropIndex
DROP INDEX "subscriptions_organization_id_external_id_idx";

-- DropIndex
DROP INDEX "wallet_transactions_wallet_id_idx";

-- CreateIndex
CREATE INDEX "applied_coupons_organization_id_terminated_at_id_idx" ON "applied_coupons"("organization_id", "terminated_at", "id");

-- CreateIndex
CREATE INDEX "credit_notes_organization_id_number_id_idx" ON "credit_notes"("organization_id", "number", "id");

-- CreateIndex
CREATE INDEX "credit_notes_organization_id_issuing_date_id_idx" ON "credit_notes"("organization_id", "issuing_date", "id");

-- CreateIndex
CREATE INDEX "credit_notes_organization_id_total_amount_cents_id_idx" ON "credit_notes"("organization_id", "total_amount_cents", "id");

-- CreateIndex
CREATE INDEX "customers_organization_id_external_id_id_idx" ON "customers"("organization_id", "external_id", "id");

-- CreateIndex
CREATE INDEX "events_organization_id_timestamp_id_idx" ON "events"("organization_id", "timestamp", "id");

-- CreateIndex
CREATE INDEX "fees_subscription_id_created_at_idx" ON "fees"("subscription_id", "created_at");

-- CreateIndex
CREATE INDEX "fees_customer_id_created_at_idx" ON "fees"("customer_id", "created_at");

-- CreateIndex
CREATE INDEX "fees_organization_id_amount_cents_id_idx" ON "fees"("organization_id", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "fees_organization_id_from_date_id_idx" ON "fees"("organization_id", "from_date", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_issuing_date_id_idx" ON "invoices"("organization_id", "issuing_date", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_number_id_idx" ON "invoices"("organization_id", "number", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_status_created_at_idx" ON "invoices"("organization_id", "status", "created_at");

-- CreateIndex
CREATE INDEX "invoices_organization_id_payment_due_date_id_idx" ON "invoices"("organization_id", "payment_due_date", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_total_amount_cents_id_idx" ON "invoices"("organization_id", "total_amount_cents", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_payment_status_created_at_idx" ON "invoices"("organization_id", "payment_status", "created_at");

-- CreateIndex
CREATE INDEX "invoices_customer_id_overdue_idx" ON "invoices"("customer_id") WHERE (payment_overdue);

-- CreateIndex
CREATE INDEX "payment_requests_organization_id_amount_cents_id_idx" ON "payment_requests"("organization_id", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "payments_customer_id_created_at_idx" ON "payments"("customer_id", "created_at");

-- CreateIndex
CREATE INDEX "payments_organization_id_amount_cents_id_idx" ON "payments"("organization_id", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_external_id_id_idx" ON "subscriptions"("organization_id", "external_id", "id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_started_at_id_idx" ON "subscriptions"("organization_id", "started_at", "id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_ending_at_id_idx" ON "subscriptions"("organization_id", "ending_at", "id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_status_created_at_idx" ON "subscriptions"("organization_id", "status", "created_at");

-- CreateIndex
CREATE INDEX "wallet_transactions_wallet_id_created_at_idx" ON "wallet_transactions"("wallet_id", "created_at");

-- CreateIndex
CREATE INDEX "wallet_transactions_organization_id_settled_at_id_idx" ON "wallet_transactions"("organization_id", "settled_at", "id");

-- CreateIndex
CREATE INDEX "wallet_transactions_organization_id_amount_id_idx" ON "wallet_transactions"("organization_id", "amount", "id");

-- CreateIndex
CREATE INDEX "wallets_organization_id_balance_cents_id_idx" ON "wallets"("organization_id", "balance_cents", "id");

-- CreateIndex
CREATE INDEX "wallets_organization_id_expiration_at_id_idx" ON "wallets"("organization_id", "expiration_at", "id");
