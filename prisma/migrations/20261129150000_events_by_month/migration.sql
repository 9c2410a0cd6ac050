-- Events stand in tables of a month each, by when the usage happened, so that old ones can be put away and what comes in meets small
-- indexes. What is of no such month is in the table "events_default". No index over all months can say that an event is there
-- already: a table of keys does, which triggers keep, whoever writes. src/store/usage/table/event-month.ts makes the months.

CREATE TABLE "events_by_month" (
  "id" UUID NOT NULL,
  "organization_id" UUID NOT NULL,
  "transaction_id" TEXT NOT NULL,
  "external_subscription_id" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "timestamp" TIMESTAMPTZ(3) NOT NULL,
  "properties" JSONB NOT NULL DEFAULT '{}',
  "precise_total_amount_cents" DECIMAL(65,30),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deleted_at" TIMESTAMPTZ(3),
  "measured_by" TEXT,
  "measured_value" DECIMAL GENERATED ALWAYS AS (
    CASE WHEN left("measured_by", 1) = '=' THEN "property_number"("properties", substr("measured_by", 2)) END) STORED,
  "measured_text" TEXT GENERATED ALWAYS AS (
    CASE WHEN left("measured_by", 1) = '#' THEN "property_mark"("properties", substr("measured_by", 2)) END) STORED,
  CONSTRAINT "events_measured_by_check" CHECK ("measured_by" IS NOT NULL)
) PARTITION BY RANGE ("timestamp");

-- Rows are only added: without the setting nothing would say of new ones that all see them, and each would be looked up.
CREATE TABLE "events_default" PARTITION OF "events_by_month" DEFAULT WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Months of what is stored; what is of other times than the last five years and the next one goes into the table of the rest.
DO $$
DECLARE
  "month" timestamp;
BEGIN
  FOR "month" IN
    SELECT DISTINCT date_trunc('month', "timestamp" AT TIME ZONE 'UTC') FROM "events"
    WHERE "timestamp" > now() - interval '5 years' AND "timestamp" < now() + interval '1 year'
  LOOP
    EXECUTE format(
      'CREATE TABLE %I PARTITION OF "events_by_month" FOR VALUES FROM (%L) TO (%L) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)',
      to_char("month", '"events_"YYYY_MM'), "month" || ' UTC', "month" + interval '1 month' || ' UTC');
  END LOOP;
END
$$;

INSERT INTO "events_by_month" ("id", "organization_id", "transaction_id", "external_subscription_id", "code", "timestamp", "properties",
  "precise_total_amount_cents", "created_at", "deleted_at", "measured_by")
SELECT "id", "organization_id", "transaction_id", "external_subscription_id", "code", "timestamp", "properties",
  "precise_total_amount_cents", "created_at", "deleted_at", "measured_by" FROM "events";

DROP TABLE "events";
ALTER TABLE "events_by_month" RENAME TO "events";
ALTER TABLE "events"
  ADD CONSTRAINT "events_pkey" PRIMARY KEY ("id", "timestamp"),
  ADD CONSTRAINT "events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id")
    ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "events_organization_id_created_at_id_idx" ON "events" ("organization_id", "created_at", "id");
CREATE INDEX "events_organization_id_timestamp_id_idx" ON "events" ("organization_id", "timestamp", "id");
CREATE INDEX "events_measure_idx" ON "events" ("organization_id", "external_subscription_id", "code", "measured_by", "timestamp")
  INCLUDE ("measured_value", "measured_text") WHERE deleted_at IS NULL;
CREATE INDEX "events_deleted_idx" ON "events" ("organization_id", "transaction_id") WHERE deleted_at IS NOT NULL;
CREATE TRIGGER "events_measure" BEFORE INSERT ON "events" FOR EACH ROW WHEN (NEW."measured_by" IS NULL)
  EXECUTE FUNCTION "measure_event"();

-- The keys of events that are not deleted, by which they are once and found. They stay when a month is detached.
CREATE TABLE "event_keys" (
  "organization_id" UUID NOT NULL,
  "transaction_id" TEXT NOT NULL,
  "external_subscription_id" TEXT NOT NULL,
  "event_id" UUID NOT NULL,
  "timestamp" TIMESTAMPTZ(3) NOT NULL
) PARTITION BY HASH ("organization_id", "transaction_id");
DO $$
BEGIN
  FOR "part" IN 0..7 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF "event_keys" FOR VALUES WITH (MODULUS 8, REMAINDER %s)', 'event_keys_' || "part", "part");
    EXECUTE format('CREATE UNIQUE INDEX %I ON %I ("organization_id", "transaction_id", "external_subscription_id")',
      'event_keys_' || "part" || '_transaction_id_external_subscription_id_key', 'event_keys_' || "part");
  END LOOP;
END
$$;
INSERT INTO "event_keys" ("organization_id", "transaction_id", "external_subscription_id", "event_id", "timestamp")
SELECT "organization_id", "transaction_id", "external_subscription_id", "id", "timestamp" FROM "events" WHERE "deleted_at" IS NULL;
ALTER TABLE "event_keys" ADD CONSTRAINT "event_keys_pkey" PRIMARY KEY ("organization_id", "transaction_id", "external_subscription_id");

-- In one order, so that two statements with the same keys wait for each other instead of both.
CREATE FUNCTION "key_added_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "public"."event_keys" ("organization_id", "transaction_id", "external_subscription_id", "event_id", "timestamp")
  SELECT "organization_id", "transaction_id", "external_subscription_id", "id", "timestamp" FROM "added" WHERE "deleted_at" IS NULL
  ORDER BY "organization_id", "transaction_id" COLLATE "C", "external_subscription_id" COLLATE "C";
  RETURN NULL;
END
$$;
CREATE FUNCTION "key_removed_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "public"."event_keys" "key" USING "removed" WHERE "key"."organization_id" = "removed"."organization_id"
    AND "key"."transaction_id" = "removed"."transaction_id" AND "key"."external_subscription_id" = "removed"."external_subscription_id"
    AND "key"."event_id" = "removed"."id";
  RETURN NULL;
END
$$;
-- A change is both, in the order of their names.
CREATE TRIGGER "events_keys_added" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT
  EXECUTE FUNCTION "key_added_events"();
CREATE TRIGGER "events_keys_removed" AFTER DELETE ON "events" REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT
  EXECUTE FUNCTION "key_removed_events"();
CREATE TRIGGER "events_keys_changed_1" AFTER UPDATE ON "events" REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT
  EXECUTE FUNCTION "key_removed_events"();
CREATE TRIGGER "events_keys_changed_2" AFTER UPDATE ON "events" REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT
  EXECUTE FUNCTION "key_added_events"();

CREATE FUNCTION "forget_all_event_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE "public"."event_keys";
  RETURN NULL;
END
$$;
CREATE TRIGGER "events_keys_emptied" AFTER TRUNCATE ON "events" FOR EACH STATEMENT EXECUTE FUNCTION "forget_all_event_keys"();

-- Those of detached months have no event that an organization could take along.
CREATE FUNCTION "forget_event_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "public"."event_keys" WHERE "organization_id" = OLD."id";
  RETURN NULL;
END
$$;
CREATE TRIGGER "organizations_forget_event_keys" AFTER DELETE ON "organizations" FOR EACH ROW EXECUTE FUNCTION "forget_event_keys"();

-- Makes the table of the month that begins on a day, and says whether it was missing. What had come before is moved there. One at a
-- time: another that makes the same finds it made. All locks are taken at once, whoever waits for them holds none that others need:
-- those of events of other months go on, and the move is of few rows or none.
CREATE FUNCTION "keep_event_month"("first" date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  "name" text := to_char("first", '"events_"YYYY_MM');
  "from" timestamptz := "first"::timestamp AT TIME ZONE 'UTC';
  "to" timestamptz := ("first" + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  IF extract(day FROM "first") <> 1 THEN
    RAISE EXCEPTION 'a month begins on its first day' USING ERRCODE = '22023';
  END IF;
  IF to_regclass(format('public.%I', "name")) IS NOT NULL THEN
    RETURN false;
  END IF;
  LOCK TABLE "public"."organizations" IN SHARE ROW EXCLUSIVE MODE;
  LOCK TABLE "public"."events_default" IN ACCESS EXCLUSIVE MODE;
  IF to_regclass(format('public.%I', "name")) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE "public".%I (LIKE "public"."events" INCLUDING ALL) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)', "name");
  EXECUTE format('WITH "moved" AS (DELETE FROM "public"."events_default" WHERE "timestamp" >= $1 AND "timestamp" < $2 RETURNING *)
    INSERT INTO "public".%I ("id", "organization_id", "transaction_id", "external_subscription_id", "code", "timestamp", "properties",
      "precise_total_amount_cents", "created_at", "deleted_at", "measured_by")
    SELECT "id", "organization_id", "transaction_id", "external_subscription_id", "code", "timestamp", "properties",
      "precise_total_amount_cents", "created_at", "deleted_at", "measured_by" FROM "moved"', "name") USING "from", "to";
  EXECUTE format('ALTER TABLE "public"."events" ATTACH PARTITION "public".%I FOR VALUES FROM (%L) TO (%L)', "name", "from", "to");
  RETURN true;
END
$$;

-- Puts a month away: its table, which nothing reads any more, has another name, that is answered. Null where there is no such month.
-- What a recurring metric counts in every period after it stays.
CREATE FUNCTION "detach_event_month"("first" date) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  "name" text := to_char("first", '"events_"YYYY_MM');
  "away" text := 'detached_' || "name";
  "counts" boolean;
BEGIN
  LOCK TABLE "public"."organizations" IN SHARE ROW EXCLUSIVE MODE;
  LOCK TABLE "public"."events" IN ACCESS EXCLUSIVE MODE;
  IF to_regclass(format('public.%I', "name")) IS NULL THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM "public".%I "event" JOIN "public"."billable_metrics" "metric"
    USING ("organization_id", "code") WHERE "metric"."recurring" AND "metric"."deleted_at" IS NULL AND "event"."deleted_at" IS NULL)',
    "name") INTO "counts";
  IF "counts" THEN
    RAISE EXCEPTION 'a recurring metric counts events of the month' USING ERRCODE = '55006';
  END IF;
  WHILE to_regclass(format('public.%I', "away")) IS NOT NULL LOOP
    "away" := "away" || '_more';
  END LOOP;
  EXECUTE format('ALTER TABLE "public"."events" DETACH PARTITION "public".%I', "name");
  EXECUTE format('ALTER TABLE "public".%I RENAME TO %I', "name", "away");
  RETURN "away";
END
$$;
