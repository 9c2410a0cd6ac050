-- Transactions of wallets are listed by customer: the wallet's, whoever writes them.
ALTER TABLE "wallet_transactions" ADD COLUMN     "customer_id" UUID;

UPDATE "wallet_transactions" t SET "customer_id" = w."customer_id" FROM "wallets" w WHERE w."id" = t."wallet_id";

ALTER TABLE "wallet_transactions" ALTER COLUMN "customer_id" SET NOT NULL;

-- CreateIndex
CREATE INDEX "wallet_transactions_wallet_id_settled_at_id_idx" ON "wallet_transactions"("wallet_id", "settled_at", "id");

-- CreateIndex
CREATE INDEX "wallet_transactions_customer_id_created_at_idx" ON "wallet_transactions"("customer_id", "created_at");

-- AddForeignKey
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE FUNCTION "keep_customer_of_transaction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "customer_id" INTO NEW."customer_id" FROM "wallets" WHERE "id" = NEW."wallet_id";
  RETURN NEW;
END
$$;

CREATE TRIGGER "wallet_transactions_customer" BEFORE INSERT OR UPDATE OF "wallet_id", "customer_id" ON "wallet_transactions"
  FOR EACH ROW EXECUTE FUNCTION "keep_customer_of_transaction"();

CREATE FUNCTION "keep_customer_of_transactions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "wallet_transactions" SET "customer_id" = NEW."customer_id" WHERE "wallet_id" = NEW."id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "wallets_customer" AFTER UPDATE OF "customer_id" ON "wallets" FOR EACH ROW
  WHEN (OLD."customer_id" <> NEW."customer_id") EXECUTE FUNCTION "keep_customer_of_transactions"();
