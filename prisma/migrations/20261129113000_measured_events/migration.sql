-- What metrics read of an event stands beside its properties, in an index from which usage is added up without the rows. The
-- database itself keeps it, whoever writes. src/store/usage/ reads it; src/billing/usage/value.ts says what a property reads as, and a
-- property-based test holds the two together.

-- A property as text: numbers that a double holds in their shortest form, others as they are written. Objects and lists have none here.
CREATE FUNCTION "property_text"("properties" jsonb, "name" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE jsonb_typeof("properties" -> "name")
    WHEN 'string' THEN "properties" ->> "name"
    WHEN 'boolean' THEN "properties" ->> "name"
    WHEN 'number' THEN CASE
      WHEN strpos("properties" ->> "name", '.') = 0 THEN "properties" ->> "name"
      WHEN length(btrim(translate("properties" ->> "name", '-.', ''), '0')) <= 15
        THEN trim_scale(("properties" ->> "name")::numeric)::text
      ELSE "properties" ->> "name" END
    END
$$;

-- A property as a decimal: a number, or a text that is a plain one.
CREATE FUNCTION "property_number"("properties" jsonb, "name" text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN length("properties" ->> "name") > 1000 THEN NULL
    WHEN jsonb_typeof("properties" -> "name") = 'number' THEN ("properties" ->> "name")::numeric
    WHEN jsonb_typeof("properties" -> "name") <> 'string' THEN NULL
    WHEN "properties" ->> "name" ~ '^-?[0-9]+(\.[0-9]+)?$' THEN ("properties" ->> "name")::numeric
    END
$$;

-- A value of a unique count: "+" or, where the event takes it away, "-"; then "=" and its text, or nothing. Null where an index does
-- not hold it, or only the rules have its text.
CREATE FUNCTION "property_mark"("properties" jsonb, "name" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN jsonb_typeof("properties" -> "name") IN ('object', 'array') THEN NULL
    WHEN octet_length("properties" ->> "name") > 100 THEN NULL
    ELSE CASE WHEN "properties" ->> 'operation_type' = 'remove' THEN '-' ELSE '+' END
      || COALESCE('=' || "property_text"("properties", "name"), '')
    END
$$;

-- What is measured of a metric's events: "=" and the property whose number counts, or "#" and the one whose text does; else nothing.
CREATE FUNCTION "metric_measure"("aggregation" text, "field" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN "field" IS NULL OR octet_length("field") > 63 THEN ''
    WHEN "aggregation" = 'unique_count_agg' THEN '#' || "field"
    WHEN "aggregation" IN ('sum_agg', 'max_agg', 'latest_agg', 'weighted_sum_agg') THEN '=' || "field"
    ELSE '' END
$$;

ALTER TABLE "events" ADD COLUMN "measured_by" TEXT;
UPDATE "events" SET "measured_by" = COALESCE((
  SELECT "metric_measure"("aggregation_type"::text, "field_name") FROM "billable_metrics"
  WHERE "billable_metrics"."organization_id" = "events"."organization_id" AND "billable_metrics"."code" = "events"."code"
    AND "billable_metrics"."deleted_at" IS NULL), '');
ALTER TABLE "events"
  ADD CONSTRAINT "events_measured_by_check" CHECK ("measured_by" IS NOT NULL),
  ADD COLUMN "measured_value" DECIMAL GENERATED ALWAYS AS (
    CASE WHEN left("measured_by", 1) = '=' THEN "property_number"("properties", substr("measured_by", 2)) END) STORED,
  ADD COLUMN "measured_text" TEXT GENERATED ALWAYS AS (
    CASE WHEN left("measured_by", 1) = '#' THEN "property_mark"("properties", substr("measured_by", 2)) END) STORED;

CREATE FUNCTION "measure_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."measured_by" := COALESCE((
    SELECT "public"."metric_measure"("aggregation_type"::text, "field_name") FROM "public"."billable_metrics"
    WHERE "organization_id" = NEW."organization_id" AND "code" = NEW."code" AND "deleted_at" IS NULL), '');
  RETURN NEW;
END
$$;
CREATE TRIGGER "events_measure" BEFORE INSERT ON "events" FOR EACH ROW WHEN (NEW."measured_by" IS NULL)
  EXECUTE FUNCTION "measure_event"();

CREATE INDEX "events_measure_idx" ON "events" ("organization_id", "external_subscription_id", "code", "measured_by", "timestamp")
  INCLUDE ("measured_value", "measured_text") WHERE deleted_at IS NULL;
DROP INDEX "events_organization_id_external_subscription_id_code_timest_idx";

-- Rows are only added: without this nothing would say of new ones that all see them, and each would be looked up.
ALTER TABLE "events" SET (autovacuum_vacuum_insert_scale_factor = 0.02);
