-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "skip_invoice_custom_sections" BOOLEAN NOT NULL DEFAULT false;
