-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "external_historical_usage_amount_cents" BIGINT;
