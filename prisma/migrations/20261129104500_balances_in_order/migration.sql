-- The balances of customers, by statements that are planned once a connection and find each customer by its identifier, however many
-- rows there were when they were planned. Customers are changed, and so locked, in the order of their identifiers: of two statements
-- on the same customers neither holds what the other needs.
CREATE FUNCTION "move_balances"("customer" uuid, "code" text, "owed" numeric, "overdue" numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "customers"
  SET "outstanding_balance_cents" = "outstanding_balance_cents" + "owed", "overdue_balance_cents" = "overdue_balance_cents" + "overdue"
  WHERE "id" = "customer" AND "currency" = "code";
END
$$;

CREATE OR REPLACE FUNCTION "keep_balances"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM "move_balances"(d."customer_id", d."currency", d."owed", d."overdue")
    FROM (
      SELECT "customer_id", "currency", sum("total_due_amount_cents") AS "owed",
        coalesce(sum("total_due_amount_cents") FILTER (WHERE "payment_overdue"), 0) AS "overdue"
      FROM "made"
      WHERE "total_due_amount_cents" > 0 AND "status" = 'finalized' AND NOT "self_billed" AND "payment_dispute_lost_at" IS NULL
      GROUP BY 1, 2 ORDER BY 1
    ) d;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM "move_balances"(d."customer_id", d."currency", - d."owed", - d."overdue")
    FROM (
      SELECT "customer_id", "currency", sum("total_due_amount_cents") AS "owed",
        coalesce(sum("total_due_amount_cents") FILTER (WHERE "payment_overdue"), 0) AS "overdue"
      FROM "unmade"
      WHERE "total_due_amount_cents" > 0 AND "status" = 'finalized' AND NOT "self_billed" AND "payment_dispute_lost_at" IS NULL
      GROUP BY 1, 2 ORDER BY 1
    ) d;
  ELSE
    PERFORM "move_balances"(d."customer_id", d."currency", d."owed", d."overdue")
    FROM (
      SELECT "customer_id", "currency", sum("due") AS "owed", coalesce(sum("due") FILTER (WHERE "payment_overdue"), 0) AS "overdue"
      FROM (
        SELECT "customer_id", "currency", "payment_overdue", "total_due_amount_cents"::numeric AS "due" FROM "made"
        WHERE "total_due_amount_cents" > 0 AND "status" = 'finalized' AND NOT "self_billed" AND "payment_dispute_lost_at" IS NULL
        UNION ALL
        SELECT "customer_id", "currency", "payment_overdue", - "total_due_amount_cents"::numeric FROM "unmade"
        WHERE "total_due_amount_cents" > 0 AND "status" = 'finalized' AND NOT "self_billed" AND "payment_dispute_lost_at" IS NULL
      ) parts
      GROUP BY 1, 2 ORDER BY 1
    ) d
    WHERE d."owed" <> 0 OR d."overdue" <> 0;
  END IF;
  RETURN NULL;
END
$$;
