-- AlterEnum
ALTER TYPE "JobTask" ADD VALUE 'usage';
ALTER TYPE "JobTask" ADD VALUE 'draft_refresh';

-- CreateIndex
CREATE INDEX "invoices_stale" ON "invoices"("organization_id", "customer_id") WHERE (ready_to_be_refreshed);
