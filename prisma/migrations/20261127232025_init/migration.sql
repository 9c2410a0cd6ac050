-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "ApiKeyKind" AS ENUM ('secret', 'publishable');

-- CreateEnum
CREATE TYPE "DocumentNumbering" AS ENUM ('per_customer', 'per_billing_entity');

-- CreateEnum
CREATE TYPE "IssuingDateAnchor" AS ENUM ('current_period_end', 'next_period_start');

-- CreateEnum
CREATE TYPE "IssuingDateAdjustment" AS ENUM ('keep_anchor', 'align_with_finalization_date');

-- CreateEnum
CREATE TYPE "CustomerAccountType" AS ENUM ('customer', 'partner');

-- CreateEnum
CREATE TYPE "CustomerType" AS ENUM ('company', 'individual');

-- CreateEnum
CREATE TYPE "FinalizeZeroAmountInvoice" AS ENUM ('inherit', 'skip', 'finalize');

-- CreateEnum
CREATE TYPE "AggregationType" AS ENUM ('count_agg', 'sum_agg', 'max_agg', 'unique_count_agg', 'weighted_sum_agg', 'latest_agg', 'custom_agg');

-- CreateEnum
CREATE TYPE "RoundingFunction" AS ENUM ('round', 'ceil', 'floor');

-- CreateEnum
CREATE TYPE "PlanInterval" AS ENUM ('weekly', 'monthly', 'quarterly', 'semiannual', 'yearly');

-- CreateEnum
CREATE TYPE "ChargeModel" AS ENUM ('standard', 'graduated', 'package', 'percentage', 'volume', 'graduated_percentage', 'custom', 'dynamic');

-- CreateEnum
CREATE TYPE "FixedChargeModel" AS ENUM ('standard', 'graduated', 'volume');

-- CreateEnum
CREATE TYPE "RegroupPaidFees" AS ENUM ('invoice');

-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('pending', 'active', 'terminated', 'canceled', 'incomplete');

-- CreateEnum
CREATE TYPE "BillingTime" AS ENUM ('calendar', 'anniversary');

-- CreateEnum
CREATE TYPE "CancellationReason" AS ENUM ('payment_failed', 'timeout');

-- CreateEnum
CREATE TYPE "OnTerminationCreditNote" AS ENUM ('credit', 'skip', 'refund', 'offset');

-- CreateEnum
CREATE TYPE "OnTerminationInvoice" AS ENUM ('generate', 'skip');

-- CreateEnum
CREATE TYPE "PaymentMethodType" AS ENUM ('provider', 'manual');

-- CreateEnum
CREATE TYPE "ActivationRuleStatus" AS ENUM ('inactive', 'pending', 'satisfied', 'declined', 'failed', 'expired', 'not_applicable');

-- CreateEnum
CREATE TYPE "CouponType" AS ENUM ('fixed_amount', 'percentage');

-- CreateEnum
CREATE TYPE "CouponFrequency" AS ENUM ('once', 'recurring', 'forever');

-- CreateEnum
CREATE TYPE "CouponExpiration" AS ENUM ('no_expiration', 'time_limit');

-- CreateEnum
CREATE TYPE "CouponStatus" AS ENUM ('active', 'terminated');

-- CreateEnum
CREATE TYPE "InvoiceType" AS ENUM ('subscription', 'add_on', 'credit', 'one_off', 'advance_charges', 'progressive_billing');

-- CreateEnum
CREATE TYPE "InvoiceStatus" AS ENUM ('draft', 'finalized', 'voided', 'generating', 'failed', 'open', 'closed', 'pending');

-- CreateEnum
CREATE TYPE "InvoicePaymentStatus" AS ENUM ('pending', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "InvoicingReason" AS ENUM ('subscription_starting', 'subscription_periodic', 'subscription_terminating', 'in_advance_charge', 'in_advance_charge_periodic', 'progressive_billing');

-- CreateEnum
CREATE TYPE "FeeType" AS ENUM ('charge', 'add_on', 'subscription', 'credit', 'commitment', 'fixed_charge');

-- CreateEnum
CREATE TYPE "FeePaymentStatus" AS ENUM ('pending', 'succeeded', 'failed', 'refunded');

-- CreateEnum
CREATE TYPE "CreditItemType" AS ENUM ('coupon', 'credit_note', 'invoice');

-- CreateEnum
CREATE TYPE "CreditNoteStatus" AS ENUM ('draft', 'finalized');

-- CreateEnum
CREATE TYPE "CreditNoteCreditStatus" AS ENUM ('available', 'consumed', 'voided');

-- CreateEnum
CREATE TYPE "CreditNoteRefundStatus" AS ENUM ('pending', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "CreditNoteReason" AS ENUM ('duplicated_charge', 'product_unsatisfactory', 'order_change', 'order_cancellation', 'fraudulent_charge', 'other');

-- CreateEnum
CREATE TYPE "WalletStatus" AS ENUM ('active', 'terminated');

-- CreateEnum
CREATE TYPE "WalletTransactionType" AS ENUM ('inbound', 'outbound');

-- CreateEnum
CREATE TYPE "WalletTransactionStatus" AS ENUM ('pending', 'settled', 'failed');

-- CreateEnum
CREATE TYPE "WalletTransactionKind" AS ENUM ('purchased', 'granted', 'voided', 'invoiced');

-- CreateEnum
CREATE TYPE "WalletTransactionSource" AS ENUM ('manual', 'interval', 'threshold');

-- CreateEnum
CREATE TYPE "RecurringRuleTrigger" AS ENUM ('interval', 'threshold');

-- CreateEnum
CREATE TYPE "RecurringRuleMethod" AS ENUM ('fixed', 'target');

-- CreateEnum
CREATE TYPE "RecurringRuleInterval" AS ENUM ('weekly', 'monthly', 'quarterly', 'yearly', 'semiannual');

-- CreateEnum
CREATE TYPE "RecurringRuleStatus" AS ENUM ('active', 'terminated');

-- CreateEnum
CREATE TYPE "PaymentRequestStatus" AS ENUM ('pending', 'failed', 'succeeded');

-- CreateEnum
CREATE TYPE "PaymentStatus" AS ENUM ('pending', 'processing', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "PaymentType" AS ENUM ('provider', 'manual');

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT,
    "kind" "ApiKeyKind" NOT NULL,
    "key_hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "permissions" JSONB,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_entities" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_currency" TEXT NOT NULL DEFAULT 'USD',
    "document_locale" TEXT NOT NULL DEFAULT 'en',
    "document_numbering" "DocumentNumbering" NOT NULL DEFAULT 'per_customer',
    "document_number_prefix" TEXT,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "invoice_footer" TEXT,
    "invoice_grace_period" INTEGER NOT NULL DEFAULT 0,
    "net_payment_term" INTEGER NOT NULL DEFAULT 0,
    "subscription_invoice_issuing_date_anchor" "IssuingDateAnchor" NOT NULL DEFAULT 'next_period_start',
    "subscription_invoice_issuing_date_adjustment" "IssuingDateAdjustment" NOT NULL DEFAULT 'align_with_finalization_date',
    "finalize_zero_amount_invoice" BOOLEAN NOT NULL DEFAULT true,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "eu_tax_management" BOOLEAN NOT NULL DEFAULT false,
    "email_settings" TEXT[],
    "address_line1" TEXT,
    "address_line2" TEXT,
    "city" TEXT,
    "state" TEXT,
    "country" TEXT,
    "zipcode" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "legal_name" TEXT,
    "legal_number" TEXT,
    "tax_identification_number" TEXT,
    "logo_url" TEXT,
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "billing_entities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "taxes" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "rate" DECIMAL(65,30) NOT NULL,
    "applied_to_organization" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "taxes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_custom_sections" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "details" TEXT,
    "display_name" TEXT,
    "applied_to_organization" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_custom_sections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "applied_invoice_custom_sections" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_custom_section_id" UUID NOT NULL,
    "subscription_id" UUID,
    "wallet_id" UUID,
    "recurring_transaction_rule_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applied_invoice_custom_sections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customers" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "sequential_id" INTEGER NOT NULL,
    "slug" TEXT NOT NULL,
    "billing_entity_id" UUID NOT NULL,
    "name" TEXT,
    "firstname" TEXT,
    "lastname" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "url" TEXT,
    "logo_url" TEXT,
    "legal_name" TEXT,
    "legal_number" TEXT,
    "tax_identification_number" TEXT,
    "currency" TEXT,
    "timezone" TEXT,
    "account_type" "CustomerAccountType" NOT NULL DEFAULT 'customer',
    "customer_type" "CustomerType",
    "address_line1" TEXT,
    "address_line2" TEXT,
    "city" TEXT,
    "state" TEXT,
    "country" TEXT,
    "zipcode" TEXT,
    "shipping_address_line1" TEXT,
    "shipping_address_line2" TEXT,
    "shipping_city" TEXT,
    "shipping_state" TEXT,
    "shipping_country" TEXT,
    "shipping_zipcode" TEXT,
    "net_payment_term" INTEGER,
    "finalize_zero_amount_invoice" "FinalizeZeroAmountInvoice" NOT NULL DEFAULT 'inherit',
    "skip_invoice_custom_sections" BOOLEAN NOT NULL DEFAULT false,
    "invoice_grace_period" INTEGER,
    "subscription_invoice_issuing_date_anchor" "IssuingDateAnchor",
    "subscription_invoice_issuing_date_adjustment" "IssuingDateAdjustment",
    "document_locale" TEXT,
    "payment_provider" TEXT,
    "payment_provider_code" TEXT,
    "provider_customer_id" TEXT,
    "provider_payment_methods" TEXT[],
    "sync" BOOLEAN,
    "sync_with_provider" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customer_metadata" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "display_in_invoice" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_metadata_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "integration_customers" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "type" TEXT,
    "integration_code" TEXT,
    "external_customer_id" TEXT,
    "subsidiary_id" TEXT,
    "targeted_object" TEXT,
    "sync_with_provider" BOOLEAN,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integration_customers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billable_metrics" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "aggregation_type" "AggregationType" NOT NULL,
    "field_name" TEXT,
    "recurring" BOOLEAN NOT NULL DEFAULT false,
    "rounding_function" "RoundingFunction",
    "rounding_precision" INTEGER,
    "weighted_interval" TEXT,
    "expression" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "billable_metrics_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billable_metric_filters" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "billable_metric_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "values" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "billable_metric_filters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "add_ons" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "invoice_display_name" TEXT,
    "amount_cents" BIGINT NOT NULL DEFAULT 0,
    "amount_currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "add_ons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pricing_units" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "short_name" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pricing_units_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plans" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "invoice_display_name" TEXT,
    "interval" "PlanInterval" NOT NULL,
    "amount_cents" BIGINT NOT NULL DEFAULT 0,
    "amount_currency" TEXT NOT NULL,
    "pay_in_advance" BOOLEAN NOT NULL DEFAULT false,
    "trial_period" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "bill_charges_monthly" BOOLEAN NOT NULL DEFAULT false,
    "bill_fixed_charges_monthly" BOOLEAN NOT NULL DEFAULT false,
    "parent_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "plans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "minimum_commitments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "invoice_display_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "minimum_commitments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_thresholds" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "threshold_display_name" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "recurring" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "usage_thresholds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "charges" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "billable_metric_id" UUID NOT NULL,
    "parent_id" UUID,
    "code" TEXT NOT NULL,
    "invoice_display_name" TEXT,
    "charge_model" "ChargeModel" NOT NULL,
    "pay_in_advance" BOOLEAN NOT NULL DEFAULT false,
    "invoiceable" BOOLEAN NOT NULL DEFAULT true,
    "prorated" BOOLEAN NOT NULL DEFAULT false,
    "accepts_target_wallet" BOOLEAN NOT NULL DEFAULT false,
    "regroup_paid_fees" "RegroupPaidFees",
    "min_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "properties" JSONB NOT NULL,
    "pricing_unit_id" UUID,
    "conversion_rate" DECIMAL(65,30),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "charges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "charge_filters" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "charge_id" UUID NOT NULL,
    "invoice_display_name" TEXT,
    "properties" JSONB NOT NULL,
    "values" JSONB NOT NULL,
    "canonical_values" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "charge_filters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fixed_charges" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "add_on_id" UUID NOT NULL,
    "parent_id" UUID,
    "code" TEXT NOT NULL,
    "invoice_display_name" TEXT,
    "charge_model" "FixedChargeModel" NOT NULL DEFAULT 'standard',
    "pay_in_advance" BOOLEAN NOT NULL DEFAULT false,
    "prorated" BOOLEAN NOT NULL DEFAULT false,
    "units" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "properties" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "fixed_charges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fixed_charge_units_events" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "fixed_charge_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "units" DECIMAL(65,30) NOT NULL,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fixed_charge_units_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "customer_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "billing_entity_id" UUID,
    "name" TEXT,
    "status" "SubscriptionStatus" NOT NULL,
    "billing_time" "BillingTime" NOT NULL DEFAULT 'calendar',
    "subscription_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "activated_at" TIMESTAMPTZ(3),
    "ending_at" TIMESTAMPTZ(3),
    "terminated_at" TIMESTAMPTZ(3),
    "canceled_at" TIMESTAMPTZ(3),
    "trial_ended_at" TIMESTAMPTZ(3),
    "cancellation_reason" "CancellationReason",
    "on_termination_credit_note" "OnTerminationCreditNote",
    "on_termination_invoice" "OnTerminationInvoice" NOT NULL DEFAULT 'generate',
    "consolidate_invoice" BOOLEAN NOT NULL DEFAULT true,
    "previous_subscription_id" UUID,
    "previous_plan_code" TEXT,
    "next_plan_code" TEXT,
    "downgrade_plan_date" DATE,
    "payment_method_type" "PaymentMethodType" NOT NULL DEFAULT 'provider',
    "payment_method_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "activation_rules" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "timeout_hours" INTEGER,
    "status" "ActivationRuleStatus" NOT NULL DEFAULT 'inactive',
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activation_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "coupons" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "coupon_type" "CouponType" NOT NULL,
    "amount_cents" BIGINT,
    "amount_currency" TEXT,
    "percentage_rate" DECIMAL(65,30),
    "frequency" "CouponFrequency" NOT NULL,
    "frequency_duration" INTEGER,
    "reusable" BOOLEAN NOT NULL DEFAULT true,
    "limited_plans" BOOLEAN NOT NULL DEFAULT false,
    "limited_billable_metrics" BOOLEAN NOT NULL DEFAULT false,
    "expiration" "CouponExpiration" NOT NULL DEFAULT 'no_expiration',
    "expiration_at" TIMESTAMPTZ(3),
    "status" "CouponStatus" NOT NULL DEFAULT 'active',
    "terminated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "coupons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "applied_coupons" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "coupon_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "amount_cents" BIGINT,
    "amount_currency" TEXT,
    "percentage_rate" DECIMAL(65,30),
    "frequency" "CouponFrequency" NOT NULL,
    "frequency_duration" INTEGER,
    "frequency_duration_remaining" INTEGER,
    "status" "CouponStatus" NOT NULL DEFAULT 'active',
    "terminated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applied_coupons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoices" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "billing_entity_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "sequential_id" INTEGER,
    "billing_entity_sequential_id" INTEGER,
    "issuing_date" DATE NOT NULL,
    "payment_due_date" DATE NOT NULL,
    "expected_finalization_date" DATE,
    "net_payment_term" INTEGER NOT NULL DEFAULT 0,
    "invoice_type" "InvoiceType" NOT NULL,
    "status" "InvoiceStatus" NOT NULL,
    "payment_status" "InvoicePaymentStatus" NOT NULL DEFAULT 'pending',
    "currency" TEXT NOT NULL,
    "fees_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "coupons_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "credit_notes_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "progressive_billing_credit_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "sub_total_excluding_taxes_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "taxes_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "taxes_rate" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "sub_total_including_taxes_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "prepaid_credit_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "prepaid_granted_credit_amount_cents" BIGINT,
    "prepaid_purchased_credit_amount_cents" BIGINT,
    "total_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "total_paid_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "version_number" INTEGER NOT NULL DEFAULT 4,
    "payment_overdue" BOOLEAN NOT NULL DEFAULT false,
    "payment_dispute_lost_at" TIMESTAMPTZ(3),
    "self_billed" BOOLEAN NOT NULL DEFAULT false,
    "voided_at" TIMESTAMPTZ(3),
    "finalized_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_metadata" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_metadata_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_applied_taxes" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "tax_id" UUID,
    "tax_name" TEXT NOT NULL,
    "tax_code" TEXT NOT NULL,
    "tax_description" TEXT,
    "tax_rate" DECIMAL(65,30) NOT NULL,
    "amount_cents" BIGINT NOT NULL DEFAULT 0,
    "fees_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "amount_currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_applied_taxes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_applied_custom_sections" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "details" TEXT,
    "display_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_applied_custom_sections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "applied_usage_thresholds" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "usage_threshold_id" UUID NOT NULL,
    "lifetime_usage_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applied_usage_thresholds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_error_details" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "error_code" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_error_details_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_periods" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "subscription_from_datetime" TIMESTAMPTZ(3) NOT NULL,
    "subscription_to_datetime" TIMESTAMPTZ(3) NOT NULL,
    "charges_from_datetime" TIMESTAMPTZ(3) NOT NULL,
    "charges_to_datetime" TIMESTAMPTZ(3) NOT NULL,
    "fixed_charges_from_datetime" TIMESTAMPTZ(3),
    "fixed_charges_to_datetime" TIMESTAMPTZ(3),
    "invoicing_reason" "InvoicingReason" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "billing_periods_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fees" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID,
    "subscription_id" UUID,
    "customer_id" UUID,
    "charge_id" UUID,
    "charge_filter_id" UUID,
    "fixed_charge_id" UUID,
    "add_on_id" UUID,
    "true_up_parent_fee_id" UUID,
    "original_fee_id" UUID,
    "fee_type" "FeeType" NOT NULL,
    "item_code" TEXT NOT NULL,
    "item_name" TEXT NOT NULL,
    "item_description" TEXT,
    "item_invoice_display_name" TEXT,
    "item_type" TEXT NOT NULL,
    "item_id" UUID,
    "filter_invoice_display_name" TEXT,
    "filters" JSONB,
    "grouped_by" JSONB NOT NULL DEFAULT '{}',
    "description" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "precise_amount_cents" DECIMAL(65,30) NOT NULL,
    "amount_currency" TEXT NOT NULL,
    "taxes_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "taxes_precise_amount_cents" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "taxes_rate" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "precise_coupons_amount_cents" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "units" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "total_aggregated_units" DECIMAL(65,30),
    "precise_unit_amount" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "events_count" INTEGER,
    "pay_in_advance" BOOLEAN NOT NULL DEFAULT false,
    "invoiceable" BOOLEAN NOT NULL DEFAULT true,
    "from_date" TIMESTAMPTZ(3),
    "to_date" TIMESTAMPTZ(3),
    "payment_status" "FeePaymentStatus" NOT NULL DEFAULT 'pending',
    "succeeded_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "refunded_at" TIMESTAMPTZ(3),
    "event_transaction_id" TEXT,
    "self_billed" BOOLEAN NOT NULL DEFAULT false,
    "amount_details" JSONB NOT NULL DEFAULT '{}',
    "presentation_breakdowns" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "fees_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fee_applied_taxes" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "fee_id" UUID NOT NULL,
    "tax_id" UUID,
    "tax_name" TEXT NOT NULL,
    "tax_code" TEXT NOT NULL,
    "tax_description" TEXT,
    "tax_rate" DECIMAL(65,30) NOT NULL,
    "amount_cents" BIGINT NOT NULL DEFAULT 0,
    "amount_currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "fee_applied_taxes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pricing_unit_usages" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "fee_id" UUID NOT NULL,
    "pricing_unit_id" UUID,
    "pricing_unit_code" TEXT NOT NULL,
    "short_name" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "precise_amount_cents" DECIMAL(65,30) NOT NULL,
    "unit_amount_cents" BIGINT NOT NULL,
    "precise_unit_amount" DECIMAL(65,30) NOT NULL,
    "conversion_rate" DECIMAL(65,30) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pricing_unit_usages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credits" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "applied_coupon_id" UUID,
    "credit_note_id" UUID,
    "progressive_billing_invoice_id" UUID,
    "item_type" "CreditItemType" NOT NULL,
    "item_id" UUID NOT NULL,
    "item_code" TEXT NOT NULL,
    "item_name" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "amount_currency" TEXT NOT NULL,
    "before_taxes" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credit_notes" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "sequential_id" INTEGER NOT NULL DEFAULT 1,
    "issuing_date" DATE NOT NULL,
    "status" "CreditNoteStatus" NOT NULL DEFAULT 'finalized',
    "credit_status" "CreditNoteCreditStatus",
    "refund_status" "CreditNoteRefundStatus",
    "reason" "CreditNoteReason" NOT NULL DEFAULT 'other',
    "description" TEXT,
    "currency" TEXT NOT NULL,
    "total_amount_cents" BIGINT NOT NULL,
    "credit_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "balance_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "refund_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "offset_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "sub_total_excluding_taxes_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "coupons_adjustment_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "taxes_amount_cents" BIGINT NOT NULL DEFAULT 0,
    "taxes_rate" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credit_note_items" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "credit_note_id" UUID NOT NULL,
    "fee_id" UUID,
    "amount_cents" BIGINT NOT NULL,
    "precise_amount_cents" DECIMAL(65,30) NOT NULL,
    "amount_currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_note_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallets" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "billing_entity_id" UUID,
    "name" TEXT,
    "code" TEXT,
    "currency" TEXT NOT NULL,
    "status" "WalletStatus" NOT NULL DEFAULT 'active',
    "rate_amount" DECIMAL(65,30) NOT NULL,
    "credits_balance" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "consumed_credits" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "credits_ongoing_balance" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "credits_ongoing_usage_balance" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "balance_cents" BIGINT NOT NULL DEFAULT 0,
    "ongoing_balance_cents" BIGINT NOT NULL DEFAULT 0,
    "ongoing_usage_balance_cents" BIGINT NOT NULL DEFAULT 0,
    "paid_top_up_min_amount_cents" BIGINT,
    "paid_top_up_max_amount_cents" BIGINT,
    "priority" INTEGER NOT NULL DEFAULT 50,
    "invoice_requires_successful_payment" BOOLEAN NOT NULL DEFAULT false,
    "expiration_at" TIMESTAMPTZ(3),
    "last_balance_sync_at" TIMESTAMPTZ(3),
    "last_consumed_credit_at" TIMESTAMPTZ(3),
    "terminated_at" TIMESTAMPTZ(3),
    "allowed_fee_types" "FeeType"[],
    "metadata" JSONB,
    "payment_method_type" "PaymentMethodType" NOT NULL DEFAULT 'provider',
    "payment_method_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallet_transactions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "wallet_id" UUID NOT NULL,
    "invoice_id" UUID,
    "transaction_type" "WalletTransactionType" NOT NULL,
    "status" "WalletTransactionStatus" NOT NULL DEFAULT 'pending',
    "transaction_status" "WalletTransactionKind" NOT NULL DEFAULT 'purchased',
    "source" "WalletTransactionSource" NOT NULL DEFAULT 'manual',
    "amount" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "credit_amount" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "remaining_amount_cents" BIGINT,
    "priority" INTEGER NOT NULL DEFAULT 50,
    "name" TEXT,
    "invoice_requires_successful_payment" BOOLEAN NOT NULL DEFAULT false,
    "metadata" JSONB NOT NULL DEFAULT '[]',
    "settled_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallet_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recurring_transaction_rules" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "wallet_id" UUID NOT NULL,
    "trigger" "RecurringRuleTrigger" NOT NULL,
    "method" "RecurringRuleMethod" NOT NULL DEFAULT 'fixed',
    "interval" "RecurringRuleInterval",
    "status" "RecurringRuleStatus" NOT NULL DEFAULT 'active',
    "threshold_credits" DECIMAL(65,30),
    "paid_credits" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "granted_credits" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "target_ongoing_balance" DECIMAL(65,30),
    "grants_target_top_up" BOOLEAN,
    "invoice_requires_successful_payment" BOOLEAN NOT NULL DEFAULT false,
    "ignore_paid_top_up_limits" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3),
    "expiration_at" TIMESTAMPTZ(3),
    "terminated_at" TIMESTAMPTZ(3),
    "transaction_metadata" JSONB NOT NULL DEFAULT '[]',
    "transaction_name" TEXT,
    "payment_method_type" "PaymentMethodType" NOT NULL DEFAULT 'provider',
    "payment_method_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recurring_transaction_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_methods" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "provider_method_id" TEXT,
    "provider_code" TEXT,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_methods_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_requests" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "email" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "amount_currency" TEXT NOT NULL,
    "payment_status" "PaymentRequestStatus" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "invoice_id" UUID,
    "payment_request_id" UUID,
    "amount_cents" BIGINT NOT NULL,
    "amount_currency" TEXT NOT NULL,
    "status" "PaymentStatus" NOT NULL DEFAULT 'pending',
    "payment_type" "PaymentType" NOT NULL DEFAULT 'provider',
    "reference" TEXT,
    "provider_payment_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
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

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "_BillingEntityTaxes" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_BillingEntityTaxes_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_BillingEntitySections" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_BillingEntitySections_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_CustomerTaxes" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_CustomerTaxes_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_CouponMetrics" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_CouponMetrics_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_WalletMetrics" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_WalletMetrics_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_AddOnTaxes" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_AddOnTaxes_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_PlanTaxes" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_PlanTaxes_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_MinimumCommitmentTaxes" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_MinimumCommitmentTaxes_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_ChargeTaxes" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_ChargeTaxes_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_FixedChargeTaxes" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_FixedChargeTaxes_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_CouponPlans" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_CouponPlans_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateTable
CREATE TABLE "_PaymentRequestInvoices" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_PaymentRequestInvoices_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateIndex
CREATE UNIQUE INDEX "organizations_name_key" ON "organizations"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_organization_id_created_at_id_idx" ON "api_keys"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "billing_entities_organization_id_created_at_id_idx" ON "billing_entities"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "billing_entities_code_live_key" ON "billing_entities"("organization_id", "code") WHERE (deleted_at IS NULL AND archived_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "billing_entities_default_live_key" ON "billing_entities"("organization_id") WHERE (is_default = true AND deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "taxes_organization_id_created_at_id_idx" ON "taxes"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "taxes_code_live_key" ON "taxes"("organization_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "invoice_custom_sections_organization_id_created_at_id_idx" ON "invoice_custom_sections"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_custom_sections_code_live_key" ON "invoice_custom_sections"("organization_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "applied_invoice_custom_sections_organization_id_created_at__idx" ON "applied_invoice_custom_sections"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "applied_invoice_custom_sections_invoice_custom_section_id_idx" ON "applied_invoice_custom_sections"("invoice_custom_section_id");

-- CreateIndex
CREATE INDEX "applied_invoice_custom_sections_subscription_id_idx" ON "applied_invoice_custom_sections"("subscription_id");

-- CreateIndex
CREATE INDEX "applied_invoice_custom_sections_wallet_id_idx" ON "applied_invoice_custom_sections"("wallet_id");

-- CreateIndex
CREATE INDEX "applied_invoice_custom_sections_recurring_transaction_rule__idx" ON "applied_invoice_custom_sections"("recurring_transaction_rule_id");

-- CreateIndex
CREATE INDEX "customers_organization_id_created_at_id_idx" ON "customers"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "customers_billing_entity_id_idx" ON "customers"("billing_entity_id");

-- CreateIndex
CREATE UNIQUE INDEX "customers_external_id_live_key" ON "customers"("organization_id", "external_id") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "customer_metadata_organization_id_created_at_id_idx" ON "customer_metadata"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "customer_metadata_customer_id_idx" ON "customer_metadata"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "customer_metadata_customer_id_key_key" ON "customer_metadata"("customer_id", "key");

-- CreateIndex
CREATE INDEX "integration_customers_organization_id_created_at_id_idx" ON "integration_customers"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "integration_customers_customer_id_idx" ON "integration_customers"("customer_id");

-- CreateIndex
CREATE INDEX "billable_metrics_organization_id_created_at_id_idx" ON "billable_metrics"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "billable_metrics_code_live_key" ON "billable_metrics"("organization_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "billable_metric_filters_organization_id_created_at_id_idx" ON "billable_metric_filters"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "billable_metric_filters_billable_metric_id_idx" ON "billable_metric_filters"("billable_metric_id");

-- CreateIndex
CREATE UNIQUE INDEX "billable_metric_filters_billable_metric_id_key_live_key" ON "billable_metric_filters"("billable_metric_id", "key") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "add_ons_organization_id_created_at_id_idx" ON "add_ons"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "add_ons_code_live_key" ON "add_ons"("organization_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "pricing_units_organization_id_created_at_id_idx" ON "pricing_units"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pricing_units_organization_id_code_key" ON "pricing_units"("organization_id", "code");

-- CreateIndex
CREATE INDEX "plans_organization_id_created_at_id_idx" ON "plans"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "plans_parent_id_idx" ON "plans"("parent_id");

-- CreateIndex
CREATE INDEX "plans_organization_id_code_idx" ON "plans"("organization_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "plans_code_live_key" ON "plans"("organization_id", "code") WHERE (deleted_at IS NULL AND parent_id IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "minimum_commitments_plan_id_key" ON "minimum_commitments"("plan_id");

-- CreateIndex
CREATE INDEX "minimum_commitments_organization_id_created_at_id_idx" ON "minimum_commitments"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "usage_thresholds_organization_id_created_at_id_idx" ON "usage_thresholds"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "usage_thresholds_plan_id_idx" ON "usage_thresholds"("plan_id");

-- CreateIndex
CREATE INDEX "charges_organization_id_created_at_id_idx" ON "charges"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "charges_plan_id_idx" ON "charges"("plan_id");

-- CreateIndex
CREATE INDEX "charges_billable_metric_id_idx" ON "charges"("billable_metric_id");

-- CreateIndex
CREATE INDEX "charges_parent_id_idx" ON "charges"("parent_id");

-- CreateIndex
CREATE INDEX "charges_pricing_unit_id_idx" ON "charges"("pricing_unit_id");

-- CreateIndex
CREATE UNIQUE INDEX "charges_plan_id_code_live_key" ON "charges"("plan_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "charge_filters_organization_id_created_at_id_idx" ON "charge_filters"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "charge_filters_charge_id_idx" ON "charge_filters"("charge_id");

-- CreateIndex
CREATE UNIQUE INDEX "charge_filters_charge_id_canonical_values_live_key" ON "charge_filters"("charge_id", "canonical_values") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "fixed_charges_organization_id_created_at_id_idx" ON "fixed_charges"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "fixed_charges_plan_id_idx" ON "fixed_charges"("plan_id");

-- CreateIndex
CREATE INDEX "fixed_charges_add_on_id_idx" ON "fixed_charges"("add_on_id");

-- CreateIndex
CREATE INDEX "fixed_charges_parent_id_idx" ON "fixed_charges"("parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "fixed_charges_plan_id_code_live_key" ON "fixed_charges"("plan_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "fixed_charge_units_events_organization_id_created_at_id_idx" ON "fixed_charge_units_events"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "fixed_charge_units_events_fixed_charge_id_idx" ON "fixed_charge_units_events"("fixed_charge_id");

-- CreateIndex
CREATE INDEX "fixed_charge_units_events_subscription_id_idx" ON "fixed_charge_units_events"("subscription_id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_created_at_id_idx" ON "subscriptions"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscriptions_customer_id_idx" ON "subscriptions"("customer_id");

-- CreateIndex
CREATE INDEX "subscriptions_plan_id_idx" ON "subscriptions"("plan_id");

-- CreateIndex
CREATE INDEX "subscriptions_billing_entity_id_idx" ON "subscriptions"("billing_entity_id");

-- CreateIndex
CREATE INDEX "subscriptions_previous_subscription_id_idx" ON "subscriptions"("previous_subscription_id");

-- CreateIndex
CREATE INDEX "subscriptions_payment_method_id_idx" ON "subscriptions"("payment_method_id");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_external_id_idx" ON "subscriptions"("organization_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_external_id_live_key" ON "subscriptions"("organization_id", "external_id") WHERE (status = 'active');

-- CreateIndex
CREATE INDEX "activation_rules_organization_id_created_at_id_idx" ON "activation_rules"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "activation_rules_subscription_id_idx" ON "activation_rules"("subscription_id");

-- CreateIndex
CREATE INDEX "coupons_organization_id_created_at_id_idx" ON "coupons"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "coupons_code_live_key" ON "coupons"("organization_id", "code") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "applied_coupons_organization_id_created_at_id_idx" ON "applied_coupons"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "applied_coupons_coupon_id_idx" ON "applied_coupons"("coupon_id");

-- CreateIndex
CREATE INDEX "applied_coupons_customer_id_idx" ON "applied_coupons"("customer_id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_created_at_id_idx" ON "invoices"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoices_customer_id_idx" ON "invoices"("customer_id");

-- CreateIndex
CREATE INDEX "invoices_billing_entity_id_idx" ON "invoices"("billing_entity_id");

-- CreateIndex
CREATE INDEX "invoices_organization_id_issuing_date_idx" ON "invoices"("organization_id", "issuing_date");

-- CreateIndex
CREATE INDEX "invoices_organization_id_number_idx" ON "invoices"("organization_id", "number");

-- CreateIndex
CREATE INDEX "invoices_organization_id_status_idx" ON "invoices"("organization_id", "status");

-- CreateIndex
CREATE INDEX "invoices_customer_id_created_at_idx" ON "invoices"("customer_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_customer_id_billing_entity_id_sequential_id_live_key" ON "invoices"("customer_id", "billing_entity_id", "sequential_id") WHERE (sequential_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "invoice_metadata_organization_id_created_at_id_idx" ON "invoice_metadata"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoice_metadata_invoice_id_idx" ON "invoice_metadata"("invoice_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_metadata_invoice_id_key_key" ON "invoice_metadata"("invoice_id", "key");

-- CreateIndex
CREATE INDEX "invoice_applied_taxes_organization_id_created_at_id_idx" ON "invoice_applied_taxes"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoice_applied_taxes_invoice_id_idx" ON "invoice_applied_taxes"("invoice_id");

-- CreateIndex
CREATE INDEX "invoice_applied_taxes_tax_id_idx" ON "invoice_applied_taxes"("tax_id");

-- CreateIndex
CREATE INDEX "invoice_applied_custom_sections_organization_id_created_at__idx" ON "invoice_applied_custom_sections"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoice_applied_custom_sections_invoice_id_idx" ON "invoice_applied_custom_sections"("invoice_id");

-- CreateIndex
CREATE INDEX "applied_usage_thresholds_organization_id_created_at_id_idx" ON "applied_usage_thresholds"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "applied_usage_thresholds_invoice_id_idx" ON "applied_usage_thresholds"("invoice_id");

-- CreateIndex
CREATE INDEX "applied_usage_thresholds_usage_threshold_id_idx" ON "applied_usage_thresholds"("usage_threshold_id");

-- CreateIndex
CREATE INDEX "invoice_error_details_organization_id_created_at_id_idx" ON "invoice_error_details"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoice_error_details_invoice_id_idx" ON "invoice_error_details"("invoice_id");

-- CreateIndex
CREATE INDEX "billing_periods_organization_id_created_at_id_idx" ON "billing_periods"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "billing_periods_invoice_id_idx" ON "billing_periods"("invoice_id");

-- CreateIndex
CREATE INDEX "billing_periods_subscription_id_idx" ON "billing_periods"("subscription_id");

-- CreateIndex
CREATE UNIQUE INDEX "billing_periods_invoice_id_subscription_id_key" ON "billing_periods"("invoice_id", "subscription_id");

-- CreateIndex
CREATE INDEX "fees_organization_id_created_at_id_idx" ON "fees"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "fees_invoice_id_idx" ON "fees"("invoice_id");

-- CreateIndex
CREATE INDEX "fees_subscription_id_idx" ON "fees"("subscription_id");

-- CreateIndex
CREATE INDEX "fees_customer_id_idx" ON "fees"("customer_id");

-- CreateIndex
CREATE INDEX "fees_charge_id_idx" ON "fees"("charge_id");

-- CreateIndex
CREATE INDEX "fees_charge_filter_id_idx" ON "fees"("charge_filter_id");

-- CreateIndex
CREATE INDEX "fees_fixed_charge_id_idx" ON "fees"("fixed_charge_id");

-- CreateIndex
CREATE INDEX "fees_add_on_id_idx" ON "fees"("add_on_id");

-- CreateIndex
CREATE INDEX "fees_true_up_parent_fee_id_idx" ON "fees"("true_up_parent_fee_id");

-- CreateIndex
CREATE INDEX "fees_original_fee_id_idx" ON "fees"("original_fee_id");

-- CreateIndex
CREATE INDEX "fee_applied_taxes_organization_id_created_at_id_idx" ON "fee_applied_taxes"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "fee_applied_taxes_fee_id_idx" ON "fee_applied_taxes"("fee_id");

-- CreateIndex
CREATE INDEX "fee_applied_taxes_tax_id_idx" ON "fee_applied_taxes"("tax_id");

-- CreateIndex
CREATE UNIQUE INDEX "pricing_unit_usages_fee_id_key" ON "pricing_unit_usages"("fee_id");

-- CreateIndex
CREATE INDEX "pricing_unit_usages_organization_id_created_at_id_idx" ON "pricing_unit_usages"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "pricing_unit_usages_pricing_unit_id_idx" ON "pricing_unit_usages"("pricing_unit_id");

-- CreateIndex
CREATE INDEX "credits_organization_id_created_at_id_idx" ON "credits"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "credits_invoice_id_idx" ON "credits"("invoice_id");

-- CreateIndex
CREATE INDEX "credits_applied_coupon_id_idx" ON "credits"("applied_coupon_id");

-- CreateIndex
CREATE INDEX "credits_credit_note_id_idx" ON "credits"("credit_note_id");

-- CreateIndex
CREATE INDEX "credits_progressive_billing_invoice_id_idx" ON "credits"("progressive_billing_invoice_id");

-- CreateIndex
CREATE INDEX "credit_notes_organization_id_created_at_id_idx" ON "credit_notes"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "credit_notes_customer_id_idx" ON "credit_notes"("customer_id");

-- CreateIndex
CREATE INDEX "credit_notes_invoice_id_idx" ON "credit_notes"("invoice_id");

-- CreateIndex
CREATE INDEX "credit_notes_organization_id_number_idx" ON "credit_notes"("organization_id", "number");

-- CreateIndex
CREATE INDEX "credit_note_items_organization_id_created_at_id_idx" ON "credit_note_items"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "credit_note_items_credit_note_id_idx" ON "credit_note_items"("credit_note_id");

-- CreateIndex
CREATE INDEX "credit_note_items_fee_id_idx" ON "credit_note_items"("fee_id");

-- CreateIndex
CREATE INDEX "wallets_organization_id_created_at_id_idx" ON "wallets"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "wallets_customer_id_idx" ON "wallets"("customer_id");

-- CreateIndex
CREATE INDEX "wallets_billing_entity_id_idx" ON "wallets"("billing_entity_id");

-- CreateIndex
CREATE INDEX "wallets_payment_method_id_idx" ON "wallets"("payment_method_id");

-- CreateIndex
CREATE UNIQUE INDEX "wallets_customer_id_code_live_key" ON "wallets"("customer_id", "code") WHERE (status = 'active' AND code IS NOT NULL);

-- CreateIndex
CREATE INDEX "wallet_transactions_organization_id_created_at_id_idx" ON "wallet_transactions"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "wallet_transactions_wallet_id_idx" ON "wallet_transactions"("wallet_id");

-- CreateIndex
CREATE INDEX "wallet_transactions_invoice_id_idx" ON "wallet_transactions"("invoice_id");

-- CreateIndex
CREATE INDEX "recurring_transaction_rules_organization_id_created_at_id_idx" ON "recurring_transaction_rules"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "recurring_transaction_rules_wallet_id_idx" ON "recurring_transaction_rules"("wallet_id");

-- CreateIndex
CREATE INDEX "recurring_transaction_rules_payment_method_id_idx" ON "recurring_transaction_rules"("payment_method_id");

-- CreateIndex
CREATE INDEX "payment_methods_organization_id_created_at_id_idx" ON "payment_methods"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_methods_customer_id_idx" ON "payment_methods"("customer_id");

-- CreateIndex
CREATE INDEX "payment_requests_organization_id_created_at_id_idx" ON "payment_requests"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_requests_customer_id_idx" ON "payment_requests"("customer_id");

-- CreateIndex
CREATE INDEX "payment_requests_customer_id_created_at_idx" ON "payment_requests"("customer_id", "created_at");

-- CreateIndex
CREATE INDEX "payments_organization_id_created_at_id_idx" ON "payments"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "payments_customer_id_idx" ON "payments"("customer_id");

-- CreateIndex
CREATE INDEX "payments_invoice_id_idx" ON "payments"("invoice_id");

-- CreateIndex
CREATE INDEX "payments_payment_request_id_idx" ON "payments"("payment_request_id");

-- CreateIndex
CREATE INDEX "events_organization_id_created_at_id_idx" ON "events"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "events_organization_id_external_subscription_id_code_timest_idx" ON "events"("organization_id", "external_subscription_id", "code", "timestamp");

-- CreateIndex
CREATE UNIQUE INDEX "events_external_subscription_id_transaction_id_live_key" ON "events"("organization_id", "external_subscription_id", "transaction_id") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "_BillingEntityTaxes_B_index" ON "_BillingEntityTaxes"("B");

-- CreateIndex
CREATE INDEX "_BillingEntitySections_B_index" ON "_BillingEntitySections"("B");

-- CreateIndex
CREATE INDEX "_CustomerTaxes_B_index" ON "_CustomerTaxes"("B");

-- CreateIndex
CREATE INDEX "_CouponMetrics_B_index" ON "_CouponMetrics"("B");

-- CreateIndex
CREATE INDEX "_WalletMetrics_B_index" ON "_WalletMetrics"("B");

-- CreateIndex
CREATE INDEX "_AddOnTaxes_B_index" ON "_AddOnTaxes"("B");

-- CreateIndex
CREATE INDEX "_PlanTaxes_B_index" ON "_PlanTaxes"("B");

-- CreateIndex
CREATE INDEX "_MinimumCommitmentTaxes_B_index" ON "_MinimumCommitmentTaxes"("B");

-- CreateIndex
CREATE INDEX "_ChargeTaxes_B_index" ON "_ChargeTaxes"("B");

-- CreateIndex
CREATE INDEX "_FixedChargeTaxes_B_index" ON "_FixedChargeTaxes"("B");

-- CreateIndex
CREATE INDEX "_CouponPlans_B_index" ON "_CouponPlans"("B");

-- CreateIndex
CREATE INDEX "_PaymentRequestInvoices_B_index" ON "_PaymentRequestInvoices"("B");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_entities" ADD CONSTRAINT "billing_entities_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "taxes" ADD CONSTRAINT "taxes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_custom_sections" ADD CONSTRAINT "invoice_custom_sections_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_invoice_custom_sections" ADD CONSTRAINT "applied_invoice_custom_sections_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_invoice_custom_sections" ADD CONSTRAINT "applied_invoice_custom_sections_invoice_custom_section_id_fkey" FOREIGN KEY ("invoice_custom_section_id") REFERENCES "invoice_custom_sections"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_invoice_custom_sections" ADD CONSTRAINT "applied_invoice_custom_sections_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_invoice_custom_sections" ADD CONSTRAINT "applied_invoice_custom_sections_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_invoice_custom_sections" ADD CONSTRAINT "applied_invoice_custom_sections_recurring_transaction_rule_fkey" FOREIGN KEY ("recurring_transaction_rule_id") REFERENCES "recurring_transaction_rules"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_billing_entity_id_fkey" FOREIGN KEY ("billing_entity_id") REFERENCES "billing_entities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_metadata" ADD CONSTRAINT "customer_metadata_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer_metadata" ADD CONSTRAINT "customer_metadata_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration_customers" ADD CONSTRAINT "integration_customers_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "integration_customers" ADD CONSTRAINT "integration_customers_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billable_metrics" ADD CONSTRAINT "billable_metrics_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billable_metric_filters" ADD CONSTRAINT "billable_metric_filters_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billable_metric_filters" ADD CONSTRAINT "billable_metric_filters_billable_metric_id_fkey" FOREIGN KEY ("billable_metric_id") REFERENCES "billable_metrics"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "add_ons" ADD CONSTRAINT "add_ons_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pricing_units" ADD CONSTRAINT "pricing_units_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plans" ADD CONSTRAINT "plans_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plans" ADD CONSTRAINT "plans_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "minimum_commitments" ADD CONSTRAINT "minimum_commitments_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "minimum_commitments" ADD CONSTRAINT "minimum_commitments_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_thresholds" ADD CONSTRAINT "usage_thresholds_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_thresholds" ADD CONSTRAINT "usage_thresholds_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_billable_metric_id_fkey" FOREIGN KEY ("billable_metric_id") REFERENCES "billable_metrics"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "charges"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_pricing_unit_id_fkey" FOREIGN KEY ("pricing_unit_id") REFERENCES "pricing_units"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge_filters" ADD CONSTRAINT "charge_filters_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge_filters" ADD CONSTRAINT "charge_filters_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charges"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fixed_charges" ADD CONSTRAINT "fixed_charges_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fixed_charges" ADD CONSTRAINT "fixed_charges_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fixed_charges" ADD CONSTRAINT "fixed_charges_add_on_id_fkey" FOREIGN KEY ("add_on_id") REFERENCES "add_ons"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fixed_charges" ADD CONSTRAINT "fixed_charges_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "fixed_charges"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fixed_charge_units_events" ADD CONSTRAINT "fixed_charge_units_events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fixed_charge_units_events" ADD CONSTRAINT "fixed_charge_units_events_fixed_charge_id_fkey" FOREIGN KEY ("fixed_charge_id") REFERENCES "fixed_charges"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fixed_charge_units_events" ADD CONSTRAINT "fixed_charge_units_events_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_billing_entity_id_fkey" FOREIGN KEY ("billing_entity_id") REFERENCES "billing_entities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_previous_subscription_id_fkey" FOREIGN KEY ("previous_subscription_id") REFERENCES "subscriptions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_payment_method_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_methods"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "activation_rules" ADD CONSTRAINT "activation_rules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "activation_rules" ADD CONSTRAINT "activation_rules_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_coupons" ADD CONSTRAINT "applied_coupons_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_coupons" ADD CONSTRAINT "applied_coupons_coupon_id_fkey" FOREIGN KEY ("coupon_id") REFERENCES "coupons"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_coupons" ADD CONSTRAINT "applied_coupons_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_billing_entity_id_fkey" FOREIGN KEY ("billing_entity_id") REFERENCES "billing_entities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_metadata" ADD CONSTRAINT "invoice_metadata_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_metadata" ADD CONSTRAINT "invoice_metadata_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_applied_taxes" ADD CONSTRAINT "invoice_applied_taxes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_applied_taxes" ADD CONSTRAINT "invoice_applied_taxes_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_applied_taxes" ADD CONSTRAINT "invoice_applied_taxes_tax_id_fkey" FOREIGN KEY ("tax_id") REFERENCES "taxes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_applied_custom_sections" ADD CONSTRAINT "invoice_applied_custom_sections_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_applied_custom_sections" ADD CONSTRAINT "invoice_applied_custom_sections_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_usage_thresholds" ADD CONSTRAINT "applied_usage_thresholds_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_usage_thresholds" ADD CONSTRAINT "applied_usage_thresholds_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applied_usage_thresholds" ADD CONSTRAINT "applied_usage_thresholds_usage_threshold_id_fkey" FOREIGN KEY ("usage_threshold_id") REFERENCES "usage_thresholds"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_error_details" ADD CONSTRAINT "invoice_error_details_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_error_details" ADD CONSTRAINT "invoice_error_details_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_periods" ADD CONSTRAINT "billing_periods_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_periods" ADD CONSTRAINT "billing_periods_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_periods" ADD CONSTRAINT "billing_periods_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charges"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_charge_filter_id_fkey" FOREIGN KEY ("charge_filter_id") REFERENCES "charge_filters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_fixed_charge_id_fkey" FOREIGN KEY ("fixed_charge_id") REFERENCES "fixed_charges"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_add_on_id_fkey" FOREIGN KEY ("add_on_id") REFERENCES "add_ons"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_true_up_parent_fee_id_fkey" FOREIGN KEY ("true_up_parent_fee_id") REFERENCES "fees"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fees" ADD CONSTRAINT "fees_original_fee_id_fkey" FOREIGN KEY ("original_fee_id") REFERENCES "fees"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fee_applied_taxes" ADD CONSTRAINT "fee_applied_taxes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fee_applied_taxes" ADD CONSTRAINT "fee_applied_taxes_fee_id_fkey" FOREIGN KEY ("fee_id") REFERENCES "fees"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fee_applied_taxes" ADD CONSTRAINT "fee_applied_taxes_tax_id_fkey" FOREIGN KEY ("tax_id") REFERENCES "taxes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pricing_unit_usages" ADD CONSTRAINT "pricing_unit_usages_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pricing_unit_usages" ADD CONSTRAINT "pricing_unit_usages_fee_id_fkey" FOREIGN KEY ("fee_id") REFERENCES "fees"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pricing_unit_usages" ADD CONSTRAINT "pricing_unit_usages_pricing_unit_id_fkey" FOREIGN KEY ("pricing_unit_id") REFERENCES "pricing_units"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credits" ADD CONSTRAINT "credits_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credits" ADD CONSTRAINT "credits_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credits" ADD CONSTRAINT "credits_applied_coupon_id_fkey" FOREIGN KEY ("applied_coupon_id") REFERENCES "applied_coupons"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credits" ADD CONSTRAINT "credits_credit_note_id_fkey" FOREIGN KEY ("credit_note_id") REFERENCES "credit_notes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credits" ADD CONSTRAINT "credits_progressive_billing_invoice_id_fkey" FOREIGN KEY ("progressive_billing_invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credit_note_items" ADD CONSTRAINT "credit_note_items_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credit_note_items" ADD CONSTRAINT "credit_note_items_credit_note_id_fkey" FOREIGN KEY ("credit_note_id") REFERENCES "credit_notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credit_note_items" ADD CONSTRAINT "credit_note_items_fee_id_fkey" FOREIGN KEY ("fee_id") REFERENCES "fees"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_billing_entity_id_fkey" FOREIGN KEY ("billing_entity_id") REFERENCES "billing_entities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_payment_method_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_methods"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recurring_transaction_rules" ADD CONSTRAINT "recurring_transaction_rules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recurring_transaction_rules" ADD CONSTRAINT "recurring_transaction_rules_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recurring_transaction_rules" ADD CONSTRAINT "recurring_transaction_rules_payment_method_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_methods"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_requests" ADD CONSTRAINT "payment_requests_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_requests" ADD CONSTRAINT "payment_requests_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_payment_request_id_fkey" FOREIGN KEY ("payment_request_id") REFERENCES "payment_requests"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_BillingEntityTaxes" ADD CONSTRAINT "_BillingEntityTaxes_A_fkey" FOREIGN KEY ("A") REFERENCES "billing_entities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_BillingEntityTaxes" ADD CONSTRAINT "_BillingEntityTaxes_B_fkey" FOREIGN KEY ("B") REFERENCES "taxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_BillingEntitySections" ADD CONSTRAINT "_BillingEntitySections_A_fkey" FOREIGN KEY ("A") REFERENCES "billing_entities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_BillingEntitySections" ADD CONSTRAINT "_BillingEntitySections_B_fkey" FOREIGN KEY ("B") REFERENCES "invoice_custom_sections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_CustomerTaxes" ADD CONSTRAINT "_CustomerTaxes_A_fkey" FOREIGN KEY ("A") REFERENCES "customers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_CustomerTaxes" ADD CONSTRAINT "_CustomerTaxes_B_fkey" FOREIGN KEY ("B") REFERENCES "taxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_CouponMetrics" ADD CONSTRAINT "_CouponMetrics_A_fkey" FOREIGN KEY ("A") REFERENCES "billable_metrics"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_CouponMetrics" ADD CONSTRAINT "_CouponMetrics_B_fkey" FOREIGN KEY ("B") REFERENCES "coupons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_WalletMetrics" ADD CONSTRAINT "_WalletMetrics_A_fkey" FOREIGN KEY ("A") REFERENCES "billable_metrics"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_WalletMetrics" ADD CONSTRAINT "_WalletMetrics_B_fkey" FOREIGN KEY ("B") REFERENCES "wallets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_AddOnTaxes" ADD CONSTRAINT "_AddOnTaxes_A_fkey" FOREIGN KEY ("A") REFERENCES "add_ons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_AddOnTaxes" ADD CONSTRAINT "_AddOnTaxes_B_fkey" FOREIGN KEY ("B") REFERENCES "taxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_PlanTaxes" ADD CONSTRAINT "_PlanTaxes_A_fkey" FOREIGN KEY ("A") REFERENCES "plans"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_PlanTaxes" ADD CONSTRAINT "_PlanTaxes_B_fkey" FOREIGN KEY ("B") REFERENCES "taxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_MinimumCommitmentTaxes" ADD CONSTRAINT "_MinimumCommitmentTaxes_A_fkey" FOREIGN KEY ("A") REFERENCES "minimum_commitments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_MinimumCommitmentTaxes" ADD CONSTRAINT "_MinimumCommitmentTaxes_B_fkey" FOREIGN KEY ("B") REFERENCES "taxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_ChargeTaxes" ADD CONSTRAINT "_ChargeTaxes_A_fkey" FOREIGN KEY ("A") REFERENCES "charges"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_ChargeTaxes" ADD CONSTRAINT "_ChargeTaxes_B_fkey" FOREIGN KEY ("B") REFERENCES "taxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_FixedChargeTaxes" ADD CONSTRAINT "_FixedChargeTaxes_A_fkey" FOREIGN KEY ("A") REFERENCES "fixed_charges"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_FixedChargeTaxes" ADD CONSTRAINT "_FixedChargeTaxes_B_fkey" FOREIGN KEY ("B") REFERENCES "taxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_CouponPlans" ADD CONSTRAINT "_CouponPlans_A_fkey" FOREIGN KEY ("A") REFERENCES "coupons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_CouponPlans" ADD CONSTRAINT "_CouponPlans_B_fkey" FOREIGN KEY ("B") REFERENCES "plans"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_PaymentRequestInvoices" ADD CONSTRAINT "_PaymentRequestInvoices_A_fkey" FOREIGN KEY ("A") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_PaymentRequestInvoices" ADD CONSTRAINT "_PaymentRequestInvoices_B_fkey" FOREIGN KEY ("B") REFERENCES "payment_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;
