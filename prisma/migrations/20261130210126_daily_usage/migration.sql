-- AlterEnum
ALTER TYPE "JobTask" ADD VALUE 'daily_usage';

-- AlterTable
ALTER TABLE "due_customers" ADD COLUMN     "usage_day" DATE;

-- CreateTable
CREATE TABLE "daily_usages" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "usage_date" DATE NOT NULL,
    "from_datetime" TIMESTAMPTZ(3) NOT NULL,
    "to_datetime" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "added_amount_cents" BIGINT NOT NULL,
    "lines" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "daily_usages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "daily_usages_organization_id_created_at_id_idx" ON "daily_usages"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "daily_usages_subscription_id_usage_date_key" ON "daily_usages"("subscription_id", "usage_date");

-- AddForeignKey
ALTER TABLE "daily_usages" ADD CONSTRAINT "daily_usages_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "daily_usages" ADD CONSTRAINT "daily_usages_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
