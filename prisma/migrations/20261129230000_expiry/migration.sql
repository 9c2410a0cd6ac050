-- Invoices that wait for their payment, and wallets that are going to end, are looked after as subscriptions are.
CREATE FUNCTION "await_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "due_at" = now()
  FROM (
    SELECT DISTINCT "organization_id", "customer_id" FROM "made"
    WHERE "status" = 'finalized' AND "payment_status" <> 'succeeded' AND NOT "payment_overdue"
  ) m
  WHERE d."organization_id" = m."organization_id" AND d."customer_id" = m."customer_id" AND d."due_at" IS NULL;
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_new_payments" AFTER INSERT ON "invoices"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_payments"();

CREATE TRIGGER "await_changed_payments" AFTER UPDATE ON "invoices"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_payments"();

CREATE FUNCTION "await_wallets"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "due_at" = least(d."due_at", m."ends_at")
  FROM (
    SELECT "organization_id", "customer_id", min("expiration_at") AS "ends_at" FROM "made"
    WHERE "status" = 'active' AND "expiration_at" IS NOT NULL GROUP BY 1, 2
  ) m
  WHERE d."organization_id" = m."organization_id" AND d."customer_id" = m."customer_id"
    AND (d."due_at" IS NULL OR d."due_at" > m."ends_at");
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_new_wallets" AFTER INSERT ON "wallets"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_wallets"();

CREATE TRIGGER "await_changed_wallets" AFTER UPDATE ON "wallets"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_wallets"();

-- A rule of a wallet ends by itself as well.
CREATE FUNCTION "await_rules"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "due_at" = least(d."due_at", m."ends_at")
  FROM (
    SELECT w."organization_id", w."customer_id", min(r."expiration_at") AS "ends_at"
    FROM "made" r JOIN "wallets" w ON w."id" = r."wallet_id"
    WHERE r."status" = 'active' AND r."expiration_at" IS NOT NULL GROUP BY 1, 2
  ) m
  WHERE d."organization_id" = m."organization_id" AND d."customer_id" = m."customer_id"
    AND (d."due_at" IS NULL OR d."due_at" > m."ends_at");
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_new_rules" AFTER INSERT ON "recurring_transaction_rules"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_rules"();

CREATE TRIGGER "await_changed_rules" AFTER UPDATE ON "recurring_transaction_rules"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_rules"();

-- What is there already is looked at once.
UPDATE "due_customers" SET "due_at" = now()
WHERE "customer_id" IN (SELECT "customer_id" FROM "invoices" WHERE "status" = 'finalized' AND "payment_status" <> 'succeeded' AND NOT "payment_overdue")
  OR "customer_id" IN (SELECT "customer_id" FROM "wallets" WHERE "status" = 'active');
