-- DropIndex
DROP INDEX "usage_dues_organization_id_external_subscription_id_created_idx";

-- AlterTable
ALTER TABLE "usage_dues" ADD COLUMN     "waits" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "usage_dues_open_idx" ON "usage_dues"("organization_id", "external_subscription_id", "created_at", "id") WHERE (NOT waits);

-- CreateIndex
CREATE INDEX "usage_dues_waiting_idx" ON "usage_dues"("organization_id", "external_subscription_id") WHERE (waits);

-- What waits for a subscription is taken up when one with its external identifier begins, whoever writes it.
CREATE FUNCTION "take_up_waiting_dues"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "usage_dues" d SET "waits" = false FROM "made" m
  WHERE d."waits" AND d."organization_id" = m."organization_id" AND d."external_subscription_id" = m."external_id"
    AND m."started_at" IS NOT NULL AND m."status" IN ('active', 'terminated');
  RETURN NULL;
END
$$;

CREATE TRIGGER "take_up_dues_of_new" AFTER INSERT ON "subscriptions"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "take_up_waiting_dues"();

CREATE FUNCTION "take_up_waiting_dues_of_begun"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "usage_dues" SET "waits" = false
  WHERE "waits" AND "organization_id" = NEW."organization_id" AND "external_subscription_id" = NEW."external_id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "take_up_dues_of_begun" AFTER UPDATE OF "started_at", "status" ON "subscriptions"
FOR EACH ROW WHEN (NEW."started_at" IS NOT NULL AND NEW."status" IN ('active', 'terminated')
  AND (OLD."started_at" IS DISTINCT FROM NEW."started_at" OR OLD."status" NOT IN ('active', 'terminated')))
EXECUTE FUNCTION "take_up_waiting_dues_of_begun"();
