/** An event as its endpoints show it. */
export const event = `fragment Event on Event {
  svc_id: svcId transaction_id: transactionId svc_customer_id: svcCustomerId code timestamp: preciseTimestamp
  precise_total_amount_cents: preciseTotalAmountCents properties svc_subscription_id: svcSubscriptionId
  external_subscription_id: externalSubscriptionId created_at: createdAt
}`;

/** What an event costs by itself. */
export const instantFee = `fragment InstantFee on InstantFee {
  svc_id: svcId svc_charge_id: svcChargeId svc_charge_filter_id: svcChargeFilterId svc_invoice_id: svcId
  svc_true_up_fee_id: svcId svc_true_up_parent_fee_id: svcId svc_subscription_id: svcSubscriptionId
  svc_customer_id: svcCustomerId external_customer_id: externalCustomerId
  external_subscription_id: externalSubscriptionId amount_cents: amountCents precise_amount: amountNumber
  precise_total_amount: amountNumber amount_currency: amountCurrency taxes_amount_cents: taxesAmountCents
  taxes_rate: taxesRate units precise_unit_amount: unitAmountNumber total_amount_cents: amountCents
  total_amount_currency: amountCurrency events_count: eventsCount pay_in_advance: payInAdvance invoiceable
  payment_status: paymentStatus event_transaction_id: eventTransactionId
  item {
    type: feeType code name description invoice_display_name: invoiceDisplayName
    filter_invoice_display_name: filterInvoiceDisplayName filters svc_item_id: svcItemId item_type: itemType
    grouped_by: groupedBy
  }
}`;
