-- CreateEnum
CREATE TYPE "JobTask" AS ENUM ('billing', 'vat_check');

-- CreateEnum
CREATE TYPE "JobStatus" AS ENUM ('waiting', 'running', 'done', 'failed');

-- CreateTable
CREATE TABLE "jobs" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "task" "JobTask" NOT NULL,
    "status" "JobStatus" NOT NULL DEFAULT 'waiting',
    "customer_ids" UUID[],
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "queued_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "due_customers" (
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "lived_until" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3),
    "taken_until" TIMESTAMPTZ(3),

    CONSTRAINT "due_customers_pkey" PRIMARY KEY ("organization_id","customer_id")
);

-- CreateIndex
CREATE INDEX "jobs_organization_id_created_at_id_idx" ON "jobs"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "jobs_organization_id_status_created_at_id_idx" ON "jobs"("organization_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "due_customers_organization_id_due_at_idx" ON "due_customers"("organization_id", "due_at");

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "due_customers" ADD CONSTRAINT "due_customers_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "due_customers" ADD CONSTRAINT "due_customers_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Jobs that are to be handed to the queue, whoever made them.
CREATE INDEX "jobs_to_queue_idx" ON "jobs"("organization_id", "created_at") WHERE "status" = 'waiting' AND "queued_at" IS NULL;

-- What operators look at.
CREATE INDEX "jobs_open_idx" ON "jobs"("organization_id", "task", "status") WHERE "status" <> 'done';

-- A customer that is there already lives from now on: what was due before was somebody else's to bill.
INSERT INTO "due_customers" ("organization_id", "customer_id", "due_at")
SELECT "organization_id", "id",
  CASE WHEN EXISTS (SELECT 1 FROM "subscriptions" s WHERE s."customer_id" = c."id") THEN now() END
FROM "customers" c;

CREATE FUNCTION "await_customers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "due_customers" ("organization_id", "customer_id") SELECT "organization_id", "id" FROM "made";
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_customers" AFTER INSERT ON "customers"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_customers"();

-- One that waits for its date is due then; a customer of whom nothing was due has something from now on. Of one who is looked after every
-- day nothing changes: so the writes of a billing run do not make it due again.
CREATE FUNCTION "await_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "due_at" = CASE WHEN d."due_at" IS NULL THEN now() ELSE m."starts_at" END
  FROM (
    SELECT "organization_id", "customer_id", min("subscription_at") FILTER (WHERE "status" = 'pending') AS "starts_at"
    FROM "made" GROUP BY 1, 2
  ) m
  WHERE d."organization_id" = m."organization_id" AND d."customer_id" = m."customer_id"
    AND (d."due_at" IS NULL OR d."due_at" > m."starts_at");
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_new_subscriptions" AFTER INSERT ON "subscriptions"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_subscriptions"();

CREATE TRIGGER "await_changed_subscriptions" AFTER UPDATE ON "subscriptions"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_subscriptions"();

-- In another zone days begin at other moments.
CREATE FUNCTION "await_zone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "due_at" = now()
  FROM "customers" c
  WHERE d."organization_id" = NEW."organization_id" AND d."due_at" > now() AND d."customer_id" = c."id"
    AND (CASE TG_TABLE_NAME WHEN 'customers' THEN c."id" ELSE c."billing_entity_id" END) = NEW."id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_zone" AFTER UPDATE OF "timezone" ON "customers"
FOR EACH ROW WHEN (OLD."timezone" IS DISTINCT FROM NEW."timezone") EXECUTE FUNCTION "await_zone"();

CREATE TRIGGER "await_zone" AFTER UPDATE OF "timezone" ON "billing_entities"
FOR EACH ROW WHEN (OLD."timezone" IS DISTINCT FROM NEW."timezone") EXECUTE FUNCTION "await_zone"();
