-- CreateEnum
CREATE TYPE "AlertType" AS ENUM ('current_usage_amount', 'billable_metric_current_usage_amount', 'billable_metric_current_usage_units', 'lifetime_usage_amount');

-- CreateEnum
CREATE TYPE "AlertDirection" AS ENUM ('increasing', 'decreasing');

-- CreateTable
CREATE TABLE "alerts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "external_subscription_id" TEXT NOT NULL,
    "alert_type" "AlertType" NOT NULL,
    "direction" "AlertDirection" NOT NULL DEFAULT 'increasing',
    "code" TEXT NOT NULL,
    "name" TEXT,
    "billable_metric_id" UUID,
    "previous_value" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "last_processed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_thresholds" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "alert_id" UUID NOT NULL,
    "code" TEXT,
    "value" DECIMAL(65,30) NOT NULL,
    "recurring" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_thresholds_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "alerts_organization_id_created_at_id_idx" ON "alerts"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "alerts_billable_metric_id_idx" ON "alerts"("billable_metric_id");

-- CreateIndex
CREATE UNIQUE INDEX "alerts_code_live_key" ON "alerts"("organization_id", "external_subscription_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "alerts_type_live_key" ON "alerts"("organization_id", "external_subscription_id", "alert_type") WHERE (deleted_at IS NULL AND billable_metric_id IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "alerts_metric_live_key" ON "alerts"("organization_id", "external_subscription_id", "alert_type", "billable_metric_id") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "alert_thresholds_organization_id_created_at_id_idx" ON "alert_thresholds"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "alert_thresholds_alert_id_value_recurring_key" ON "alert_thresholds"("alert_id", "value", "recurring");

-- AddForeignKey
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_billable_metric_id_fkey" FOREIGN KEY ("billable_metric_id") REFERENCES "billable_metrics"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_thresholds" ADD CONSTRAINT "alert_thresholds_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_thresholds" ADD CONSTRAINT "alert_thresholds_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alerts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
