-- Methods that were stored before it was said whose they are: those of their customer's provider.
UPDATE "payment_methods" SET "provider_type" = "customers"."payment_provider"
FROM "customers" WHERE "customers"."id" = "payment_methods"."customer_id" AND "payment_methods"."provider_type" IS NULL;
