-- AlterTable
ALTER TABLE "billing_entities" ADD COLUMN     "payment_account_holder" TEXT,
ADD COLUMN     "payment_bank_name" TEXT,
ADD COLUMN     "payment_bic" TEXT,
ADD COLUMN     "payment_iban" TEXT,
ADD COLUMN     "payment_url" TEXT;
