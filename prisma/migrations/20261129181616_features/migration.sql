-- CreateEnum
CREATE TYPE "PrivilegeValueType" AS ENUM ('integer', 'boolean', 'string', 'select');

-- AlterTable
ALTER TABLE "payment_methods" ADD COLUMN     "provider_type" TEXT;

-- CreateTable
CREATE TABLE "features" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "words" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "features_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feature_privileges" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "feature_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT,
    "value_type" "PrivilegeValueType" NOT NULL DEFAULT 'string',
    "select_options" TEXT[],
    "position" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "feature_privileges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_entitlements" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "feature_id" UUID NOT NULL,
    "values" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "plan_entitlements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription_entitlements" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "feature_id" UUID NOT NULL,
    "is_own" BOOLEAN NOT NULL DEFAULT false,
    "is_removed" BOOLEAN NOT NULL DEFAULT false,
    "values" JSONB NOT NULL DEFAULT '{}',
    "removed_privileges" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscription_entitlements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "features_organization_id_created_at_id_idx" ON "features"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "features_code_live_key" ON "features"("organization_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "feature_privileges_organization_id_created_at_id_idx" ON "feature_privileges"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "feature_privileges_feature_id_code_live_key" ON "feature_privileges"("feature_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "plan_entitlements_organization_id_created_at_id_idx" ON "plan_entitlements"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "plan_entitlements_feature_id_idx" ON "plan_entitlements"("feature_id");

-- CreateIndex
CREATE UNIQUE INDEX "plan_entitlements_plan_id_feature_id_live_key" ON "plan_entitlements"("plan_id", "feature_id") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "subscription_entitlements_organization_id_created_at_id_idx" ON "subscription_entitlements"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_entitlements_feature_id_idx" ON "subscription_entitlements"("feature_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_entitlements_subscription_id_feature_id_key" ON "subscription_entitlements"("subscription_id", "feature_id");

-- AddForeignKey
ALTER TABLE "features" ADD CONSTRAINT "features_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feature_privileges" ADD CONSTRAINT "feature_privileges_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feature_privileges" ADD CONSTRAINT "feature_privileges_feature_id_fkey" FOREIGN KEY ("feature_id") REFERENCES "features"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_entitlements" ADD CONSTRAINT "plan_entitlements_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_entitlements" ADD CONSTRAINT "plan_entitlements_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_entitlements" ADD CONSTRAINT "plan_entitlements_feature_id_fkey" FOREIGN KEY ("feature_id") REFERENCES "features"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_entitlements" ADD CONSTRAINT "subscription_entitlements_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_entitlements" ADD CONSTRAINT "subscription_entitlements_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_entitlements" ADD CONSTRAINT "subscription_entitlements_feature_id_fkey" FOREIGN KEY ("feature_id") REFERENCES "features"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Words that lists of features are searched by, as those of other tables.
CREATE FUNCTION "features_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW."words" := "public"."search_words"(NEW."code", NEW."name", NEW."description"); RETURN NEW; END
$$;
CREATE TRIGGER "features_words" BEFORE INSERT OR UPDATE OF "code", "name", "description", "words" ON "features"
  FOR EACH ROW EXECUTE FUNCTION "features_words"();
CREATE INDEX "features_words_idx" ON "features" USING gin ("search_lexemes"("organization_id", "words")) WITH (gin_pending_list_limit = 256);
