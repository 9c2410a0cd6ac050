ALTER TABLE "invoices" ADD COLUMN "ready_to_be_refreshed" BOOLEAN NOT NULL DEFAULT false;
