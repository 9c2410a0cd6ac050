-- AlterTable
ALTER TABLE "wallet_transactions" ADD COLUMN     "voided_invoice_id" UUID;
