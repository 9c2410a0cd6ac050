-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_external_id_incomplete_key" ON "subscriptions"("organization_id", "external_id") WHERE (status = 'incomplete');

-- One that has to be paid in time is looked after then.
CREATE FUNCTION "await_activations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "due_customers" d SET "due_at" = least(d."due_at", m."ends_at")
  FROM (
    SELECT s."organization_id", s."customer_id", min(a."expires_at") AS "ends_at"
    FROM "made" a JOIN "subscriptions" s ON s."id" = a."subscription_id"
    WHERE a."status" = 'pending' AND a."expires_at" IS NOT NULL GROUP BY 1, 2
  ) m
  WHERE d."organization_id" = m."organization_id" AND d."customer_id" = m."customer_id"
    AND (d."due_at" IS NULL OR d."due_at" > m."ends_at");
  RETURN NULL;
END
$$;

CREATE TRIGGER "await_new_activations" AFTER INSERT ON "activation_rules"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_activations"();

CREATE TRIGGER "await_changed_activations" AFTER UPDATE ON "activation_rules"
REFERENCING NEW TABLE AS "made" FOR EACH STATEMENT EXECUTE FUNCTION "await_activations"();
