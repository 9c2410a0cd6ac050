-- Of subscriptions with very many events it is kept what those of each hour come to, and which values there were in each day and
-- month: a cache of events, written with them. src/store/usage/hours/ says of which, reads it and makes it anew. Rows are only
-- added, so that writers never wait for each other: those of one hour are added up, and from time to time put together.

CREATE TABLE "kept_usage" (
  "organization_id" UUID NOT NULL,
  "external_subscription_id" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "is_complete" BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY ("organization_id", "external_subscription_id", "code")
);
CREATE TABLE "usage_hours" (
  "organization_id" UUID NOT NULL,
  "external_subscription_id" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "measured_by" TEXT NOT NULL,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "events" BIGINT NOT NULL,
  "valued" BIGINT NOT NULL,
  "total" DECIMAL,
  "largest" DECIMAL,
  "moments" DECIMAL,
  "last_at" TIMESTAMPTZ(3)
);
CREATE INDEX "usage_hours_idx" ON "usage_hours" ("organization_id", "external_subscription_id", "code", "measured_by", "hour");
CREATE TABLE "usage_values" (
  "organization_id" UUID NOT NULL,
  "external_subscription_id" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "measured_by" TEXT NOT NULL,
  "span" TEXT NOT NULL CHECK ("span" IN ('day', 'month')),
  "start" TIMESTAMPTZ(3) NOT NULL,
  "mark" TEXT
);
CREATE INDEX "usage_values_idx" ON "usage_values"
  ("organization_id", "external_subscription_id", "code", "measured_by", "span", "start", "mark");

CREATE FUNCTION "keep_added_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."kept_usage") THEN
    RETURN NULL;
  END IF;
  INSERT INTO "public"."usage_hours" ("organization_id", "external_subscription_id", "code", "measured_by", "hour", "events", "valued",
    "total", "largest", "moments", "last_at")
  SELECT "organization_id", "external_subscription_id", "code", "measured_by", date_trunc('hour', "timestamp", 'UTC'), count(*),
    count("measured_value"), sum("measured_value"), max("measured_value"), sum("measured_value" * extract(epoch FROM "timestamp")),
    max("timestamp") FILTER (WHERE "measured_value" IS NOT NULL)
  FROM "added" JOIN "public"."kept_usage" USING ("organization_id", "external_subscription_id", "code")
  WHERE "deleted_at" IS NULL GROUP BY 1, 2, 3, 4, 5;
  -- A value that another adds at this moment is there twice: nothing counts how often.
  INSERT INTO "public"."usage_values" ("organization_id", "external_subscription_id", "code", "measured_by", "span", "start", "mark")
  SELECT DISTINCT "organization_id", "external_subscription_id", "code", "measured_by", "span", date_trunc("span", "timestamp", 'UTC'),
    "measured_text"
  FROM "added" JOIN "public"."kept_usage" USING ("organization_id", "external_subscription_id", "code"),
    (VALUES ('day'), ('month')) "spans" ("span")
  WHERE "deleted_at" IS NULL AND left("measured_by", 1) = '#' AND NOT EXISTS (
    SELECT FROM "public"."usage_values" "known" WHERE "known"."organization_id" = "added"."organization_id"
      AND "known"."external_subscription_id" = "added"."external_subscription_id" AND "known"."code" = "added"."code"
      AND "known"."measured_by" = "added"."measured_by" AND "known"."span" = "spans"."span"
      AND "known"."start" = date_trunc("spans"."span", "added"."timestamp", 'UTC') AND "known"."mark" = "added"."measured_text");
  RETURN NULL;
END
$$;
CREATE TRIGGER "events_usage_added" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT
  EXECUTE FUNCTION "keep_added_usage"();

-- A largest value cannot be taken back: what was changed or deleted is no longer kept, until it is made anew.
CREATE FUNCTION "drop_changed_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."kept_usage") THEN
    RETURN NULL;
  END IF;
  DELETE FROM "public"."kept_usage" "kept" USING "changed" WHERE "kept"."organization_id" = "changed"."organization_id"
    AND "kept"."external_subscription_id" = "changed"."external_subscription_id" AND "kept"."code" = "changed"."code";
  RETURN NULL;
END
$$;
CREATE TRIGGER "events_usage_removed" AFTER DELETE ON "events" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT
  EXECUTE FUNCTION "drop_changed_usage"();
CREATE TRIGGER "events_usage_changed_1" AFTER UPDATE ON "events" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT
  EXECUTE FUNCTION "drop_changed_usage"();
CREATE TRIGGER "events_usage_changed_2" AFTER UPDATE ON "events" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT
  EXECUTE FUNCTION "drop_changed_usage"();

-- What is of nothing that is kept any more is deleted when that is made anew, or put together.
CREATE OR REPLACE FUNCTION "forget_all_event_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "public"."event_keys", "public"."kept_usage", "public"."usage_hours", "public"."usage_values";
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION "forget_event_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "public"."event_keys" WHERE "organization_id" = OLD."id";
  DELETE FROM "public"."kept_usage" WHERE "organization_id" = OLD."id";
  RETURN NULL;
END
$$;

-- Makes what is kept of the events that there are. The caller sees to it that none is written that this does not see and that is not
-- added by the trigger.
CREATE FUNCTION "make_kept_usage"("organization" uuid, "subscription" text, "metric" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "public"."usage_hours" WHERE "organization_id" = "organization" AND "external_subscription_id" = "subscription"
    AND "code" = "metric";
  DELETE FROM "public"."usage_values" WHERE "organization_id" = "organization" AND "external_subscription_id" = "subscription"
    AND "code" = "metric";
  INSERT INTO "public"."usage_hours" ("organization_id", "external_subscription_id", "code", "measured_by", "hour", "events", "valued",
    "total", "largest", "moments", "last_at")
  SELECT "organization_id", "external_subscription_id", "code", "measured_by", date_trunc('hour', "timestamp", 'UTC'), count(*),
    count("measured_value"), sum("measured_value"), max("measured_value"), sum("measured_value" * extract(epoch FROM "timestamp")),
    max("timestamp") FILTER (WHERE "measured_value" IS NOT NULL)
  FROM "public"."events" WHERE "organization_id" = "organization" AND "external_subscription_id" = "subscription"
    AND "code" = "metric" AND "deleted_at" IS NULL GROUP BY 1, 2, 3, 4, 5;
  INSERT INTO "public"."usage_values" ("organization_id", "external_subscription_id", "code", "measured_by", "span", "start", "mark")
  SELECT DISTINCT "organization_id", "external_subscription_id", "code", "measured_by", 'day', date_trunc('day', "timestamp", 'UTC'),
    "measured_text"
  FROM "public"."events" WHERE "organization_id" = "organization" AND "external_subscription_id" = "subscription"
    AND "code" = "metric" AND "measured_by" >= '#' AND "measured_by" < '$' AND "deleted_at" IS NULL;
  INSERT INTO "public"."usage_values" ("organization_id", "external_subscription_id", "code", "measured_by", "span", "start", "mark")
  SELECT DISTINCT "organization_id", "external_subscription_id", "code", "measured_by", 'month', date_trunc('month', "start", 'UTC'),
    "mark"
  FROM "public"."usage_values" WHERE "organization_id" = "organization" AND "external_subscription_id" = "subscription"
    AND "code" = "metric" AND "span" = 'day';
  UPDATE "public"."kept_usage" SET "is_complete" = true WHERE "organization_id" = "organization"
    AND "external_subscription_id" = "subscription" AND "code" = "metric";
END
$$;
