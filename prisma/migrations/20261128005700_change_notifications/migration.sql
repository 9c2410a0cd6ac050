-- Tells every process of a row that was made or changed, once a transaction: the server drops notifications that are equal.
-- A transaction that sets billing.quiet writes in silence, as imports do.
CREATE FUNCTION "notify_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('billing.quiet', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify(
    'billing_changes',
    json_build_object('o', NEW."organization_id", 't', TG_ARGV[0], 'id', NEW."id", 'c', NEW."customer_id")::text
  );
  RETURN NULL;
END
$$;

CREATE TRIGGER "invoices_made" AFTER INSERT ON "invoices" FOR EACH ROW EXECUTE FUNCTION "notify_change"('Invoice');
CREATE TRIGGER "invoices_changed" AFTER UPDATE ON "invoices" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "notify_change"('Invoice');

CREATE TRIGGER "wallets_made" AFTER INSERT ON "wallets" FOR EACH ROW EXECUTE FUNCTION "notify_change"('Wallet');
CREATE TRIGGER "wallets_changed" AFTER UPDATE ON "wallets" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "notify_change"('Wallet');

CREATE TRIGGER "payment_requests_made" AFTER INSERT ON "payment_requests" FOR EACH ROW
  EXECUTE FUNCTION "notify_change"('PaymentRequest');
CREATE TRIGGER "payment_requests_changed" AFTER UPDATE ON "payment_requests" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "notify_change"('PaymentRequest');
