-- CreateEnum
CREATE TYPE "VatStatus" AS ENUM ('pending', 'valid', 'invalid');

-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "vat_checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "vat_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "vat_status" "VatStatus",
ADD COLUMN     "vat_unanswered" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "taxes" ADD COLUMN     "auto_generated" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "customers_vat_due" ON "customers"("organization_id", "vat_due_at") WHERE (vat_status = 'pending' AND deleted_at IS NULL);
