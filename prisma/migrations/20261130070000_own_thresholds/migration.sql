-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "progressive_billing_disabled" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "usage_thresholds" ADD COLUMN     "subscription_id" UUID,
ALTER COLUMN "plan_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "usage_thresholds_subscription_id_idx" ON "usage_thresholds"("subscription_id");

-- AddForeignKey
ALTER TABLE "usage_thresholds" ADD CONSTRAINT "usage_thresholds_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
