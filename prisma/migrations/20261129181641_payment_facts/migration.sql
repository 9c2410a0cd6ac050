-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "next_action" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "payment_provider_code" TEXT,
ADD COLUMN     "payment_provider_type" TEXT,
ADD COLUMN     "provider_customer_id" TEXT;

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_subscription_at_id_idx" ON "subscriptions"("organization_id", "subscription_at", "id");
