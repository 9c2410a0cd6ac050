-- AlterTable
ALTER TABLE "invoices" ADD COLUMN     "timezone" TEXT;

-- AlterTable
ALTER TABLE "due_customers" ADD COLUMN     "zone_changed" BOOLEAN NOT NULL DEFAULT false;

-- In another zone days begin at other moments, and some of them may have begun there already: they are looked at again.
CREATE OR REPLACE FUNCTION "await_zone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "zone_changed" = true, "due_at" = least(d."due_at", now())
  FROM "customers" c
  WHERE d."organization_id" = NEW."organization_id" AND d."customer_id" = c."id"
    AND (CASE TG_TABLE_NAME WHEN 'customers' THEN c."id" ELSE c."billing_entity_id" END) = NEW."id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_entity" AFTER UPDATE OF "billing_entity_id" ON "customers"
FOR EACH ROW WHEN (OLD."billing_entity_id" IS DISTINCT FROM NEW."billing_entity_id") EXECUTE FUNCTION "await_zone"();
