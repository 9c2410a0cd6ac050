// The shapes of the specification, one fragment an object: the aliases are the serializer. Fields stand in the order of
// the specification's tables.

export const tax = /* GraphQL */ `
fragment Tax on Tax {
  svc_id: svcId
  name
  code
  description
  rate
  applied_to_organization: appliedToOrganization
  created_at: createdAt
}`;

export const addOn = /* GraphQL */ `
fragment AddOn on AddOn {
  svc_id: svcId
  name
  invoice_display_name: invoiceDisplayName
  code
  amount_cents: amountCents
  amount_currency: amountCurrency
  description
  created_at: createdAt
  taxes { ...Tax }
}
${tax}`;

export const coupon = /* GraphQL */ `
fragment Coupon on Coupon {
  svc_id: svcId
  name
  code
  description
  coupon_type: couponType
  amount_cents: amountCents
  amount_currency: amountCurrency
  reusable
  limited_plans: limitedPlans
  plan_codes: planCodes
  limited_billable_metrics: limitedBillableMetrics
  billable_metric_codes: billableMetricCodes
  percentage_rate: percentageRateDecimal
  frequency
  frequency_duration: frequencyDuration
  expiration
  expiration_at: expirationAt
  created_at: createdAt
  terminated_at: terminatedAt
}`;

export const billableMetric = /* GraphQL */ `
fragment BillableMetric on BillableMetric {
  svc_id: svcId
  name
  code
  description
  recurring
  rounding_function: roundingFunction
  rounding_precision: roundingPrecision
  created_at: createdAt
  expression
  field_name: fieldName
  aggregation_type: aggregationType
  weighted_interval: weightedInterval
  filters { key values }
}`;

export const alert = /* GraphQL */ `
fragment Alert on Alert {
  svc_id: svcId
  svc_organization_id: svcOrganizationId
  external_subscription_id: externalSubscriptionId
  billable_metric: billableMetric { ...BillableMetric }
  alert_type: alertType
  code
  name
  direction
  previous_value: previousValueNumber
  last_processed_at: lastProcessedAt
  thresholds { code value recurring }
  created_at: createdAt
}
${billableMetric}`;

export const chargeFilter = /* GraphQL */ `
fragment ChargeFilter on ChargeFilter {
  svc_id: svcId
  charge_code: chargeCode
  invoice_display_name: invoiceDisplayName
  properties
  values
}`;

export const charge = /* GraphQL */ `
fragment Charge on Charge {
  svc_id: svcId
  svc_billable_metric_id: svcBillableMetricId
  svc_parent_id: svcParentId
  billable_metric_code: billableMetricCode
  code
  invoice_display_name: invoiceDisplayName
  created_at: createdAt
  charge_model: chargeModel
  pay_in_advance: payInAdvance
  invoiceable
  prorated
  accepts_target_wallet: acceptsTargetWallet
  regroup_paid_fees: regroupPaidFees
  min_amount_cents: minAmountCents
  properties
  filters { ...ChargeFilter }
  taxes { ...Tax }
  applied_pricing_unit: appliedPricingUnit { code conversion_rate: conversionRate }
}
${chargeFilter}
${tax}`;

export const fixedCharge = /* GraphQL */ `
fragment FixedCharge on FixedCharge {
  svc_id: svcId
  svc_add_on_id: svcAddOnId
  svc_parent_id: svcParentId
  invoice_display_name: invoiceDisplayName
  add_on_code: addOnCode
  code
  created_at: createdAt
  charge_model: chargeModel
  pay_in_advance: payInAdvance
  prorated
  properties
  units: unitsNumber
  taxes { ...Tax }
}
${tax}`;

const usageThreshold = /* GraphQL */ `
fragment UsageThreshold on UsageThreshold {
  svc_id: svcId
  threshold_display_name: thresholdDisplayName
  amount_cents: amountCents
  recurring
  created_at: createdAt
  updated_at: updatedAt
}`;

const minimumCommitment = /* GraphQL */ `
fragment MinimumCommitment on MinimumCommitment {
  svc_id: svcId
  plan_code: planCode
  amount_cents: amountCents
  invoice_display_name: invoiceDisplayName
  interval
  created_at: createdAt
  updated_at: updatedAt
  taxes { ...Tax }
}
${tax}`;

export const feature = /* GraphQL */ `
fragment Feature on Feature {
  code
  name
  description
  privileges { code name value_type: valueType config }
  created_at: createdAt
}`;

export const planEntitlement = /* GraphQL */ `
fragment PlanEntitlement on PlanEntitlement {
  code: featureCode
  name: featureName
  description: featureDescription
  privileges { code name value_type: valueType config value }
}`;

export const subscriptionEntitlement = /* GraphQL */ `
fragment SubscriptionEntitlement on SubscriptionEntitlement {
  code: featureCode
  name: featureName
  description: featureDescription
  privileges {
    code
    name
    value_type: valueType
    config
    value
    plan_value: planValue
    override_value: overrideValue
  }
  overrides
}`;

/** A stored way to pay; the name of the provider's connection is not kept. */
export const storedPaymentMethod = /* GraphQL */ `
fragment StoredPaymentMethod on PaymentMethod {
  svc_id: svcId
  is_default: isDefault
  payment_provider_code: providerCode
  payment_provider_type: providerType
  provider_method_id: providerMethodId
  created_at: createdAt
}`;

export const plan = /* GraphQL */ `
fragment Plan on Plan {
  svc_id: svcId
  name
  invoice_display_name: invoiceDisplayName
  created_at: createdAt
  code
  interval
  description
  amount_cents: amountCents
  amount_currency: amountCurrency
  trial_period: trialPeriodNumber
  pay_in_advance: payInAdvance
  bill_charges_monthly: billChargesMonthly
  bill_fixed_charges_monthly: billFixedChargesMonthly
  minimum_commitment: minimumCommitment { ...MinimumCommitment }
  charges { ...Charge }
  fixed_charges: fixedCharges { ...FixedCharge }
  taxes { ...Tax }
  usage_thresholds: usageThresholds { ...UsageThreshold }
  entitlements: entitlementItems { entitlement { ...PlanEntitlement } }
  metadata
}
${planEntitlement}
${minimumCommitment}
${charge}
${fixedCharge}
${usageThreshold}`;

const invoiceCustomSection = /* GraphQL */ `
fragment InvoiceCustomSection on AnyInvoiceCustomSection {
  svc_id: svcId
  name
  code
  description
  details
  display_name: displayName
  applied_to_organization: appliedToOrganization
  organization_id: svcOrganizationId
  created_at: createdAt
}`;

const appliedCustomSection = /* GraphQL */ `
fragment AppliedCustomSection on AnyAppliedInvoiceCustomSection {
  svc_id: svcId
  created_at: createdAt
  invoice_custom_section: invoiceCustomSection { ...InvoiceCustomSection }
  invoice_custom_section_id: svcInvoiceCustomSectionId
}
${invoiceCustomSection}`;

const paymentMethod = /* GraphQL */ `
fragment PaymentMethod on PaymentMethodReference {
  payment_method_type: paymentMethodType
  payment_method_id: svcPaymentMethodId
}`;

export const billingEntity = /* GraphQL */ `
fragment BillingEntity on BillingEntity {
  svc_id: svcId
  code
  name
  default_currency: defaultCurrency
  document_locale: documentLocale
  document_numbering: documentNumbering
  timezone
  document_number_prefix: documentNumberPrefix
  invoice_footer: invoiceFooter
  subscription_invoice_issuing_date_anchor: subscriptionInvoiceIssuingDateAnchor
  subscription_invoice_issuing_date_adjustment: subscriptionInvoiceIssuingDateAdjustment
  address_line1: addressLine1
  address_line2: addressLine2
  city
  state
  country
  zipcode
  email
  legal_name: legalName
  legal_number: legalNumber
  tax_identification_number: taxIdentificationNumber
  logo_url: logoUrl
  finalize_zero_amount_invoice: finalizeZeroAmountInvoice
  is_default: isDefault
  eu_tax_management: euTaxManagement
  invoice_grace_period: invoiceGracePeriod
  net_payment_term: netPaymentTerm
  created_at: createdAt
  updated_at: updatedAt
  email_settings: emailSettings
  taxes { ...Tax }
  selected_invoice_custom_sections: selectedInvoiceCustomSections { ...InvoiceCustomSection }
}
${tax}
${invoiceCustomSection}`;

export const organization = /* GraphQL */ `
fragment Organization on Organization {
  svc_id: svcId
  name
  created_at: createdAt
  webhook_url: webhookUrl
  webhook_urls: webhookUrls
  country
  default_currency: defaultCurrency
  address_line1: addressLine1
  address_line2: addressLine2
  state
  zipcode
  email
  city
  legal_name: legalName
  legal_number: legalNumber
  document_numbering: documentNumbering
  document_number_prefix: documentNumberPrefix
  net_payment_term: netPaymentTerm
  tax_identification_number: taxIdentificationNumber
  timezone
  finalize_zero_amount_invoice: finalizeZeroAmountInvoice
  email_settings: emailSettings
  eu_tax_management: euTaxManagement
  billing_configuration: billingConfiguration {
    invoice_footer: invoiceFooter
    invoice_grace_period: invoiceGracePeriod
    document_locale: documentLocale
  }
  taxes { ...Tax }
}
${tax}`;

export const customer = /* GraphQL */ `
fragment Customer on AnyCustomer {
  svc_id: svcId
  sequential_id: sequentialId
  slug
  external_id: externalId
  applicable_timezone: applicableTimezone
  billing_entity_code: billingEntityCode
  address_line1: addressLine1
  address_line2: addressLine2
  city
  country
  state
  zipcode
  currency
  email
  legal_name: legalName
  legal_number: legalNumber
  logo_url: logoUrl
  name
  firstname
  lastname
  account_type: accountType
  customer_type: customerType
  phone
  tax_identification_number: taxIdentificationNumber
  timezone
  url
  net_payment_term: netPaymentTerm
  created_at: createdAt
  updated_at: updatedAt
  finalize_zero_amount_invoice: finalizeZeroAmountInvoice
  skip_invoice_custom_sections: skipInvoiceCustomSections
  billing_configuration: billingConfiguration {
    invoice_grace_period: invoiceGracePeriod
    subscription_invoice_issuing_date_anchor: subscriptionInvoiceIssuingDateAnchor
    subscription_invoice_issuing_date_adjustment: subscriptionInvoiceIssuingDateAdjustment
    payment_provider: paymentProvider
    payment_provider_code: paymentProviderCode
    provider_customer_id: providerCustomerId
    document_locale: documentLocale
    sync
    sync_with_provider: syncWithProvider
    provider_payment_methods: providerPaymentMethods
  }
  shipping_address: shippingAddress {
    address_line1: addressLine1
    address_line2: addressLine2
    city
    country
    state
    zipcode
  }
  metadata { svc_id: svcId key value display_in_invoice: displayInInvoice created_at: createdAt }
  integration_customers: integrationCustomers {
    svc_id: svcId
    type
    integration_code: integrationCode
    external_customer_id: externalCustomerId
    subsidiary_id: subsidiaryId
    targeted_object: targetedObject
    sync_with_provider: syncWithProvider
    email
  }
}`;

/** A customer with what is shown of it alone. */
export const extendedCustomer = /* GraphQL */ `
fragment ExtendedCustomer on Customer {
  ...Customer
  taxes { ...Tax }
  applicable_invoice_custom_sections: applicableInvoiceCustomSections { ...InvoiceCustomSection }
}
${customer}
${tax}
${invoiceCustomSection}`;

const credit = /* GraphQL */ `
fragment Credit on AnyCredit {
  svc_id: svcId
  amount_cents: amountCents
  amount_currency: amountCurrency
  before_taxes: beforeTaxes
  item { svc_item_id: svcItemId type code name }
  invoice { svc_id: svcId payment_status: paymentStatus }
}`;

export const appliedCoupon = /* GraphQL */ `
fragment AppliedCoupon on AppliedCoupon {
  svc_id: svcId
  svc_coupon_id: svcCouponId
  coupon_code: couponCode
  coupon_name: couponName
  coupon_status: couponStatus
  coupon_deleted_at: couponDeletedAt
  svc_customer_id: svcCustomerId
  external_customer_id: externalCustomerId
  status
  amount_cents: amountCents
  amount_cents_remaining: remainingAmountCents
  amount_currency: amountCurrency
  percentage_rate: percentageRateDecimal
  frequency
  frequency_duration: frequencyDuration
  frequency_duration_remaining: frequencyDurationRemaining
  expiration_at: couponExpirationAt
  created_at: createdAt
  terminated_at: terminatedAt
}`;

/** An applied coupon with what it took off invoices. */
export const usedCoupon = /* GraphQL */ `
fragment UsedCoupon on AppliedCoupon {
  ...AppliedCoupon
  credits { ...Credit }
}
${appliedCoupon}
${credit}`;

/** An invoice without its nested arrays. */
export const invoice = /* GraphQL */ `
fragment Invoice on AnyInvoice {
  svc_id: svcId
  billing_entity_code: billingEntityCode
  number
  issuing_date: issuingDate
  invoice_type: invoiceType
  status
  payment_status: paymentStatus
  currency
  fees_amount_cents: feesAmountCents
  coupons_amount_cents: couponsAmountCents
  credit_notes_amount_cents: creditNotesAmountCents
  sub_total_excluding_taxes_amount_cents: subTotalExcludingTaxesAmountCents
  taxes_amount_cents: taxesAmountCents
  sub_total_including_taxes_amount_cents: subTotalIncludingTaxesAmountCents
  prepaid_credit_amount_cents: prepaidCreditAmountCents
  progressive_billing_credit_amount_cents: progressiveBillingCreditAmountCents
  total_amount_cents: totalAmountCents
  prepaid_granted_credit_amount_cents: prepaidGrantedCreditAmountCents
  prepaid_purchased_credit_amount_cents: prepaidPurchasedCreditAmountCents
  version_number: versionNumber
  sequential_id: sequentialId
  net_payment_term: netPaymentTerm
  created_at: createdAt
  updated_at: updatedAt
  payment_dispute_lost_at: paymentDisputeLostAt
  payment_due_date: paymentDueDate
  payment_overdue: paymentOverdue
  self_billed: selfBilled
  file_url: fileUrl
}`;

export const fee = /* GraphQL */ `
fragment Fee on AnyFee {
  svc_id: svcId
  svc_charge_id: svcChargeId
  svc_charge_filter_id: svcChargeFilterId
  svc_fixed_charge_id: svcFixedChargeId
  svc_invoice_id: svcInvoiceId
  svc_true_up_fee_id: svcTrueUpFeeId
  svc_true_up_parent_fee_id: svcTrueUpParentFeeId
  svc_subscription_id: svcSubscriptionId
  svc_customer_id: svcCustomerId
  external_customer_id: externalCustomerId
  external_subscription_id: externalSubscriptionId
  amount_cents: amountCents
  taxes_amount_cents: taxesAmountCents
  total_amount_cents: totalAmountCents
  precise_amount: preciseAmount
  precise_total_amount: preciseTotalAmount
  taxes_precise_amount: taxesPreciseAmount
  units
  precise_unit_amount: preciseUnitAmount
  total_aggregated_units: totalAggregatedUnits
  precise_coupons_amount_cents: preciseCouponsAmountCents
  sub_total_excluding_taxes_amount_cents: subTotalExcludingTaxesAmountCents
  sub_total_excluding_taxes_precise_amount_cents: subTotalExcludingTaxesPreciseAmountCents
  amount_currency: amountCurrency
  total_amount_currency: totalAmountCurrency
  taxes_rate: taxesRate
  events_count: eventsCount
  pay_in_advance: payInAdvance
  invoiceable
  from_date: fromDate
  to_date: toDate
  payment_status: paymentStatus
  created_at: createdAt
  succeeded_at: succeededAt
  failed_at: failedAt
  refunded_at: refundedAt
  event_transaction_id: eventTransactionId
  description
  self_billed: selfBilled
  item {
    type: feeType
    code
    name
    description
    invoice_display_name: invoiceDisplayName
    filter_invoice_display_name: filterInvoiceDisplayName
    item_type: itemType
    svc_item_id: svcItemId
    filters
    grouped_by: groupedBy
  }
  amount_details: amountDetails
  applied_taxes: appliedTaxes {
    svc_id: svcId
    svc_tax_id: svcTaxId
    svc_fee_id: svcFeeId
    tax_name: taxName
    tax_code: taxCode
    tax_description: taxDescription
    tax_rate: taxRate
    amount_cents: amountCents
    amount_currency: amountCurrency
    created_at: createdAt
  }
  pricing_unit_details: pricingUnitDetails {
    svc_pricing_unit_id: svcPricingUnitId
    pricing_unit_code: pricingUnitCode
    short_name: shortName
    amount_cents: amountCents
    unit_amount_cents: unitAmountCents
    precise_amount_cents: preciseAmountCents
    precise_unit_amount: preciseUnitAmount
    conversion_rate: conversionRate
  }
  presentation_breakdowns: presentationBreakdowns
}`;

export const subscription = /* GraphQL */ `
fragment Subscription on AnyBillingSubscription {
  svc_id: svcId
  svc_customer_id: svcCustomerId
  external_id: externalId
  external_customer_id: externalCustomerId
  name
  plan_code: planCode
  previous_plan_code: previousPlanCode
  next_plan_code: nextPlanCode
  billing_entity_code: billingEntityCode
  billing_time: billingTime
  cancellation_reason: cancellationReason
  on_termination_credit_note: onTerminationCreditNote
  on_termination_invoice: onTerminationInvoice
  plan_amount_currency: planAmountCurrency
  status
  plan_amount_cents: planAmountCents
  consolidate_invoice: consolidateInvoice
  created_at: createdAt
  canceled_at: canceledAt
  started_at: startedAt
  ending_at: endingAt
  subscription_at: subscriptionAt
  terminated_at: terminatedAt
  trial_ended_at: trialEndedAt
  current_billing_period_started_at: currentBillingPeriodStartedAt
  current_billing_period_ending_at: currentBillingPeriodEndingAt
  activated_at: activatedAt
  downgrade_plan_date: downgradePlanDate
  applied_invoice_custom_sections: appliedInvoiceCustomSections { ...AppliedCustomSection }
  payment_method: paymentMethodReference { ...PaymentMethod }
  activation_rules: activationRules {
    svc_id: svcId
    type
    timeout_hours: timeoutHours
    status
    created_at: createdAt
    updated_at: updatedAt
    expires_at: expiresAt
  }
}
${appliedCustomSection}
${paymentMethod}`;

export const wallet = /* GraphQL */ `
fragment Wallet on Wallet {
  svc_id: svcId
  svc_customer_id: svcCustomerId
  external_customer_id: externalCustomerId
  billing_entity_code: billingEntityCode
  name
  code
  currency
  status
  rate_amount: rateAmount
  credits_balance: creditsBalance
  consumed_credits: consumedCredits
  credits_ongoing_balance: creditsOngoingBalance
  credits_ongoing_usage_balance: creditsOngoingUsageBalance
  balance_cents: balanceCents
  ongoing_balance_cents: ongoingBalanceCents
  ongoing_usage_balance_cents: ongoingUsageBalanceCents
  paid_top_up_min_amount_cents: paidTopUpMinAmountCents
  paid_top_up_max_amount_cents: paidTopUpMaxAmountCents
  priority
  invoice_requires_successful_payment: invoiceRequiresSuccessfulPayment
  created_at: createdAt
  expiration_at: expirationAt
  last_balance_sync_at: lastBalanceSyncAt
  last_consumed_credit_at: lastConsumedCreditAt
  terminated_at: terminatedAt
  applies_to: appliesTo { fee_types: feeTypes billable_metric_codes: billableMetricCodes }
  recurring_transaction_rules: recurringTransactionRules {
    svc_id: svcId
    trigger
    method
    interval
    status
    threshold_credits: thresholdCredits
    paid_credits: paidCredits
    granted_credits: grantedCredits
    target_ongoing_balance: targetOngoingBalance
    grants_target_top_up: grantsTargetTopUp
    invoice_requires_successful_payment: invoiceRequiresSuccessfulPayment
    ignore_paid_top_up_limits: ignorePaidTopUpLimits
    started_at: startedAt
    created_at: createdAt
    expiration_at: expirationAt
    transaction_metadata: transactionMetadata
    transaction_name: transactionName
    applied_invoice_custom_sections: appliedInvoiceCustomSections { ...AppliedCustomSection }
    payment_method: paymentMethodReference { ...PaymentMethod }
  }
  applied_invoice_custom_sections: appliedInvoiceCustomSections { ...AppliedCustomSection }
  payment_method: paymentMethodReference { ...PaymentMethod }
  metadata
}
${appliedCustomSection}
${paymentMethod}`;

/** An invoice as lists show it. */
export const listedInvoice = /* GraphQL */ `
fragment ListedInvoice on AnyInvoice {
  ...Invoice
  customer { ...Customer }
  metadata { svc_id: svcId key value created_at: createdAt }
  applied_taxes: appliedTaxes {
    svc_id: svcId
    svc_tax_id: svcTaxId
    svc_invoice_id: svcInvoiceId
    tax_name: taxName
    tax_code: taxCode
    tax_description: taxDescription
    tax_rate: taxRate
    amount_cents: amountCents
    fees_amount_cents: feesAmountCents
    amount_currency: amountCurrency
    created_at: createdAt
  }
  applied_invoice_custom_sections: appliedInvoiceCustomSections {
    svc_id: svcId
    svc_invoice_id: svcInvoiceId
    code
    details
    display_name: displayName
    created_at: createdAt
  }
  applied_usage_thresholds: appliedUsageThresholds {
    lifetime_usage_amount_cents: lifetimeUsageAmountCents
    created_at: createdAt
    usage_threshold: usageThreshold {
      svc_id: svcId
      threshold_display_name: thresholdDisplayName
      amount_cents: amountCents
      recurring
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}
${invoice}
${customer}`;

/** An invoice with all its nested arrays. */
export const extendedInvoice = /* GraphQL */ `
fragment ExtendedInvoice on AnyInvoice {
  ...ListedInvoice
  billing_periods: billingPeriods {
    svc_subscription_id: svcSubscriptionId
    external_subscription_id: externalSubscriptionId
    svc_plan_id: svcPlanId
    subscription_from_datetime: subscriptionFromDatetime
    subscription_to_datetime: subscriptionToDatetime
    charges_from_datetime: chargesFromDatetime
    charges_to_datetime: chargesToDatetime
    invoicing_reason: invoicingReason
  }
  credits { ...Credit }
  fees: allFees { ...Fee }
  subscriptions { ...Subscription }
  error_details: errorDetails { svc_id: svcId error_code: errorCode details }
}
${listedInvoice}
${credit}
${fee}
${subscription}`;

/** A credit note, in lists too. */
export const creditNote = /* GraphQL */ `
fragment CreditNote on CreditNote {
  svc_id: svcId
  billing_entity_code: billingEntityCode
  sequential_id: sequentialId
  number
  svc_invoice_id: svcInvoiceId
  invoice_number: invoiceNumber
  issuing_date: issuingDate
  credit_status: creditStatus
  refund_status: refundStatus
  reason
  description
  currency
  total_amount_cents: totalAmountCents
  taxes_amount_cents: taxesAmountCents
  taxes_rate: taxesRate
  sub_total_excluding_taxes_amount_cents: subTotalExcludingTaxesAmountCents
  balance_amount_cents: balanceAmountCents
  credit_amount_cents: creditAmountCents
  refund_amount_cents: refundAmountCents
  offset_amount_cents: offsetAmountCents
  coupons_adjustment_amount_cents: couponsAdjustmentAmountCents
  created_at: createdAt
  updated_at: updatedAt
  file_url: fileUrl
  items { svc_id: svcId amount_cents: amountCents amount_currency: amountCurrency fee { ...Fee } }
  self_billed: selfBilled
  customer { ...Customer }
}
${customer}
${fee}`;

export const payment = /* GraphQL */ `
fragment Payment on Payment {
  svc_id: svcId
  svc_customer_id: svcCustomerId
  external_customer_id: externalCustomerId
  invoice_ids: svcInvoiceIds
  invoice_numbers: invoiceNumbers
  svc_payable_id: svcPayableId
  payable_type: payableType
  amount_cents: amountCents
  amount_currency: amountCurrency
  status
  payment_status: status
  type: paymentType
  reference
  payment_provider_code: paymentProviderCode
  payment_provider_type: paymentProviderType
  external_payment_id: providerPaymentId
  provider_payment_id: providerPaymentId
  provider_customer_id: providerCustomerId
  next_action: nextAction
  created_at: createdAt
}`;

export const paymentRequest = /* GraphQL */ `
fragment PaymentRequest on PaymentRequest {
  svc_id: svcId
  email: recipient
  amount_cents: amountCents
  amount_currency: amountCurrency
  payment_status: paymentStatus
  created_at: createdAt
  customer { ...Customer }
  invoices { ...Invoice }
}
${customer}
${invoice}`;

/** A subscription with what is shown of it alone. */
export const extendedSubscription = /* GraphQL */ `
fragment ExtendedSubscription on BillingSubscription {
  ...Subscription
  progressive_billing_disabled: progressiveBillingDisabled
  plan { ...Plan }
  applicable_usage_thresholds: applicableUsageThresholds {
    threshold_display_name: thresholdDisplayName
    amount_cents: amountCents
    recurring
  }
}
${subscription}
${plan}`;
