-- CreateEnum
CREATE TYPE "InvoiceTaxStatus" AS ENUM ('pending', 'succeeded', 'failed');

-- AlterTable
ALTER TABLE "invoices" ADD COLUMN     "tax_status" "InvoiceTaxStatus";

-- CreateIndex
CREATE INDEX "invoices_untaxed" ON "invoices"("organization_id", "customer_id") WHERE (tax_status = 'pending');

-- Invoices that wait for their taxes are looked after as those are that wait for their payment.
CREATE OR REPLACE FUNCTION "await_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "due_at" = now()
  FROM (
    SELECT DISTINCT "organization_id", "customer_id" FROM "made"
    WHERE "status" = 'finalized' AND "payment_status" <> 'succeeded' AND NOT "payment_overdue"
      OR "status" = 'pending' AND "tax_status" = 'pending'
  ) m
  WHERE d."organization_id" = m."organization_id" AND d."customer_id" = m."customer_id" AND d."due_at" IS NULL;
  RETURN NULL;
END
$$;
