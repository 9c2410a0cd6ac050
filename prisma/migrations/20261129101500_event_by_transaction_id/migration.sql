-- One index keeps events unique and finds them by their transaction id alone.
CREATE UNIQUE INDEX "events_transaction_id_external_subscription_id_live_key"
  ON "events" ("organization_id", "transaction_id", "external_subscription_id") WHERE deleted_at IS NULL;
DROP INDEX "events_external_subscription_id_transaction_id_live_key";
