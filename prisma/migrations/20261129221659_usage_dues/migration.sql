-- CreateTable
CREATE TABLE "usage_dues" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "external_subscription_id" TEXT NOT NULL,
    "event" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_dues_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "usage_dues_organization_id_external_subscription_id_created_idx" ON "usage_dues"("organization_id", "external_subscription_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "usage_dues" ADD CONSTRAINT "usage_dues_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
