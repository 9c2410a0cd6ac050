-- CreateEnum
CREATE TYPE "EventFate" AS ENUM ('counted', 'billed', 'late', 'unmatched', 'duplicate', 'conflict', 'rejected');

-- CreateTable
CREATE TABLE "event_refusals" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "fate" "EventFate" NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "external_subscription_id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "timestamp" TIMESTAMPTZ(3),
    "reason_members" TEXT[],
    "reason_codes" TEXT[],
    "body" JSONB,
    "digest" TEXT NOT NULL,
    "event_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_refusals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_tallies" (
    "organization_id" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "fate" "EventFate" NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "event_tallies_pkey" PRIMARY KEY ("organization_id","quarter","fate")
);

-- CreateIndex
CREATE INDEX "event_refusals_organization_id_created_at_id_idx" ON "event_refusals"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "event_refusals_organization_id_fate_created_at_id_idx" ON "event_refusals"("organization_id", "fate", "created_at", "id");

-- AddForeignKey
ALTER TABLE "event_refusals" ADD CONSTRAINT "event_refusals_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_tallies" ADD CONSTRAINT "event_tallies_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
