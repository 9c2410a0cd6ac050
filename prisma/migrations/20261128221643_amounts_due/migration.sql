-- DropIndex
DROP INDEX "credit_notes_organization_id_total_amount_cents_id_idx";

-- DropIndex
DROP INDEX "fees_organization_id_amount_cents_id_idx";

-- DropIndex
DROP INDEX "invoices_organization_id_total_amount_cents_id_idx";

-- DropIndex
DROP INDEX "payment_requests_organization_id_amount_cents_id_idx";

-- DropIndex
DROP INDEX "payments_organization_id_amount_cents_id_idx";

-- DropIndex
DROP INDEX "wallets_organization_id_balance_cents_id_idx";

-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "outstanding_balance_cents" DECIMAL(40,0) NOT NULL DEFAULT 0,
ADD COLUMN     "overdue_balance_cents" DECIMAL(40,0) NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "invoices" ADD COLUMN     "total_due_amount_cents" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "credit_notes_organization_id_currency_total_amount_cents_id_idx" ON "credit_notes"("organization_id", "currency", "total_amount_cents", "id");

-- CreateIndex
CREATE INDEX "customers_organization_id_currency_outstanding_balance_cent_idx" ON "customers"("organization_id", "currency", "outstanding_balance_cents", "id");

-- CreateIndex
CREATE INDEX "customers_organization_id_currency_overdue_balance_cents_id_idx" ON "customers"("organization_id", "currency", "overdue_balance_cents", "id");

-- CreateIndex
CREATE INDEX "fees_organization_id_amount_currency_amount_cents_id_idx" ON "fees"("organization_id", "amount_currency", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_currency_total_amount_cents_id_idx" ON "invoices"("organization_id", "currency", "total_amount_cents", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_currency_total_due_amount_cents_id_idx" ON "invoices"("organization_id", "currency", "total_due_amount_cents", "id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_created_at_due_idx" ON "invoices"("organization_id", "created_at", "id") WHERE (total_due_amount_cents > 0);

-- CreateIndex
CREATE INDEX "invoices_organization_id_customer_id_due_idx" ON "invoices"("organization_id", "customer_id") WHERE (total_due_amount_cents > 0);

-- CreateIndex
CREATE INDEX "payment_requests_organization_id_amount_currency_amount_cen_idx" ON "payment_requests"("organization_id", "amount_currency", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "payments_organization_id_amount_currency_amount_cents_id_idx" ON "payments"("organization_id", "amount_currency", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "wallets_organization_id_currency_balance_cents_id_idx" ON "wallets"("organization_id", "currency", "balance_cents", "id");

-- What is due on an invoice is kept beside its amounts, whoever writes them: lists are narrowed and ordered by it.
CREATE FUNCTION "keep_invoice_due"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offsets numeric := 0;
BEGIN
  -- An invoice that is being made has no notes yet.
  IF TG_OP = 'UPDATE' THEN
    SELECT coalesce(sum("offset_amount_cents"), 0) INTO offsets
    FROM "credit_notes" WHERE "invoice_id" = NEW."id" AND "status" = 'finalized';
  END IF;
  NEW."total_due_amount_cents" := CASE
    WHEN NEW."status" = 'voided' OR NEW."payment_status" = 'succeeded' THEN 0
    ELSE greatest(NEW."total_amount_cents"::numeric - NEW."total_paid_amount_cents" - offsets, 0)
  END;
  RETURN NEW;
END
$$;

CREATE TRIGGER "invoices_due" BEFORE INSERT OR UPDATE ON "invoices" FOR EACH ROW EXECUTE FUNCTION "keep_invoice_due"();

-- The row of the invoice is locked before its notes are added up, so that of two notes at once neither is missed.
CREATE FUNCTION "offset_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE "invoices" SET "id" = "id" WHERE "id" = OLD."invoice_id" AND OLD."offset_amount_cents" <> 0;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE "invoices" SET "id" = "id" WHERE "id" = NEW."invoice_id" AND NEW."offset_amount_cents" <> 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "credit_notes_offset" AFTER INSERT OR UPDATE OF "offset_amount_cents", "status", "invoice_id" OR DELETE
  ON "credit_notes" FOR EACH ROW EXECUTE FUNCTION "offset_invoice"();

-- What a customer owes in its own currency, of invoices that are final, not self-billed and not lost in a dispute. Balances change by
-- differences, once a statement, so that two transactions on one customer add up in whatever order.
CREATE FUNCTION "keep_balances"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  part text := 'SELECT customer_id, currency, payment_overdue, %s total_due_amount_cents::numeric AS owed FROM %s
    WHERE total_due_amount_cents > 0 AND status = ''finalized'' AND NOT self_billed AND payment_dispute_lost_at IS NULL';
BEGIN
  EXECUTE format(
    'UPDATE customers c
     SET outstanding_balance_cents = c.outstanding_balance_cents + d.owed,
       overdue_balance_cents = c.overdue_balance_cents + d.overdue
     FROM (
       SELECT customer_id, currency, sum(owed) AS owed, coalesce(sum(owed) FILTER (WHERE payment_overdue), 0) AS overdue
       FROM (%s) parts GROUP BY customer_id, currency
     ) d
     WHERE c.id = d.customer_id AND c.currency = d.currency AND (d.owed <> 0 OR d.overdue <> 0)',
    concat_ws(
      ' UNION ALL ',
      CASE WHEN TG_OP <> 'DELETE' THEN format(part, '', 'made') END,
      CASE WHEN TG_OP <> 'INSERT' THEN format(part, '-', 'unmade') END
    )
  );
  RETURN NULL;
END
$$;

CREATE FUNCTION "keep_balances_of_currency"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(sum("total_due_amount_cents"), 0), coalesce(sum("total_due_amount_cents") FILTER (WHERE "payment_overdue"), 0)
  INTO NEW."outstanding_balance_cents", NEW."overdue_balance_cents"
  FROM "invoices"
  WHERE "organization_id" = NEW."organization_id" AND "customer_id" = NEW."id" AND "currency" = NEW."currency"
    AND "total_due_amount_cents" > 0 AND "status" = 'finalized' AND NOT "self_billed" AND "payment_dispute_lost_at" IS NULL;
  RETURN NEW;
END
$$;

CREATE TRIGGER "customers_currency" BEFORE UPDATE OF "currency" ON "customers" FOR EACH ROW
  WHEN (OLD."currency" IS DISTINCT FROM NEW."currency") EXECUTE FUNCTION "keep_balances_of_currency"();

-- What was stored before, in silence: nothing of it has changed for who listens.
SELECT set_config('billing.quiet', 'on', true);
UPDATE "invoices" SET "id" = "id" WHERE "total_amount_cents" <> 0;
UPDATE "customers" c
SET "outstanding_balance_cents" = d."owed", "overdue_balance_cents" = d."overdue"
FROM (
  SELECT "customer_id", "currency", sum("total_due_amount_cents") AS "owed",
    coalesce(sum("total_due_amount_cents") FILTER (WHERE "payment_overdue"), 0) AS "overdue"
  FROM "invoices"
  WHERE "total_due_amount_cents" > 0 AND "status" = 'finalized' AND NOT "self_billed" AND "payment_dispute_lost_at" IS NULL
  GROUP BY 1, 2
) d
WHERE c."id" = d."customer_id" AND c."currency" = d."currency";

CREATE TRIGGER "invoices_made_balances" AFTER INSERT ON "invoices" REFERENCING NEW TABLE AS "made"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_balances"();
CREATE TRIGGER "invoices_changed_balances" AFTER UPDATE ON "invoices" REFERENCING OLD TABLE AS "unmade" NEW TABLE AS "made"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_balances"();
CREATE TRIGGER "invoices_gone_balances" AFTER DELETE ON "invoices" REFERENCING OLD TABLE AS "unmade"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_balances"();
