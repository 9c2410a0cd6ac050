-- CreateTable
CREATE TABLE "invoice_counters" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "billing_entity_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "rank" INTEGER NOT NULL DEFAULT 0,
    "invoices" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_counters_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invoice_counters_organization_id_billing_entity_id_owner_id_key" ON "invoice_counters"("organization_id", "billing_entity_id", "owner_id");

-- AddForeignKey
ALTER TABLE "invoice_counters" ADD CONSTRAINT "invoice_counters_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_counters" ADD CONSTRAINT "invoice_counters_billing_entity_id_fkey" FOREIGN KEY ("billing_entity_id") REFERENCES "billing_entities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was numbered before the counters.
INSERT INTO "invoice_counters" ("id", "organization_id", "billing_entity_id", "owner_id", "rank", "invoices")
SELECT gen_random_uuid(), counted.* FROM (
  SELECT "organization_id", "billing_entity_id", "customer_id", max("sequential_id"), count(*)
  FROM "invoices" WHERE "sequential_id" IS NOT NULL GROUP BY 1, 2, 3
  UNION ALL
  SELECT "organization_id", "billing_entity_id", "billing_entity_id", coalesce(max("billing_entity_sequential_id"), 0), count(*)
  FROM "invoices" WHERE "sequential_id" IS NOT NULL AND NOT "self_billed" GROUP BY 1, 2
) counted;
